//! What is sloppy about a written move that is understood all the same.

use std::fmt;

/// A set of slips. Each has a stable kebab-case name, which becomes the reason
/// of the finding `notation-slip`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Slips(u16);

macro_rules! slips {
    ($($(#[$doc:meta])* $constant:ident $bit:literal $name:literal;)*) => {
        impl Slips {
            $($(#[$doc])* pub const $constant: Slips = Slips(1 << $bit);)*

            /// Every slip with its name.
            pub const ALL: &'static [(Slips, &'static str)] =
                &[$((Slips::$constant, $name),)*];
        }
    };
}

slips! {
    /// 前 or 后 is left out although like pieces stand on the file; legality
    /// decides.
    FRONT_REAR_MISSING 0 "front-rear-missing";
    /// 前, 中 or 后 is written although no like pieces share a file, or
    /// although the direction alone tells (advisors, elephants).
    FRONT_REAR_SUPERFLUOUS 1 "front-rear-superfluous";
    /// The ordinal makes sense only by another convention than the usual one.
    ORDINAL_CONVENTION 2 "ordinal-convention";
    /// 前兵 or 后兵 while two files hold several pawns: the file is not named.
    PAWN_FILE_MISSING 3 "pawn-file-missing";
    /// Ordinal and file are both written where one is enough.
    FILE_SUPERFLUOUS 4 "file-superfluous";
    /// The files are counted from the opponent's right hand.
    COLOR_SWAPPED_FILE 5 "color-swapped-file";
    /// A letter stands for a digit: `l` for 1, `O` for 0.
    DIGIT_TYPED_AS_LETTER 6 "digit-typed-as-letter";
    /// A character that only looks like the right one: 卯 for 卒, 人 for 八.
    MISREAD_CHARACTER 7 "misread-character";
    /// The ordinal stands behind the piece: 马前退四.
    PIECE_BEFORE_ORDINAL 8 "piece-before-ordinal";
    /// Two squares whose ranks count from the other base.
    RANK_BASE 9 "rank-base";
    /// Chinese numeral and Arabic digit in one move (style).
    NUMERALS_MIXED 10 "numerals-mixed";
    /// Chinese numerals for Black, or Arabic digits for Red (style).
    NUMERALS_OF_OTHER_SIDE 11 "numerals-of-other-side";
    /// A piece character of the other side's set: 士 for 仕 (style).
    WRONG_PIECE_CHARACTER 12 "wrong-piece-character";
    /// 上 and 下 for 进 and 退, or formal numerals (style).
    OLD_SPELLING 13 "old-spelling";
    /// The ordinal is an Arabic digit: 4卒平2 (style).
    ARABIC_ORDINAL 14 "arabic-ordinal";
}

impl Slips {
    /// No slip.
    pub const NONE: Slips = Slips(0);
    /// The slips that are a matter of house style: half of all records have
    /// them, and nothing is in doubt.
    pub const STYLE: Slips = Slips(0b0111_1100_0000_0000);

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of `other` is in the set.
    #[must_use]
    pub const fn contains(self, other: Slips) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, other: Slips) -> Slips {
        Slips(self.0 | other.0)
    }

    /// Without what is only house style: what is worth a finding.
    #[must_use]
    pub const fn without_style(self) -> Slips {
        Slips(self.0 & !Slips::STYLE.0)
    }

    /// The names of the slips in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Slips::ALL.iter().filter(move |(slip, _)| self.contains(*slip)).map(|(_, name)| *name)
    }
}

impl fmt::Debug for Slips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_bits_are_unlike() {
        for (i, (a, name)) in Slips::ALL.iter().enumerate() {
            for (b, other) in &Slips::ALL[i + 1..] {
                assert_ne!(a, b);
                assert_ne!(name, other);
            }
        }
        let style: Vec<_> = Slips::STYLE.names().collect();
        assert_eq!(
            style,
            [
                "numerals-mixed",
                "numerals-of-other-side",
                "wrong-piece-character",
                "old-spelling",
                "arabic-ordinal"
            ]
        );
    }
}
