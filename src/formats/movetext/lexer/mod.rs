//! Cuts movetext into lexemes: moves, numbers, dots, comments, brackets,
//! glyphs, results, and the rest.
//!
//! One pass over the bytes of decoded text, without allocation. It never
//! fails: what it does not know is [`Kind::Junk`] or [`Kind::Prose`].

mod numbers;

use super::brackets::{comment_end, is_tag};
use super::shape::{self, Shapes, char_at};
use super::words::result_word;

use numbers::is_numeral;

pub(crate) use numbers::han_number;

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
