//! The 90 points of the board.

use std::fmt;
use std::str::FromStr;

use super::piece::Color;

/// A point (交叉点) of the board: `rank * 9 + file`.
///
/// File 0 is `a`, at Red's left hand; rank 0 is Red's home rank, as ICCS
/// counts. The index is always below 90.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The text is not a square `a0` to `i9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a square: a file letter a to i and a rank digit 0 to 9 are expected")]
pub struct ParseSquareError;

impl Square {
    /// Number of points on the board.
    pub const COUNT: usize = 90;

    /// The square with this index, if it is below 90.
    #[must_use]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 90 { Some(Square(index)) } else { None }
    }

    /// The square at `file` (0 to 8 from Red's left) and `rank` (0 to 9 from
    /// Red's home rank); `None` when it is off the board.
    #[must_use]
    pub const fn at(file: i8, rank: i8) -> Option<Square> {
        if file >= 0 && file < 9 && rank >= 0 && rank < 10 {
            Some(Square((rank * 9 + file) as u8))
        } else {
            None
        }
    }

    /// As [`Square::new`] for an index that is known to be below 90.
    pub(crate) const fn from_index(index: u8) -> Square {
        debug_assert!(index < 90);
        Square(index)
    }

    /// `rank * 9 + file`, below 90.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// File (列) from Red's left, 0 to 8.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % 9
    }

    /// Rank (行) from Red's home rank, 0 to 9.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 / 9
    }

    /// File number as `side` counts it: 1 at his own right hand to 9 at his
    /// left (article 1.1).
    #[must_use]
    pub const fn file_number(self, side: Color) -> u8 {
        match side {
            Color::Red => 9 - self.file(),
            Color::Black => self.file() + 1,
        }
    }

    /// How far the square lies from `side`'s home rank, 0 to 9.
    #[must_use]
    pub const fn advance(self, side: Color) -> u8 {
        match side {
            Color::Red => self.rank(),
            Color::Black => 9 - self.rank(),
        }
    }

    /// The left-right mirror image (a0 to i0).
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square(self.0 - self.file() + (8 - self.file()))
    }

    /// The same point seen from the other side of the board (a0 to i9).
    #[must_use]
    pub const fn rotated(self) -> Square {
        Square(89 - self.0)
    }

    /// The point on the same file, counted from the other home rank (a0 to a9).
    #[must_use]
    pub const fn flipped(self) -> Square {
        Square((9 - self.rank()) * 9 + self.file())
    }

    /// All squares from a0 to i9.
    pub fn all() -> impl ExactSizeIterator<Item = Square> + DoubleEndedIterator {
        (0..90).map(Square)
    }
}

/// ICCS in lower case: `a0` to `i9`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `a0` to `i9` in either case.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let &[file, rank] = text.as_bytes() else {
            return Err(ParseSquareError);
        };
        let file = file.to_ascii_lowercase();
        if (b'a'..=b'i').contains(&file) && rank.is_ascii_digit() {
            Ok(Square((rank - b'0') * 9 + (file - b'a')))
        } else {
            Err(ParseSquareError)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_numbers_run_from_each_players_right() {
        let h2: Square = "h2".parse().unwrap();
        assert_eq!(h2.file_number(Color::Red), 2);
        let h9: Square = "H9".parse().unwrap();
        assert_eq!(h9.file_number(Color::Black), 8);
    }

    #[test]
    fn every_square_survives_its_text_and_its_mirrors() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.mirrored().mirrored(), square);
            assert_eq!(square.rotated().rotated(), square);
            assert_eq!(square.flipped().flipped(), square);
            assert_eq!(square.mirrored().flipped(), square.rotated());
        }
        assert!("j0".parse::<Square>().is_err());
        assert!("a10".parse::<Square>().is_err());
    }
}
