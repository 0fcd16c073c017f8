//! CBL, a library of 象棋桥 (CCBridge): that of version 3, whose records are
//! CBR images in slots, and that of version 2.1, one compressed stream.

mod layout;
mod library;
mod old;

use std::ops::ControlFlow;

use super::{Confidence, Format, FormatInfo, Head, Limits, Piece};
use crate::record::{FormatId, Record};

const ID: FormatId = FormatId("cbl");

/// The format.
#[derive(Debug)]
pub struct Cbl;

impl Format for Cbl {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "CCBridge library",
            title_zh: "象棋桥棋谱库",
            extensions: &["cbl"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        if library::begins(head.bytes) || old::begins(head.bytes) {
            Confidence::Certain
        } else {
            Confidence::No
        }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        if library::begins(&piece.bytes) {
            library::read(piece, limits, emit);
        } else {
            old::read(piece, limits, emit);
        }
    }
}
