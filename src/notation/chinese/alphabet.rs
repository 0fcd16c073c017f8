//! The characters of Chinese move text (notation-chinese.md, 3): one list,
//! and a table that finds a character's class from its UTF-8 bytes.

use crate::board::PieceKind;
use crate::notation::syntax::{Direction, Hints, Ordinal};

/// What a character means in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A piece.
    Piece(PieceKind),
    /// 1 to 9.
    Numeral(u8),
    /// 进, 退, 平.
    Direction(Direction),
    /// 前, 中, 后.
    Ordinal(Ordinal),
}

use Direction::{Back, Forward, Sideways};
use Meaning::{Direction as D, Numeral as N, Ordinal as O, Piece as P};
use Ordinal::{Front, Middle, Rear};
use PieceKind::{Advisor, Cannon, Chariot, Elephant, Horse, King, Pawn};

const RED: Hints = Hints::RED_CHARACTER;
const BLACK: Hints = Hints::BLACK_CHARACTER;
const HAN: Hints = Hints::HAN;
const FORMAL: Hints = Hints::HAN.with(Hints::OLD);

/// Every character outside ASCII that may stand in a move. ASCII digits are
/// numerals, and `l` is read as 1.
pub(crate) const ALPHABET: &[(char, Meaning, Hints)] = &[
    ('帅', P(King), RED),
    ('帥', P(King), RED),
    ('将', P(King), BLACK),
    ('將', P(King), BLACK),
    ('仕', P(Advisor), RED),
    ('士', P(Advisor), BLACK),
    ('相', P(Elephant), RED),
    ('象', P(Elephant), BLACK),
    ('马', P(Horse), Hints::NONE),
    ('馬', P(Horse), Hints::NONE),
    ('傌', P(Horse), RED),
    ('碼', P(Horse), Hints::NONE),
    ('码', P(Horse), Hints::NONE),
    ('车', P(Chariot), Hints::NONE),
    ('車', P(Chariot), Hints::NONE),
    ('俥', P(Chariot), RED),
    ('伡', P(Chariot), RED),
    ('砗', P(Chariot), Hints::NONE),
    ('硨', P(Chariot), Hints::NONE),
    ('炮', P(Cannon), Hints::NONE),
    ('砲', P(Cannon), Hints::NONE),
    ('礮', P(Cannon), Hints::NONE),
    ('包', P(Cannon), BLACK),
    ('兵', P(Pawn), RED),
    ('卒', P(Pawn), BLACK),
    ('卯', P(Pawn), BLACK.with(Hints::MISREAD)),
    ('进', D(Forward), Hints::NONE),
    ('進', D(Forward), Hints::NONE),
    ('上', D(Forward), Hints::OLD),
    ('退', D(Back), Hints::NONE),
    ('下', D(Back), Hints::OLD),
    ('平', D(Sideways), Hints::NONE),
    ('前', O(Front), Hints::NONE),
    ('中', O(Middle), Hints::NONE),
    ('后', O(Rear), Hints::NONE),
    ('後', O(Rear), Hints::NONE),
    ('一', N(1), HAN),
    ('二', N(2), HAN),
    ('三', N(3), HAN),
    ('四', N(4), HAN),
    ('五', N(5), HAN),
    ('六', N(6), HAN),
    ('七', N(7), HAN),
    ('八', N(8), HAN),
    ('九', N(9), HAN),
    ('人', N(8), HAN.with(Hints::MISREAD)),
    ('壹', N(1), FORMAL),
    ('贰', N(2), FORMAL),
    ('貳', N(2), FORMAL),
    ('叁', N(3), FORMAL),
    ('參', N(3), FORMAL),
    ('肆', N(4), FORMAL),
    ('伍', N(5), FORMAL),
    ('陆', N(6), FORMAL),
    ('陸', N(6), FORMAL),
    ('柒', N(7), FORMAL),
    ('捌', N(8), FORMAL),
    ('玖', N(9), FORMAL),
    ('１', N(1), Hints::ARABIC),
    ('２', N(2), Hints::ARABIC),
    ('３', N(3), Hints::ARABIC),
    ('４', N(4), Hints::ARABIC),
    ('５', N(5), Hints::ARABIC),
    ('６', N(6), Hints::ARABIC),
    ('７', N(7), Hints::ARABIC),
    ('８', N(8), Hints::ARABIC),
    ('９', N(9), Hints::ARABIC),
];

