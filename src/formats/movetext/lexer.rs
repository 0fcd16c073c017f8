//! Cuts movetext into lexemes: moves, numbers, dots, comments, brackets,
//! glyphs, results, and the rest.
//!
//! One pass over the bytes of decoded text, without allocation. It never
//! fails: what it does not know is [`Kind::Junk`] or [`Kind::Prose`].

use super::brackets::{comment_end, is_tag};
use super::shape::{self, Shapes, char_at};
use super::words::result_word;

/// What a lexeme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word that looks like a move.
    Move(Shapes),
    /// A move number. `black` when dots follow that leave Red's place out;
    /// `padded` when a wide gap does.
    Number { value: u32, black: bool, padded: bool },
    /// Dots that follow no number.
    Dots,
    /// A sign for a move that could not be read: `--`, `？？？？`.
    Placeholder,
    /// A time beside a move: `0:07`, `00:12:30`, `5'`.
    Clock,
    /// `!`, `?`, `!?`, `$1`.
    Glyph,
    /// A comment; the lexeme is what stands between the brackets. `closed` is
    /// false when the bracket on the right is missing.
    Comment { closed: bool },
    /// `(`
    Open,
    /// `)`
    Close,
    /// `1-0`, `*`, 红胜.
    Result,
    /// `[` of a tag that begins a new game.
    Tag,
    /// A row of signs that rules the page (`=======`).
    Rule,
    /// A bracket that opens or closes nothing, a sign that means nothing.
    Stray,
    /// Characters of another script, words of a language.
    Prose,
    /// A comma or full stop between moves, which says nothing.
    Punctuation,
    /// Anything else.
    Junk,
    /// The end of the text.
    End,
}

/// A piece of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    /// What it is.
    pub(crate) kind: Kind,
    /// Its first byte.
    pub(crate) start: usize,
    /// One past its last byte.
    pub(crate) end: usize,
    /// Whether it is the first of its line.
    pub(crate) first: bool,
}

/// The lexer.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Nothing but blanks since the line began.
    line_start: bool,
}

/// From this many columns on, a gap after a number is Red's empty place: 象棋
/// 巫师 leaves ten (pgn.md, 3).
const WIDE_GAP: usize = 8;

impl<'a> Lexer<'a> {
    /// Reads `text` from byte `at`, which begins a line.
    pub(crate) fn new(text: &'a str, at: usize) -> Lexer<'a> {
        Lexer { text, bytes: text.as_bytes(), at, line_start: true }
    }

    /// The byte that is read next.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Goes on at another byte.
    pub(crate) fn seek(&mut self, at: usize) {
        self.at = at.max(self.at);
        self.line_start = self.bytes.get(..at).is_some_and(|b| b.last() == Some(&b'\n'));
    }

    /// The end of the line that `at` is in, before its line feed.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |n| at + n)
    }

