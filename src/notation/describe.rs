//! From a move on a board to what the relative notations say of it.

use super::order;
use super::style::PawnStyle;
use super::syntax::{Direction, Hints, Ordinal, Place, Relative};
use crate::board::{Color, Move, PieceKind, Position};

/// Highest number of an ordinal that has a character of its own.
const MAX_NTH: u32 = 5;

/// What the relative notations say of a move (notation-chinese.md, 8).
///
/// `None` when no piece stands on the from-square or no piece of that kind
/// ever moves so: the notations have no words for it. Legality is not looked
/// at.
pub(super) fn describe(mv: Move, position: &Position, pawns: PawnStyle) -> Option<Relative> {
    let piece = position.piece_at(mv.from)?;
    let side = piece.color;
    let ahead = (mv.to.rank() as i8 - mv.from.rank() as i8) * side.forward();
    let direction = match ahead {
        1.. => Direction::Forward,
        0 => Direction::Sideways,
        ..0 => Direction::Back,
    };
    let to = if piece.kind.moves_diagonally() || direction == Direction::Sideways {
        mv.to.file_number(side)
    } else {
        ahead.unsigned_abs()
    };
    if order::target(piece.kind, side, side, mv.from, direction, to) != Some(mv.to) {
        return None;
    }
    let relative = Relative {
        piece: Some(piece.kind),
        place: Place::File(mv.from.file_number(side)),
        direction: Some(direction),
        to,
        hints: Hints::NONE,
    };
    let all = position.bits(side, piece.kind);
    let on_file = all & order::file_of_number(mv.from.file_number(side), side);
    if on_file & on_file.wrapping_sub(1) == 0 {
        return Some(relative);
    }
    Some(tandem(relative, mv, position, side, pawns))
}

/// The words for a piece that shares its file with a like one.
#[cold]
fn tandem(
    relative: Relative,
    mv: Move,
    position: &Position,
    side: Color,
    pawns: PawnStyle,
) -> Relative {
    let kind = relative.piece.unwrap_or(PieceKind::Pawn);
    let file = mv.from.file_number(side);
    let all = position.bits(side, kind);
    let on_file = all & order::file_of_number(file, side);
    if matches!(kind, PieceKind::Advisor | PieceKind::Elephant) {
        let direction = relative.direction.unwrap_or(Direction::Forward);
        let another = position.pieces(side, kind).into_iter().any(|from| {
            from != mv.from
                && on_file >> from.index() & 1 != 0
                && order::target(kind, side, side, from, direction, relative.to)
                    .is_some_and(|to| position.targets(from).contains(to))
        });
        if !another {
            return relative;
        }
    }
    let index = (0..10)
        .find(|i| order::from_front(on_file, side, *i) >> mv.from.index() & 1 != 0)
        .unwrap_or(0);
    let count = on_file.count_ones();
    let numbered = pawns == PawnStyle::Numbered && kind == PieceKind::Pawn;
    let ordinal = match (index, count) {
        (i, 4..=MAX_NTH) if numbered => Ordinal::Nth(i as u8 + 1),
        (0, _) => Ordinal::Front,
        (i, _) if i + 1 == count => Ordinal::Rear,
        (1, 3) => Ordinal::Middle,
        (i, _) => Ordinal::Nth(i as u8 + 1),
    };
    let mut before = 0;
    let mut shared = 0;
    let mut total = 0;
    for set in order::shared_files(all, side) {
        if set == on_file {
            before = total;
        }
        shared += 1;
        total += set.count_ones();
    }
    let place = if shared == 1 {
        Place::Ordinal(ordinal)
    } else if numbered && total <= MAX_NTH {
        Place::Ordinal(Ordinal::Nth((before + index) as u8 + 1))
    } else {
        // Within its file the ordinal is that of the file alone.
        Place::OrdinalFile(ordinal, file)
    };
    let nameless = pawns == PawnStyle::FrontFile
        && kind == PieceKind::Pawn
        && matches!(place, Place::OrdinalFile(..));
    Relative { place, piece: relative.piece.filter(|_| !nameless), ..relative }
}
