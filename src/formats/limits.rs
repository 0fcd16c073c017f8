//! Bounds on what a reader takes in. No real file of games meets the defaults;
//! a large opening book may.

use std::io::{self, Read};

use super::Piece;
use crate::finding::{Code, Finding, Place};

/// How much a reader takes before it says `limit-exceeded`.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a file that has to be read as a whole.
    pub file_bytes: u64,
    /// Bytes of one game of a text file.
    pub game_bytes: usize,
    /// Moves of one game, variations included.
    pub moves: usize,
    /// Depth of nested variations.
    pub depth: usize,
    /// Bytes of one comment.
    pub comment_bytes: usize,
    /// Games of one file.
    pub games: u32,
    /// Findings kept for one game; the rest is only counted.
    pub findings: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_bytes: 256 << 20,
            game_bytes: 16 << 20,
            moves: 1 << 20,
            depth: 1 << 10,
            comment_bytes: 1 << 20,
            games: u32::MAX,
            findings: 1000,
        }
    }
}

impl Limits {
    /// Reads an input whole, up to [`Limits::file_bytes`]; the rest is a
    /// finding.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn read_whole(&self, input: &mut dyn Read) -> io::Result<Piece> {
        let mut piece = Piece { line: 1, ..Piece::default() };
        input.take(self.file_bytes + 1).read_to_end(&mut piece.bytes)?;
        if piece.bytes.len() as u64 > self.file_bytes {
            piece.bytes.truncate(self.file_bytes as usize);
            piece.findings.push(
                Finding::new(Code::LimitExceeded, Place::offset(self.file_bytes))
                    .reason("file-bytes")
                    .param("limit", self.file_bytes),
            );
        }
        Ok(piece)
    }
}
