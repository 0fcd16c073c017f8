//! What one written move says, before any position is looked at.

use crate::board::{Color, PieceKind};

/// A move as it was written: small, copied freely, the same type for every
/// notation. [`super::resolve`] finds out what it means on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// Seen from the mover: 炮二平五, `C2.5`, `P2-5`.
    Relative(Relative),
    /// Two points of the board: `h2e2`, `H2-E2`.
    Squares(Squares),
    /// A piece and the point it goes to: `Che2`.
    San(San),
}

/// A move as the mover counts: which piece, which way, how far
/// (notation-chinese.md, 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relative {
    /// The piece; `None` where the notation leaves it out (前四平五, `13+1`),
    /// which only pawns may.
    pub piece: Option<PieceKind>,
    /// Which of the pieces of that kind.
    pub place: Place,
    /// The way it goes; `None` in the short record (简写) without marks.
    pub direction: Option<Direction>,
    /// The last numeral, 1 to 9: a file of the mover after 平 and for horse,
    /// elephant and advisor, otherwise a number of points.
    pub to: u8,
    /// How it was spelled.
    pub hints: Hints,
}

/// How a written move tells which piece goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// By the file on which it stands, 1 to 9 from the mover's right.
    File(u8),
    /// By its rank among like pieces of one file: 前车, 二兵, `P+`.
    Ordinal(Ordinal),
    /// By both: 前四平五, 二7平6, `13+1`.
    OrdinalFile(Ordinal, u8),
}

/// Rank among like pieces, counted from the enemy's side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ordinal {
    /// 前: nearest to the enemy.
    Front,
    /// 中: in the middle.
    Middle,
    /// 后: nearest to the own home rank.
    Rear,
    /// 一, 二, 三 …: 1 to 9 from the front; on several files at once from the
    /// mover's right file to his left.
    Nth(u8),
}

/// The middle word of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// 进: towards the enemy.
    Forward = 0,
    /// 退: towards the own home rank.
    Back = 1,
    /// 平: along the rank.
    Sideways = 2,
}

impl Direction {
    /// All three.
    pub const ALL: [Direction; 3] = [Direction::Forward, Direction::Back, Direction::Sideways];
}

/// What the bars of a short record (简写) mean on one sheet; no bar is 平 on
/// a marked sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkHabit {
    /// The sheet has no bars: every direction is open.
    Unmarked,
    /// Under the digit 进, over it 退.
    UnderIsForward,
    /// Over the digit 进, under it 退.
    OverIsForward,
}

/// Two points as written. Files count from 0 at Red's left (`a`), ranks as
/// the text has them, 0 to 10: whether they start at 0 or at 1 is `base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Squares {
    /// File and rank of the point the piece leaves.
    pub from: (u8, u8),
    /// File and rank of the point it goes to.
    pub to: (u8, u8),
    /// What the text itself proves about its ranks.
    pub base: Option<RankBase>,
    /// How it was spelled.
    pub hints: Hints,
}

/// A move in algebraic notation: the piece, the point it goes to, and of the
/// point it leaves as much as is needed. Files and ranks as in [`Squares`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct San {
    /// The piece; pawns may go without a letter.
    pub piece: PieceKind,
    /// File of the point the piece leaves.
    pub from_file: Option<u8>,
    /// Rank of the point the piece leaves.
    pub from_rank: Option<u8>,
    /// File and rank of the point it goes to.
    pub to: (u8, u8),
    /// Whether it says that it captures.
    pub captures: bool,
    /// What the text itself proves about its ranks.
    pub base: Option<RankBase>,
}

/// From which number a notation counts the ranks, Red's home rank being the
/// first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RankBase {
    /// 0 to 9: ICCS, UCCI and engines of the Pikafish family.
    #[default]
    Zero,
    /// 1 to 10: Fairy-Stockfish, pychess.
    One,
}

/// Small facts about the spelling that do not change what is said, but help
/// to find out who wrote it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Hints(pub(super) u32);

impl Hints {
    /// The side to which the numerals belong: Chinese ones to Red, Arabic ones
    /// to Black; `None` when there are both or neither.
    #[must_use]
    pub const fn numeral_side(self) -> Option<Color> {
        match (self.has(Hints::HAN), self.has(Hints::ARABIC)) {
            (true, false) => Some(Color::Red),
            (false, true) => Some(Color::Black),
            _ => None,
        }
    }

