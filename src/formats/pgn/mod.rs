//! PGN of Xiangqi (象棋 PGN): tags, movetext in Chinese, WXF or ICCS notation,
//! comments, variations, many games in a file (reference/pgn.md).
//!
//! A file of any size is read in bounded memory: [`Format::cut`] parts it
//! between games, each piece is decoded and read on its own.

mod sniff;
mod split;
mod tags;
mod write;

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use super::movetext::{self, Builder, Habit, Movetext};
use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, WriteError, WriteOptions};
use crate::finding::{Code, Finding, Place, SourcePoint};
use crate::game::Game;
use crate::record::{FormatId, Origin, Record};
use crate::text::{self, Decoded, Encoding};
use split::View;
use tags::Tags;

/// The format.
#[derive(Clone, Copy, Debug)]
pub struct Pgn;

const ID: FormatId = FormatId("pgn");

/// How much is read at a time.
const BLOCK: usize = 1 << 18;

/// A beginning of a game that is nearer to the end of what has been read is
/// not yet sure: the lines that follow decide.
const AHEAD: usize = 4096;

impl Format for Pgn {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "Portable Game Notation of Xiangqi",
            title_zh: "象棋 PGN",
            extensions: &["pgn", "pgns"],
            reads: true,
            writes: true,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        sniff::sniff(head)
    }

    fn cut(
        &self,
        input: &mut dyn Read,
        limits: &Limits,
        emit: &mut dyn FnMut(Piece) -> ControlFlow<()>,
    ) -> io::Result<()> {
        Cutter::default().run(input, limits, emit)
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
        let view = View::new(&piece.bytes, encoding);
        let mut reader = Reader { limits, emit, games: 0, held: piece.findings.clone() };
        let (mut from, mut line) = (0, piece.line.max(1));
        while from < piece.bytes.len() {
            let to = view.next_game(from).unwrap_or(piece.bytes.len());
            let bytes = piece.bytes.get(from..to).unwrap_or_default();
            let base = SourcePoint { offset: piece.offset + from as u64, line, column: 1 };
            if reader.segment(bytes, encoding, base).is_break() {
                return;
            }
            line += view.lines(from, to);
            from = to;
        }
        let base = SourcePoint { offset: piece.offset, line: piece.line.max(1), column: 1 };
        reader.finish(base);
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

/// Parts a stream between games.
#[derive(Debug, Default)]
struct Cutter {
    bytes: Vec<u8>,
    offset: u64,
    line: u32,
    encoding: Option<Encoding>,
    findings: Vec<Finding>,
}

impl Cutter {
    fn run(
        mut self,
        input: &mut dyn Read,
        limits: &Limits,
        emit: &mut dyn FnMut(Piece) -> ControlFlow<()>,
    ) -> io::Result<()> {
        self.line = 1;
        loop {
            let before = self.bytes.len();
            Read::take(&mut *input, BLOCK as u64).read_to_end(&mut self.bytes)?;
            if self.encoding.is_none() {
                self.encoding = movetext::detect(&self.bytes);
            }
            if self.bytes.len() - before < BLOCK {
                if !self.bytes.is_empty() {
                    let _ = self.emit(self.bytes.len(), emit);
                }
                return Ok(());
            }
            let sure = self.bytes.len().saturating_sub(AHEAD);
            let mut last = 0;
            {
                let view = View::new(&self.bytes, self.encoding.unwrap_or_default());
                while let Some(at) = view.next_game(last).filter(|at| *at > last && *at <= sure) {
                    last = at;
                }
            }
            if last == 0 && self.bytes.len() > limits.game_bytes {
                last = self.too_long(limits);
            }
            if last > 0 && self.emit(last, emit).is_break() {
                return Ok(());
            }
        }
    }

    /// A game longer than allowed is cut, at a line if it can be.
    fn too_long(&mut self, limits: &Limits) -> usize {
        let limit = limits.game_bytes.max(2) & !1;
        let part = self.bytes.get(..limit).unwrap_or(&self.bytes);
        // The line feed must be a whole unit in UTF-16 of either order.
        let wide = self.encoding.is_some_and(Encoding::is_utf16);
        let at = if wide {
            part.len()
        } else {
            memchr::memrchr(b'\n', part).map_or(part.len(), |n| n + 1)
        };
        self.findings.push(
            Finding::new(
                Code::LimitExceeded,
                Place::at(SourcePoint { offset: self.offset, line: self.line, column: 1 }),
            )
            .reason("game-bytes")
            .param("limit", limits.game_bytes),
        );
        at
    }

    fn emit(
        &mut self,
        end: usize,
        emit: &mut dyn FnMut(Piece) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let rest = self.bytes.split_off(end.min(self.bytes.len()));
        let bytes = std::mem::replace(&mut self.bytes, rest);
        let encoding = self.encoding.unwrap_or_default();
        let lines = View::new(&bytes, encoding).lines(0, bytes.len());
        let (offset, line) = (self.offset, self.line);
        self.offset += bytes.len() as u64;
        self.line += lines;
        emit(Piece {
            bytes,
            offset,
            line,
            encoding: self.encoding.map(Encoding::name),
            findings: std::mem::take(&mut self.findings),
        })
    }
}

/// Reads the games of a piece.
struct Reader<'a> {
    limits: &'a Limits,
    emit: &'a mut dyn FnMut(Record) -> ControlFlow<()>,
    games: u32,
    /// Findings that wait for the next record.
    held: Vec<Finding>,
}

