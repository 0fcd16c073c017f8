//! Words among the moves: parentheses that hold no variation, clocks, remark
//! lines of score sheets, text outside comments.

use super::brackets::comment_end;
use super::builder::{Builder, Habit};
use super::lexer::{Kind, Lexeme, Lexer};
use super::shape::{Shapes, char_at};
use crate::finding::{Code, Severity};
use crate::record::{Clock, NodeId, Span};

impl<'a> Builder<'a> {
    /// A short parenthesis without moves, `（红胜）` or `( 0:07/00:00:17)`: what
    /// is in it, and where it ends.
    pub(super) fn parenthesis(&self, open: Lexeme) -> Option<(Span, usize)> {
        const MAX: usize = 300;
        let bytes = self.text.as_bytes();
        let mut at = open.end;
        let (inner_end, after) = loop {
            let (c, n) = char_at(bytes, at);
            match c {
                0x29 | 0xFF09 => break (at, at + n),
                0 | 0x28 | 0xFF08 | 0x7B | 0x7D => return None,
                _ if at > open.end + MAX => return None,
                _ => at += n,
            }
        };
        let inner = self.text.get(open.end..inner_end)?;
        let mut lexer = Lexer::new(inner, 0);
        let mut words = 0;
        loop {
            match lexer.next().kind {
                Kind::Move(_) | Kind::Comment { .. } | Kind::Placeholder => return None,
                Kind::End => break,
                Kind::Number { .. } | Kind::Dots | Kind::Punctuation => {}
                _ => words += 1,
            }
        }
        let clock = is_clock(inner);
        (words > 0 || clock).then_some((Span::new(open.end, inner_end), after))
    }

    pub(super) fn parenthesised(&mut self, inner: Span) {
        let text = self.text.get(inner.range()).unwrap_or("");
        if is_clock(text) && self.cur != NodeId::ROOT && !self.fresh {
            for part in text.split('/').map(str::trim).filter(|part| !part.is_empty()) {
                self.out.tree.clocks.push(Clock { node: self.cur, text: part.to_owned() });
            }
            return;
        }
        let lead = text.len() - text.trim_start().len();
        let at = inner.start as usize + lead;
        let body = text.trim();
        let mut lexer = Lexer::new(self.text, at);
        let lexeme = lexer.next();
        if lexeme.kind == Kind::Result && lexeme.end == at + body.len() {
            return self.end(lexeme);
        }
        self.comment(inner);
    }

    pub(super) fn flush_junk(&mut self, junk: Span) {
        const MAX_MOVE_CHARS: usize = 8;
        let text = self.text.get(junk.range()).unwrap_or("");
        if self.number != 0 && text.chars().count() <= MAX_MOVE_CHARS && self.habit == Habit::Pgn {
            return self.add_move(junk, Some(Shapes::DAMAGED));
        }
        self.comment(junk);
        if self.habit == Habit::Pgn {
            self.note(Code::UnreadableMove, Some(Severity::Warning), "not-a-move", junk);
        }
    }

    /// The head of a page between the moves, which is no part of them. True
    /// when it was taken.
    pub(super) fn page(&mut self, lexer: &mut Lexer<'a>, lexeme: Lexeme) -> bool {
        let Some(page) = self.page_at(lexeme.start).filter(|_| !self.ended) else { return false };
        self.flush();
        let end = self.past_repeated_round(page).max(lexeme.end);
        self.comment(Span::new(lexeme.start, end));
        lexer.seek(end);
        true
    }

    /// Where the head of a page ends; with the last round of the page before,
    /// when the new page begins with it once more.
    fn past_repeated_round(&self, page: Span) -> usize {
        /// How far back the same line is looked for, in bytes.
        const BACK: usize = 400;
        let end = page.range().end;
        let mut ahead = Lexer::new(self.text, end);
        let head = ahead.next();
        let Kind::Number { value, .. } = head.kind else { return end };
        let stop = ahead.line_end(head.start);
        let line = self.text.get(head.start..stop).unwrap_or("").trim();
        let from = self.text.floor_char_boundary((page.start as usize).saturating_sub(BACK));
        let before = self.text.get(from..page.start as usize).unwrap_or("");
        if value == self.last_number && !self.is_black_due(value) && before.contains(line) {
            stop
        } else {
            end
        }
    }

    fn page_at(&self, at: usize) -> Option<Span> {
        let next = self.pages.partition_point(|page| page.range().end <= at);
        self.pages.get(next).copied().filter(|page| page.range().contains(&at))
    }

    /// Whether Black's move of this round is still to come.
    fn is_black_due(&self, round: u32) -> bool {
        round == self.last_number
            && self.cur != NodeId::ROOT
            && self.out.tree.node(self.cur).number == round
    }

    /// A line of a score sheet that a remark sign begins. True when the line
    /// was taken.
    pub(super) fn remark_line(&mut self, lexer: &mut Lexer<'a>, lexeme: Lexeme) -> bool {
        let end = lexer.line_end(lexeme.start);
        let Some(line) = self.text.get(lexeme.start..end) else { return false };
        let line = line.trim_end();
        let body = line.trim_start_matches(['*', '#', '＊', '※', '/']);
        let remark = body.len() < line.len() && !body.trim().is_empty();
        if !remark || line.starts_with('/') && !line.starts_with("//") {
            return false;
        }
        self.flush();
        let start = lexeme.start + (line.len() - body.len());
        self.comment(Span::new(start, lexeme.start + line.len()));
        lexer.seek(end);
        true
    }

    /// Prose among the moves of a score sheet: a remark. When the moves have
    /// numbers it goes on to the line that begins with the next number, else
    /// to the end of the line, and may hold moves itself.
    pub(super) fn aside(&mut self, lexer: &mut Lexer<'a>, lexeme: Lexeme) {
        let mut end = lexer.line_end(lexeme.start);
        if self.numbered {
            let mut line = end + 1;
            while line < self.text.len() {
                let mut ahead = Lexer::new(self.text, line);
                let head = ahead.next();
                match head.kind {
                    Kind::Number { value, .. } if value > self.last_number => break,
                    Kind::Number { value, black: true, .. } if self.is_black_due(value) => break,
                    _ if self.page_at(head.start).is_some() => break,
                    Kind::End | Kind::Tag | Kind::Result => break,
                    _ => {}
                }
                end = lexer.line_end(head.start);
                line = end + 1;
            }
        }
        let body = self.text.get(lexeme.start..end).unwrap_or("").trim_end();
        self.comment(Span::new(lexeme.start, lexeme.start + body.len()));
        lexer.seek(end);
    }
}

/// `0:07`, `00:00:17`, also two with a stroke between.
fn is_clock(text: &str) -> bool {
    let text = text.trim();
    text.contains(':')
        && text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '/' | '.' | ' '))
}

/// Past the parenthesis that closes the one before `at`.
pub(super) fn matching_close(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 1usize;
    while let Some(n) = memchr::memchr3(b'(', b')', b'{', bytes.get(at..).unwrap_or_default()) {
        at += n + 1;
        match bytes.get(at - 1) {
            Some(b'(') => depth += 1,
            Some(b')') => depth -= 1,
            _ => {
                let (end, closed) = comment_end(bytes, at, &|_| true);
                at = end + usize::from(closed);
            }
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}
