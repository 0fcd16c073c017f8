//! One sign for all the ways in which a character of a move is written.

use super::chinese::alphabet::class_of;
use super::combinators::half_width;
use super::syntax::{Direction, Ordinal};
use crate::board::{Color, Piece};

/// One sign for a character of move text: the FEN letter of a piece (傌 and 马
/// give `N`), a digit (七, ７), `+`, `-` and `=` for 进, 退 and 平, `f`, `m`
/// and `r` for 前, 中 and 后. Letters and signs of the Latin notations become
/// half-width; `None` for a character that no notation has.
#[must_use]
pub fn fold(character: char) -> Option<char> {
    let class = class_of(character);
    if let Some(kind) = class.piece() {
        return Some(Piece::new(Color::Red, kind).letter());
    }
    if let Some(numeral) = class.numeral() {
        return char::from_digit(u32::from(numeral), 10);
    }
    if let Some(direction) = class.direction() {
        return Some(match direction {
            Direction::Forward => '+',
            Direction::Back => '-',
            Direction::Sideways => '=',
        });
    }
    if let Some(word) = class.word() {
        return Some(match word {
            Ordinal::Front => 'f',
            Ordinal::Middle => 'm',
            _ => 'r',
        });
    }
    let plain = half_width(character);
    (plain.is_ascii_alphanumeric() || matches!(plain, '+' | '-' | '=' | '.' | '/')).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_of_writing_one_thing_give_one_sign() {
        for (same, sign) in [
            ("马馬傌", 'N'),
            ("七7７柒", '7'),
            ("进進上", '+'),
            ("退下", '-'),
            ("平=＝", '='),
            ("后後", 'r'),
            ("hｈ", 'h'),
        ] {
            for character in same.chars() {
                assert_eq!(fold(character), Some(sign), "{character}");
            }
        }
        assert_eq!(fold('□'), None);
        assert_eq!(fold('\u{fffd}'), None);
    }
}
