//! Builds the move tree of one game from its movetext.

use super::lexer::{Kind, Lexeme, Lexer};
use super::parsed::{Movetext, Noted};
use super::remarks::matching_close;
use super::shape::Shapes;
use crate::board::Color;
use crate::finding::{Code, Severity};
use crate::formats::Limits;
use crate::record::{Clock, NodeId, RecordTree, Span, Written};

/// What kind of text the moves stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Habit {
    /// PGN: text outside comments is a fault.
    Pgn,
    /// A score sheet: people write remarks between the moves.
    Sheet,
}

/// What is kept of the line that a variation interrupts.
#[derive(Clone, Copy, Debug)]
struct Interrupted {
    /// Its last move.
    cur: NodeId,
    /// Where the bracket stands.
    at: usize,
}

/// Builds the move tree of one game.
#[derive(Debug)]
pub(crate) struct Builder<'a> {
    pub(super) text: &'a str,
    pub(super) habit: Habit,
    limits: &'a Limits,
    pub(super) out: Movetext,
    /// The last move of the line that is being read.
    pub(super) cur: NodeId,
    stack: Vec<Interrupted>,
    /// No move has come yet since the bracket of the variation.
    pub(super) fresh: bool,
    /// Comments that wait for the first move of their variation.
    waiting: Vec<Span>,
    pub(super) number: u32,
    side: Option<Color>,
    padded: bool,
    dots: Option<Span>,
    /// Words that are no moves.
    junk: Option<Span>,
    pub(super) ended: bool,
    pub(super) last_number: u32,
    pub(super) numbered: bool,
    full: bool,
    /// Heads of pages between the moves, in their order.
    pub(super) pages: Vec<Span>,
}

