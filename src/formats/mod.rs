//! A module a file format behind one trait: sniff, read bytes to records,
//! write a game to bytes, and say what was dropped or lost.

mod book;
mod bytes;
mod cbf;
mod cbl;
mod cbr;
mod coded;
mod common;
mod dhtmlxq;
mod jsonl;
mod limits;
mod lists;
mod markup;
mod movetext;
mod mxq;
mod outgoing;
mod pfc;
mod pgn;
mod qp;
mod scoresheet;
mod servers;
mod sg;
mod text_input;
mod wxf;
mod xqf;
mod xqn;
mod xqr;

pub use book::Book;
pub use cbf::Cbf;
pub use cbl::Cbl;
pub use cbr::Cbr;
pub use dhtmlxq::DhtmlXq;
pub use jsonl::Jsonl;
pub use limits::Limits;
pub use lists::{Csv, Fen, Moves, Ucci};
pub use mxq::Mxq;
pub use pfc::Pfc;
pub use pgn::Pgn;
pub use qp::Qp;
pub use scoresheet::Text;
pub use servers::{Ccm, Che, Chn};
pub use sg::Sg;
pub use wxf::Wxf;
pub use xqf::Xqf;
pub use xqn::Xqn;
pub use xqr::Xqr;

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use crate::finding::Finding;
use crate::game::Game;
use crate::notation::Notation;
use crate::record::{FormatId, Record};

/// What a format can do, for `qipu formats`.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// The stable name.
    pub id: FormatId,
    /// What it is, in English.
    pub title: &'static str,
    /// What it is, in Chinese.
    pub title_zh: &'static str,
    /// Usual endings of file names, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether this build reads it.
    pub reads: bool,
    /// Whether this build writes it.
    pub writes: bool,
}

/// How sure a format is that bytes are its own. Content decides, not the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Not this format.
    No,
    /// Could be, if nothing better fits.
    Perhaps,
    /// Has its marks.
    Likely,
    /// Has a signature that nothing else has.
    Certain,
}

/// The head of an input, for sniffing.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The first bytes (up to 64 KiB).
    pub bytes: &'a [u8],
    /// Whether `bytes` is the whole input.
    pub complete: bool,
    /// Ending of the file name in lower case, empty when there is none: a
    /// hint only.
    pub extension: &'a str,
}

/// A piece of an input that can be read on its own: the whole file in most
/// formats, some games of a large text file. Pieces are read in parallel.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    /// The bytes, as stored.
    pub bytes: Vec<u8>,
    /// Byte offset in the input where they begin.
    pub offset: u64,
    /// Line of the input where they begin, from 1.
    pub line: u32,
    /// Encoding decided for the input as a whole; `None` lets the piece
    /// decide.
    pub encoding: Option<&'static str>,
    /// Found while cutting, for the file as a whole.
    pub findings: Vec<Finding>,
}

/// Options of a writer.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// Notation of the moves, where the format has a choice.
    pub notation: Option<Notation>,
    /// House style of a program or region, such as `traditional` or `ascii`.
    pub style: Option<String>,
    /// Name of the character encoding; UTF-8 or the format's own by default.
    pub encoding: Option<String>,
    /// The output holds a game already: no byte order mark is written before
    /// this one.
    pub continued: bool,
}

/// Why a game could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// This build does not write the format.
    #[error("`{0}` can be read but not written")]
    ReadOnly(&'static str),
    /// An option the format does not know.
    #[error("{0}")]
    Option(String),
}

/// A file format.
pub trait Format: Sync {
    /// Name and abilities.
    fn info(&self) -> FormatInfo;

    /// Whether a file of this format holds a single game, so that a second one
    /// would be lost behind the first.
    fn one_game(&self) -> bool {
        false
    }

    /// How sure this format is of an input.
    fn sniff(&self, head: &Head<'_>) -> Confidence;

    /// Cuts an input into pieces that can be read on their own. The default
    /// takes the whole input, up to the limit on file size, as one piece.
    ///
    /// # Errors
    /// When the input cannot be read; damage of its content is a finding.
    fn cut(
        &self,
        input: &mut dyn Read,
        limits: &Limits,
        emit: &mut dyn FnMut(Piece) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let piece = limits.read_whole(input)?;
        let _ = emit(piece);
        Ok(())
    }

    /// Reads the games of a piece. Game numbers count from 1 in the piece; the
    /// caller adds those before it. A piece without a game yields one record
    /// without moves that carries the findings, or nothing.
    fn read(&self, piece: &Piece, limits: &Limits, emit: &mut dyn FnMut(Record) -> ControlFlow<()>);

    /// Writes a game, and returns what the format cannot carry
    /// (`not-written`, `encoding-unmappable`).
    ///
    /// # Errors
    /// When the output fails or the format is read-only.
    fn write(
        &self,
        game: &Game,
        options: &WriteOptions,
        output: &mut dyn Write,
    ) -> Result<Vec<Finding>, WriteError> {
        let _ = (game, options, output);
        Err(WriteError::ReadOnly(self.info().id.name()))
    }
}

/// All formats, the ones with the surest marks first.
#[must_use]
pub fn all() -> &'static [&'static dyn Format] {
    &[
        // Signatures that nothing else has.
        &Cbr, &Cbl, &Xqf, &Xqr, &Sg, &Qp, &Mxq, &Book, // In binary files.
        &Jsonl, &Cbf, &DhtmlXq, &Pfc, &Xqn, // In texts.
        // The form of the lines.
        &Csv, &Ucci, &Fen, &Moves, &Che, &Wxf, &Pgn, &Text, // In texts.
        &Ccm, &Chn, // In binary files.
    ]
}

/// The format that is surest of an input; the earlier one of equals.
#[must_use]
pub fn sniff(head: &Head<'_>) -> Option<&'static dyn Format> {
    let mut best: Option<(&'static dyn Format, Confidence)> = None;
    for format in all() {
        let confidence = format.sniff(head);
        if confidence > best.map_or(Confidence::No, |(_, c)| c) {
            best = Some((*format, confidence));
        }
        // Nothing can be surer, and looking at text costs.
        if confidence == Confidence::Certain {
            break;
        }
    }
    best.map(|(format, _)| format)
}

/// The format with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    all().iter().copied().find(|format| format.info().id.name().eq_ignore_ascii_case(name))
}
