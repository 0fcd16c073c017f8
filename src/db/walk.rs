//! A board that only walks along stored lines: squares, key and the number of
//! pieces, nothing else. It is what makes a scan of all games quick.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::error::Result;
use super::lines::bad_moves;
use super::moves::{self, Coding, HalfMove};
use crate::board::{Color, Move, Position, of_black_to_move, of_piece};

/// Code of an empty square.
pub(crate) const EMPTY: u8 = 14;

/// A board without rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Walk {
    /// Piece code on each square, [`EMPTY`] for none.
    pub(crate) squares: [u8; 90],
    /// The position key.
    pub(crate) key: u64,
    /// Number of pieces on the board.
    pub(crate) pieces: u8,
    /// Whose turn it is.
    pub(crate) side: Color,
}

impl Walk {
    /// The board of a position.
    pub(crate) fn of(position: &Position) -> Walk {
        let mut squares = [EMPTY; 90];
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                squares[square.index()] = piece.code();
            }
        }
        let pieces = squares.iter().filter(|code| **code != EMPTY).count() as u8;
        Walk { squares, key: position.key().0, pieces, side: position.side() }
    }

    /// Plays a move, as [`Position::make`] does; gives the code of the piece
    /// that was captured, or [`EMPTY`].
    #[inline]
    pub(crate) fn make(&mut self, mv: Move) -> u8 {
        let (from, to) = (mv.from.index(), mv.to.index());
        let code = self.squares[from];
        let captured = if from == to { EMPTY } else { self.squares[to] };
        if captured != EMPTY {
            self.key ^= of_piece(captured, to);
            self.squares[to] = EMPTY;
            self.pieces -= 1;
        }
        if code != EMPTY {
            self.key ^= of_piece(code, from) ^ of_piece(code, to);
            self.squares[from] = EMPTY;
            self.squares[to] = code;
        }
        self.side = self.side.other();
        self.key ^= of_black_to_move();
        captured
    }
}

/// Where a line first reached a position, and what it played there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// Half-moves played before.
    pub(crate) ply: u32,
    /// The moves played from the position, each once.
    pub(crate) moves: SmallVec<[Move; 4]>,
}

/// Walks along a stored line; `visit` sees every position, with the move that
/// is played there, up to the end or to the first half-move that is not known.
#[inline]
pub(crate) fn walk(
    start: &Position,
    coding: Coding,
    bytes: &[u8],
    visit: &mut impl FnMut(&Walk, Option<Move>) -> ControlFlow<()>,
) -> Result<()> {
    let mut board = Walk::of(start);
    let mut open = true;
    moves::decode(start, coding, bytes, &mut |half| {
        let HalfMove::Known(mv) = half else {
            open = false;
            let _ = visit(&board, None);
            return ControlFlow::Break(());
        };
        if visit(&board, Some(mv)).is_break() {
            open = false;
            return ControlFlow::Break(());
        }
        board.make(mv);
        ControlFlow::Continue(())
    })
    .map_err(|_| bad_moves())?;
    if open {
        let _ = visit(&board, None);
    }
    Ok(())
}

/// Where a stored line reaches a position, if it does.
pub(crate) fn reach(
    start: &Position,
    coding: Coding,
    bytes: &[u8],
    target: &Walk,
) -> Result<Option<Reached>> {
    let mut found: Option<Reached> = None;
    let mut ply = 0;
    walk(start, coding, bytes, &mut |board, next| {
        if board.key == target.key && board == target {
            let reached = found.get_or_insert_with(|| Reached { ply, moves: SmallVec::new() });
            if let Some(mv) = next
                && !reached.moves.contains(&mv)
            {
                reached.moves.push(mv);
            }
        }
        ply += 1;
        // Pieces never come back.
        if board.pieces < target.pieces {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coded(text: &str) -> (Coding, Vec<u8>) {
        let half = |word: &str| word.parse().map_or(HalfMove::Unknown, HalfMove::Known);
        let line: Vec<HalfMove> = text.split(' ').map(half).collect();
        moves::encode(&Position::start(), &line)
    }

    #[test]
    fn the_light_board_agrees_with_the_real_one() {
        let mut position = Position::start();
        let mut light = Walk::of(&position);
        for word in "h2e2 h9g7 e2e6 d9e8 e6e5 a9a8 e5e8 e9e8".split(' ') {
            let mv: Move = word.parse().unwrap();
            position.make(mv);
            light.make(mv);
            assert_eq!(light, Walk::of(&position));
        }
        assert_eq!(light.pieces, 29);
    }

    #[test]
    fn a_position_that_comes_back_counts_once_with_all_its_moves() {
        let start = Position::start();
        let (coding, bytes) = coded("h0g2 h9g7 g2h0 g7h9 h2e2 -- b2d2");
        let reached = reach(&start, coding, &bytes, &Walk::of(&start)).unwrap().unwrap();
        assert_eq!(reached.ply, 0);
        assert_eq!(&reached.moves[..], ["h0g2".parse().unwrap(), "h2e2".parse().unwrap()]);
        // After the gap the board is not known.
        let mut after = start.clone();
        after.make("h2e2".parse().unwrap());
        let reached = reach(&start, coding, &bytes, &Walk::of(&after)).unwrap().unwrap();
        assert_eq!((reached.ply, reached.moves.len()), (5, 0));
        after.make("b2d2".parse().unwrap());
        assert_eq!(reach(&start, coding, &bytes, &Walk::of(&after)).unwrap(), None);
    }
}
