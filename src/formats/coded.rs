//! Text fields of a binary file: all are joined, the encoding is decided
//! once, and a field that was cut inside a character is mended at the cut.

use encoding_rs::{DecoderResult, Encoding};

use crate::finding::{Code, Finding, Place, Severity};
use crate::text::{self, Encoding as TextEncoding};

/// Decodes the text fields of one file and remembers what was lost.
#[derive(Debug)]
pub(crate) struct Fields {
    encoding: &'static Encoding,
    name: Option<&'static str>,
    /// Offset of the first field that was cut inside a character, and the
    /// names of all of them.
    cut: Option<(u64, Vec<&'static str>)>,
    /// Offset of the first byte that had to be replaced, and how many.
    replaced: Option<(u64, usize)>,
}

impl Fields {
    /// Decides the encoding of fields that were written together.
    pub(crate) fn decide<'a>(parts: impl Iterator<Item = &'a [u8]> + Clone) -> Fields {
        let ascii = parts.clone().all(<[u8]>::is_ascii);
        let (encoding, name) = if ascii {
            (encoding_rs::GB18030, None)
        } else {
            let joined: Vec<u8> = parts.fold(Vec::new(), |mut all, part| {
                all.extend_from_slice(part);
                all.push(b'\n');
                all
            });
            let decided = decide_encoding(&joined);
            let decoder = match decided {
                TextEncoding::Utf8 => encoding_rs::UTF_8,
                TextEncoding::Big5 => encoding_rs::BIG5,
                _ => encoding_rs::GB18030,
            };
            (decoder, Some(decided.name()))
        };
        Fields { encoding, name, cut: None, replaced: None }
    }

    /// The same encoding, with nothing lost yet.
    pub(crate) fn fresh(&self) -> Fields {
        Fields { encoding: self.encoding, name: self.name, cut: None, replaced: None }
    }

    /// The name of the encoding; `None` where all is ASCII.
    pub(crate) fn name(&self) -> Option<&'static str> {
        self.name
    }

    /// Decodes a field that begins at `offset` of the file. Line ends become
    /// `\n`; text after a zero byte does not count.
    pub(crate) fn decode(&mut self, bytes: &[u8], offset: u64, key: &'static str) -> String {
        let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or(bytes);
        let text = if bytes.is_ascii() {
            String::from_utf8_lossy(bytes).into_owned()
        } else {
            self.decode_wide(bytes, offset, key)
        };
        plain_lines(text)
    }

    fn decode_wide(&mut self, bytes: &[u8], offset: u64, key: &'static str) -> String {
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let room = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len() * 3 + 16);
        let mut text = String::with_capacity(room);
        let mut at = 0;
        // What is pending when all bytes are in is a character that was cut.
        loop {
            let rest = bytes.get(at..).unwrap_or(&[]);
            let (result, read) =
                decoder.decode_to_string_without_replacement(rest, &mut text, false);
            at += read;
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => text.reserve(bytes.len() + 16),
                DecoderResult::Malformed(..) => {
                    text.push(char::REPLACEMENT_CHARACTER);
                    self.lost(offset + at.saturating_sub(1) as u64);
                }
            }
        }
        text.reserve(16);
        let (end, _) = decoder.decode_to_string_without_replacement(&[], &mut text, true);
        if matches!(end, DecoderResult::Malformed(..)) {
            let (_, keys) =
                self.cut.get_or_insert_with(|| (offset + bytes.len() as u64, Vec::new()));
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        text
    }

    fn lost(&mut self, offset: u64) {
        self.replaced.get_or_insert((offset, 0)).1 += 1;
    }

    /// What was mended or lost, as findings.
    pub(crate) fn findings(self, into: &mut Vec<Finding>) {
        losses(self.name.unwrap_or("gb18030"), self.cut, self.replaced, into);
    }
}

/// GB18030 unless the bytes speak clearly for another encoding: programs of
/// this field write it, and short names are valid text in several encodings.
fn decide_encoding(joined: &[u8]) -> TextEncoding {
    let found = text::detect(joined, &|_| 0);
    let clear = match found.encoding {
        TextEncoding::Utf8 => true,
        TextEncoding::Big5 => found.confidence >= 0.2,
        _ => false,
    };
    if clear { found.encoding } else { TextEncoding::Gb18030 }
}

