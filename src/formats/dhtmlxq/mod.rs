//! DhtmlXQ, the tags of 东萍象棋 (dpxq.com): read from UBB texts, pages and
//! script variables, many games in one file; written as a UBB text.

mod lines;
mod read;
mod tags;
mod write;

use std::io::Write;
use std::ops::ControlFlow;

use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, WriteError, WriteOptions};
use crate::board::{Color, Move, Position, Square};
use crate::finding::Finding;
use crate::game::Game;
use crate::record::{FormatId, Record};

const ID: FormatId = FormatId("dhtmlxq");

/// The format.
#[derive(Debug)]
pub struct DhtmlXq;

impl Format for DhtmlXq {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "DhtmlXQ tags of dpxq.com",
            title_zh: "东萍象棋 UBB",
            extensions: &["ubb"],
            reads: true,
            writes: true,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let finds = |needle: &[u8]| memchr::memmem::find(head.bytes, needle).is_some();
        if finds(b"[DhtmlXQ]") || finds(b"[DhtmlXQi") || finds(b"[DhtmlXQ_movelist]") {
            return Confidence::Certain;
        }
        if finds(b"[DhtmlXQ")
            || finds(b"%5BDhtmlXQ")
            || finds(b"%5bDhtmlXQ")
            || finds(b"DhtmlXQ_movelist")
        {
            return Confidence::Likely;
        }
        match std::str::from_utf8(head.bytes) {
            Ok(text) if bare_list(text).is_some() => Confidence::Likely,
            _ => Confidence::No,
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

/// From where a bare move list counts its ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ranks {
    FromTop,
    FromRed,
}

/// Whether a text is a bare move list: digits alone, of which the first four
/// move a red piece from its place at the start of a game.
fn bare_list(text: &str) -> Option<Ranks> {
    let digits: Vec<i8> =
        text.bytes().filter(u8::is_ascii_digit).take(8).map(|byte| (byte - b'0') as i8).collect();
    let [from_file, from_rank, to_file, to_rank, reply_file, _, last_file, _] = digits[..] else {
        return None;
    };
    let clean = text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
    if !clean || [from_file, to_file, reply_file, last_file].contains(&9) {
        return None;
    }
    let start = Position::start();
    let legal = |from: i8, to: i8| {
        let from = Square::at(from_file, from)?;
        let to = Square::at(to_file, to)?;
        (start.piece_at(from)?.color == Color::Red && start.is_legal(Move::new(from, to)))
            .then_some(())
    };
    if legal(9 - from_rank, 9 - to_rank).is_some() {
        Some(Ranks::FromTop)
    } else {
        legal(from_rank, to_rank).map(|()| Ranks::FromRed)
    }
}