/// Class of a character in two bytes: value in bits 0 to 3, sort in bits 4 to
/// 6, hints from bit 8 on (the first seven hints only).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Class(u16);

/// The sorts of [`Class`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Sort {
    /// Not in any move.
    Other = 0,
    /// A piece.
    Piece = 1,
    /// A numeral that may also be an ordinal.
    Numeral = 2,
    /// 前, 中, 后.
    Ordinal = 3,
    /// 进, 退, 平.
    Direction = 4,
    /// A character read as a numeral, in a numeral's place only (`l`, 人).
    Misread = 5,
}

impl Class {
    const OTHER: Class = Class(Sort::Other as u16);

    const fn new(meaning: Meaning, hints: Hints) -> Class {
        let misread = hints.0 & (Hints::MISREAD.0 | Hints::LETTER.0) != 0;
        let (sort, value) = match meaning {
            Meaning::Piece(kind) => (Sort::Piece, kind as u8),
            Meaning::Numeral(n) if misread => (Sort::Misread, n),
            Meaning::Numeral(n) => (Sort::Numeral, n),
            Meaning::Ordinal(Ordinal::Front) => (Sort::Ordinal, 0),
            Meaning::Ordinal(Ordinal::Middle) => (Sort::Ordinal, 1),
            Meaning::Ordinal(_) => (Sort::Ordinal, 2),
            Meaning::Direction(direction) => (Sort::Direction, direction as u8),
        };
        Class(value as u16 | (sort as u16) << 4 | (hints.0 as u16 & 0x7f) << 8)
    }

    /// It is this many bits wide.
    pub(super) const BITS: u32 = u16::BITS;

    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// The class in the lowest bits.
    #[inline]
    pub(super) const fn from_bits(bits: u64) -> Class {
        Class(bits as u16)
    }

    /// What sort of character it is.
    #[inline]
    pub(crate) const fn sort(self) -> u8 {
        (self.0 >> 4 & 7) as u8
    }

    #[inline]
    const fn value(self) -> u8 {
        (self.0 & 15) as u8
    }

    /// What its spelling tells.
    #[inline]
    pub(crate) const fn hints(self) -> Hints {
        Hints((self.0 >> 8) as u32)
    }

    /// The piece, when the sort is [`Sort::Piece`].
    #[inline]
    pub(crate) fn piece(self) -> Option<PieceKind> {
        (self.sort() == Sort::Piece as u8)
            .then(|| PieceKind::ALL.get(self.value() as usize).copied())
            .flatten()
    }

    /// The numeral, also a misread one.
    #[inline]
    pub(crate) fn numeral(self) -> Option<u8> {
        (self.sort() == Sort::Numeral as u8 || self.sort() == Sort::Misread as u8)
            .then_some(self.value())
    }

    /// 进, 退 or 平.
    #[inline]
    pub(crate) fn direction(self) -> Option<Direction> {
        (self.sort() == Sort::Direction as u8)
            .then(|| Direction::ALL.get(self.value() as usize).copied())
            .flatten()
    }

    /// 前, 中 or 后.
    #[inline]
    pub(crate) fn word(self) -> Option<Ordinal> {
        (self.sort() == Sort::Ordinal as u8).then(|| match self.value() {
            0 => Ordinal::Front,
            1 => Ordinal::Middle,
            _ => Ordinal::Rear,
        })
    }
}

