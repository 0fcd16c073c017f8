//! A position that was looked at, in few bytes: a search may keep tens of
//! thousands.

use super::layers::Happened;
use crate::board::{Color, Piece, Position, Square};
use crate::replay::prior::Trail;

/// A square without a piece, in four bits.
const NOTHING: u8 = 15;

/// The position of a node that the beam took, and where its edges lie.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    /// The node.
    pub node: u32,
    /// Its first edge; the others follow it up to that of the next seat.
    pub first: u32,
    quiet_plies: u32,
    round: u32,
    /// Four bits a square.
    squares: [u8; 45],
    red: bool,
    trail: Trail,
    /// Whether all ways lead through here. Then the weights of the edges
    /// leave out what they all share, and most of the model's work is saved.
    pub lone: bool,
    /// Whether readings of a token were not worth an edge.
    pub fewer_words: bool,
    /// Whether half-moves left out were not worth an edge.
    pub fewer_gaps: bool,
}

impl Seat {
    pub(super) fn new(node: u32, first: u32, position: &Position, trail: Trail) -> Seat {
        let mut squares = [0; 45];
        for (at, pair) in squares.iter_mut().enumerate() {
            let half = |square: usize| {
                let piece = position.piece_at(Square::from_index(square as u8));
                piece.map_or(NOTHING, Piece::code)
            };
            *pair = half(2 * at) | half(2 * at + 1) << 4;
        }
        Seat {
            node,
            first,
            quiet_plies: position.quiet_plies(),
            round: position.round(),
            squares,
            red: position.side() == Color::Red,
            trail,
            lone: false,
            fewer_words: false,
            fewer_gaps: false,
        }
    }

    pub(super) fn position(&self) -> Position {
        let mut position = Position::empty();
        for (at, pair) in self.squares.iter().enumerate() {
            for (square, code) in [(2 * at, pair & 15), (2 * at + 1, pair >> 4)] {
                if let Some(piece) = Piece::from_code(code) {
                    position.put(Square::from_index(square as u8), piece);
                }
            }
        }
        position.set_side(if self.red { Color::Red } else { Color::Black });
        position.set_counters(self.quiet_plies, self.round);
        position
    }

    /// A step from here was not worth an edge.
    pub(super) fn drops(&mut self, happened: Happened) {
        match happened {
            Happened::LeftOut => self.fewer_gaps = true,
            _ => self.fewer_words = true,
        }
    }

    pub(super) fn trail(&self) -> Trail {
        self.trail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_comes_back() {
        let mut position = Position::start();
        let mut trail = Trail::default();
        for mv in ["h2e2", "h9g7", "e2e6", "d9e8"] {
            let mv = mv.parse().unwrap();
            let seat = Seat::new(0, 0, &position, trail);
            let back = seat.position();
            assert_eq!(back, position);
            assert_eq!(back.key(), position.key());
            assert_eq!(back.quiet_plies(), position.quiet_plies());
            assert_eq!(back.round(), position.round());
            assert_eq!(seat.trail(), trail);
            trail = trail.after(mv, position.make(mv).captured().is_some());
        }
        assert!(size_of::<Seat>() <= 76);
    }
}
