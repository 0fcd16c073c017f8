//! A move on the board: from one square to another.

use std::fmt;
use std::str::FromStr;

use super::square::Square;

/// A move (着): the piece on `from` goes to `to`.
///
/// It carries no legality: any two squares make one. A *ply* (半回合) is one
/// such move by one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stood.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

/// The text is not a move such as `h2e2` or `H2-E2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a move: two squares such as h2e2 or H2-E2 are expected")]
pub struct ParseMoveError;

impl Move {
    /// A move between two squares.
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Move {
        Move { from, to }
    }

    /// `from * 90 + to`, below 8100: a compact form for storing.
    #[must_use]
    pub const fn to_u16(self) -> u16 {
        self.from.index() as u16 * 90 + self.to.index() as u16
    }

    /// The move that [`Move::to_u16`] packed; `None` from 8100 up.
    #[must_use]
    pub const fn from_u16(packed: u16) -> Option<Move> {
        if packed >= 8100 {
            return None;
        }
        Some(Move {
            from: Square::from_index((packed / 90) as u8),
            to: Square::from_index((packed % 90) as u8),
        })
    }

    /// The left-right mirror image.
    #[must_use]
    pub const fn mirrored(self) -> Move {
        Move { from: self.from.mirrored(), to: self.to.mirrored() }
    }

    /// The move as the other side would make it, board turned by 180 degrees.
    #[must_use]
    pub const fn rotated(self) -> Move {
        Move { from: self.from.rotated(), to: self.to.rotated() }
    }
}

/// Lower-case ICCS without a hyphen: `h2e2`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads `h2e2` and `H2-E2`, ranks counted from 0.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        if !text.is_ascii() {
            return Err(ParseMoveError);
        }
        let (from, to) = match text.len() {
            4 => (&text[..2], &text[2..]),
            5 if text.as_bytes()[2] == b'-' => (&text[..2], &text[3..]),
            _ => return Err(ParseMoveError),
        };
        match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) => Ok(Move { from, to }),
            _ => Err(ParseMoveError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_comes_back_for_every_pair_of_squares() {
        for packed in 0..8100 {
            let mv = Move::from_u16(packed).unwrap();
            assert_eq!(mv.to_u16(), packed);
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
        assert_eq!(Move::from_u16(8100), None);
        assert_eq!("H2-E2".parse::<Move>().map(|m| m.to_string()), Ok("h2e2".into()));
        assert!("炮二".parse::<Move>().is_err());
    }
}
