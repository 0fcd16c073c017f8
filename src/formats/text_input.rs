//! The text of a piece, decoded once, and records cut out of it.

use std::ops::Range;

use super::{Limits, Piece};
use crate::finding::{Finding, SourcePoint};
use crate::record::{FormatId, Header, Origin, Record, Span, field_name};
use crate::text::{self, Cursor, Decoded, Encoding};

/// A decoded piece.
#[derive(Debug)]
pub(crate) struct TextInput {
    decoded: Decoded,
    /// What the records say of their encoding: nothing, where every encoding
    /// reads the same.
    encoding: Option<&'static str>,
}

/// Words that headers of game records are full of, in either script.
fn scorer(text: &str) -> i64 {
    text.chars().filter(|c| "红胜负和黑紅勝負先局赛賽".contains(*c)).count() as i64 * 3
}

impl TextInput {
    /// Decodes a piece by the encoding that was decided for its file, or by
    /// what its bytes show.
    pub(crate) fn decode(piece: &Piece) -> TextInput {
        let encoding: Option<Encoding> = piece.encoding.and_then(|name| name.parse().ok());
        let encoding = encoding.unwrap_or_else(|| text::detect(&piece.bytes, &scorer).encoding);
        let base = SourcePoint { offset: piece.offset, line: piece.line.max(1), column: 1 };
        let decoded = text::decode_at(&piece.bytes, encoding, base);
        let tells = !decoded.text.is_ascii() || decoded.bom;
        let encoding = tells.then(|| decoded.encoding.name());
        TextInput { decoded, encoding }
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.decoded.text
    }

    /// Finds places; asked in ascending order it walks the text once.
    pub(crate) fn cursor(&self) -> Cursor<'_> {
        self.decoded.map.cursor(&self.decoded.text)
    }

    /// A record whose text is a part of the input, with what was damaged there.
    pub(crate) fn record(
        &self,
        id: FormatId,
        range: Range<usize>,
        game: u32,
        cursor: &mut Cursor<'_>,
        limits: &Limits,
    ) -> Record {
        let point = cursor.point(range.start);
        Record {
            text: self.text().get(range.clone()).unwrap_or("").to_owned(),
            origin: Origin {
                format: id,
                version: None,
                encoding: self.encoding,
                game,
                line: Some(point.line),
                offset: point.offset,
                map: cursor.sub(range.start),
            },
            findings: self.damage(range, limits),
            ..Record::default()
        }
    }

    fn damage(&self, range: Range<usize>, limits: &Limits) -> Vec<Finding> {
        let all = &self.decoded.damage;
        let first = all.partition_point(|damage| damage.text.start < range.start);
        all.iter()
            .skip(first)
            .take_while(|damage| damage.text.start < range.end)
            .take(limits.findings)
            .map(|damage| damage.finding(&self.decoded))
            .collect()
    }
}

/// A header with its place in the text of the record.
pub(crate) fn header(name: &str, value: impl Into<String>, span: Span) -> Header {
    Header { name: field_name(name), value: value.into(), span }
}

/// The place of `part`, which is a slice of `whole`.
pub(crate) fn span_of(whole: &str, part: &str) -> Span {
    let start = part.as_ptr().addr().saturating_sub(whole.as_ptr().addr());
    Span::new(start, start + part.len())
}

/// The beginning of a text, up to a number of bytes, cut between characters.
pub(crate) fn cut_at(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// Line ends become `\n`.
pub(crate) fn plain_lines(text: &str) -> String {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::FormatId;

    #[test]
    fn records_know_their_place_in_the_file() {
        let (bytes, _, _) = encoding_rs::GB18030.encode("红\n甲乙");
        let piece = Piece { bytes: bytes.into_owned(), line: 1, ..Piece::default() };
        let input = TextInput::decode(&piece);
        assert_eq!(input.text(), "红\n甲乙");
        let mut cursor = input.cursor();
        let record = input.record(FormatId("t"), 4..10, 2, &mut cursor, &Limits::default());
        assert_eq!((record.origin.offset, record.origin.line), (3, Some(2)));
        assert_eq!(record.point(Span::new(3, 6)).offset, 5);
        assert_eq!(span_of(&record.text, &record.text[3..6]), Span::new(3, 6));
        assert_eq!(cut_at("甲乙", 4), "甲");
    }
}
