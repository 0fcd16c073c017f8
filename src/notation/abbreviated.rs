//! The short record (简写) of article 7.5: 炮25, 馬87, 前马4
//! (notation-abbreviated.md, 1). The direction is gone, or a bar over or under
//! the last digit shows it; two habits of bars contradict each other.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map, opt, verify};

use super::chinese::alphabet::{Class, class_of};
use super::combinators::{Read, half_width, one, whole};
use super::style::{Digits, MarkStyle, Style};
use super::syntax::{Direction, Hints, MarkHabit, Ordinal, Place, Relative, Syntax, SyntaxError};
use crate::board::{Color, PieceKind};

/// A piece: its character, a pinyin initial in small letters (`p25`) or an
/// English letter in capitals (`C25`).
fn piece(input: &str) -> Read<'_, (PieceKind, Hints)> {
    one("a piece", |character| {
        if let Some(kind) = class_of(character).piece() {
            return Some((kind, class_of(character).hints()));
        }
        let letter = half_width(character);
        let kind = match letter {
            'K' | 'j' => PieceKind::King,
            'A' | 's' => PieceKind::Advisor,
            'E' | 'B' | 'x' => PieceKind::Elephant,
            'H' | 'N' | 'm' => PieceKind::Horse,
            'R' | 'c' => PieceKind::Chariot,
            'C' | 'p' => PieceKind::Cannon,
            'P' | 'b' | 'z' => PieceKind::Pawn,
            _ => return None,
        };
        Some((kind, if letter.is_ascii_uppercase() { Hints::UPPER } else { Hints::LOWER }))
    })
    .parse(input)
}

fn numeral(input: &str) -> Read<'_, (u8, Hints)> {
    one("a numeral", |character| {
        let class = class_of(character);
        class.numeral().map(|n| (n, class.hints()))
    })
    .parse(input)
}

/// 前, 中, 后 or a Chinese numeral; an Arabic digit here would be a file.
fn rank(input: &str) -> Read<'_, Ordinal> {
    one("前, 中, 后 or a Chinese numeral", |character| {
        let class: Class = class_of(character);
        match (class.word(), class.numeral()) {
            (Some(word), _) => Some(word),
            (None, Some(n)) if class.hints() == Hints::HAN => Some(Ordinal::Nth(n)),
            _ => None,
        }
    })
    .parse(input)
}

/// A sign of those who type `m8+7`: + and - for 进 and 退, = for 平. With
/// capital letters that would be WXF.
fn sign(input: &str) -> Read<'_, Direction> {
    one("+, - or =", |character| match half_width(character) {
        '+' => Some(Direction::Forward),
        '-' => Some(Direction::Back),
        '=' => Some(Direction::Sideways),
        _ => None,
    })
    .parse(input)
}

/// A combining bar behind the last digit.
fn bar(input: &str) -> Read<'_, Hints> {
    one("a bar over or under the digit", |character| match character {
        '\u{0332}' | '\u{0331}' => Some(Hints::UNDERLINED),
        '\u{0305}' | '\u{0304}' => Some(Hints::OVERLINED),
        _ => None,
    })
    .parse(input)
}

/// Reads one move, white space around it allowed.
///
/// # Errors
/// When the text is not one such move.
pub(super) fn parse(text: &str) -> Result<Syntax, SyntaxError> {
    let by_file = map((piece, numeral), |((piece, hints), (file, typed))| {
        (piece, Place::File(file), hints.with(typed))
    });
    let of_file = map((rank, piece, numeral), |(rank, (piece, hints), (file, typed))| {
        (piece, Place::OrdinalFile(rank, file), hints.with(typed))
    });
    let by_rank = map((rank, piece), |(rank, (piece, hints))| (piece, Place::Ordinal(rank), hints));
    let ending = || (opt(sign), numeral, opt(bar));
    let grammar = alt(((by_file, ending()), (of_file, ending()), (by_rank, ending())));
    let grammar = verify(grammar, |((_, _, hints), (direction, ..))| {
        direction.is_none() || !hints.has(Hints::UPPER)
    });
    let grammar = map(grammar, |((piece, place, hints), (direction, (to, typed), bar))| {
        // Both sides write Arabic digits: they tell nothing about the side.
        let kept = Hints(hints.with(typed).0 & !(Hints::ARABIC.0 | Hints::HAN.0));
        Syntax::Relative(Relative {
            piece: Some(piece),
            place,
            direction,
            to,
            hints: kept.with(bar.unwrap_or(Hints::NONE)),
        })
    });
    whole(text, grammar)
}

impl Relative {
    /// The move with the direction that a bar shows by a sheet's habit, and 平
    /// where a marked sheet has no bar. Nothing changes where a direction is
    /// written, or on a sheet without bars.
    #[must_use]
    pub fn with_marks(self, habit: MarkHabit) -> Relative {
        let under = self.hints.has(Hints::UNDERLINED);
        let over = self.hints.has(Hints::OVERLINED);
        let direction = match (habit, under, over) {
            (MarkHabit::Unmarked, ..) => None,
            (_, false, false) => Some(Direction::Sideways),
            (MarkHabit::UnderIsForward, true, _) | (MarkHabit::OverIsForward, false, true) => {
                Some(Direction::Forward)
            }
            (MarkHabit::UnderIsForward, false, true) | (MarkHabit::OverIsForward, true, _) => {
                Some(Direction::Back)
            }
        };
        Relative { direction: self.direction.or(direction), ..self }
    }
}

/// Appends a move in short form: ASCII digits for both sides.
pub(super) fn write(relative: Relative, side: Color, style: Style, out: &mut String) {
    let plain = Relative { direction: None, ..relative };
    super::chinese::spell(plain, side, Style { digits: Digits::AsciiBoth, ..style }, out);
    let bar = match (style.marks, relative.direction) {
        (MarkStyle::None, _) | (_, Some(Direction::Sideways) | None) => return,
        (MarkStyle::UnderIsForward, Some(Direction::Forward))
        | (MarkStyle::OverIsForward, Some(Direction::Back)) => '\u{0332}',
        (MarkStyle::UnderIsForward, Some(Direction::Back))
        | (MarkStyle::OverIsForward, Some(Direction::Forward)) => '\u{0305}',
    };
    out.push(bar);
}
