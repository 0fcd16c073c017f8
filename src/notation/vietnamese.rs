//! Vietnamese letters (notation-abbreviated.md, 5): `P2-5`, `M8.7`, `Xt/1`.
//! `.` is forward, `-` sideways, `/` back: two of the three signs mean
//! something else in WXF, so a file has to be of one kind.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map, opt, value};
use nom::sequence::terminated;

use super::combinators::{Read, digit, half_width, one, plain_digit, whole};
use super::syntax::{Direction, Hints, Ordinal, Place, Relative, Syntax, SyntaxError};
use crate::board::PieceKind;

/// S T/V X P M B/C, capital or small.
fn letter(input: &str) -> Read<'_, PieceKind> {
    one("a piece letter", |character| {
        Some(match half_width(character).to_ascii_uppercase() {
            'S' => PieceKind::Advisor,
            'T' | 'V' => PieceKind::Elephant,
            'X' => PieceKind::Chariot,
            'P' => PieceKind::Cannon,
            'M' => PieceKind::Horse,
            'B' | 'C' => PieceKind::Pawn,
            _ => return None,
        })
    })
    .parse(input)
}

/// Tg, or one of the letters.
fn piece(input: &str) -> Read<'_, PieceKind> {
    let t = one("Tg", |c| matches!(half_width(c), 'T' | 't').then_some(()));
    let g = one("g", |c| matches!(half_width(c), 'G' | 'g').then_some(()));
    alt((value(PieceKind::King, (t, g)), letter)).parse(input)
}

/// t(rước) front, g(iữa) middle, s(au) rear.
fn mark(input: &str) -> Read<'_, Ordinal> {
    one("t, g or s", |character| match character {
        't' => Some(Ordinal::Front),
        'g' => Some(Ordinal::Middle),
        's' => Some(Ordinal::Rear),
        _ => None,
    })
    .parse(input)
}

fn sign(input: &str) -> Read<'_, Direction> {
    one("a direction, . - or /", |character| match half_width(character) {
        '.' => Some(Direction::Forward),
        '-' => Some(Direction::Sideways),
        '/' => Some(Direction::Back),
        _ => None,
    })
    .parse(input)
}

/// Reads one move, white space around it allowed. `2B.1` (second pawn) and
/// `Bt3-4` (front pawn of file 3) are this project's own: no source says how
/// more than three pawns are written.
///
/// # Errors
/// When the text is not one such move.
pub(super) fn parse(text: &str) -> Result<Syntax, SyntaxError> {
    let by_file = map((piece, digit), |(piece, (file, typed))| (piece, Place::File(file), typed));
    let by_mark = map(
        (letter, mark, opt(terminated(plain_digit, nom::combinator::peek(sign)))),
        |(piece, mark, file)| {
            let place = match file {
                Some(file) => Place::OrdinalFile(mark, file),
                None => Place::Ordinal(mark),
            };
            (piece, place, false)
        },
    );
    let numbered = map((plain_digit, piece, opt(plain_digit)), |(n, piece, file)| {
        let place = match file {
            Some(file) => Place::OrdinalFile(Ordinal::Nth(n), file),
            None => Place::Ordinal(Ordinal::Nth(n)),
        };
        (piece, place, false)
    });
    // `Tt` is the front elephant and `Tg5` the king, so marks are tried last.
    let subject = alt((by_file, numbered, by_mark));
    let grammar = map((subject, sign, digit), |((piece, place, a), direction, (to, b))| {
        Syntax::Relative(Relative {
            piece: Some(piece),
            place,
            direction: Some(direction),
            to,
            hints: if a || b { Hints::LETTER } else { Hints::NONE },
        })
    });
    whole(text, grammar)
}

/// Appends a move. `false`, and nothing is appended, for the middle one of
/// three elephants, which no game has: `Tg` is the king.
pub(super) fn write(relative: Relative, out: &mut String) -> bool {
    if let (
        Some(PieceKind::Elephant),
        Place::Ordinal(Ordinal::Middle) | Place::OrdinalFile(Ordinal::Middle, _),
    ) = (relative.piece, relative.place)
    {
        return false;
    }
    let letter = match relative.piece.unwrap_or(PieceKind::Pawn) {
        PieceKind::King => "Tg",
        PieceKind::Advisor => "S",
        PieceKind::Elephant => "T",
        PieceKind::Horse => "M",
        PieceKind::Chariot => "X",
        PieceKind::Cannon => "P",
        PieceKind::Pawn => "B",
    };
    let digit = |n: u8| (b'0' + n.clamp(1, 9)) as char;
    let mark = |ordinal| match ordinal {
        Ordinal::Front => Some('t'),
        Ordinal::Middle => Some('g'),
        Ordinal::Rear => Some('s'),
        Ordinal::Nth(_) => None,
    };
    let (ordinal, file) = match relative.place {
        Place::File(file) => (None, Some(file)),
        Place::Ordinal(ordinal) => (Some(ordinal), None),
        Place::OrdinalFile(ordinal, file) => (Some(ordinal), Some(file)),
    };
    if let Some(Ordinal::Nth(n)) = ordinal {
        out.push(digit(n));
    }
    out.push_str(letter);
    out.extend(ordinal.and_then(mark));
    out.extend(file.map(digit));
    out.push(match relative.direction {
        Some(Direction::Forward) => '.',
        Some(Direction::Back) => '/',
        Some(Direction::Sideways) | None => '-',
    });
    out.push(digit(relative.to));
    true
}
