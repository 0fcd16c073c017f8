//! DhtmlXQ, the tags of 东萍象棋 (dpxq.com): read from UBB texts, pages and
//! script variables, many games in one file; written as a UBB text.

mod lines;
mod read;
mod tags;

use std::ops::ControlFlow;

use super::{Confidence, Format, FormatInfo, Head, Limits, Piece};
use crate::board::{Color, Position, Square};
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
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let finds = |needle: &[u8]| memchr::memmem::find(head.bytes, needle).is_some();
        if finds(b"[DhtmlXQ") || finds(b"[/DhtmlXQ") {
            return Confidence::Certain;
        }
        if finds(b"%5BDhtmlXQ") || finds(b"%5bDhtmlXQ") || finds(b"DhtmlXQ_movelist") {
            return Confidence::Likely;
        }
        match std::str::from_utf8(head.bytes) {
            Ok(text) if only_digits(text) => Confidence::Likely,
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
}

/// Whether a text is a bare move list: digits alone, of which the first four
/// move a red piece from its place at the start of a game.
fn only_digits(text: &str) -> bool {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).take(8).collect();
    let rest = text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
    let square = |at: usize| {
        let digit = |at: usize| digits.get(at).map_or(-1, |byte| (byte - b'0') as i8);
        Square::at(digit(at), 9 - digit(at + 1))
    };
    let start = Position::start();
    rest && digits.len() == 8
        && square(0).and_then(|from| start.piece_at(from)).is_some_and(|p| p.color == Color::Red)
        && [2, 4, 6].into_iter().all(|at| square(at).is_some())
}
