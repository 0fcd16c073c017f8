//! Writing a move in a notation.

use super::chinese;
use super::describe::describe;
use super::squares;
use super::style::Style;
use crate::board::{Move, Position};
use crate::notation::Notation;

/// Appends a move in Chinese notation: canonical text (notation-chinese.md, 8)
/// in the given style, without allocating when `out` has room for 15 bytes.
///
/// The mover is the owner of the piece. A move that the notation has no words
/// for (no piece on the from-square, a chariot going aslant) is written as
/// ICCS in lower case, `h2e2`, and `false` is returned.
pub fn write_chinese(mv: Move, position: &Position, out: &mut String, style: Style) -> bool {
    let relative = describe(mv, position, style.pawns);
    if let (Some(relative), Some(piece)) = (relative, position.piece_at(mv.from)) {
        chinese::spell(relative, piece.color, style, out);
        true
    } else {
        squares::write_uci(mv, super::RankBase::Zero, out);
        false
    }
}

/// The text of a move in a notation.
///
/// `None` for a notation that this build does not write.
#[must_use]
pub fn render(notation: Notation, mv: Move, position: &Position, style: Style) -> Option<String> {
    let mut out = String::with_capacity(16);
    match notation {
        Notation::Chinese => {
            write_chinese(mv, position, &mut out, style);
        }
        Notation::Iccs => squares::write_iccs(mv, &mut out),
        Notation::Uci => squares::write_uci(mv, style.rank_base, &mut out),
        _ => return None,
    }
    Some(out)
}
