//! CBR, one record of 象棋桥 (CCBridge): versions 1 and 2 are read, version 2
//! is written.
//!
//! Fixed fields in UTF-16LE, a board, and the tree of moves, depth first;
//! `grammars/cbr.layout` has the places. Libraries (CBL) hold the same bytes.

mod layout;
mod read;
mod write;

pub(super) use layout::{GUID, MAGIC};
pub(super) use read::{begins, image};

use std::io::Write;
use std::ops::ControlFlow;

use super::bytes::Bytes;
use super::{
    Confidence, Format, FormatInfo, Head, Limits, Piece, WriteError, WriteOptions, common,
};
use crate::finding::Finding;
use crate::game::Game;
use crate::record::{FormatId, Record};

pub(super) const ID: FormatId = FormatId("cbr");

/// The format.
#[derive(Debug)]
pub struct Cbr;

impl Format for Cbr {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "CCBridge record",
            title_zh: "象棋桥棋谱",
            extensions: &["cbr"],
            reads: true,
            writes: true,
        }
    }

    fn one_game(&self) -> bool {
        true
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        if begins(head.bytes) { Confidence::Certain } else { Confidence::No }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let mut record = common::record(ID, piece);
        image(Bytes::of(piece), limits, &mut record);
        let _ = emit(record);
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
