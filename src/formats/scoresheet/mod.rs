//! Plain score sheets and move lists as people type and print them: numbered
//! or not, in one or several columns, with a heading of free text
//! (other-formats.md, 10).

mod chart;
mod columns;
mod header;
mod html;
mod lines;
mod page;
mod rounds;
mod sides;
mod vertical;
mod write;

use std::io::Write;
use std::ops::ControlFlow;

use super::common;
use super::movetext::{self, Builder, Evidence, Habit, Movetext};
use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, WriteError, WriteOptions};
use crate::finding::{Code, Finding, Place, SourcePoint};
use crate::game::Game;
use crate::record::{Comment, FormatId, NodeId, Origin, Record, Span, Start};
use crate::text::{self, Cursor};
use lines::{Line, LineKind};
use page::PageHead;

/// The format.
#[derive(Clone, Copy, Debug)]
pub struct Text;

pub(super) const ID: FormatId = FormatId("text");

impl Format for Text {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "score sheet or move list as plain text",
            title_zh: "文本棋谱",
            extensions: &["txt", "text"],
            reads: true,
            writes: true,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let encoding = movetext::detect(head.bytes).unwrap_or_default();
        let decoded = text::decode(head.bytes, encoding);
        let control = |c: char| c.is_control() && !c.is_whitespace() && c != '\u{1A}';
        if decoded.text.chars().filter(|c| control(*c)).count() * 200 > decoded.text.len() {
            return Confidence::No;
        }
        let mut evidence = Evidence::of(&decoded.text);
        if !evidence.has_moves()
            && let Some((text, _)) = vertical::turned(&decoded)
        {
            evidence = Evidence::of(&text);
        }
        let fen = decoded.text.lines().any(|line| lines::fen(line).is_some());
        match () {
            () if evidence.is_record() => Confidence::Likely,
            () if evidence.has_moves() || fen => Confidence::Perhaps,
            () => Confidence::No,
        }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let encoding = piece
            .encoding
            .and_then(|name| name.parse().ok())
            .or_else(|| movetext::detect(&piece.bytes))
            .unwrap_or_default();
        let base = SourcePoint { offset: piece.offset, line: piece.line.max(1), column: 1 };
        let mut decoded = text::decode_at(&piece.bytes, encoding, base);
        let mut findings = piece.findings.clone();
        findings.extend(decoded.damage.iter().take(limits.findings).map(|d| d.finding(&decoded)));
        let mut feed = b'\n';
        if let Some(plain) = html::without_tags(&decoded.text) {
            decoded.text = plain;
            feed = html::SEPARATOR;
        }
        if let Some((text, map)) = vertical::turned(&decoded) {
            (decoded.text, decoded.map) = (text, map);
            findings.push(Finding::new(Code::DialectRead, Place::at(base)).reason("vertical"));
        }
        let text = decoded.text.as_str();
        let lines = lines::lines(text, feed);
        let mut reader = Reader {
            text,
            limits,
            cursor: decoded.map.cursor(text),
            encoding: decoded.encoding.name(),
            games: 0,
            held: findings,
            start: Start::Standard,
            heads: "",
            emit,
        };
        for region in regions(text, &lines) {
            if reader.region(&lines, region).is_break() {
                return;
            }
        }
        if reader.games == 0 {
            reader.held.push(Finding::new(Code::NoGame, Place::at(base)));
            let origin = Origin { format: ID, game: 1, ..Origin::default() };
            let findings = std::mem::take(&mut reader.held);
            let _ = (reader.emit)(Record { origin, findings, ..Record::default() });
        }
    }

    fn write(
        &self,
        game: &Game,
        options: &WriteOptions,
        output: &mut dyn Write,
    ) -> Result<Vec<Finding>, WriteError> {
        write::write(game, options, output)
    }
}

/// The lines of one game: `from..to`, its moves beginning with line `moves`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    from: usize,
    moves: usize,
    to: usize,
}

