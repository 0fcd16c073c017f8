//! XQR: blocks of type, length and data in UTF-8, closed by a check sum; read
//! and written.

mod read;
mod write;

use std::io::Write;
use std::ops::ControlFlow;

use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, WriteError, WriteOptions};
use crate::finding::Finding;
use crate::game::Game;
use crate::record::{FormatId, Record};

const ID: FormatId = FormatId("xqr");

/// The first block: type 0, two bytes `20 17`.
const MAGIC: [u8; 4] = [0, 2, 0x20, 0x17];

/// Types of blocks.
mod block {
    pub(super) const MAGIC: u8 = 0;
    pub(super) const VERSION: u8 = 1;
    pub(super) const RESULT: u8 = 7;
    pub(super) const FEN: u8 = 8;
    pub(super) const MOVES: u8 = 9;
    pub(super) const CRC: u8 = 10;
    /// Types of the texts and the headers they become.
    pub(super) const TEXTS: [(u8, &str); 5] =
        [(2, "Event"), (3, "Site"), (4, "Date"), (5, "Red"), (6, "Black")];
}

/// Flags of a node.
mod flag {
    pub(super) const CHILD: u8 = 1;
    pub(super) const SIBLING: u8 = 2;
    pub(super) const COMMENT: u8 = 4;
}

/// The format.
#[derive(Debug)]
pub struct Xqr;

impl Format for Xqr {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "XQR record",
            title_zh: "XQR 棋谱",
            extensions: &["xqr"],
            reads: true,
            writes: true,
        }
    }

    fn one_game(&self) -> bool {
        true
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        if head.bytes.starts_with(&MAGIC) { Confidence::Certain } else { Confidence::No }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let _ = emit(read::read(piece, limits));
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
