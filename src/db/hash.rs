//! The content hash of a game: the same start position and main line give the
//! same number, for ever (`docs/schema.md`, pinned in the tests below).

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::board::{Color, Move, Position};

/// Hash of start position and main line.
///
/// The first eight bytes, big-endian, of the SHA-256 of the text
/// `BOARD SIDE\nMOVES`: board field and side (`w` or `b`) of the canonical
/// FEN, and the moves in lower-case ICCS, `--` for one that is not known, with
/// a space between two. Headers, counters, comments and variations are not
/// part of it.
#[must_use]
pub fn content_hash(start: &Position, line: impl Iterator<Item = Option<Move>>) -> i64 {
    let mut text = start.fen_board().into_bytes();
    text.extend_from_slice(if start.side() == Color::Red { b" w\n" } else { b" b\n" });
    text.reserve(5 * line.size_hint().0);
    for (i, mv) in line.enumerate() {
        if i > 0 {
            text.push(b' ');
        }
        let Some(mv) = mv else {
            text.extend_from_slice(b"--");
            continue;
        };
        let [from, to] = [mv.from, mv.to].map(|square| (square.file(), square.rank()));
        text.extend_from_slice(&[b'a' + from.0, b'0' + from.1, b'a' + to.0, b'0' + to.1]);
    }
    let digest = Sha256::digest(&text);
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    i64::from_be_bytes(first)
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values computed by Python's hashlib from the description above.
    #[test]
    fn values_are_pinned() {
        let line = |text: &str| -> Vec<Option<Move>> {
            text.split_whitespace().map(|word| word.parse().ok()).collect()
        };
        let start = Position::start();
        assert_eq!(content_hash(&start, line("").into_iter()), -3_303_854_983_280_117_715);
        assert_eq!(content_hash(&start, line("h2e2 h9g7").into_iter()), 7_950_711_027_398_676_110);
        assert_eq!(
            content_hash(&start, line("h2e2 -- h0g2").into_iter()),
            8_215_697_049_171_845_487
        );
        let ending: Position = "3k5/9/9/9/9/9/9/9/9/4K4 b - - 7 30".parse().unwrap();
        assert_eq!(content_hash(&ending, line("d9d8").into_iter()), 433_392_150_561_385_629);
    }
}
