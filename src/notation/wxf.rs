//! The letters of the World Xiangqi Federation, in all their dialects
//! (notation-abbreviated.md, 2): `C2.5`, `H8+7`, `R++4`, `+R+4`, `13=4`, `Pa+1`.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map, verify};

use super::combinators::{Read, digit, half_width, one, plain_digit, whole};
use super::order;
use super::style::WxfStyle;
use super::syntax::{Direction, Hints, Ordinal, Place, Relative, Syntax, SyntaxError};
use crate::board::{Color, Move, PieceKind, Position};

/// K A E R H C P, also B for E and N for H; capital or small.
fn letter(input: &str) -> Read<'_, (PieceKind, Hints)> {
    one("a piece letter", |character| {
        let letter = half_width(character);
        let kind = match letter.to_ascii_uppercase() {
            'K' => PieceKind::King,
            'A' => PieceKind::Advisor,
            'E' | 'B' => PieceKind::Elephant,
            'H' | 'N' => PieceKind::Horse,
            'R' => PieceKind::Chariot,
            'C' => PieceKind::Cannon,
            'P' => PieceKind::Pawn,
            _ => return None,
        };
        Some((kind, if letter.is_ascii_uppercase() { Hints::UPPER } else { Hints::LOWER }))
    })
    .parse(input)
}

/// A direction, full-width signs included.
pub(super) fn sign(input: &str) -> Read<'_, Direction> {
    one("a direction, + - . or =", |character| match half_width(character) {
        '+' => Some(Direction::Forward),
        '-' => Some(Direction::Back),
        '.' | '=' => Some(Direction::Sideways),
        _ => None,
    })
    .parse(input)
}

/// The same signs in the place of a mark: front, rear, middle.
pub(super) fn mark(input: &str) -> Read<'_, Ordinal> {
    map(sign, |sign| match sign {
        Direction::Forward => Ordinal::Front,
        Direction::Back => Ordinal::Rear,
        Direction::Sideways => Ordinal::Middle,
    })
    .parse(input)
}

/// Which piece goes: everything before the direction.
struct Subject {
    piece: Option<PieceKind>,
    place: Place,
    hints: Hints,
}

impl Subject {
    fn named((piece, hints): (PieceKind, Hints), place: Place) -> Subject {
        Subject { piece: Some(piece), place, hints }
    }

    fn pawn(place: Place, hints: Hints) -> Subject {
        Subject { piece: None, place, hints }
    }
}

/// `C2`.
fn by_file(input: &str) -> Read<'_, Subject> {
    map((letter, digit), |((piece, hints), (file, typed))| {
        let hints = if typed { hints.with(Hints::LETTER) } else { hints };
        Subject::named((piece, hints), Place::File(file))
    })
    .parse(input)
}

/// `R+`, `P-`.
fn letter_mark(input: &str) -> Read<'_, Subject> {
    map((letter, mark), |((piece, hints), ordinal)| {
        let marked = if ordinal == Ordinal::Middle { Hints::NONE } else { Hints::LETTER_MARK };
        Subject::named((piece, hints.with(marked)), Place::Ordinal(ordinal))
    })
    .parse(input)
}

/// `Pa` to `Pe`: a running number over all pawns that share files. Capital,
/// `PA` to `PE`, they may be those of Yang's file format.
fn pawn_number(input: &str) -> Read<'_, Subject> {
    let number = one("a letter, a to e", |character| match half_width(character) {
        letter @ 'a'..='e' => Some((letter as u8 - b'a' + 1, Hints::NONE)),
        letter @ 'A'..='E' => Some((letter as u8 - b'A' + 1, Hints::CAPITAL_NUMBER)),
        _ => None,
    });
    let pawn = verify(letter, |(piece, _)| *piece == PieceKind::Pawn);
    map((pawn, number), |((piece, hints), (n, capital))| {
        Subject::named((piece, hints.with(capital)), Place::Ordinal(Ordinal::Nth(n)))
    })
    .parse(input)
}

/// `+R`, `=P`, and `fC`, `rC`.
fn mark_letter(input: &str) -> Read<'_, Subject> {
    let word = one("f or r", |character| match character {
        'f' => Some(Ordinal::Front),
        'r' => Some(Ordinal::Rear),
        _ => None,
    });
    map((alt((mark, word)), letter), |(ordinal, piece)| {
        Subject::named(piece, Place::Ordinal(ordinal))
    })
    .parse(input)
}

/// `2P`: the second from the front.
fn number_letter(input: &str) -> Read<'_, Subject> {
    map((plain_digit, letter), |(n, piece)| Subject::named(piece, Place::Ordinal(Ordinal::Nth(n))))
        .parse(input)
}

/// `13`: the first pawn of file 3.
fn number_file(input: &str) -> Read<'_, Subject> {
    map((verify(plain_digit, |n| *n <= 5), plain_digit), |(n, file)| {
        Subject::pawn(Place::OrdinalFile(Ordinal::Nth(n), file), Hints::DIGIT_PAIR)
    })
    .parse(input)
}

