//! Text fields of a binary file: all are joined, the encoding is decided
//! once, and a field that was cut inside a character is mended at the cut.

use encoding_rs::{DecoderResult, Encoding};

use crate::finding::{Code, Finding, Place, Severity};

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
            let name = decide_encoding(&joined);
            (Encoding::for_label(name.as_bytes()).unwrap_or(encoding_rs::GB18030), Some(name))
        };
        Fields { encoding, name, cut: None, replaced: None }
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
        if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
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
        let encoding = self.name.unwrap_or("gb18030");
        if let Some((offset, keys)) = self.cut {
            into.push(
                Finding::new(Code::EncodingReplaced, Place::offset(offset))
                    .severity(Severity::Note)
                    .reason("field-cut")
                    .param("fields", keys.join(", "))
                    .param("encoding", encoding),
            );
        }
        if let Some((offset, count)) = self.replaced {
            into.push(
                Finding::new(Code::EncodingReplaced, Place::offset(offset))
                    .param("count", count)
                    .param("encoding", encoding),
            );
        }
    }
}

/// GB18030 unless the bytes speak for another encoding.
fn decide_encoding(joined: &[u8]) -> &'static str {
    if std::str::from_utf8(joined).is_ok_and(|text| text.chars().any(|c| c >= '\u{2e80}')) {
        return "utf-8";
    }
    "gb18030"
}

/// UTF-16LE of a fixed field, up to the zero unit; what follows is rubbish.
/// Half a surrogate pair becomes U+FFFD, which the flag tells.
pub(crate) fn utf16(bytes: &[u8]) -> (String, bool) {
    let units = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .take_while(|unit| *unit != 0);
    let mut damaged = false;
    let text = char::decode_utf16(units)
        .map(|c| {
            c.unwrap_or_else(|_| {
                damaged = true;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    (text, damaged)
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
        assert_eq!(utf16(&[0x54, 0, 0x65, 0, 0, 0, 0x46, 0]), ("Te".to_owned(), false));
        assert_eq!(utf16(&[0x4e, 0x67, 0x00, 0xd8]), ("\u{674e}\u{fffd}".to_owned(), true));
    }
}