impl<'a> Builder<'a> {
    /// For the movetext that begins at byte `from` of `text`.
    pub(crate) fn new(text: &'a str, from: usize, habit: Habit, limits: &'a Limits) -> Builder<'a> {
        // A move with its number and blanks takes nine bytes at least in
        // practice; a longer text may be many games.
        let guess = (text.len().saturating_sub(from) / 9).min(300);
        Builder {
            text,
            habit,
            limits,
            out: Movetext { tree: RecordTree::with_capacity(guess), ..Movetext::default() },
            cur: NodeId::ROOT,
            stack: Vec::new(),
            fresh: false,
            waiting: Vec::new(),
            number: 0,
            side: None,
            padded: false,
            dots: None,
            junk: None,
            ended: false,
            last_number: 0,
            numbered: false,
            full: false,
            pages: Vec::new(),
        }
    }

    /// With the heads of pages that stand between the moves, in their order.
    pub(crate) fn with_pages(self, pages: Vec<Span>) -> Builder<'a> {
        Builder { pages, ..self }
    }

    /// Whether only words were read: no move, no number, no result.
    pub(crate) fn is_preamble(&self) -> bool {
        self.out.tree.is_empty() && !self.numbered && self.out.result.is_none()
    }

    /// What was read.
    pub(crate) fn done(self) -> Movetext {
        self.out
    }

    /// Reads movetext from `from` up to the end of the game, and returns where
    /// that is: the end of the text, or where the next game begins.
    pub(crate) fn run(&mut self, from: usize) -> usize {
        let mut lexer = Lexer::new(self.text, from);
        loop {
            let lexeme = lexer.next();
            if lexeme.first
                && self.habit == Habit::Sheet
                && (self.page(&mut lexer, lexeme) || self.remark_line(&mut lexer, lexeme))
            {
                continue;
            }
            match lexeme.kind {
                Kind::Move(shapes) => {
                    if self.ended && (self.out.trailer.is_some() || self.out.by_parent) {
                        continue;
                    }
                    if self.ended {
                        self.reopen(lexeme);
                    }
                    self.flush();
                    self.add_move(span(lexeme), Some(shapes));
                }
                Kind::Number { value, black, padded } => {
                    if self.ended && self.after_end(&lexer, lexeme, value) {
                        return lexeme.start;
                    }
                    self.flush();
                    self.blank();
                    self.set_number(value, black, padded);
                }
                Kind::Dots => {
                    self.flush();
                    self.dots = Some(span(lexeme));
                }
                Kind::Placeholder => {
                    self.flush();
                    if !self.ended {
                        self.add_move(span(lexeme), None);
                    }
                }
                Kind::Glyph => self.glyph(lexeme),
                Kind::Clock => self.clock(lexeme),
                Kind::Comment { closed } => {
                    self.flush();
                    if !closed {
                        let at = lexeme.start.saturating_sub(1);
                        self.note(
                            Code::Truncated,
                            Some(Severity::Warning),
                            "comment-not-closed",
                            Span::new(at, at + 1),
                        );
                    }
                    if self.out.trailer.is_none() {
                        self.comment(span(lexeme));
                    }
                }
                Kind::Open => {
                    self.flush();
                    self.open(&mut lexer, lexeme);
                }
                Kind::Close => {
                    self.flush();
                    self.close(lexeme);
                }
                Kind::Result => {
                    self.flush();
                    self.end(lexeme);
                }
                Kind::Tag => {
                    self.flush();
                    self.finish_line();
                    return lexeme.start;
                }
                Kind::Rule => {
                    self.flush();
                    if self.stack.is_empty() && !self.out.tree.is_empty() {
                        self.ended = true;
                    }
                    if self.ended {
                        self.out.trailer.get_or_insert(lexeme.start);
                    }
                }
                Kind::Stray => {
                    if self.ended {
                        self.out.trailer.get_or_insert(lexeme.start);
                        continue;
                    }
                    self.out.strays += 1;
                    if self.out.strays == 1 {
                        self.note(Code::Corrupt, Some(Severity::Note), "stray-sign", span(lexeme));
                    }
                }
                Kind::Prose | Kind::Junk => {
                    if self.ended {
                        self.out.trailer.get_or_insert(lexeme.start);
                    } else if self.habit == Habit::Sheet && !self.out.tree.is_empty() {
                        self.flush();
                        self.aside(&mut lexer, lexeme);
                    } else {
                        self.add_junk(lexeme);
                    }
                }
                Kind::Punctuation => {}
                Kind::End => {
                    self.flush();
                    self.finish_line();
                    return lexeme.end;
                }
            }
        }
    }

    pub(super) fn note(
        &mut self,
        code: Code,
        severity: Option<Severity>,
        reason: &'static str,
        span: Span,
    ) {
        if self.out.noted.len() >= self.limits.findings {
            self.out.unkept += 1;
            return;
        }
        let node = (self.cur != NodeId::ROOT).then_some(self.cur);
        self.out.noted.push(Noted { code, severity, reason, span, node });
    }

    #[inline]
    fn set_number(&mut self, value: u32, black: bool, padded: bool) {
        if !self.numbered {
            self.numbered = true;
            self.out.by_parent =
                value == 0 && !black && self.out.tree.is_empty() && self.stack.is_empty();
        }
        self.number = value;
        self.side = black.then_some(Color::Black);
        self.padded = padded;
        self.out.plain_numbers += usize::from(!padded && !black);
        if self.stack.is_empty() {
            self.last_number = value;
        }
    }

    /// Dots or a number with no move behind them stand for a move that is not
    /// there.
    fn blank(&mut self) {
        if let Some(dots) = self.dots.take() {
            self.add_move(dots, None);
        } else if self.side == Some(Color::Black) && self.number != 0 {
            self.add_move(Span::default(), None);
        }
    }

    /// At the end of a line of play: what is left open is noted.
    fn finish_line(&mut self) {
        if !self.ended {
            if let Some(dots) = self.dots.take() {
                self.add_move(dots, None);
            }
            self.number = 0;
            self.side = None;
        }
        while let Some(open) = self.stack.pop() {
            self.flush_waiting();
            self.cur = open.cur;
            self.fresh = false;
            self.note(
                Code::Truncated,
                Some(Severity::Warning),
                "variation-not-closed",
                Span::new(open.at, open.at + 1),
            );
        }
        self.flush_waiting();
    }

    /// A move that is written at `span`, or without shapes the sign for one
    /// that is not known.
    #[inline]
    pub(super) fn add_move(&mut self, span: Span, shapes: Option<Shapes>) {
        if self.out.tree.len() >= self.limits.moves {
            if !self.full {
                self.full = true;
                let span = shapes.map_or(Span::default(), |_| span);
                self.note(Code::LimitExceeded, None, "moves", span);
            }
            return;
        }
        let mut parent = self.cur;
        if self.out.by_parent {
            parent = self.numbered_parent(shapes.map(|_| span));
            if shapes == Some(Shapes::DIGITS) {
                let id = NodeId::from_index(self.out.tree.len() + 1);
                self.out.squares.push((id, span));
            }
        } else if self.fresh {
            parent = self.variation_parent();
        }
        let node = match shapes {
            Some(shapes) => {
                self.out.tally.add(shapes);
                self.out.tree.add(parent, Written::Text(span))
            }
            None => self.out.tree.add(parent, Written::Placeholder(span)),
        };
        if self.number != 0 && !self.out.by_parent {
            let slot = self.out.tree.node_mut(node);
            slot.number = self.number;
            slot.side = self.side;
        }
        if self.padded {
            self.out.gaps.push(node);
        } else if self.dots.take().is_some() {
            self.out.tree.node_mut(node).side = Some(Color::Black);
        }
        self.number = 0;
        self.side = None;
        self.padded = false;
        self.cur = node;
        if self.fresh {
            self.fresh = false;
            for span in std::mem::take(&mut self.waiting) {
                self.attach(node, true, span);
            }
        }
    }

    /// In the dialect of hbsxcjp the number says which move comes before.
    fn numbered_parent(&mut self, text: Option<Span>) -> NodeId {
        if self.number as usize <= self.out.tree.len() {
            return NodeId::from_index(self.number as usize);
        }
        if let Some(span) = text {
            self.note(Code::Corrupt, None, "parent-number", span);
        }
        self.cur
    }

    /// The move after which a variation begins. It replaces the move before
    /// its bracket; but after a whole round, a variation whose number has no
    /// dots replaces the first move of that round.
    fn variation_parent(&self) -> NodeId {
        let Some(open) = self.stack.last() else { return self.cur };
        let Some(before) = self.out.tree.parent(open.cur) else { return NodeId::ROOT };
        let replaced = self.out.tree.node(open.cur);
        let first = self.out.tree.node(before);
        let whole_round = self.number != 0
            && self.side.is_none()
            && !self.padded
            && before != NodeId::ROOT
            && first.number == self.number
            && first.side.is_none()
            && (replaced.number == 0
                || replaced.number == self.number && replaced.side == Some(Color::Black));
        if whole_round { self.out.tree.parent(before).unwrap_or(NodeId::ROOT) } else { before }
    }

    fn glyph(&mut self, lexeme: Lexeme) {
        if self.ended || self.fresh || self.cur == NodeId::ROOT {
            return self.add_junk(lexeme);
        }
        let text = self.text.get(lexeme.start..lexeme.end).unwrap_or("");
        self.out.tree.glyphs.push((self.cur, text.to_owned()));
    }

    fn clock(&mut self, lexeme: Lexeme) {
        if self.ended || self.fresh || self.cur == NodeId::ROOT {
            return self.add_junk(lexeme);
        }
        self.flush();
        let text = self.text.get(lexeme.start..lexeme.end).unwrap_or("");
        self.out.tree.clocks.push(Clock { node: self.cur, text: text.to_owned() });
    }

    pub(super) fn comment(&mut self, span: Span) {
        if span.len == 0 || self.text.get(span.range()).is_none_or(|t| t.trim().is_empty()) {
            return;
        }
        if self.fresh {
            self.waiting.push(span);
        } else {
            self.attach(self.cur, false, span);
        }
    }

    fn attach(&mut self, node: NodeId, before: bool, span: Span) {
        let body = self.text.get(span.range()).unwrap_or("").trim();
        if body.len() <= self.limits.comment_bytes {
            return self.out.tree.comment(node, before, body);
        }
        let mut end = self.limits.comment_bytes;
        while !body.is_char_boundary(end) {
            end -= 1;
        }
        self.out.tree.comment(node, before, body.get(..end).unwrap_or(""));
        self.note(
            Code::LimitExceeded,
            None,
            "comment-bytes",
            Span::new(span.start as usize, span.start as usize + 1),
        );
    }

    fn flush_waiting(&mut self) {
        for span in std::mem::take(&mut self.waiting) {
            let node = self.stack.last().map_or(self.cur, |open| open.cur);
            self.attach(node, false, span);
        }
    }

    fn open(&mut self, lexer: &mut Lexer<'a>, lexeme: Lexeme) {
        if self.ended {
            self.out.trailer.get_or_insert(lexeme.start);
            return;
        }
        if let Some((inner, after)) = self.parenthesis(lexeme) {
            lexer.seek(after);
            return self.parenthesised(inner);
        }
        if self.stack.len() >= self.limits.depth {
            let end = matching_close(self.text.as_bytes(), lexeme.end);
            lexer.seek(end);
            self.note(Code::LimitExceeded, None, "depth", span(lexeme));
            return self.comment(Span::new(lexeme.start, end));
        }
        // A number or comment that waits for its move belongs to the line
        // outside.
        self.blank_number();
        self.flush_waiting();
        self.stack.push(Interrupted { cur: self.cur, at: lexeme.start });
        self.fresh = true;
    }

    fn blank_number(&mut self) {
        self.number = 0;
        self.side = None;
        self.padded = false;
        self.dots = None;
    }

    fn close(&mut self, lexeme: Lexeme) {
        if self.ended {
            return;
        }
        if let Some(dots) = self.dots.take() {
            self.add_move(dots, None);
        }
        self.flush_waiting();
        self.blank_number();
        match self.stack.pop() {
            Some(open) => {
                self.cur = open.cur;
                self.fresh = false;
            }
            None => self.note(
                Code::Corrupt,
                Some(Severity::Warning),
                "unbalanced-parenthesis",
                span(lexeme),
            ),
        }
    }

    /// The result of the game.
    pub(super) fn end(&mut self, lexeme: Lexeme) {
        if !self.stack.is_empty() {
            // The result of a variation is a remark on its last move.
            return self.comment(span(lexeme));
        }
        if self.ended {
            self.out.trailer.get_or_insert(lexeme.start);
            return;
        }
        self.finish_line();
        self.out.result = Some(span(lexeme));
        self.ended = true;
    }

    /// A number after the end of the game. True when a game without tags
    /// begins there.
    fn after_end(&mut self, lexer: &Lexer<'a>, lexeme: Lexeme, value: u32) -> bool {
        let mut ahead = lexer.clone();
        let follows = matches!(ahead.next().kind, Kind::Move(shapes) if !shapes.is_damaged());
        if follows && value <= 1 && self.habit == Habit::Pgn {
            return true;
        }
        if follows && self.out.trailer.is_none() && value > self.last_number {
            self.reopen(lexeme);
        } else {
            self.out.trailer.get_or_insert(lexeme.start);
        }
        false
    }

    /// Moves go on after the result.
    fn reopen(&mut self, lexeme: Lexeme) {
        self.note(Code::MovesAfterEnd, None, "after-result", span(lexeme));
        self.ended = false;
    }

    fn add_junk(&mut self, lexeme: Lexeme) {
        let from = self.junk.map_or(lexeme.start, |junk| junk.start as usize);
        self.junk = Some(Span::new(from, lexeme.end));
    }

    /// Words where a move could stand: a move that cannot be read if the
    /// number before it waits for one, otherwise a remark outside brackets.
    #[inline]
    pub(super) fn flush(&mut self) {
        if let Some(junk) = self.junk.take() {
            self.flush_junk(junk);
        }
    }
}

fn span(lexeme: Lexeme) -> Span {
    Span::new(lexeme.start, lexeme.end)
}