/// Classes of the ASCII characters.
static ASCII: [Class; 128] = {
    let mut table = [Class::OTHER; 128];
    let mut digit = 1;
    while digit <= 9 {
        table[b'0' as usize + digit] = Class::new(Meaning::Numeral(digit as u8), Hints::ARABIC);
        digit += 1;
    }
    let letter = Hints::ARABIC.with(Hints::LETTER);
    table[b'l' as usize] = Class::new(Meaning::Numeral(1), letter);
    table
};

/// Blocks of 64 characters that [`BLOCKS`] has room for.
const BLOCK_COUNT: usize = 64;

/// For a character of three UTF-8 bytes: which block of 64 it lies in, by its
/// upper ten bits; 0 is the block without any class.
static LEADS: [u8; 1024] = TABLES.0;

/// The blocks, by the lower six bits of the character. Both tables together
/// take 9 KiB and stay in the first-level cache.
static BLOCKS: [[Class; 64]; BLOCK_COUNT] = TABLES.1;

const TABLES: ([u8; 1024], [[Class; 64]; BLOCK_COUNT]) = {
    let mut leads = [0u8; 1024];
    let mut blocks = [[Class::OTHER; 64]; BLOCK_COUNT];
    let mut used = 1;
    let mut i = 0;
    while i < ALPHABET.len() {
        let (character, meaning, hints) = ALPHABET[i];
        let code = character as usize;
        assert!(code >= 0x800 && code < 0x1_0000, "three bytes of UTF-8");
        if leads[code >> 6] == 0 {
            leads[code >> 6] = used;
            used += 1;
        }
        blocks[leads[code >> 6] as usize][code & 63] = Class::new(meaning, hints);
        i += 1;
    }
    (leads, blocks)
};

/// The class of the character that begins at byte `at` and the number of its
/// bytes; class "other" at the end of the text and inside a character.
#[inline]
pub(crate) fn class_at(bytes: &[u8], at: usize) -> (Class, usize) {
    match bytes.get(at..) {
        Some(&[first @ 0xe0..=0xef, second, third, ..]) => (wide(first, second, third), 3),
        Some(&[first @ 0..0x80, ..]) => (ascii(first), 1),
        _ => (Class::OTHER, 1),
    }
}

/// The class of a character of three UTF-8 bytes, the first of which is 0xe0
/// to 0xef.
#[inline]
pub(super) fn wide(first: u8, second: u8, third: u8) -> Class {
    let lead = (first as usize & 15) << 6 | second as usize & 63;
    let block = LEADS[lead] as usize & (BLOCK_COUNT - 1);
    BLOCKS[block][third as usize & 63]
}

/// The class of an ASCII character, 0 to 0x7f.
#[inline]
pub(super) fn ascii(byte: u8) -> Class {
    ASCII[byte as usize & 0x7f]
}

/// The class of a character.
pub(crate) fn class_of(character: char) -> Class {
    let mut bytes = [0; 4];
    class_at(character.encode_utf8(&mut bytes).as_bytes(), 0).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_the_list_says() {
        for code in 0..=0x1_ffffu32 {
            let Some(character) = char::from_u32(code) else { continue };
            let class = class_of(character);
            let expected = ALPHABET.iter().find(|(c, ..)| *c == character);
            match expected {
                Some((_, meaning, hints)) => {
                    assert!(class == Class::new(*meaning, *hints), "{character}");
                }
                None if character.is_ascii_digit() && character != '0' => {
                    assert_eq!(class.numeral(), Some(character as u8 - b'0'));
                }
                None if character == 'l' => assert_eq!(class.numeral(), Some(1)),
                None => assert_eq!(class.sort(), Sort::Other as u8, "{character}"),
            }
        }
    }

    #[test]
    fn no_character_is_listed_twice() {
        for (i, (a, ..)) in ALPHABET.iter().enumerate() {
            assert!(ALPHABET[i + 1..].iter().all(|(b, ..)| a != b), "{a}");
        }
    }
}