    /// The next lexeme.
    #[inline]
    pub(crate) fn next(&mut self) -> Lexeme {
        self.skip_blanks();
        let start = self.at;
        let first = std::mem::take(&mut self.line_start);
        let (kind, from, to) = self.scan(start);
        Lexeme { kind, start: from, end: to, first }
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\r' | 0x0B | 0x0C | 0x1E) => self.at += 1,
                Some(b'\n') => {
                    self.at += 1;
                    self.line_start = true;
                    // A line that begins with a per cent sign is not for us.
                    while self.bytes.get(self.at) == Some(&b'%') {
                        self.at = (self.line_end(self.at) + 1).min(self.bytes.len());
                    }
                }
                Some(0xC2 | 0xE2 | 0xE3 | 0xEF) => {
                    let (c, n) = char_at(self.bytes, self.at);
                    if !matches!(c, 0x3000 | 0xA0 | 0x2000..=0x200F | 0x2028..=0x202F | 0xFEFF) {
                        return;
                    }
                    self.at += n;
                }
                _ => return,
            }
        }
    }

    /// The lexeme at `start`: its kind and what it covers. Moves on past it.
    fn scan(&mut self, start: usize) -> (Kind, usize, usize) {
        let Some(&byte) = self.bytes.get(start) else { return (Kind::End, start, start) };
        match byte {
            b'0'..=b'9' => self.plain_number(start).unwrap_or_else(|| self.digits(start)),
            b'A'..=b'Z' | b'a'..=b'z' => self.latin(start),
            b'{' => self.comment(start),
            b';' => {
                let end = self.line_end(start);
                self.at = end;
                let body = self.text.get(start + 1..end).unwrap_or("");
                let end = start + 1 + body.trim_end().len();
                (Kind::Comment { closed: true }, start + 1, end)
            }
            b'(' => self.take(Kind::Open, start, 1),
            b')' => self.take(Kind::Close, start, 1),
            b'[' => {
                let kind = if is_tag(self.bytes, start) { Kind::Tag } else { Kind::Stray };
                self.take(kind, start, 1)
            }
            b']' | b'}' => self.take(Kind::Stray, start, 1),
            b'$' => {
                let digits = self.run(start + 1, |c| c.is_ascii_digit());
                let kind = if digits > 0 { Kind::Glyph } else { Kind::Junk };
                self.take(kind, start, 1 + digits)
            }
            b'*' => {
                let stars = self.run(start, |c| c == b'*');
                self.take(if stars == 1 { Kind::Result } else { Kind::Junk }, start, stars)
            }
            b'!' | b'?' => self.marks(start),
            b'.' => self.dots(start),
            b'+' | b'-' | b'=' => self.signs(start),
            b',' | b':' => self.take(Kind::Punctuation, start, 1),
            b'"' | b'\'' | b'|' | b'/' | b'\\' | b'&' | b'#' | b'~' | b'`' | b'@' | b'^' | b'<'
            | b'>' | b'_' | b'%' => {
                let same = self.run(start, |c| c == byte);
                let kind = match byte {
                    b'_' if same >= 2 => Kind::Placeholder,
                    _ if same >= 4 => Kind::Rule,
                    _ => Kind::Junk,
                };
                self.take(kind, start, same)
            }
            0x80.. => self.wide(start),
            _ => self.take(Kind::Junk, start, 1),
        }
    }

    fn take(&mut self, kind: Kind, start: usize, len: usize) -> (Kind, usize, usize) {
        self.at = start + len;
        (kind, start, start + len)
    }

    fn run(&self, at: usize, is: impl Fn(u8) -> bool) -> usize {
        self.bytes.get(at..).unwrap_or_default().iter().take_while(|c| is(**c)).count()
    }

    fn starts(&self, at: usize, with: &str) -> bool {
        self.text.get(at..).is_some_and(|rest| rest.starts_with(with))
    }

    fn comment(&mut self, start: usize) -> (Kind, usize, usize) {
        let (end, closed) = comment_end(self.bytes, start + 1, &|_| true);
        self.at = if closed { end + 1 } else { end };
        (Kind::Comment { closed }, start + 1, end)
    }

    fn latin(&mut self, start: usize) -> (Kind, usize, usize) {
        if let Some(found) = shape::iccs(self.bytes, start)
            .or_else(|| shape::wxf(self.bytes, start))
            .or_else(|| shape::latin(self.bytes, start))
        {
            self.at = found.end;
            return (Kind::Move(found.shapes), start, found.end);
        }
        let len = self.run(start, |c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'\''));
        self.take(Kind::Prose, start, len)
    }

    /// `12. ` before anything but dots and blanks: nearly all numbers.
    #[inline]
    fn plain_number(&mut self, start: usize) -> Option<(Kind, usize, usize)> {
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
    fn digits(&mut self, start: usize) -> (Kind, usize, usize) {
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
    fn number(&self, start: usize) -> (u32, usize) {
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
    fn after_number(
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

    fn dots(&mut self, start: usize) -> (Kind, usize, usize) {
        let dots = self.run(start, |c| c == b'.');
        self.take(if dots >= 2 { Kind::Dots } else { Kind::Punctuation }, start, dots)
    }

    /// `!` and `?`, ASCII or full-width: a glyph, or a placeholder.
    fn marks(&mut self, start: usize) -> (Kind, usize, usize) {
        if let Some(found) = shape::lossy(self.bytes, start) {
            self.at = found.end;
            return (Kind::Move(found.shapes), start, found.end);
        }
        let mut end = start;
        let (mut marks, mut questions) = (0, 0);
        loop {
            let (c, n) = char_at(self.bytes, end);
            match c {
                0x21 | 0xFF01 => {}
                0x3F | 0xFF1F => questions += 1,
                _ => break,
            }
            marks += 1;
            end += n;
        }
        let kind = if questions == marks && marks >= 3 { Kind::Placeholder } else { Kind::Glyph };
        self.at = end;
        (kind, start, end)
    }

    fn signs(&mut self, start: usize) -> (Kind, usize, usize) {
        let Some(&byte) = self.bytes.get(start) else { return (Kind::End, start, start) };
        let same = self.run(start, |c| c == byte);
        if same < 4
            && let Some(found) = shape::latin(self.bytes, start)
            && !found.shapes.is_damaged()
        {
            self.at = found.end;
            return (Kind::Move(found.shapes), start, found.end);
        }
        let kind = match byte {
            b'-' if same == 2 || same == 4 => Kind::Placeholder,
            _ if same >= 4 => Kind::Rule,
            b'-' if same == 3 => Kind::Placeholder,
            b'+' => Kind::Glyph,
            // GM Chess writes one before a move number.
            b'=' => Kind::Stray,
            _ => Kind::Junk,
        };
        self.take(kind, start, same)
    }

    /// A lexeme that begins with a character outside ASCII.
    fn wide(&mut self, start: usize) -> (Kind, usize, usize) {
        // Nearly all are such moves, and no number begins like them.
        if let Some(found) = shape::plain_chinese(self.bytes, start) {
            self.at = found.end;
            return (Kind::Move(found.shapes), start, found.end);
        }
        let found = shape::chinese(self.bytes, start);
        if is_numeral(char_at(self.bytes, start).0)
            && let Some((value, len)) = self.glued_number(start, found)
        {
            return self.after_number(value, start, start + len);
        }
        if let Some(found) = found.or_else(|| shape::lossy(self.bytes, start)) {
            self.at = found.end;
            return (Kind::Move(found.shapes), start, found.end);
        }
        let (c, n) = char_at(self.bytes, start);
        match c {
            0xFF10..=0xFF19 => {
                let (value, digits) = self.number(start);
                self.after_number(value, start, start + digits)
            }
            0xFF21..=0xFF3A | 0xFF41..=0xFF5A => match shape::latin(self.bytes, start) {
                Some(found) => {
                    self.at = found.end;
                    (Kind::Move(found.shapes), start, found.end)
                }
                None => self.prose(start),
            },
            0xFF01 | 0xFF1F => self.marks(start),
            0xFF08 => self.take(Kind::Open, start, n),
            0xFF09 => self.take(Kind::Close, start, n),
            0xFF0A => self.take(Kind::Result, start, n),
            0xBD => {
                let len = if self.starts(start, "½-½") { "½-½".len() } else { n };
                self.take(Kind::Result, start, len)
            }
            0x2025 | 0x2026 | 0x22EF => {
                let mut end = start;
                while matches!(char_at(self.bytes, end).0, 0x2025 | 0x2026 | 0x22EF) {
                    end += char_at(self.bytes, end).1;
                }
                self.take(Kind::Dots, start, end - start)
            }
            // 。，、；：「」… between moves say nothing.
            0x3001..=0x3003 | 0xFF0C | 0xFF0E | 0xFF1A | 0xFF1B | 0xB7 => {
                self.take(Kind::Punctuation, start, n)
            }
            // Boxes, arrows, dashes.
            0x2010..=0x2015 | 0x2190..=0x22FF | 0x2500..=0x25FF | 0xFF0D | 0xFF1D | 0xFF3F => {
                self.drawing(start)
            }
            0x7B2C => self.round(start).unwrap_or_else(|| self.prose_or_result(start)),
            _ => self.prose_or_result(start),
        }
    }

    /// １炮二平五, 一炮二平五, 十二、车一平二: a number behind a blank and directly
    /// before a whole move. `found` is the move that begins with the number:
    /// 二兵三平四 is one, and 二马二进三 none that anybody writes.
    #[cold]
    fn glued_number(&self, start: usize, found: Option<shape::Shape>) -> Option<(u32, usize)> {
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
    fn round(&mut self, start: usize) -> Option<(Kind, usize, usize)> {
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

    fn drawing(&mut self, start: usize) -> (Kind, usize, usize) {
        let mut end = start;
        let mut count = 0;
        let (head, _) = char_at(self.bytes, start);
        let mut same = true;
        loop {
            let (c, n) = char_at(self.bytes, end);
            if !matches!(c, 0x2010..=0x2015 | 0x2190..=0x22FF | 0x2500..=0x25FF | 0xFF0D | 0xFF1D | 0xFF3F)
            {
                break;
            }
            same &= c == head;
            count += 1;
            end += n;
        }
        let kind = match head {
            0x25A1 | 0x25CB | 0x2610 if same && count >= 2 => Kind::Placeholder,
            0x2010..=0x2015 | 0xFF0D | 0xFF3F if same && (2..=4).contains(&count) => {
                Kind::Placeholder
            }
            _ if same && count >= 4 => Kind::Rule,
            _ => Kind::Junk,
        };
        self.at = end;
        (kind, start, end)
    }

    fn prose_or_result(&mut self, start: usize) -> (Kind, usize, usize) {
        match result_word(self.text, start) {
            Some(end) => {
                self.at = end;
                (Kind::Result, start, end)
            }
            None => self.prose(start),
        }
    }

    /// A run of words: up to a blank, a bracket, or something that is a move.
    fn prose(&mut self, start: usize) -> (Kind, usize, usize) {
        let mut end = start;
        loop {
            let (c, n) = char_at(self.bytes, end);
            if n == 0
                || c <= 0x20
                || matches!(c, 0x3000 | 0xA0 | 0x7B | 0x7D | 0x28 | 0x29 | 0xFF08 | 0xFF09 | 0x5B)
            {
                break;
            }
            if end > start
                && c >= 0x3400
                && shape::chinese(self.bytes, end).is_some_and(|s| s.shapes == Shapes::CHINESE)
            {
                break;
            }
            end += n;
        }
        let end = if end == start { start + char_at(self.bytes, start).1 } else { end };
        self.at = end;
        (Kind::Prose, start, end)
    }
}

/// Whether a character can begin a number that is not in ASCII.
fn is_numeral(c: u32) -> bool {
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