/// Parts the lines of a file into games.
fn regions(text: &str, lines: &[Line]) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut from = 0;
    let mut moves = None;
    let mut last_moves = 0;
    let mut last_number = 0;
    let mut has_fen = false;
    let mut head = None;
    for (i, line) in lines.iter().enumerate() {
        match line.kind {
            LineKind::Fen { moves: here, .. } => {
                let more = lines.get(i + 1..).unwrap_or_default();
                let ahead = here || more.iter().any(|l| matches!(l.kind, LineKind::Moves { .. }));
                // A FEN below the last moves belongs to them.
                if has_fen || moves.is_some() && ahead {
                    let to = if moves.is_some() { boundary(lines, last_moves, i) } else { i };
                    regions.push(Region { from, moves: moves.unwrap_or(to), to });
                    (from, moves, last_number, head) = (to, None, 0, None);
                }
                has_fen = true;
                if here {
                    moves = Some(i);
                    last_moves = i;
                }
            }
            LineKind::Moves { number, black, last } => {
                let mut turns = || {
                    let top = lines.get(from..moves.unwrap_or(i)).unwrap_or_default();
                    let between = lines.get(last_moves + 1..i).unwrap_or_default();
                    head.get_or_insert_with(|| PageHead::of(text, top)).comes_again(between)
                };
                if moves.is_some()
                    && begins(lines, last_moves, i, (number, black), last_number)
                    && (number == Some(1) || !turns())
                {
                    let to = boundary(lines, last_moves, i);
                    regions.push(Region { from, moves: moves.unwrap_or(to), to });
                    has_fen = lines
                        .get(to..i)
                        .unwrap_or_default()
                        .iter()
                        .any(|l| matches!(l.kind, LineKind::Fen { .. }));
                    (from, moves, last_number, head) = (to, None, 0, None);
                }
                moves.get_or_insert(i);
                last_moves = i;
                last_number = last_number.max(last);
            }
            LineKind::Row => {
                // Heads and words above the table stand before its first row.
                let to = if moves.is_some() { last_moves + 1 } else { i };
                if from < to {
                    regions.push(Region { from, moves: moves.unwrap_or(to), to });
                }
                regions.push(Region { from: i, moves: i, to: i + 1 });
                (from, moves, last_number, has_fen, head) = (i + 1, None, 0, false, None);
            }
            _ => {}
        }
    }
    if from < lines.len() {
        regions.push(Region { from, moves: moves.unwrap_or(lines.len()), to: lines.len() });
    }
    regions
}

/// Whether the moves of line `i` begin a new game, after moves up to line
/// `last`.
fn begins(
    lines: &[Line],
    last: usize,
    i: usize,
    (number, black): (Option<u32>, bool),
    last_number: u32,
) -> bool {
    let between = lines.get(last + 1..i).unwrap_or_default();
    let heading = between.iter().any(|line| {
        matches!(line.kind, LineKind::Label | LineKind::Players | LineKind::Fen { .. })
    });
    let words = heading
        || between.iter().any(|line| matches!(line.kind, LineKind::Words | LineKind::Result));
    let restart = number == Some(1) && !black;
    match number {
        Some(_) if restart => last_number > 1 || words,
        Some(value) => heading && value <= last_number,
        None => heading,
    }
}

/// The first line of the next game between moves at `last` and moves at `i`:
/// words directly under the moves belong to these, what follows an empty line
/// to those.
fn boundary(lines: &[Line], last: usize, i: usize) -> usize {
    let between = lines.get(last + 1..i).unwrap_or_default();
    let blank = between.iter().position(|line| line.kind == LineKind::Blank);
    let after = blank.map_or(0, |n| {
        let rest = between.get(n..).unwrap_or_default();
        n + rest.iter().position(|line| line.kind != LineKind::Blank).unwrap_or(rest.len())
    });
    let own = between
        .iter()
        .take_while(|line| matches!(line.kind, LineKind::Result | LineKind::Blank))
        .count();
    last + 1 + after.max(own)
}

struct Reader<'a> {
    text: &'a str,
    limits: &'a Limits,
    cursor: Cursor<'a>,
    encoding: &'static str,
    games: u32,
    /// Findings that wait for the next record.
    held: Vec<Finding>,
    /// The start position of the game before.
    start: Start,
    /// The heads of the columns of a table.
    heads: &'a str,
    emit: &'a mut dyn FnMut(Record) -> ControlFlow<()>,
}

