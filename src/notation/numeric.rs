//! Digits for pieces (xqbase, notation-abbreviated.md, 2.3): `62.5` is 炮二平五,
//! `48+7` 马8进7, `6+-2` 前炮退二, `Pa.5` 一兵平五.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::map;

use super::combinators::{Read, digit, half_width, one, whole};
use super::style::WxfStyle;
use super::syntax::{Hints, Ordinal, Place, Relative, Syntax, SyntaxError};
use super::wxf::{self, mark, sign};
use crate::board::{Move, PieceKind, Position};

/// 1 to 7: 帅 仕 相 马 车 炮 兵.
fn piece(input: &str) -> Read<'_, PieceKind> {
    one("the digit of a piece, 1 to 7", |character| {
        let number = half_width(character).to_digit(10)?.checked_sub(1)?;
        PieceKind::ALL.get(number as usize).copied()
    })
    .parse(input)
}

/// `Pa` to `Pe`: a running number over all pawns that share files.
fn pawn_number(input: &str) -> Read<'_, Ordinal> {
    let pawn = one("P", |character| (half_width(character) == 'P').then_some(()));
    let number = one("a letter, a to e", |character| match half_width(character) {
        letter @ 'a'..='e' => Some(letter as u8 - b'a' + 1),
        _ => None,
    });
    map((pawn, number), |((), n)| Ordinal::Nth(n)).parse(input)
}

/// Reads one move, white space around it allowed.
///
/// # Errors
/// When the text is not one move and nothing else.
pub(super) fn parse(text: &str) -> Result<Syntax, SyntaxError> {
    let by_file = map((piece, digit), |(piece, (file, typed))| (piece, Place::File(file), typed));
    let marked = map((piece, mark), |(piece, rank)| (piece, Place::Ordinal(rank), false));
    let numbered = map(pawn_number, |rank| (PieceKind::Pawn, Place::Ordinal(rank), false));
    let subject = alt((by_file, marked, numbered));
    let grammar = map((subject, sign, digit), |(subject, direction, (to, typed))| {
        let (piece, place, file_typed) = subject;
        Syntax::Relative(Relative {
            piece: Some(piece),
            place,
            direction: Some(direction),
            to,
            hints: if typed || file_typed { Hints::LETTER } else { Hints::NONE },
        })
    });
    whole(text, grammar)
}

/// Appends a move: the letters of xqbase with digits for the pieces. `false`,
/// and nothing is appended, for diagrams that the notation has no words for.
pub(super) fn write(relative: Relative, mv: Move, position: &Position, out: &mut String) -> bool {
    let mut letters = String::with_capacity(4);
    if !wxf::write(relative, mv, position, WxfStyle::Xqbase, &mut letters) {
        return false;
    }
    match letters.as_bytes() {
        [b'P', b'a'..=b'e', ..] => out.push_str(&letters),
        [letter, ..] => {
            let Some(number) = b"KABNRCP".iter().position(|known| known == letter) else {
                return false;
            };
            out.push((b'1' + number as u8) as char);
            out.push_str(letters.get(1..).unwrap_or_default());
        }
        [] => return false,
    }
    true
}
