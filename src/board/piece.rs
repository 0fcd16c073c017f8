//! Sides and pieces.

use std::ops::Not;

/// A side (方): Red (红) moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// 红方
    Red = 0,
    /// 黑方
    Black = 1,
}

impl Color {
    /// Red, then Black.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// 0 for Red, 1 for Black.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }

    /// +1 when `self` moves up the ranks (Red), -1 otherwise.
    #[must_use]
    pub const fn forward(self) -> i8 {
        match self {
            Color::Red => 1,
            Color::Black => -1,
        }
    }

    /// `red` or `black`, as the JSON output writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::Black => "black",
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        self.other()
    }
}

/// The seven kinds of piece (棋子).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// 帅 将
    King = 0,
    /// 仕 士
    Advisor = 1,
    /// 相 象
    Elephant = 2,
    /// 马
    Horse = 3,
    /// 车
    Chariot = 4,
    /// 炮
    Cannon = 5,
    /// 兵 卒
    Pawn = 6,
}

impl PieceKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [PieceKind; 7] = [
        PieceKind::King,
        PieceKind::Advisor,
        PieceKind::Elephant,
        PieceKind::Horse,
        PieceKind::Chariot,
        PieceKind::Cannon,
        PieceKind::Pawn,
    ];

    /// 0 to 6.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Advisor, elephant and horse write the *file* they reach after 进 and
    /// 退; the others the number of points (notation-chinese.md, 1).
    #[must_use]
    pub const fn moves_diagonally(self) -> bool {
        matches!(self, PieceKind::Advisor | PieceKind::Elephant | PieceKind::Horse)
    }

    /// FEN letter, upper case: K A B N R C P.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            PieceKind::King => 'K',
            PieceKind::Advisor => 'A',
            PieceKind::Elephant => 'B',
            PieceKind::Horse => 'N',
            PieceKind::Chariot => 'R',
            PieceKind::Cannon => 'C',
            PieceKind::Pawn => 'P',
        }
    }

    /// The kind a FEN letter of either case stands for. H is read as horse,
    /// E and M as elephant, G as advisor (other-formats.md, 11).
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter.to_ascii_uppercase() {
            'K' => PieceKind::King,
            'A' | 'G' => PieceKind::Advisor,
            'B' | 'E' | 'M' => PieceKind::Elephant,
            'N' | 'H' => PieceKind::Horse,
            'R' => PieceKind::Chariot,
            'C' => PieceKind::Cannon,
            'P' => PieceKind::Pawn,
            _ => return None,
        })
    }

    /// How many of this kind a side owns at the start.
    #[must_use]
    pub const fn full_count(self) -> u32 {
        match self {
            PieceKind::King => 1,
            PieceKind::Pawn => 5,
            _ => 2,
        }
    }
}

/// A piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub kind: PieceKind,
}

impl Piece {
    /// A piece of `color` and `kind`.
    #[must_use]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece { color, kind }
    }

    /// 0 to 6 for Red's pieces, 7 to 13 for Black's.
    pub(crate) const fn code(self) -> u8 {
        self.color as u8 * 7 + self.kind as u8
    }

    /// The piece with this code, if it is below 14.
    pub(crate) const fn from_code(code: u8) -> Option<Piece> {
        let (color, kind) = match code {
            0..7 => (Color::Red, code),
            7..14 => (Color::Black, code - 7),
            _ => return None,
        };
        Some(Piece { color, kind: PieceKind::ALL[kind as usize] })
    }

    /// FEN letter: upper case for Red, lower case for Black.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.color {
            Color::Red => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// Reads a FEN letter; see [`PieceKind::from_letter`].
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Piece> {
        match PieceKind::from_letter(letter) {
            Some(kind) => {
                let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
                Some(Piece { color, kind })
            }
            None => None,
        }
    }

    /// The character printed on the piece in simplified script: 帅 仕 相 马 车
    /// 炮 兵 for Red, 将 士 象 马 车 炮 卒 for Black.
    #[must_use]
    pub const fn hanzi(self) -> char {
        match (self.color, self.kind) {
            (Color::Red, PieceKind::King) => '帅',
            (Color::Red, PieceKind::Advisor) => '仕',
            (Color::Red, PieceKind::Elephant) => '相',
            (Color::Red, PieceKind::Pawn) => '兵',
            (Color::Black, PieceKind::King) => '将',
            (Color::Black, PieceKind::Advisor) => '士',
            (Color::Black, PieceKind::Elephant) => '象',
            (Color::Black, PieceKind::Pawn) => '卒',
            (_, PieceKind::Horse) => '马',
            (_, PieceKind::Chariot) => '车',
            (_, PieceKind::Cannon) => '炮',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_letters_come_back() {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!(Piece::from_code(piece.code()), Some(piece));
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert_eq!(Piece::from_code(14), None);
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Piece::from_letter('h').map(|p| p.kind), Some(PieceKind::Horse));
    }
}