impl Reader<'_> {
    /// Reads bytes that are one game, or several whose beginnings only their
    /// text shows.
    fn segment(&mut self, bytes: &[u8], encoding: Encoding, base: SourcePoint) -> ControlFlow<()> {
        let mut decoded = text::decode_at(bytes, encoding, base);
        if looks_wrong(&decoded)
            && let Some(other) = movetext::detect(bytes)
            && other != encoding
        {
            let again = text::decode_at(bytes, other, base);
            if again.damage.len() < decoded.damage.len()
                || movetext::score(&again.text) > movetext::score(&decoded.text)
            {
                decoded = again;
                self.held.push(
                    Finding::new(Code::EncodingMixed, Place::at(base))
                        .reason("game")
                        .param("encoding", other)
                        .param("file", encoding),
                );
            }
        }
        self.held
            .extend(decoded.damage.iter().take(self.limits.findings).map(|d| d.finding(&decoded)));
        let Decoded { text, encoding, map, .. } = decoded;
        let first = scan(&text, self.limits);
        if first.end >= text.len() {
            let origin = Origin { map, ..origin(encoding, base) };
            return self.put(first, text, origin);
        }
        let mut cursor = map.cursor(&text);
        let (mut from, mut draft) = (0, first);
        loop {
            let to = from + draft.end;
            let point = cursor.point(from);
            let origin = Origin { map: cursor.sub(from), ..origin(encoding, point) };
            self.put(draft, text.get(from..to).unwrap_or("").to_owned(), origin)?;
            let Some(rest) = text.get(to..).filter(|rest| !rest.is_empty()) else {
                return ControlFlow::Continue(());
            };
            draft = scan(rest, self.limits);
            from = to;
        }
    }

    /// Hands over a game; what is none leaves its findings to the next.
    fn put(&mut self, draft: Draft, text: String, origin: Origin) -> ControlFlow<()> {
        let Draft { tags, movetext, .. } = draft;
        if tags.headers.is_empty() && movetext.is_empty() && self.held.is_empty() {
            return ControlFlow::Continue(());
        }
        if self.games >= self.limits.games {
            return ControlFlow::Break(());
        }
        self.games += 1;
        let mut record = Record {
            text,
            origin: Origin { game: self.games, ..origin },
            start: tags::start(&tags.headers),
            findings: std::mem::take(&mut self.held),
            ..Record::default()
        };
        for (reason, span) in &tags.odd {
            let finding = Finding::new(Code::BadHeader, Place::at(record.point(*span)))
                .reason(reason)
                .text(record.slice(*span));
            record.findings.push(finding);
        }
        let hint = tags::format_hint(&tags.headers);
        record.headers = tags.headers;
        movetext.put(&mut record, hint);
        if self.games == self.limits.games {
            record.findings.push(
                Finding::new(Code::LimitExceeded, Place::WHOLE)
                    .reason("games")
                    .param("limit", self.limits.games),
            );
        }
        (self.emit)(record)
    }

    /// Findings about a piece without a game still have to be said.
    fn finish(self, base: SourcePoint) {
        if self.held.is_empty() {
            return;
        }
        let mut findings = self.held;
        findings.push(Finding::new(Code::NoGame, Place::at(base)));
        let origin = Origin { game: self.games + 1, ..origin(Encoding::default(), base) };
        let _ = (self.emit)(Record { origin, findings, ..Record::default() });
    }
}

fn origin(encoding: Encoding, base: SourcePoint) -> Origin {
    Origin {
        format: ID,
        encoding: Some(encoding.name()),
        line: Some(base.line),
        offset: base.offset,
        ..Origin::default()
    }
}

/// A game that has been read from a text, which it does not keep.
struct Draft {
    tags: Tags,
    movetext: Movetext,
    /// Where it ends in the text.
    end: usize,
}

/// Reads the game at the start of a text.
fn scan(text: &str, limits: &Limits) -> Draft {
    let mut tags = tags::read(text);
    let mut builder = Builder::new(text, tags.end, Habit::Pgn, limits);
    if tags.another {
        let end = tags.end;
        return Draft { tags, movetext: builder.done(), end };
    }
    let mut end = builder.run(tags.end);
    if tags.headers.is_empty() && builder.is_preamble() && end < text.len() {
        // Words before the first tag belong to the game that follows.
        let from = end;
        tags = tags::read(text.get(from..).unwrap_or(""));
        tags.shift(from);
        end = if tags.another { tags.end } else { builder.run(tags.end) };
    }
    Draft { tags, movetext: builder.done(), end }
}

/// Whether bytes seem to be in another encoding: characters were replaced, or
/// a game has words but no moves.
fn looks_wrong(decoded: &Decoded) -> bool {
    !decoded.damage.is_empty()
}
