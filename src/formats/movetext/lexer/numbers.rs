//! Numbers in movetext: of rounds, in digits and in words, glued to a move or
//! not; clocks, results and moves that begin with a digit.

use super::{Kind, Lexer};
use crate::formats::movetext::shape::{self, Shapes, char_at};

/// From this many columns on, a gap after a number is Red's empty place: 象棋
/// 巫师 leaves ten (pgn.md, 3).
const WIDE_GAP: usize = 8;

impl Lexer<'_> {
    /// `12. ` before anything but dots and blanks: nearly all numbers.
    #[inline]
    pub(super) fn plain_number(&mut self, start: usize) -> Option<(Kind, usize, usize)> {
        let mut at = start;
        let mut value: u32 = 0;
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(at) {
            value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            at += 1;
        }
        match self.bytes.get(at..at + 3)? {
            // What begins with E2 or E3 could be an ellipsis or a wide blank.
            [b'.', b' ', next] if !matches!(next, b' ' | b'.' | b'\t' | 0xE2 | 0xE3) => {
                self.at = at + 2;
                Some((Kind::Number { value, black: false, padded: false }, start, at + 1))
            }
            _ => None,
        }
    }

    /// A number, a result, or a move that begins with a digit.
    pub(super) fn digits(&mut self, start: usize) -> (Kind, usize, usize) {
        let (value, digits) = self.number(start);
        let end = start + digits;
        if let Some(len) = self.clock(end) {
            return self.take(Kind::Clock, start, digits + len);
        }
        let results: &[&str] = match self.bytes.get(end) {
            Some(b'-' | b'/' | b'.') if value <= 1 => &["1/2-1/2", "1-0", "0-1", "1/2", "0.5-0.5"],
            _ => &[],
        };
        for result in results {
            // `0-1` could begin `0-1234`, and `1-0` a date.
            if self.starts(start, result)
                && !self.bytes.get(start + result.len()).is_some_and(u8::is_ascii_digit)
            {
                return self.take(Kind::Result, start, result.len());
            }
        }
        match char_at(self.bytes, end).0 {
            // `13.4` is a move of the WXF when nothing but a blank follows.
            0x2E if digits == 2 && self.lone_digit(end + 1) => {
                if let Some(found) = shape::latin(self.bytes, start) {
                    self.at = found.end;
                    return (Kind::Move(found.shapes), start, found.end);
                }
            }
            0x2B | 0x2D | 0x3D | 0xFF0B | 0xFF0D | 0xFF1D => {
                if let Some(found) = shape::latin(self.bytes, start)
                    && !found.shapes.is_damaged()
                {
                    self.at = found.end;
                    return (Kind::Move(found.shapes), start, found.end);
                }
            }
            0x3400.. if digits == 1 => {
                if let Some(found) = shape::chinese(self.bytes, start)
                    && found.shapes == Shapes::CHINESE
                    && self.glued_number(start, Some(found)).is_none()
                {
                    self.at = found.end;
                    return (Kind::Move(found.shapes), start, found.end);
                }
            }
            0xBD => return self.take(Kind::Junk, start, digits + 2),
            _ if digits == 4 && (self.four_digit_move(start) || self.behind_number(start)) => {
                self.at = end;
                return (Kind::Move(Shapes::DIGITS), start, end);
            }
            _ => {}
        }
        self.after_number(value, start, end)
    }

    /// The length of what makes a time of the number before `at`: a colon and
    /// two digits, once or twice, or the sign for minutes.
    fn clock(&self, at: usize) -> Option<usize> {
        let pair = |at: usize| {
            matches!(self.bytes.get(at..at + 3), Some([b':', b'0'..=b'5', b'0'..=b'9']))
                && !self.bytes.get(at + 3).is_some_and(u8::is_ascii_digit)
        };
        match self.bytes.get(at)? {
            b':' if pair(at) && pair(at + 3) => Some(6),
            b':' if pair(at) => Some(3),
            b'\'' => Some(1),
            _ if self.starts(at, "′") => Some("′".len()),
            _ => None,
        }
    }

    /// The value of digits, ASCII or full-width, and the bytes they take.
    pub(super) fn number(&self, start: usize) -> (u32, usize) {
        let mut value: u32 = 0;
        let mut len = 0;
        loop {
            let (c, n) = char_at(self.bytes, start + len);
            let digit = match c {
                0x30..=0x39 => c - 0x30,
                0xFF10..=0xFF19 => c - 0xFF10,
                _ => return (value, len),
            };
            value = value.saturating_mul(10).saturating_add(digit);
            len += n;
        }
    }

    fn lone_digit(&self, at: usize) -> bool {
        matches!(self.bytes.get(at), Some(b'1'..=b'9'))
            && self.bytes.get(at + 1).is_none_or(|c| c.is_ascii_whitespace() || *c == b')')
    }

    fn four_digits(&self, at: usize) -> bool {
        let digits = self.bytes.get(at..at + 4).is_some_and(|d| d.iter().all(u8::is_ascii_digit));
        digits && !self.bytes.get(at + 4).is_some_and(u8::is_ascii_alphanumeric)
    }

    /// Whether a number and a hyphen stand before `at`, as in `12-2546`.
    fn behind_number(&self, at: usize) -> bool {
        let before = self.bytes.get(..at).unwrap_or_default();
        matches!(before, [.., b'0'..=b'9', b'-']) && self.four_digits(at)
    }

    fn four_digit_move(&self, at: usize) -> bool {
        let digit = |i: usize| matches!(self.bytes.get(at + i), Some(b'0'..=b'9'));
        let file = |i: usize| matches!(self.bytes.get(at + i), Some(b'0'..=b'8'));
        // Behind a year a character follows: 2004年.
        let ends = match char_at(self.bytes, at + 4).0 {
            c @ 0..0x80 => !matches!(c, 0x2E | 0x30..=0x39 | 0x41..=0x5A | 0x61..=0x7A),
            c => c == 0x3000,
        };
        file(0) && digit(1) && file(2) && digit(3) && ends
    }

    /// What stands between a number and its move: full stop, dots, a gap.
    pub(super) fn after_number(
        &mut self,
        value: u32,
        start: usize,
        digits_end: usize,
    ) -> (Kind, usize, usize) {
        let mut at = digits_end;
        let (c, n) = char_at(self.bytes, at);
        let mut black = false;
        match c {
            0x2E | 0xFF0E | 0x3002 | 0x3001 | 0xFF0C | 0xFF1A | 0x3A | 0xB7 => at += n,
            0x2D if self.bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
                || char_at(self.bytes, at + 1).0 >= 0x3400
                || self.four_digits(at + 1) =>
            {
                // `12-f2e4`: the tree dialect of hbsxcjp.
                at += 1;
            }
            _ => {}
        }
        let stop = at;
        // Dots, glued or after blanks; three full stops or an ellipsis.
        let mut columns = 0;
        let mut dots = usize::from(c == 0x2E);
        loop {
            let (c, n) = char_at(self.bytes, at);
            match c {
                0x20 => columns += 1,
                0x09 => columns += 8,
                0x3000 => columns += 2,
                0x2E => dots += 1,
                0x2025 | 0x2026 | 0x22EF | 0x85 => dots += 2,
                _ => break,
            }
            at += n;
            if dots >= 2 {
                black = true;
            }
        }
        let end = if black { at } else { stop };
        self.at = end;
        let padded =
            !black && columns >= WIDE_GAP && !matches!(char_at(self.bytes, at).0, 0 | 0x0A | 0x0D);
        (Kind::Number { value, black, padded }, start, end)
    }

    /// １炮二平五, 一炮二平五, 十二、车一平二: a number behind a blank and directly
    /// before a whole move. `found` is the move that begins with the number:
    /// 二兵三平四 is one, and 二马二进三 none that anybody writes.
    #[cold]
    pub(super) fn glued_number(
        &self,
        start: usize,
        found: Option<shape::Shape>,
    ) -> Option<(u32, usize)> {
        let before = self.text.get(..start)?.chars().next_back();
        if before.is_some_and(|c| !c.is_whitespace() && c != '\u{FEFF}' && c != '\u{1E}') {
            return None;
        }
        let (value, len) = match self.number(start) {
            (_, 0) => han_number(self.text.get(start..)?)?,
            number => number,
        };
        let (c, n) = char_at(self.bytes, start + len);
        let stop = if matches!(c, 0x2E | 0xFF0E | 0x3002 | 0x3001) { n } else { 0 };
        let at = start + len + stop;
        let inner = shape::chinese(self.bytes, at).filter(|s| s.shapes == Shapes::CHINESE)?;
        let whole = found.is_some_and(|found| found.shapes == Shapes::CHINESE);
        if whole && self.text.get(at..)?.starts_with(['兵', '卒']) {
            // A round has a second move, and begins its line.
            let gap = self.text.get(inner.end..)?;
            let blanks = gap.len() - gap.trim_start_matches([' ', '\t', '\u{3000}']).len();
            let second = shape::chinese(self.bytes, inner.end + blanks);
            let starts_line = before.is_none_or(|c| matches!(c, '\n' | '\u{FEFF}' | '\u{1E}'));
            if !starts_line || second.is_none_or(|s| s.shapes != Shapes::CHINESE) {
                return None;
            }
        }
        Some((value, len))
    }

    /// 第3回合, 第十二回合: a number in words.
    pub(super) fn round(&mut self, start: usize) -> Option<(Kind, usize, usize)> {
        let mut at = start + '第'.len_utf8();
        let (mut value, digits) = self.number(at);
        at += digits;
        if digits == 0 {
            let (word, len) = han_number(self.text.get(at..)?)?;
            value = word;
            at += len;
        }
        let unit =
            ["回合", "回", "着", "著", "手"].into_iter().find(|unit| self.starts(at, unit))?;
        Some(self.after_number(value, start, at + unit.len()))
    }
}

/// Whether a character can begin a number that is not in ASCII.
pub(super) fn is_numeral(c: u32) -> bool {
    matches!(c, 0xFF10..=0xFF19)
        || char::from_u32(c).is_some_and(|c| "一二三四五六七八九十".contains(c))
}

/// The value of 一 to 九十九 at the start of a text, and its bytes.
pub(crate) fn han_number(text: &str) -> Option<(u32, usize)> {
    let mut value = 0;
    let mut units = 0;
    let mut len = 0;
    for c in text.chars().take(3) {
        match c {
            '十' => {
                value += units.max(1) * 10;
                units = 0;
            }
            _ => match "一二三四五六七八九".chars().position(|d| d == c) {
                Some(digit) => units = digit as u32 + 1,
                None => break,
            },
        }
        len += c.len_utf8();
    }
    (len > 0).then_some((value + units, len))
}
