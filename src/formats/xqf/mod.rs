//! XQF, the game record of 象棋演播室 (XQStudio): read in all versions, plain
//! and keyed, written as format 1.0, which has no keys, and with the style
//! `keyed` as version 18.
//!
//! A header of 1024 bytes is followed by the tree of moves, depth first;
//! `grammars/xqf.layout` has the places.

mod keys;
mod layout;
mod read;
mod write;

use std::io::Write;
use std::ops::ControlFlow;

use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, WriteError, WriteOptions};
use crate::finding::Finding;
use crate::formats::bytes::Bytes;
use crate::game::Game;
use crate::record::{FormatId, Record};

pub(super) const ID: FormatId = FormatId("xqf");

/// The format.
#[derive(Debug)]
pub struct Xqf;

impl Format for Xqf {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "XQStudio game record",
            title_zh: "象棋演播室",
            extensions: &["xqf"],
            reads: true,
            writes: true,
        }
    }

    fn one_game(&self) -> bool {
        true
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let bytes = Bytes::new(head.bytes, 0);
        let Some(start) = bytes.array::<16>(0) else { return Confidence::No };
        let version = start[2];
        // A text that begins with these letters has no such bytes behind them.
        if &start[..2] != layout::MAGIC {
            return headless(bytes);
        }
        if !(1..0x20).contains(&version) {
            return Confidence::No;
        }
        if version <= layout::VERSION_PLAIN && start[3..].iter().all(|byte| *byte == 0) {
            return Confidence::Certain;
        }
        let text = start[2..].iter().all(|byte| (b' '..0x7f).contains(byte) || *byte == b'\n');
        match (text, keys::sum_fits(bytes)) {
            (true, _) => Confidence::No,
            (false, true) => Confidence::Certain,
            (false, false) => Confidence::Likely,
        }
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

/// A file of format 1.0 whose first bytes are overwritten, as happens on
/// damaged disks: the root of its tree and empty reserved space are left.
fn headless(bytes: Bytes<'_>) -> Confidence {
    let root = bytes.slice(layout::HEADER, 4);
    let reserved = bytes.slice(0x200, 0x200);
    match (root, reserved) {
        (Some([0x18, 0x20, 0xf0 | 0, 0xff | 0]), Some(reserved))
            if reserved.iter().all(|byte| *byte == 0) =>
        {
            Confidence::Likely
        }
        _ => Confidence::No,
    }
}