/// `3+`, and `+3`: the front pawn of file 3.
fn file_and_mark(input: &str) -> Read<'_, Subject> {
    let after = map((plain_digit, mark), |(file, ordinal)| (ordinal, file));
    map(alt((after, (mark, plain_digit))), |(ordinal, file)| {
        Subject::pawn(Place::OrdinalFile(ordinal, file), Hints::NONE)
    })
    .parse(input)
}

/// `++`, `--`: the first and the last of four or five pawns.
fn double_mark(input: &str) -> Read<'_, Subject> {
    map(verify((mark, mark), |(a, b)| a == b && *a != Ordinal::Middle), |(ordinal, _)| {
        Subject::pawn(Place::Ordinal(ordinal), Hints::DOUBLE_MARK)
    })
    .parse(input)
}

/// Reads one move, white space around it allowed.
///
/// # Errors
/// When the text is not one move and nothing else.
pub(super) fn parse(text: &str) -> Result<Syntax, SyntaxError> {
    let subject = alt((
        by_file,
        letter_mark,
        pawn_number,
        mark_letter,
        number_letter,
        number_file,
        file_and_mark,
        double_mark,
    ));
    let grammar = map((subject, sign, digit), |(subject, direction, (to, typed))| {
        let typed = if typed { Hints::LETTER } else { Hints::NONE };
        Syntax::Relative(Relative {
            piece: subject.piece,
            place: subject.place,
            direction: Some(direction),
            to,
            hints: subject.hints.with(Hints::WXF).with(typed),
        })
    });
    whole(text, grammar)
}

/// Appends a move in the given dialect, capital letters for both sides.
///
/// `relative` is what [`super::describe`] says of `mv`. Of three and more pawns
/// the federation's own marks are written (`P+ P3 P-`, `++ P+ P- --`); of two
/// files, `3+` and `3-` and for one between them its number and file. `false`,
/// and nothing is appended, for diagrams with more pieces than a set has that
/// the notation has no words for.
pub(super) fn write(
    relative: Relative,
    mv: Move,
    position: &Position,
    style: WxfStyle,
    out: &mut String,
) -> bool {
    let Some(piece) = position.piece_at(mv.from) else { return false };
    let side = piece.color;
    match relative.place {
        // Digits for file and number mean pawns, and no more than five.
        Place::OrdinalFile(..) if piece.kind != PieceKind::Pawn => return false,
        Place::OrdinalFile(Ordinal::Nth(6..), _) => return false,
        _ => {}
    }
    let letters = if style == WxfStyle::Xqbase { *b"KABNRCP" } else { *b"KAEHRCP" };
    let letter = letters[piece.kind.index()] as char;
    let dot = if matches!(style, WxfStyle::Equals | WxfStyle::Yang) { '=' } else { '.' };
    let digit = |n: u8| (b'0' + n.clamp(1, 9)) as char;
    let sign = |ordinal| match ordinal {
        Ordinal::Front => '+',
        Ordinal::Rear => '-',
        Ordinal::Middle | Ordinal::Nth(_) => dot,
    };
    let file = mv.from.file_number(side);
    let like = position.bits(side, piece.kind) & order::file_of_number(file, side);
    let pawns = if piece.kind == PieceKind::Pawn { like.count_ones() } else { 0 };
    let numbered = matches!(style, WxfStyle::Xqbase | WxfStyle::Yang);
    match relative.place {
        Place::File(file) => out.extend([letter, digit(file)]),
        Place::Ordinal(Ordinal::Nth(n)) if numbered && pawns > 0 && (1..=5).contains(&n) => {
            let number = if style == WxfStyle::Yang {
                let all = position.bits(side, piece.kind);
                let is_it =
                    |n| order::running_number(all, Color::Red, n) >> mv.from.index() & 1 != 0;
                b'A' + (1..=5).find(|n| is_it(*n)).unwrap_or(n) - 1
            } else {
                b'a' + n - 1
            };
            out.extend([letter, number as char]);
        }
        Place::Ordinal(Ordinal::Front | Ordinal::Rear) if !numbered && pawns >= 4 => {
            let mark = if relative.place == Place::Ordinal(Ordinal::Front) { '+' } else { '-' };
            out.extend([mark, mark]);
        }
        Place::Ordinal(Ordinal::Nth(n)) => match (pawns, n) {
            (4 | 5, 2) => out.extend([letter, '+']),
            (4, 3) | (5, 4) => out.extend([letter, '-']),
            (5, 3) => out.extend([letter, digit(file)]),
            _ => out.extend([digit(n), letter]),
        },
        Place::Ordinal(Ordinal::Middle) if !numbered && pawns == 3 => {
            out.extend([letter, digit(file)]);
        }
        Place::Ordinal(ordinal) => out.extend([letter, sign(ordinal)]),
        Place::OrdinalFile(Ordinal::Middle, file) => out.extend(['2', digit(file)]),
        Place::OrdinalFile(Ordinal::Nth(n), file) => out.extend([digit(n), digit(file)]),
        Place::OrdinalFile(ordinal, file) => out.extend([digit(file), sign(ordinal)]),
    }
    out.push(match relative.direction {
        Some(Direction::Forward) => '+',
        Some(Direction::Back) => '-',
        Some(Direction::Sideways) | None => dot,
    });
    out.push(digit(relative.to));
    true
}
