//! Captures: who can legally take what, and what protects it.

use smallvec::SmallVec;

use crate::board::{Bitboard, Color, Move, PieceKind, Position, Square};

use super::judgement::Root;
use super::material;

/// A few moves.
pub(crate) type Moves = SmallVec<[Move; 16]>;

/// The legal captures of the side to move on `target`.
pub(crate) fn captures_on(position: &Position, target: Square) -> Moves {
    let attackers = position.attackers(target, position.side());
    if attackers.is_empty() {
        return Moves::new();
    }
    let in_check = position.in_check();
    attackers
        .into_iter()
        .map(|from| Move::new(from, target))
        .filter(|mv| position.is_legal_knowing(*mv, in_check))
        .collect()
}

/// A position whose side to move asks what it threatens. When it is in
/// check, the check itself is overlooked, by playing without its king: a
/// threat that the check only delays is there all the same.
#[derive(Clone)]
pub(crate) struct Threatener {
    /// Without the king when that stands in check.
    pub board: Position,
    /// As it really stands, when the king stands in check.
    checked: Option<Position>,
    us: Color,
}

impl Threatener {
    pub(crate) fn new(position: &Position) -> Threatener {
        let us = position.side();
        let mut board = position.clone();
        let mut checked = None;
        if position.in_check() {
            checked = Some(position.clone());
            if let Some(king) = board.king(us) {
                board.take(king);
            }
        }
        Threatener { board, checked, us }
    }

    /// The captures on `target` that open no further attack on the king.
    pub(crate) fn captures(&self, target: Square) -> Moves {
        let Some(checked) = &self.checked else { return captures_on(&self.board, target) };
        let checkers = checked.checkers(self.us);
        let mut board = checked.clone();
        self.board
            .attackers(target, self.us)
            .into_iter()
            .map(|from| Move::new(from, target))
            .filter(|mv| {
                let undo = board.make(*mv);
                let opened = board.checkers(self.us) & !checkers;
                board.unmake(undo);
                opened.is_empty()
            })
            .collect()
    }
}

/// The pieces of `side` that have value where they stand (子力, 25.3).
pub(crate) fn valuables(position: &Position, side: Color) -> Bitboard {
    let mut set = position.pieces_of(side);
    if let Some(king) = position.king(side) {
        set.remove(king);
    }
    for square in position.pieces(side, PieceKind::Pawn) {
        if !material::crossed(side, square) {
            set.remove(square);
        }
    }
    set
}

/// How the piece that `capture` takes is protected, decided on the board with
/// the capturing piece on its point (28.16). [`Root::True`] stands for any
/// legal recapture.
pub(crate) fn root_after(position: &mut Position, capture: Move) -> Root {
    let owner = position.side().other();
    let undo = position.make(capture);
    let root = if !captures_on(position, capture.to).is_empty() {
        Root::True
    } else if position.attackers(capture.to, owner).is_empty() {
        Root::None
    } else {
        Root::False
    };
    position.unmake(undo);
    root
}

/// The same position with `side` to move: what it threatens, or could have
/// done instead.
pub(crate) fn with_turn(position: &Position, side: Color) -> Position {
    let mut copy = position.clone();
    copy.set_side(side);
    copy
}