impl Reader<'_> {
    fn region(&mut self, lines: &[Line], region: Region) -> ControlFlow<()> {
        let own = lines.get(region.from..region.to).unwrap_or_default();
        let (Some(first), Some(last)) = (own.first(), own.last()) else {
            return ControlFlow::Continue(());
        };
        let (start, end) = (first.start, last.end.min(self.text.len()));
        let body = self.text.get(start..end).unwrap_or("");
        let head = lines.get(region.from..region.moves).unwrap_or_default();
        if let Some(heads) = head.iter().rfind(|line| line.kind == LineKind::Heads) {
            self.heads = self.text.get(heads.start..heads.end).unwrap_or("");
        }
        let mut heading = header::read(self.text, head, start);
        let mut moves = match lines.get(region.moves) {
            Some(line) if region.moves < region.to => line.start - start,
            _ => body.len(),
        };
        let mut end = body.len();
        if first.kind == LineKind::Row {
            (heading, moves) = header::row(body, self.heads, 0);
        }
        // A FEN on the line of the moves, or below them.
        for line in lines.get(region.moves..region.to).unwrap_or_default() {
            if let LineKind::Fen { end: fen_end, .. } = line.kind {
                heading.start = header::read(self.text, std::slice::from_ref(line), start).start;
                if line.start - start > moves {
                    end = line.start - start;
                } else {
                    moves = fen_end - start;
                    let tail = body.get(moves..).unwrap_or("");
                    // `fen … moves …`, as engines are told.
                    if let Some(rest) = tail.trim_start().strip_prefix("moves") {
                        moves = body.len() - rest.len();
                    }
                }
                break;
            }
        }
        let pages = PageHead::of(self.text, head)
            .all(lines.get(region.moves..region.to).unwrap_or_default())
            .iter()
            .map(|page| Span::new(page.start as usize - start, page.range().end - start))
            .collect();
        let mut movetext = self.movetext(body.get(..end).unwrap_or(body), moves, pages);
        // A chart below the moves shows the same game once more.
        if movetext.is_chart() && matches!(heading.start, Start::Standard) {
            heading.start = self.start.clone();
        }
        self.start = heading.start.clone();
        let nothing = movetext.is_empty() && matches!(heading.start, Start::Standard);
        if nothing {
            return ControlFlow::Continue(());
        }
        if self.games >= self.limits.games {
            let mut over = Record::default();
            over.origin.format = ID;
            let offset = self.cursor.point(start).offset;
            common::over_limit(&mut over, offset, "games", self.limits.games as usize);
            let _ = (self.emit)(over);
            return ControlFlow::Break(());
        }
        self.games += 1;
        // Remarks above the first move are about the start position.
        let above = head.iter().filter(|line| line.kind == LineKind::Remark).map(|line| {
            let words = self.text.get(line.start..line.end).unwrap_or("").trim();
            let text = words.trim_start_matches(['*', '#', '※', '/']).trim().to_owned();
            Comment { node: NodeId::ROOT, before: false, text }
        });
        let above: Vec<Comment> = above.filter(|comment| !comment.text.is_empty()).collect();
        movetext.tree.comments.splice(0..0, above);
        let point = self.cursor.point(start);
        let mut record = Record {
            text: body.to_owned(),
            origin: Origin {
                format: ID,
                encoding: Some(self.encoding),
                game: self.games,
                line: Some(point.line),
                offset: point.offset,
                map: self.cursor.sub(start),
                ..Origin::default()
            },
            headers: heading.headers,
            start: heading.start,
            findings: std::mem::take(&mut self.held),
            ..Record::default()
        };
        movetext.put(&mut record, None);
        (self.emit)(record)
    }

    fn movetext(&self, body: &str, from: usize, pages: Vec<Span>) -> Movetext {
        if let Some(found) =
            chart::read(body, from, self.limits).or_else(|| sides::read(body, from, self.limits))
        {
            return found;
        }
        let mut builder = Builder::new(body, from, Habit::Sheet, self.limits).with_pages(pages);
        let mut at = from;
        loop {
            at = builder.run(at);
            if at >= body.len() {
                break;
            }
            // Only a tag stops it: its line is passed.
            at += body.get(at..).and_then(|t| t.find('\n')).map_or(body.len(), |n| n + 1);
        }
        columns::sort(builder.done())
    }
}
