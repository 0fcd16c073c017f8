//! Builds the move tree of one game from its movetext.

use super::lexer::{Kind, Lexeme, Lexer};
use super::shape::{Shapes, Tally, char_at};
use crate::board::{Color, Move, Square};
use crate::finding::{Code, Finding, Place, Severity};
use crate::formats::Limits;
use crate::notation::Notation;
use crate::record::{Clock, NodeId, Record, RecordTree, Span, Written};

/// What kind of text the moves stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Habit {
    /// PGN: text outside comments is a fault.
    Pgn,
    /// A score sheet: people write remarks between the moves.
    Sheet,
}

/// A finding whose place is not yet a point of the file.
#[derive(Clone, Debug)]
struct Noted {
    code: Code,
    severity: Option<Severity>,
    reason: &'static str,
    span: Span,
    node: Option<NodeId>,
}

/// What is kept of the line that a variation interrupts.
#[derive(Clone, Copy, Debug)]
struct Interrupted {
    /// Its last move.
    cur: NodeId,
    /// Where the bracket stands.
    at: usize,
}

/// The movetext of one game as it was read.
#[derive(Debug, Default)]
pub(crate) struct Movetext {
    /// The moves.
    pub(crate) tree: RecordTree,
    tally: Tally,
    noted: Vec<Noted>,
    /// Findings that were not kept because there are too many.
    unkept: usize,
    /// Moves that a wide gap marks as Black's, and numbers with no such gap.
    gaps: Vec<NodeId>,
    plain_numbers: usize,
    result: Option<Span>,
    trailer: Option<usize>,
    strays: usize,
    /// The number before a move names the move it follows (hbsxcjp).
    by_parent: bool,
    /// Moves in four digits that are squares, rank before file (hbsxcjp).
    squares: Vec<(NodeId, Span)>,
    /// An unusual layout that was recognised.
    dialect: Option<&'static str>,
}

