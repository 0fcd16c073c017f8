//! Pinyin initials as XQStudio takes them from the keyboard
//! (notation-chinese.md, 10): `p2p5` is 炮二平五, `m8j7` 马8进7, `qct1` 前车退一.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::map;

use super::combinators::{Read, Unexpected, digit, half_width, one, plain_digit, whole};
use super::syntax::{Direction, Hints, Ordinal, Place, Relative, Syntax, SyntaxError};
use crate::board::PieceKind;

/// An initial as typed; `s` is 帅 as well as 仕 and 士.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Initial {
    Piece(PieceKind),
    KingOrAdvisor,
}

fn initial(input: &str) -> Read<'_, Initial> {
    one("the initial of a piece", |character| {
        Some(Initial::Piece(match half_width(character).to_ascii_lowercase() {
            's' => return Some(Initial::KingOrAdvisor),
            'j' => PieceKind::King,
            'x' => PieceKind::Elephant,
            'm' => PieceKind::Horse,
            'c' => PieceKind::Chariot,
            'p' => PieceKind::Cannon,
            'b' | 'z' => PieceKind::Pawn,
            _ => return None,
        }))
    })
    .parse(input)
}

/// q(ián) 前, z(hōng) 中, h(òu) 后.
fn word(input: &str) -> Read<'_, Ordinal> {
    one("q, z or h", |character| match half_width(character).to_ascii_lowercase() {
        'q' => Some(Ordinal::Front),
        'z' => Some(Ordinal::Middle),
        'h' => Some(Ordinal::Rear),
        _ => None,
    })
    .parse(input)
}

fn direction(input: &str) -> Read<'_, Direction> {
    one("j, t or p", |character| match half_width(character).to_ascii_lowercase() {
        'j' => Some(Direction::Forward),
        't' => Some(Direction::Back),
        'p' => Some(Direction::Sideways),
        _ => None,
    })
    .parse(input)
}

fn rank<'a>() -> impl Parser<&'a str, Output = Ordinal, Error = Unexpected<'a>> {
    alt((word, map(plain_digit, Ordinal::Nth)))
}

/// Reads one move, white space around it allowed.
///
/// # Errors
/// When the text is not one such move.
pub(super) fn parse(text: &str) -> Result<Syntax, SyntaxError> {
    let by_file =
        map((initial, digit), |(piece, (file, typed))| (Some(piece), Place::File(file), typed));
    let by_rank =
        map((rank(), initial), |(rank, piece)| (Some(piece), Place::Ordinal(rank), false));
    let of_file = map((rank(), initial, plain_digit), |(rank, piece, file)| {
        (Some(piece), Place::OrdinalFile(rank, file), false)
    });
    let pawn_of_file =
        map((rank(), plain_digit), |(rank, file)| (None, Place::OrdinalFile(rank, file), false));
    let ending = || (direction, digit);
    let grammar = alt((
        (by_file, ending()),
        (by_rank, ending()),
        (of_file, ending()),
        (pawn_of_file, ending()),
    ));
    let grammar = map(grammar, |((initial, place, a), (direction, (to, b)))| {
        let piece = initial.map(|initial| match initial {
            Initial::Piece(kind) => kind,
            // A king goes sideways or a step or two; an advisor reaches a
            // file, and those of the palace are 4, 5 and 6.
            Initial::KingOrAdvisor if direction == Direction::Sideways || to <= 3 => {
                PieceKind::King
            }
            Initial::KingOrAdvisor => PieceKind::Advisor,
        });
        Syntax::Relative(Relative {
            piece,
            place,
            direction: Some(direction),
            to,
            hints: if a || b { Hints::LETTER } else { Hints::NONE },
        })
    });
    whole(text, grammar)
}

/// Appends a move. 中卒 is `zbp4`: `zz` would be read, too, but is hard on
/// the eye.
pub(super) fn write(relative: Relative, black: bool, out: &mut String) {
    let letter = relative.piece.map(|kind| match kind {
        PieceKind::King if black => 'j',
        PieceKind::King | PieceKind::Advisor => 's',
        PieceKind::Elephant => 'x',
        PieceKind::Horse => 'm',
        PieceKind::Chariot => 'c',
        PieceKind::Cannon => 'p',
        PieceKind::Pawn if black => 'z',
        PieceKind::Pawn => 'b',
    });
    let digit = |n: u8| (b'0' + n.clamp(1, 9)) as char;
    let rank = |ordinal| match ordinal {
        Ordinal::Front => 'q',
        Ordinal::Middle => 'z',
        Ordinal::Rear => 'h',
        Ordinal::Nth(n) => digit(n),
    };
    match relative.place {
        Place::File(file) => {
            out.extend(letter);
            out.push(digit(file));
        }
        Place::Ordinal(ordinal) => {
            out.push(rank(ordinal));
            out.extend(letter);
        }
        Place::OrdinalFile(ordinal, file) => {
            out.push(rank(ordinal));
            out.extend(letter);
            out.push(digit(file));
        }
    }
    out.push(match relative.direction {
        Some(Direction::Forward) => 'j',
        Some(Direction::Back) => 't',
        Some(Direction::Sideways) | None => 'p',
    });
    out.push(digit(relative.to));
}
