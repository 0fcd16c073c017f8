//! The random numbers behind the keys of a book, as far as the differences of
//! moves tell them.

use rustc_hash::FxHashMap;

use crate::board::{Move, Piece, Square};

/// Triangles that must agree on the number of the side.
const AGREE: u32 = 3;

/// All moves that change a key by the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    /// The piece that moves.
    pub(super) piece: Piece,
    /// From where to where.
    pub(super) mv: Move,
    /// The piece that is taken.
    pub(super) captured: Option<Piece>,
}

/// What the differences say about the numbers of pieces on squares. Two steps
/// of a piece make a third: with the number of the side, which three steps in a
/// triangle give, all squares that steps connect are known against each other,
/// and so is what a piece adds that is captured.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Steps of pieces without capture.
    steps: Vec<(Kind, u64)>,
    /// From each square of a piece, where steps lead.
    near: FxHashMap<(Piece, Square), Vec<(Square, u64)>>,
    /// Captures of a piece on a square.
    captures: FxHashMap<(Piece, Square), Vec<(Kind, u64)>>,
    /// Which number of the side the triangles give, and how often.
    triangles: FxHashMap<u64, u32>,
    side: Option<u64>,
    /// The squares of a piece: the square against which each is known, and what
    /// the piece adds on it more than there.
    against: FxHashMap<Piece, FxHashMap<Square, (Square, u64)>>,
}

impl Numbers {
    /// Takes in the difference of a move.
    pub(super) fn add(&mut self, kind: Kind, difference: u64) {
        let Kind { piece, mv, captured } = kind;
        if let Some(captured) = captured {
            self.captures.entry((captured, mv.to)).or_default().push((kind, difference));
            return;
        }
        self.steps.push((kind, difference));
        if let Some(side) = self.side {
            self.join(kind, difference ^ side);
            return;
        }
        let near = |square| self.near.get(&(piece, square)).map(Vec::as_slice).unwrap_or_default();
        let mut sides = Vec::new();
        for (square, first) in near(mv.from) {
            if let Some((_, second)) = near(mv.to).iter().find(|(other, _)| other == square) {
                sides.push(first ^ second ^ difference);
            }
        }
        self.near.entry((piece, mv.from)).or_default().push((mv.to, difference));
        self.near.entry((piece, mv.to)).or_default().push((mv.from, difference));
        for side in sides {
            let votes = self.triangles.entry(side).or_default();
            *votes += 1;
            if *votes >= AGREE {
                self.side = Some(side);
                for (kind, difference) in self.steps.clone() {
                    self.join(kind, difference ^ side);
                }
                return;
            }
        }
    }

    /// Two squares of a piece are known against each other.
    fn join(&mut self, kind: Kind, apart: u64) {
        let squares = self.against.entry(kind.piece).or_default();
        let (from, x) = *squares.entry(kind.mv.from).or_insert((kind.mv.from, 0));
        let (to, y) = *squares.entry(kind.mv.to).or_insert((kind.mv.to, 0));
        if from != to {
            for (base, value) in squares.values_mut().filter(|(base, _)| *base == to) {
                *base = from;
                *value ^= x ^ y ^ apart;
            }
        }
    }

    /// What the piece of a move adds on one square more than on the other.
    fn apart(&self, kind: Kind) -> Option<u64> {
        let squares = self.against.get(&kind.piece)?;
        let (from, to) = (squares.get(&kind.mv.from)?, squares.get(&kind.mv.to)?);
        (from.0 == to.0).then_some(from.1 ^ to.1)
    }

    /// The difference of a move that others explain.
    pub(super) fn difference(&self, kind: Kind) -> Option<u64> {
        let step = self.apart(kind)? ^ self.side?;
        let Some(captured) = kind.captured else { return Some(step) };
        self.captures.get(&(captured, kind.mv.to))?.iter().find_map(|(other, difference)| {
            let taken = difference ^ self.apart(*other)? ^ self.side?;
            Some(step ^ taken)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    /// Numbers of our own for three squares of a chariot, a cannon on one of
    /// them, and the side.
    #[test]
    fn steps_make_other_steps() {
        let [a0, a1, a2, a3] =
            [(0, 0), (0, 1), (0, 2), (0, 3)].map(|(x, y)| Square::at(x, y).unwrap());
        let chariot = Position::start().piece_at(a0).unwrap();
        let pawn = Position::start().piece_at(Square::at(0, 6).unwrap()).unwrap();
        let horse = Position::start().piece_at(Square::at(1, 0).unwrap()).unwrap();
        let side = 0x5555;
        let on = |square: Square| 0x1000_u64 << (4 * square.rank());
        let step = |from, to| Kind { piece: chariot, mv: Move::new(from, to), captured: None };
        let apart = |from, to| on(from) ^ on(to) ^ side;
        let mut numbers = Numbers::default();
        assert_eq!(numbers.difference(step(a0, a1)), None);
        for (from, to) in [(a0, a1), (a1, a2), (a0, a2), (a2, a3), (a1, a3)] {
            numbers.add(step(from, to), apart(from, to));
        }
        // Two triangles are not enough.
        assert_eq!(numbers.difference(step(a3, a0)), None);
        numbers.add(step(a3, a0), apart(a3, a0));
        for (from, to) in [(a3, a0), (a2, a0), (a1, a2)] {
            assert_eq!(numbers.difference(step(from, to)), Some(apart(from, to)));
        }
        // A pawn that was taken once adds the same when it is taken again.
        let take = |from| Kind { piece: chariot, mv: Move::new(from, a3), captured: Some(pawn) };
        assert_eq!(numbers.difference(take(a0)), None);
        numbers.add(take(a0), apart(a0, a3) ^ 0xdead);
        assert_eq!(numbers.difference(take(a1)), Some(apart(a1, a3) ^ 0xdead));
        // Of another piece nothing is known.
        assert_eq!(numbers.difference(Kind { piece: horse, ..step(a0, a1) }), None);
    }
}
