//! Opening codes (开局编号): ECCO, the Encyclopedia of Chinese Chess Openings,
//! made in 2004 on the model of the chess ECO. 260 codes from `A00` to `E48`.
//!
//! A code is found from the written moves of the first twenty half-moves, by
//! the rules in `rules.rs` (ecco.md, 3 and 4). A tag in a file is data and may
//! come from another edition; this is the code of the moves themselves.

mod rules;

use std::sync::LazyLock;

use crate::board::{Color, Move, PieceKind, Position, Square};

use rules::{Line, Token, WINDOW};

/// An opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// `A00` to `E48`.
    pub code: &'static str,
    /// Name in Chinese, the variation after a blank.
    pub chinese: &'static str,
    /// Name in English.
    pub english: &'static str,
}

/// All openings by code.
pub fn openings() -> &'static [Opening] {
    static TABLE: LazyLock<Vec<Opening>> = LazyLock::new(|| {
        include_str!("names.tsv")
            .lines()
            .filter_map(|line| {
                let mut fields = line.split('\t');
                Some(Opening {
                    code: fields.next()?,
                    chinese: fields.next()?,
                    english: fields.next()?,
                })
            })
            .collect()
    });
    &TABLE
}

/// The opening with this code.
#[must_use]
pub fn opening(code: &str) -> Option<&'static Opening> {
    let all = openings();
    all.binary_search_by(|opening| opening.code.cmp(code)).ok().and_then(|at| all.get(at))
}

/// The opening code of a main line. A game that does not begin at the ordinary
/// start position is `A00`.
#[must_use]
pub fn classify(start: &Position, line: impl Iterator<Item = Option<Move>>) -> &'static str {
    static ORDINARY: LazyLock<Position> = LazyLock::new(Position::start);
    if *start != *ORDINARY {
        return "A00";
    }
    let mut tokens = Line::default();
    let mut position = start.clone();
    // After a half-move that is not known the board is not known either.
    for (token, mv) in tokens.0.iter_mut().zip(line.take(WINDOW).map_while(|mv| mv)) {
        *token = written(&position, mv);
        position.make(mv);
    }
    if matches!(tokens.0[0][1], b'6'..=b'9') {
        for token in &mut tokens.0 {
            *token = mirrored(*token);
        }
    }
    tokens.code()
}

/// A move as piece, file, sign, number; a piece that shares its file with
/// another of its kind has a mark in the place of the file, and so is no move
/// of any rule.
fn written(position: &Position, mv: Move) -> Token {
    let Some(piece) = position.piece_at(mv.from) else { return [0; 4] };
    let letter = b"KABNRCP"[piece.kind.index()];
    let file = |square: Square| square.file_number(piece.color);
    let like = position.pieces(piece.color, piece.kind);
    let steps_aside = matches!(piece.kind, PieceKind::Advisor | PieceKind::Elephant);
    let alone =
        steps_aside || like.into_iter().filter(|other| other.file() == mv.from.file()).count() == 1;
    let forward = if piece.color == Color::Red {
        mv.to.rank().cmp(&mv.from.rank())
    } else {
        mv.from.rank().cmp(&mv.to.rank())
    };
    let sign = match forward {
        std::cmp::Ordering::Greater => b'+',
        std::cmp::Ordering::Less => b'-',
        std::cmp::Ordering::Equal => b'.',
    };
    let straight = mv.from.file() == mv.to.file();
    let last = if straight { mv.from.rank().abs_diff(mv.to.rank()) } else { file(mv.to) };
    [letter, if alone { b'0' + file(mv.from) } else { b'*' }, sign, b'0' + last]
}

/// The same move on the other wing.
fn mirrored([piece, from, sign, last]: Token) -> Token {
    let mirror = |digit: u8| if digit.is_ascii_digit() { b'0' + b'9' + 1 - digit } else { digit };
    let is_file = sign == b'.' || matches!(piece, b'N' | b'A' | b'B');
    [piece, mirror(from), sign, if is_file { mirror(last) } else { last }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(moves: &str) -> &'static str {
        classify(&Position::start(), moves.split(' ').map(|word| word.parse().ok()))
    }

    #[test]
    fn there_are_260_openings_in_order() {
        let all = openings();
        assert_eq!(all.len(), 260);
        assert!(all.is_sorted_by(|a, b| a.code < b.code));
        let of = |letter: &str| all.iter().filter(|one| one.code.starts_with(letter)).count();
        // ecco.md, 1.
        assert_eq!(["A", "B", "C", "D", "E"].map(of), [53, 39, 85, 39, 44]);
        for one in all {
            assert!(one.english.is_ascii() && !one.english.is_empty(), "{one:?}");
            assert_eq!(opening(one.code), Some(one));
        }
        assert_eq!(opening("Z00"), None);
    }

    #[test]
    fn the_other_wing_is_the_same_opening() {
        // ecco.md, 3: C8.5 N2+3 N8+7 is C2.5 N8+7 N2+3.
        assert_eq!(code("b2e2 b9c7 b0c2"), code("h2e2 h9g7 h0g2"));
        assert_eq!(mirrored(*b"N2+3"), *b"N8+7");
        assert_eq!(mirrored(*b"R1+1"), *b"R9+1");
        // E42 by way of the mirror (ecco.md, 2).
        assert_eq!(code("c3c4 g6g5 b0c2 h9g7 h0i2"), "E42");
    }

    #[test]
    fn what_is_no_ordinary_game_has_the_first_code() {
        assert_eq!(code("--"), "A00");
        let ending: Position = "4k4/9/9/9/9/9/9/9/9/4KR3 w - - 0 1".parse().unwrap();
        assert_eq!(classify(&ending, std::iter::empty()), "A00");
    }
}
