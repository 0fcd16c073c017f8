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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Balance {
    points: i16,
    pawns: i16,
}

impl Balance {
    pub(crate) fn with_won(self, piece: Piece, square: Square) -> Balance {
        let (points, pawns) = worth(piece, square);
        Balance { points: self.points + points, pawns: self.pawns + pawns }
    }

    pub(crate) fn with_lost(self, piece: Piece, square: Square) -> Balance {
        let (points, pawns) = worth(piece, square);
        Balance { points: self.points - points, pawns: self.pawns - pawns }
    }

    /// Positive for a gain, negative for a loss, by article 25.3; zero also
    /// for a pawn against pieces, either way.
    pub(crate) fn gain(self) -> i32 {
        if i32::from(self.points) * i32::from(self.pawns) < 0 {
            return 0;
        }
        i32::from(self.points) * 10 + i32::from(self.pawns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_article_25_3() {
        let at = |s: &str| s.parse::<Square>().unwrap();
        let red = |kind| Piece::new(Color::Red, kind);
        let black = |kind| Piece::new(Color::Black, kind);
        let none = Balance::default();
        let trade = |won: &[(PieceKind, &str)], lost: &[(PieceKind, &str)]| {
            let mut balance = none;
            for (kind, square) in won {
                balance = balance.with_won(black(*kind), at(square));
            }
            for (kind, square) in lost {
                balance = balance.with_lost(red(*kind), at(square));
            }
            balance.gain()
        };
        use PieceKind::{Advisor, Cannon, Chariot, Elephant, Horse, Pawn};
        assert_eq!(trade(&[(Chariot, "a4")], &[(Horse, "a4"), (Cannon, "b4")]), 0);
        assert_eq!(trade(&[(Horse, "a4")], &[(Cannon, "b4")]), 0);
        assert_eq!(trade(&[(Advisor, "d9")], &[(Elephant, "c0")]), 0);
        assert!(trade(&[(Horse, "a4")], &[(Advisor, "d0")]) > 0);
        // A crossed pawn for a piece, and a piece for crossed pawns.
        assert_eq!(trade(&[(Horse, "a4")], &[(Pawn, "a5")]), 0);
        assert_eq!(trade(&[(Pawn, "a4"), (Pawn, "b4")], &[(Elephant, "c0")]), 0);
        // A pawn alone is a gain; an uncrossed one is nothing.
        assert!(trade(&[(Pawn, "a4")], &[]) > 0);
        assert_eq!(trade(&[(Pawn, "a5")], &[]), 0);
        assert!(trade(&[(Horse, "a4"), (Pawn, "a4")], &[(Cannon, "b4")]) > 0);
    }
}
