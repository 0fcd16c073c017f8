//! One sign for all the ways in which a character of a move is written.

use smallvec::SmallVec;

use super::chinese::alphabet::class_of;
use super::combinators::half_width;
use super::describe::describe;
use super::style::PawnStyle;
use super::syntax::{Direction, Ordinal, Place};
use crate::board::{Color, Move, Piece, Position};

/// The signs of a move.
pub(crate) type Signs = SmallVec<[char; 8]>;

/// The signs of a move as Chinese notation writes it: its text, each character
/// folded, without writing it. The last but one is the direction, which the
/// short record (简写) leaves out. `None` where the notation has no words.
pub(crate) fn signs(mv: Move, position: &Position) -> Option<Signs> {
    let relative = describe(mv, position, PawnStyle::default())?;
    let digit = |number: u8| char::from(b'0' + number % 10);
    let ordinal = |ordinal| match ordinal {
        Ordinal::Front => 'f',
        Ordinal::Middle => 'm',
        Ordinal::Rear => 'r',
        Ordinal::Nth(n) => digit(n),
    };
    let piece = relative.piece.map(|kind| Piece::new(Color::Red, kind).letter());
    let mut signs = Signs::new();
    match relative.place {
        Place::File(file) => {
            signs.extend(piece);
            signs.push(digit(file));
        }
        Place::Ordinal(rank) => {
            signs.push(ordinal(rank));
            signs.extend(piece);
        }
        Place::OrdinalFile(rank, file) => {
            signs.push(ordinal(rank));
            signs.extend(piece);
            signs.push(digit(file));
        }
    }
    signs.push(sign(relative.direction?));
    signs.push(digit(relative.to));
    Some(signs)
}

const fn sign(direction: Direction) -> char {
    match direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Sideways => '=',
    }
}

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
        return Some(sign(direction));
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
    use crate::notation::{Notation, Style, render};

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

    #[test]
    fn signs_are_those_of_the_written_move() {
        // Pawns on one file and on several, advisors and chariots in tandem.
        for fen in [
            crate::board::START_FEN,
            "3akab2/9/4b4/P1P6/2P6/P1P3P2/6P2/R3BA3/R8/3AK1B2 w - - 0 1",
            "2bak4/4a4/4b4/9/2p1p4/4p3c/p3p4/4C4/p8/4K4 b - - 0 1",
        ] {
            let position = fen.parse::<Position>().unwrap();
            for mv in position.legal_moves() {
                for notation in [Notation::Chinese, Notation::Abbreviated] {
                    let text = render(notation, mv, &position, Style::default()).unwrap();
                    let folded: Signs = text.chars().filter_map(fold).collect();
                    let mut signs = signs(mv, &position).unwrap();
                    if notation == Notation::Abbreviated {
                        signs.remove(signs.len() - 2);
                    }
                    assert_eq!(signs, folded, "{text}");
                }
            }
        }
    }
}
