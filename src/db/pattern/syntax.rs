//! What a question says, before it is made ready for the search.

use crate::board::{Bitboard, Color, Piece, PieceKind};

/// What may stand on a point: a set of the fourteen pieces and of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contents(pub(crate) u16);

impl Contents {
    /// Number of things that can be on a point; the last one is nothing.
    pub(crate) const KINDS: usize = 15;
    /// `.`
    pub(crate) const NOTHING: Contents = Contents(1 << 14);
    /// `*`
    pub(crate) const PIECES: Contents = Contents((1 << 14) - 1);
    /// `?`
    pub(crate) const ALL: Contents = Contents((1 << 15) - 1);

    /// A single piece.
    pub(crate) const fn piece(piece: Piece) -> Contents {
        Contents(1 << piece.code())
    }

    /// Either.
    pub(crate) const fn or(self, other: Contents) -> Contents {
        Contents(self.0 | other.0)
    }

    /// Whether the thing with this code is in the set.
    pub(crate) const fn has(self, code: usize) -> bool {
        self.0 >> code & 1 != 0
    }

    /// The only thing that is in the set.
    pub(crate) fn only(self) -> Option<usize> {
        self.0.is_power_of_two().then(|| self.0.trailing_zeros() as usize)
    }
}

/// How many, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: i16,
    pub(crate) high: i16,
}

impl Range {
    /// More than there can be on a board.
    pub(crate) const MANY: i16 = 1000;
    /// Any number.
    pub(crate) const ANY: Range = Range { low: -Range::MANY, high: Range::MANY };

    /// Exactly so many.
    pub(crate) const fn exactly(number: i16) -> Range {
        Range { low: number, high: number }
    }

    /// Whether a number is in the range.
    pub(crate) const fn has(self, number: i16) -> bool {
        self.low <= number && number <= self.high
    }

    /// What the sum of two numbers may be.
    pub(crate) const fn plus(self, other: Range) -> Range {
        Range { low: self.low + other.low, high: self.high + other.high }
    }

    /// What the number may be with its sign turned.
    pub(crate) const fn negated(self) -> Range {
        Range { low: -self.high, high: -self.low }
    }
}

/// A part of a pattern; all parts have to hold at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    /// What may stand on each of the 90 points, by [`crate::board::Square::index`].
    Board(Box<[Contents; 90]>),
    /// How many of some pieces stand in a region.
    Count(Count),
    /// Whose turn it is.
    Turn(Color),
}

/// `N@c-g>=1`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) pieces: Contents,
    pub(crate) region: Bitboard,
    pub(crate) number: Range,
}

/// What is asked of the material, by kind of piece ([`PieceKind::index`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Material {
    /// How many pieces Red and Black have.
    Count([[Range; 7]; 2]),
    /// How many more Red has than Black.
    Balance([Range; 7]),
}

/// Kinds that a material question leaves alone unless it names them.
pub(crate) const fn is_guard(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Advisor | PieceKind::Elephant)
}

/// A part of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Element<'t> {
    /// `?`: one half-move, whatever it is.
    Any,
    /// `…`: any number of half-moves.
    Gap,
    /// A written move, and where it stands in the text.
    Move(&'t str, usize),
}