/// Decodes UTF-16LE fields and remembers what was lost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wide {
    cut: Option<(u64, Vec<&'static str>)>,
    lost: Option<(u64, usize)>,
}

impl Wide {
    /// A fixed field: text up to the zero unit, what follows is rubbish. Half
    /// of a surrogate pair at the end of a full field is taken off.
    pub(crate) fn field(&mut self, bytes: &[u8], offset: u64, key: &'static str) -> String {
        let mut text = self.text(bytes, offset);
        let full = bytes.chunks_exact(2).all(|unit| *unit != [0, 0]);
        if full && text.ends_with(char::REPLACEMENT_CHARACTER) {
            text.pop();
            self.lost = self.lost.filter(|(_, count)| *count > 1).map(|(at, n)| (at, n - 1));
            self.cut.get_or_insert_with(|| (offset + bytes.len() as u64, Vec::new())).1.push(key);
        }
        text
    }

    /// Text up to a zero unit or the end; line ends become `\n`.
    pub(crate) fn text(&mut self, bytes: &[u8], offset: u64) -> String {
        let units = bytes
            .chunks_exact(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
            .take_while(|unit| *unit != 0);
        let mut lost = 0;
        let text: String = char::decode_utf16(units)
            .map(|c| {
                c.unwrap_or_else(|_| {
                    lost += 1;
                    char::REPLACEMENT_CHARACTER
                })
            })
            .collect();
        if lost > 0 {
            self.lost.get_or_insert((offset, 0)).1 += lost;
        }
        plain_lines(text)
    }

    /// What was mended or lost, as findings.
    pub(crate) fn findings(self, into: &mut Vec<Finding>) {
        losses("utf-16le", self.cut, self.lost, into);
    }
}

fn plain_lines(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

fn losses(
    encoding: &str,
    cut: Option<(u64, Vec<&'static str>)>,
    lost: Option<(u64, usize)>,
    into: &mut Vec<Finding>,
) {
    if let Some((offset, keys)) = cut {
        into.push(
            Finding::new(Code::EncodingReplaced, Place::offset(offset))
                .severity(Severity::Note)
                .reason("field-cut")
                .param("fields", keys.join(", "))
                .param("encoding", encoding),
        );
    }
    if let Some((offset, count)) = lost {
        into.push(
            Finding::new(Code::EncodingReplaced, Place::offset(offset))
                .param("count", count)
                .param("encoding", encoding),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(bytes: &[u8]) -> (String, Vec<Finding>) {
        let mut fields = Fields::decide(std::iter::once(bytes));
        let text = fields.decode(bytes, 0x50, "Title");
        let mut findings = Vec::new();
        fields.findings(&mut findings);
        (text, findings)
    }

    #[test]
    fn a_field_cut_inside_a_character_is_mended_with_a_note() {
        let (text, findings) = one(&[0xc5, 0xda, 0xb6]);
        assert_eq!(text, "炮");
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].reason, Some("field-cut"));
        assert_eq!(findings[0].severity, Severity::Note);
    }

    #[test]
    fn bytes_that_are_no_character_are_counted_once_for_the_file() {
        let (text, findings) = one(&[0xb6, 0x20, 0x31, 0xff, 0xc5, 0xda]);
        assert_eq!(text, "\u{fffd} 1\u{fffd}炮");
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].params[0], ("count", "2".to_owned()));
    }

    #[test]
    fn line_ends_become_one_and_a_zero_ends_the_text() {
        assert_eq!(one(b"a\r\nb\rc\nd\0rubbish").0, "a\nb\nc\nd");
    }

    #[test]
    fn utf16_stops_at_the_zero_unit_not_at_a_zero_byte() {
        let mut wide = Wide::default();
        assert_eq!(wide.field(&[0x54, 0, 0x65, 0, 0, 0, 0x46, 0xd8], 9, "Name"), "Te");
        let mut findings = Vec::new();
        wide.clone().findings(&mut findings);
        assert!(findings.is_empty());
        assert_eq!(wide.field(&[0x4e, 0x67, 0x00, 0xd8], 20, "Name"), "\u{674e}");
        assert_eq!(wide.text(&[0x00, 0xd8, 0x31, 0], 30), "\u{fffd}1");
        wide.findings(&mut findings);
        let reasons: Vec<_> = findings.iter().map(|f| f.reason).collect();
        assert_eq!(reasons, [Some("field-cut"), None]);
    }
}
