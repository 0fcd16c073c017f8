//! Finds where games begin in the bytes of a PGN file, before decoding.
//!
//! A boundary is reported only where the reader of one game would see one too;
//! what is not sure stays together, and the reader parts it. So the pieces in
//! which a file is read do not change what is read.

use crate::formats::movetext::{comment_end, is_tag, whole_tag_line};
use crate::text::Encoding;

/// The bytes of a file with its structure laid open: the byte order and the
/// second halves of characters do not disturb.
#[derive(Debug)]
pub(super) struct View<'a> {
    bytes: std::borrow::Cow<'a, [u8]>,
    /// Bytes of the file for a byte of the view.
    scale: usize,
    /// Whether the second byte of a character can look like ASCII.
    double: bool,
    /// Finds a line that begins with a bracket.
    line: memchr::memmem::Finder<'static>,
}

impl<'a> View<'a> {
    /// For bytes in an encoding.
    pub(super) fn new(bytes: &'a [u8], encoding: Encoding) -> View<'a> {
        let unit = |high: u8, low: u8| if high == 0 && low < 0x80 { low } else { 0xFF };
        let wide = |le: bool| -> Vec<u8> {
            bytes
                .chunks_exact(2)
                .map(|pair| match *pair {
                    [a, b] if le => unit(b, a),
                    [a, b] => unit(a, b),
                    _ => 0xFF,
                })
                .collect()
        };
        let (bytes, scale) = match encoding {
            Encoding::Utf16Le => (wide(true).into(), 2),
            Encoding::Utf16Be => (wide(false).into(), 2),
            _ => (bytes.into(), 1),
        };
        let double = matches!(encoding, Encoding::Gb18030 | Encoding::Big5);
        View { bytes, scale, double, line: memchr::memmem::Finder::new(b"\n[") }
    }

    /// The byte where the game after the one at `from` begins; `None` when no
    /// beginning is sure.
    pub(super) fn next_game(&self, from: usize) -> Option<usize> {
        self.next(from / self.scale).map(|at| at * self.scale)
    }

    /// Number of line feeds between two bytes.
    pub(super) fn lines(&self, from: usize, to: usize) -> u32 {
        let range = self.bytes.get(from / self.scale..to / self.scale).unwrap_or_default();
        memchr::memchr_iter(b'\n', range).count() as u32
    }

    fn next(&self, from: usize) -> Option<usize> {
        let bytes = &*self.bytes;
        let mut at = from;
        loop {
            let rest = bytes.get(at..)?;
            at += rest.iter().take_while(|c| c.is_ascii_whitespace()).count();
            match whole_tag_line(bytes, at) {
                Some(next) if next > at => at = next,
                _ => break,
            }
        }
        loop {
            let rest = bytes.get(at..)?;
            let line = at + self.line.find(rest)? + 1;
            let before = bytes.get(at..line)?;
            if let Some(n) = memchr::memchr3(b'{', b';', b'%', before) {
                match self.pass(at + n) {
                    Passed::To(next) => at = next,
                    Passed::Game(line) => return Some(line),
                }
                continue;
            }
            // Behind a bracket the tags go on: a tag may stand on the line of
            // the moves before it.
            let last = before.iter().rev().find(|c| !c.is_ascii_whitespace());
            if is_tag(bytes, line) && last.is_some_and(|c| *c != b']') {
                return Some(line);
            }
            at = line + 1;
        }
    }

    /// Passes what begins at `at`: a comment, a line of remarks, or half of a
    /// character.
    fn pass(&self, at: usize) -> Passed {
        let bytes = &*self.bytes;
        if !self.is_whole(at) {
            return Passed::To(at + 1);
        }
        match bytes.get(at) {
            Some(b'{') => match comment_end(bytes, at + 1, &|i| self.is_whole(i)) {
                (end, true) => Passed::To(end + 1),
                (end, false) if end < bytes.len() => Passed::Game(end),
                (end, false) => Passed::To(end),
            },
            Some(b'%') if at > 0 && bytes.get(at - 1) != Some(&b'\n') => Passed::To(at + 1),
            _ => {
                let rest = bytes.get(at..).unwrap_or_default();
                Passed::To(at + memchr::memchr(b'\n', rest).unwrap_or(rest.len()))
            }
        }
    }

    /// Whether the byte at `at` is a character and not the second half of one.
    /// A line feed never is, so counting begins with the line.
    fn is_whole(&self, at: usize) -> bool {
        if !self.double {
            return true;
        }
        let before = self.bytes.get(..at).unwrap_or_default();
        let mut i = memchr::memrchr(b'\n', before).map_or(0, |n| n + 1);
        while i < at {
            i += if self.bytes.get(i).is_some_and(|c| *c > 0x80) { 2 } else { 1 };
        }
        i == at
    }
}

enum Passed {
    To(usize),
    Game(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(bytes: &[u8], encoding: Encoding) -> Vec<usize> {
        let view = View::new(bytes, encoding);
        std::iter::successors(view.next_game(0), |at| view.next_game(*at)).collect()
    }

    #[test]
    fn tags_after_moves_begin_a_game() {
        let text = "[Event \"a\"]\n\n[Red \"x\"]\n\n1. h2e2 *\n[Event \"b\"]\n1. h2e2 *\n";
        let second = text.find("[Event \"b\"").unwrap_or_default();
        assert_eq!(starts(text.as_bytes(), Encoding::Utf8), [second]);
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(starts(&wide, Encoding::Utf16Le), [second * 2]);
    }

    #[test]
    fn comments_hide_tags() {
        let text = "1. h2e2 {\n[Event \"b\"]} h9g7 ; {\n*\n\n[Event \"c\"]\n*\n";
        assert_eq!(starts(text.as_bytes(), Encoding::Utf8), [text.find("[Event \"c").unwrap_or(0)]);
        let open = "1. h2e2 { no end\n\n[Event \"b\"]\n[Red \"r\"]\n\n1. h2e2 {good} *\n";
        assert_eq!(starts(open.as_bytes(), Encoding::Utf8), [open.find("[Event").unwrap_or(0)]);
    }

    #[test]
    fn halves_of_characters_are_no_brackets() {
        // Big5: A47B ends in an opening bracket; 5C and 7D occur too.
        let bytes = b"1. h2e2 \xA4\x7B *\n[Event \"b\"]\n*\n";
        assert_eq!(starts(bytes, Encoding::Big5).len(), 1);
    }

    #[test]
    fn a_tag_on_the_line_of_the_result_is_left_to_the_reader() {
        let text = "1. h2e2 1-0[Event \"b\"]\n[Red \"r\"]\n\n1. h2e2 *\n[Event \"c\"]\n*\n";
        assert_eq!(starts(text.as_bytes(), Encoding::Utf8), [text.find("[Event \"c").unwrap_or(0)]);
    }
}