    /// Nothing to say.
    pub const NONE: Hints = Hints(0);
    /// A character that only Red's set has (帅 仕 相 兵 傌 俥).
    pub const RED_CHARACTER: Hints = Hints(1);
    /// A character that only Black's set has (将 士 象 卒 包).
    pub const BLACK_CHARACTER: Hints = Hints(1 << 1);
    /// A Chinese numeral as file or count.
    pub const HAN: Hints = Hints(1 << 2);
    /// An Arabic digit, ASCII or full-width, as file or count.
    pub const ARABIC: Hints = Hints(1 << 3);
    /// 上 or 下 as direction, or a formal numeral (壹).
    pub const OLD: Hints = Hints(1 << 4);
    /// A character that looks like the one that is meant: 卯 for 卒, 人 for 八.
    pub const MISREAD: Hints = Hints(1 << 5);
    /// A letter that looks like the digit that is meant: `l` for 1, `O` for 0.
    pub const LETTER: Hints = Hints(1 << 6);
    /// The ordinal is an Arabic digit: 4卒平2.
    pub const ARABIC_ORDINAL: Hints = Hints(1 << 7);
    /// The ordinal stands behind the piece: 马前退四.
    pub const PIECE_FIRST: Hints = Hints(1 << 8);
    /// Two digits that two conventions read in different order: `33.4`.
    pub const DIGIT_PAIR: Hints = Hints(1 << 9);
    /// A double mark, `++.4`: the very first of four or five.
    pub const DOUBLE_MARK: Hints = Hints(1 << 10);
    /// A plus or minus behind the letter: `P+.4`, the second of four or five.
    pub const LETTER_MARK: Hints = Hints(1 << 11);
    /// A capital letter for the piece.
    pub const UPPER: Hints = Hints(1 << 12);
    /// A small letter for the piece.
    pub const LOWER: Hints = Hints(1 << 13);
    /// Latin letters by the rules of the federation, whose pawns have
    /// conventions of their own.
    pub const WXF: Hints = Hints(1 << 14);
    /// A bar under the last digit of a short move.
    pub const UNDERLINED: Hints = Hints(1 << 15);
    /// A bar over the last digit of a short move.
    pub const OVERLINED: Hints = Hints(1 << 16);
    /// A capital letter as the running number of a pawn: `PA.4`.
    pub const CAPITAL_NUMBER: Hints = Hints(1 << 17);

    /// Whether all of `other` is in the set.
    #[must_use]
    pub const fn has(self, other: Hints) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, other: Hints) -> Hints {
        Hints(self.0 | other.0)
    }
}

impl std::fmt::Debug for Hints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hints({:#b})", self.0)
    }
}

impl Relative {
    /// The side whose numerals these are by the rule that Red writes Chinese
    /// numerals and Black Arabic digits (article 1.1). `None` when they are
    /// mixed or there are none. A hint, no more: many records use one style
    /// for both sides.
    #[must_use]
    pub const fn numeral_side(&self) -> Option<Color> {
        self.hints.numeral_side()
    }

    /// The side whose character the piece is; `None` for those both sides
    /// write alike. Records mix 仕 and 士, 相 and 象, 兵 and 卒.
    #[must_use]
    pub const fn character_side(&self) -> Option<Color> {
        if self.hints.has(Hints::RED_CHARACTER) {
            Some(Color::Red)
        } else if self.hints.has(Hints::BLACK_CHARACTER) {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// The same move without what was noted of its spelling.
    #[must_use]
    pub const fn without_hints(self) -> Relative {
        Relative { hints: Hints::NONE, ..self }
    }
}

/// The text is not a move of the notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// Something else was expected.
    #[error("{expected} is expected at byte {at}")]
    Expected {
        /// Byte offset in the text.
        at: usize,
        /// What could stand there.
        expected: &'static str,
    },
    /// A whole move, and then more.
    #[error("the move ends at byte {at}, and more text follows")]
    Trailing {
        /// Byte offset where the move ends.
        at: usize,
    },
    /// The text is longer than any move.
    #[error("the text is longer than any move")]
    TooLong,
}