/// Builds the move tree of one game.
#[derive(Debug)]
pub(crate) struct Builder<'a> {
    text: &'a str,
    habit: Habit,
    limits: &'a Limits,
    out: Movetext,
    /// The last move of the line that is being read.
    cur: NodeId,
    stack: Vec<Interrupted>,
    /// No move has come yet since the bracket of the variation.
    fresh: bool,
    /// Comments that wait for the first move of their variation.
    waiting: Vec<Span>,
    number: u32,
    side: Option<Color>,
    padded: bool,
    dots: Option<Span>,
    /// Words that are no moves.
    junk: Option<Span>,
    ended: bool,
    last_number: u32,
    numbered: bool,
    full: bool,
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
        }
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
            if lexeme.first && self.habit == Habit::Sheet && self.remark_line(&mut lexer, lexeme) {
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
                    self.add_move(Written::Text(span(lexeme)), shapes);
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
                        self.add_move(Written::Placeholder(span(lexeme)), Shapes::DAMAGED);
                    }
                }
                Kind::Glyph => self.glyph(lexeme),
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

    fn note(&mut self, code: Code, severity: Option<Severity>, reason: &'static str, span: Span) {
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
            self.out.by_parent = value == 0 && self.out.tree.is_empty() && self.stack.is_empty();
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
            self.add_move(Written::Placeholder(dots), Shapes::DAMAGED);
        } else if self.side == Some(Color::Black) && self.number != 0 {
            self.add_move(Written::Placeholder(Span::default()), Shapes::DAMAGED);
        }
    }

    /// At the end of a line of play: what is left open is noted.
    fn finish_line(&mut self) {
        if !self.ended {
            if let Some(dots) = self.dots.take() {
                self.add_move(Written::Placeholder(dots), Shapes::DAMAGED);
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

    #[inline]
    fn add_move(&mut self, written: Written, shapes: Shapes) {
        if self.out.tree.len() >= self.limits.moves {
            if !self.full {
                self.full = true;
                let span = match written {
                    Written::Text(span) => span,
                    _ => Span::default(),
                };
                self.note(Code::LimitExceeded, None, "moves", span);
            }
            return;
        }
        let mut parent = self.cur;
        if self.out.by_parent {
            parent = self.numbered_parent(written);
            if shapes == Shapes::DIGITS
                && let Written::Text(span) = written
            {
                let id = NodeId::from_index(self.out.tree.len() + 1);
                self.out.squares.push((id, span));
            }
        } else if self.fresh {
            parent = self.variation_parent();
        }
        let node = self.out.tree.add(parent, written);
        if matches!(written, Written::Text(_)) {
            self.out.tally.add(shapes);
        }
        if !self.out.by_parent {
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
    fn numbered_parent(&mut self, written: Written) -> NodeId {
        if self.number as usize <= self.out.tree.len() {
            return NodeId::from_index(self.number as usize);
        }
        if let Written::Text(span) = written {
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

    fn comment(&mut self, span: Span) {
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
            self.add_move(Written::Placeholder(dots), Shapes::DAMAGED);
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

    /// A short parenthesis without moves, `（红胜）` or `( 0:07/00:00:17)`: what
    /// is in it, and where it ends.
    fn parenthesis(&self, open: Lexeme) -> Option<(Span, usize)> {
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

    fn parenthesised(&mut self, inner: Span) {
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

    /// The result of the game.
    fn end(&mut self, lexeme: Lexeme) {
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
    fn flush(&mut self) {
        if let Some(junk) = self.junk.take() {
            self.flush_junk(junk);
        }
    }

    fn flush_junk(&mut self, junk: Span) {
        const MAX_MOVE_CHARS: usize = 8;
        let text = self.text.get(junk.range()).unwrap_or("");
        if self.number != 0 && text.chars().count() <= MAX_MOVE_CHARS && self.habit == Habit::Pgn {
            return self.add_move(Written::Text(junk), Shapes::DAMAGED);
        }
        self.comment(junk);
        if self.habit == Habit::Pgn {
            self.note(Code::UnreadableMove, Some(Severity::Warning), "not-a-move", junk);
        }
    }

    /// A line of a score sheet that a remark sign begins. True when the line
    /// was taken.
    fn remark_line(&mut self, lexer: &mut Lexer<'a>, lexeme: Lexeme) -> bool {
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
    fn aside(&mut self, lexer: &mut Lexer<'a>, lexeme: Lexeme) {
        let mut end = lexer.line_end(lexeme.start);
        if self.numbered {
            let mut line = end + 1;
            while line < self.text.len() {
                let mut ahead = Lexer::new(self.text, line);
                let head = ahead.next();
                match head.kind {
                    Kind::Number { value, .. } if value > self.last_number => break,
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

impl Movetext {
    /// Whether nothing was read that a game has.
    pub(crate) fn is_empty(&self) -> bool {
        self.tree.is_empty() && self.tree.comments.is_empty() && self.result.is_none()
    }

    /// Puts another tree in the place of the one that was read; `places` gives
    /// the new node for each old one.
    pub(crate) fn renumber(&mut self, mut tree: RecordTree, places: &[NodeId]) {
        let place = |node: NodeId| places.get(node.index()).copied().unwrap_or(NodeId::ROOT);
        tree.comments = std::mem::take(&mut self.tree.comments);
        tree.clocks = std::mem::take(&mut self.tree.clocks);
        tree.glyphs = std::mem::take(&mut self.tree.glyphs);
        tree.comments.iter_mut().for_each(|comment| comment.node = place(comment.node));
        tree.clocks.iter_mut().for_each(|clock| clock.node = place(clock.node));
        tree.glyphs.iter_mut().for_each(|(node, _)| *node = place(*node));
        for node in
            self.gaps.iter_mut().chain(self.noted.iter_mut().filter_map(|n| n.node.as_mut()))
        {
            *node = place(*node);
        }
        self.tree = tree;
        self.dialect = Some("columns");
    }

    /// Counts a move that was read from a chart.
    pub(crate) fn count_chinese(&mut self) {
        self.tally.add(Shapes::CHINESE);
        self.dialect = Some("chart");
    }

    /// Puts what was read into a record, whose text and origin are set. The
    /// hint is the notation that a header claims.
    pub(crate) fn put(mut self, record: &mut Record, hint: Option<Notation>) {
        if self.plain_numbers > 0 {
            for node in self.gaps {
                self.tree.node_mut(node).side = Some(Color::Black);
            }
        }
        if !self.squares.is_empty() {
            self.tally = Tally::default();
            let mut cursor = record.origin.map.cursor(&record.text);
            for (node, span) in self.squares {
                let offset = cursor.point(span.start as usize).offset;
                if let Some(mv) = record.text.get(span.range()).and_then(ranks_first) {
                    self.tree.node_mut(node).written = Written::Squares { mv, offset };
                }
            }
        }
        record.notation = self.tally.notation(hint).or(hint);
        record.result = self.result.map(|span| (record.slice(span).to_owned(), span));
        record.trailer = self.trailer.map(|from| {
            let body = record.text.get(from..).unwrap_or("");
            Span::new(from, from + body.trim_end().len())
        });
        record.tree = self.tree;
        self.noted.sort_by_key(|noted| noted.span.start);
        let mut cursor = record.origin.map.cursor(&record.text);
        for noted in self.noted {
            let place = Place {
                node: noted.node.map(|n| n.index() as u32),
                ..Place::at(cursor.point(noted.span.start as usize))
            };
            let mut finding = Finding::new(noted.code, place)
                .reason(noted.reason)
                .text(excerpt(record.text.get(noted.span.range()).unwrap_or("")));
            if let Some(severity) = noted.severity {
                finding = finding.severity(severity);
            }
            if noted.reason == "stray-sign" {
                finding = finding.param("count", self.strays);
            }
            record.findings.push(finding);
        }
        let whole = |code| Finding::new(code, Place::WHOLE);
        if let Some(dialect) = self.dialect.or(self.by_parent.then_some("parent-numbers")) {
            record.findings.push(whole(Code::DialectRead).reason(dialect));
        }
        if self.unkept > 0 {
            let finding = whole(Code::LimitExceeded).reason("findings").severity(Severity::Note);
            record.findings.push(finding.param("count", self.unkept));
        }
    }
}

fn span(lexeme: Lexeme) -> Span {
    Span::new(lexeme.start, lexeme.end)
}

/// `0:07`, `00:00:17`, also two with a stroke between.
fn is_clock(text: &str) -> bool {
    let text = text.trim();
    text.contains(':')
        && text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '/' | '.' | ' '))
}

/// Four digits as two squares, each rank before file, ranks from Red's home
/// rank.
fn ranks_first(text: &str) -> Option<Move> {
    let mut digits = text.bytes().map(|c| c.wrapping_sub(b'0') as i8);
    let mut square = || {
        let (rank, file) = (digits.next()?, digits.next()?);
        Square::at(file, rank)
    };
    Some(Move::new(square()?, square()?))
}

/// Past the parenthesis that closes the one before `at`.
fn matching_close(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 1usize;
    while let Some(n) = memchr::memchr3(b'(', b')', b'{', bytes.get(at..).unwrap_or_default()) {
        at += n + 1;
        match bytes.get(at - 1) {
            Some(b'(') => depth += 1,
            Some(b')') => depth -= 1,
            _ => {
                let (end, closed) = super::lexer::comment_end(bytes, at, &|_| true);
                at = end + usize::from(closed);
            }
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

/// A finding quotes a line of text, not a page.
fn excerpt(text: &str) -> &str {
    const MAX: usize = 120;
    let mut end = text.len().min(MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or("")
}
