//! What pieces are worth, for the purpose of the rules (article 25.3).
//!
//! A chariot equals two horses, two cannons or one of each; horse equals
//! cannon; advisor equals elephant. A crossed pawn floats: one pawn for
//! several pieces, or one piece for several pawns, is never a gain. General
//! and uncrossed pawn count for nothing. How many advisors a horse is worth,
//! the article does not say; here it is two and a half, so that no count of
//! them comes out even.

use crate::board::{Color, Piece, PieceKind, Square};

/// Whether a pawn of `side` on `square` has crossed the river.
pub(crate) fn crossed(side: Color, square: Square) -> bool {
    square.advance(side) >= 5
}

/// What a piece is worth where it stands: points of the pieces with a fixed
/// value, and crossed pawns.
fn worth(piece: Piece, square: Square) -> (i16, i16) {
    match piece.kind {
        PieceKind::Chariot => (20, 0),
        PieceKind::Horse | PieceKind::Cannon => (10, 0),
        PieceKind::Advisor | PieceKind::Elephant => (4, 0),
        PieceKind::Pawn if crossed(piece.color, square) => (0, 1),
        PieceKind::Pawn | PieceKind::King => (0, 0),
    }
}

/// Whether a piece has value (子力) where it stands.
pub(crate) fn has_value(piece: Piece, square: Square) -> bool {
    worth(piece, square) != (0, 0)
}

/// Points of the pieces with a fixed value; a pawn has none.
pub(crate) fn points(piece: Piece, square: Square) -> i16 {
    worth(piece, square).0
}

/// What one side has won and lost in a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Balance {
    points: i16,
    pawns: i16,
    /// A pawn took something in the last ply: what that counted. Retaken, it
    /// has been traded, which is no gain for either side.
    pawn_took: i16,
    /// Pawns of ours that were given up on the way.
    given: i16,
}

impl Balance {
    /// After `by` of our side took `taken` on `square`.
    pub(crate) fn with_won(self, by: Piece, taken: Piece, square: Square) -> Balance {
        self.with(1, by, taken, square)
    }

    /// After `by` of the other side took `taken` on `square`.
    pub(crate) fn with_lost(self, by: Piece, taken: Piece, square: Square) -> Balance {
        self.with(-1, by, taken, square)
    }

    /// After a move that takes nothing.
    pub(crate) fn with_nothing(self) -> Balance {
        Balance { pawn_took: 0, ..self }
    }

    fn with(self, sign: i16, by: Piece, taken: Piece, square: Square) -> Balance {
        let (points, pawns) = worth(taken, square);
        // The pawn that took last is retaken: a piece for a pawn floats.
        let traded = if taken.kind == PieceKind::Pawn { self.pawn_took } else { 0 };
        let points = sign * points;
        Balance {
            points: self.points + points - traded,
            pawns: self.pawns + if traded == 0 { sign * pawns } else { 0 },
            pawn_took: if by.kind == PieceKind::Pawn { points } else { 0 },
            given: self.given,
        }
    }

    /// What was lost so far is the price of what is to be won.
    pub(crate) fn as_price(self) -> Balance {
        Balance { given: (-self.pawns).max(0), ..self }
    }

    /// Positive for a gain, negative for a loss, by article 25.3. A pawn that
    /// is left over counts, but less than any piece; a piece lost for pawns
    /// is even, and so is a minor piece that a pawn was given up for.
    pub(crate) fn gain(self) -> i32 {
        if (self.points < 0 && self.pawns > 0)
            || (self.points > 0 && self.points <= 10 * self.given)
        {
            return 0;
        }
        i32::from(self.points) * 10 + i32::from(self.pawns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PieceKind::{Advisor, Cannon, Chariot, Elephant, Horse, Pawn};

    /// The gain of captures in turn, ours first; `None` lets the turn pass.
    fn line(captures: &[Option<(PieceKind, PieceKind, &str)>]) -> i32 {
        let mut balance = Balance::default();
        for (ply, capture) in captures.iter().enumerate() {
            let Some((by, taken, square)) = capture else {
                balance = balance.with_nothing();
                continue;
            };
            let square = square.parse().unwrap();
            let (us, them) = (Color::Red, Color::Black);
            balance = if ply % 2 == 0 {
                balance.with_won(Piece::new(us, *by), Piece::new(them, *taken), square)
            } else {
                balance.with_lost(Piece::new(them, *by), Piece::new(us, *taken), square)
            };
        }
        balance.gain()
    }

    #[test]
    fn the_values_of_article_25_3() {
        // A chariot for a horse and a cannon; horse for cannon; advisor for
        // elephant.
        let chariot = [
            Some((Chariot, Horse, "a4")),
            Some((Cannon, Chariot, "a4")),
            Some((Cannon, Cannon, "a4")),
        ];
        assert_eq!(line(&chariot), 0);
        assert_eq!(line(&[Some((Horse, Cannon, "b6")), Some((Chariot, Horse, "b6"))]), 0);
        assert_eq!(line(&[Some((Elephant, Advisor, "e2")), Some((Pawn, Elephant, "e2"))]), 0);
        assert!(line(&[Some((Cannon, Horse, "a4")), None, Some((Cannon, Pawn, "b4"))]) > 0);
    }

    #[test]
    fn pawns_float() {
        // A pawn takes a horse and is retaken: no gain for either side.
        assert_eq!(line(&[Some((Pawn, Horse, "a6")), Some((Chariot, Pawn, "a6"))]), 0);
        // An advisor takes a pawn and is taken by a pawn.
        assert_eq!(line(&[Some((Advisor, Pawn, "e1")), Some((Pawn, Advisor, "e1"))]), 0);
        // A pawn alone is a gain; one that has not crossed is nothing.
        assert!(line(&[Some((Chariot, Pawn, "a4"))]) > 0);
        assert_eq!(line(&[Some((Chariot, Pawn, "a6"))]), 0);
    }
}
