//! JSON Lines: a game in each line, written and read, nothing left out. Also
//! reads what `check --json` prints, and a dump of move pairs in the wild,
//! `[{"0": "炮二平五", "1": "马8进7"}, …]`.
//!
//! ```json
//! {"headers": {"red": "…", "result": "1-0", "other": {}}, "initial_fen": "…",
//!  "moves": ["h2e2", "h9g7"], "branches": [{"after": 0, "moves": ["b2e2"]}],
//!  "assumed": {"3": "i0h0"}, "remarks": [{"node": 1, "text": "…"}],
//!  "glyphs": [{"node": 1, "text": "!"}], "clocks": [], "unplayed": []}
//! ```
//!
//! Nodes are numbered: 0 is the start position, the main line follows from 1
//! on, then the moves of the branches in their order.

mod read;
mod write;

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, WriteError, WriteOptions};
use crate::finding::Finding;
use crate::game::Game;
use crate::record::{FormatId, Record};

const ID: FormatId = FormatId("jsonl");

/// Bytes of a piece: some hundred games, read on their own.
const PIECE: usize = 1 << 20;

/// The format.
#[derive(Debug)]
pub struct Jsonl;

impl Format for Jsonl {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "JSON Lines",
            title_zh: "JSON 行",
            extensions: &["jsonl", "ndjson", "json"],
            reads: true,
            writes: true,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let bytes =
            head.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head.bytes).trim_ascii_start();
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or(bytes);
        let finds = |needle: &[u8]| memchr::memmem::find(first, needle).is_some();
        let object = bytes.starts_with(b"{") && (finds(b"\"moves\"") || finds(b"\"initial_fen\""));
        let pairs = bytes.starts_with(b"[{\"0\":") || bytes.starts_with(b"[{\"1\":");
        if object || pairs { Confidence::Certain } else { Confidence::No }
    }

    fn cut(
        &self,
        input: &mut dyn Read,
        limits: &Limits,
        emit: &mut dyn FnMut(Piece) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut input = input;
        let mut piece = Piece { line: 1, ..Piece::default() };
        loop {
            let before = piece.bytes.len();
            (&mut input).take(PIECE as u64).read_to_end(&mut piece.bytes)?;
            let more = piece.bytes.len() > before;
            let end = match memchr::memrchr(b'\n', &piece.bytes) {
                Some(end) if more => end + 1,
                // A line longer than a game may be is cut.
                None if more && piece.bytes.len() < limits.game_bytes => continue,
                _ => piece.bytes.len(),
            };
            let rest = piece.bytes.split_off(end);
            let next = Piece {
                offset: piece.offset + end as u64,
                line: piece.line + memchr::memchr_iter(b'\n', &piece.bytes).count() as u32,
                bytes: rest,
                ..Piece::default()
            };
            if !piece.bytes.is_empty() && emit(std::mem::replace(&mut piece, next)).is_break() {
                return Ok(());
            }
            if !more {
                return Ok(());
            }
        }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        read::read(piece, limits, emit);
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
