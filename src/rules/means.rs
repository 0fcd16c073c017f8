//! By what means a move lets a piece that did not move attack.

use crate::board::{Move, PieceKind, Position};

use super::judgement::Means;

/// Why `capture`, by a piece that the move leaves alone, is a threat after it
/// and was none in `before`, where the move was played.
pub(crate) fn of(before: &Position, capture: Move) -> Means {
    let Some(piece) = before.piece_at(capture.from) else { return Means::Line };
    if before.targets(capture.from).contains(capture.to) {
        // It reached the target already: either it may move only now, or the
        // target has lost its root.
        return if before.is_legal(capture) { Means::Root } else { Means::Unbound };
    }
    match piece.kind {
        PieceKind::Horse => Means::Leg,
        PieceKind::Elephant => Means::Eye,
        PieceKind::Cannon => Means::Mount,
        _ => Means::Line,
    }
}
