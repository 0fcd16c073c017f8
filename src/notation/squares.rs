//! Moves written as two points: ICCS (`H2-E2`) and UCI (`h2e2`, `b10c8`)
//! (notation-abbreviated.md, 3).

use std::fmt::Write as _;

use nom::Parser;
use nom::combinator::{map, opt, verify};
use nom::multi::many0_count;

use super::combinators::{Read, one, whole};
use super::readings::{Candidates, Reading};
use super::resolve::{Context, Resolution};
use super::slip::Slips;
use super::syntax::{Hints, RankBase, Squares, Syntax, SyntaxError};
use crate::board::{IllegalReason, Move, Position, Square};

fn file(input: &str) -> Read<'_, u8> {
    one("a file letter, a to i", |character| match character {
        'a'..='i' => Some(character as u8 - b'a'),
        'A'..='I' => Some(character as u8 - b'A'),
        'ａ'..='ｉ' => Some((character as u32 - 'ａ' as u32) as u8),
        'Ａ'..='Ｉ' => Some((character as u32 - 'Ａ' as u32) as u8),
        _ => None,
    })
    .parse(input)
}

/// A digit, and whether it was typed as a letter.
fn digit(input: &str) -> Read<'_, (u8, bool)> {
    one("a rank digit", |character| match character {
        '0'..='9' => Some((character as u8 - b'0', false)),
        '０'..='９' => Some(((character as u32 - '０' as u32) as u8, false)),
        'O' | 'o' => Some((0, true)),
        'l' => Some((1, true)),
        _ => None,
    })
    .parse(input)
}

/// A rank of one digit.
fn short_rank(input: &str) -> Read<'_, (u8, bool)> {
    digit(input)
}

/// A rank of one digit, or 10.
fn rank(input: &str) -> Read<'_, (u8, bool)> {
    let ten =
        map(verify((digit, digit), |(tens, ones)| tens.0 == 1 && ones.0 == 0), |(tens, ones)| {
            (10, tens.1 || ones.1)
        });
    nom::branch::alt((ten, digit)).parse(input)
}

fn dash(input: &str) -> Read<'_, ()> {
    one("a hyphen", |character| {
        matches!(character, '-' | '－' | '‐' | '‑' | '–' | '—' | '−').then_some(())
    })
    .parse(input)
}

fn space(input: &str) -> Read<'_, ()> {
    one("a space", |character| character.is_whitespace().then_some(())).parse(input)
}

fn proven_base(ranks: [u8; 2]) -> Option<RankBase> {
    if ranks.contains(&10) {
        Some(RankBase::One)
    } else if ranks.contains(&0) {
        Some(RankBase::Zero)
    } else {
        None
    }
}

fn squares(from: (u8, (u8, bool)), to: (u8, (u8, bool)), base: Option<RankBase>) -> Squares {
    let letter = from.1.1 || to.1.1;
    Squares {
        from: (from.0, from.1.0),
        to: (to.0, to.1.0),
        base,
        hints: if letter { Hints::LETTER } else { Hints::NONE },
    }
}

/// Reads `H2-E2`, `h2-e2`, `H2E2` and `H2 E2`; ranks count from 0.
///
/// # Errors
/// When the text is not one such move.
pub(super) fn parse_iccs(text: &str) -> Result<Syntax, SyntaxError> {
    let between = (many0_count(space), opt(dash), many0_count(space));
    let grammar = ((file, short_rank), between, (file, short_rank));
    whole(text, map(grammar, |(from, _, to)| squares(from, to, Some(RankBase::Zero))))
        .map(Syntax::Squares)
}

/// Reads `h2e2`, `h3e3` and `b10c8`. A rank 10 proves that ranks count from 1,
/// a rank 0 that they count from 0; otherwise the game has to tell.
///
/// # Errors
/// When the text is not one such move.
pub(super) fn parse_uci(text: &str) -> Result<Syntax, SyntaxError> {
    let grammar = verify(((file, rank), (file, rank)), |(from, to)| {
        let ranks = [from.1.0, to.1.0];
        !(ranks.contains(&0) && ranks.contains(&10))
    });
    whole(text, map(grammar, |(from, to)| squares(from, to, proven_base([from.1.0, to.1.0]))))
        .map(Syntax::Squares)
}

/// The move, with ranks counted from `base`; `None` when a rank is not on the
/// board then.
pub(super) fn move_from(squares: Squares, base: RankBase) -> Option<Move> {
    let square = |(file, rank): (u8, u8)| {
        let rank = rank as i8 - i8::from(base == RankBase::One);
        Square::at(file as i8, rank)
    };
    Some(Move::new(square(squares.from)?, square(squares.to)?))
}

/// The bases to try, the likelier first.
fn bases(squares: Squares, context: Context) -> &'static [RankBase] {
    match squares.base.or(context.rank_base) {
        Some(RankBase::Zero) => &[RankBase::Zero],
        Some(RankBase::One) => &[RankBase::One],
        None => &[RankBase::Zero, RankBase::One],
    }
}

fn slips(squares: Squares, context: Context) -> Slips {
    let mut slips = Slips::NONE;
    if squares.hints.has(Hints::LETTER) {
        slips = slips.with(Slips::DIGIT_TYPED_AS_LETTER);
    }
    match (squares.base, context.rank_base) {
        (Some(proven), Some(known)) if proven != known => slips.with(Slips::RANK_BASE),
        _ => slips,
    }
}

pub(super) fn readings(squares: Squares, position: &Position, context: Context) -> Candidates {
    bases(squares, context)
        .iter()
        .filter_map(|base| move_from(squares, *base))
        .filter(|mv| position.is_legal_knowing(*mv, context.in_check))
        .map(|mv| Reading { mv, slips: slips(squares, context) })
        .collect()
}

#[inline]
pub(super) fn resolve(squares: Squares, position: &Position, context: Context) -> Resolution {
    let found = readings(squares, position, context);
    match found.as_slice() {
        [] => why_illegal(squares, position, context),
        [Reading { mv, slips }] => Resolution::Legal { mv: *mv, slips: *slips },
        _ => Resolution::Ambiguous(found),
    }
}

#[cold]
fn why_illegal(squares: Squares, position: &Position, context: Context) -> Resolution {
    let mut outcome = Resolution::Illegal { reason: IllegalReason::PieceCannotMoveSo, mv: None };
    for (i, base) in bases(squares, context).iter().enumerate() {
        let Some(mv) = move_from(squares, *base) else { continue };
        let Err(reason) = position.legality(mv) else { continue };
        // The second base counts only where it finds a piece to move.
        let finds_piece =
            !matches!(reason, IllegalReason::NoSuchPiece | IllegalReason::NotYourPiece);
        if i == 0 || finds_piece {
            outcome = Resolution::Illegal { reason, mv: Some(mv) };
        }
        if finds_piece {
            break;
        }
    }
    outcome
}

/// Appends `H2-E2`.
pub(super) fn write_iccs(mv: Move, out: &mut String) {
    for (i, square) in [mv.from, mv.to].into_iter().enumerate() {
        if i > 0 {
            out.push('-');
        }
        out.push((b'A' + square.file()) as char);
        out.push((b'0' + square.rank()) as char);
    }
}

/// Appends `h2e2`, or `h3e3` with ranks from 1.
pub(super) fn write_uci(mv: Move, base: RankBase, out: &mut String) {
    for square in [mv.from, mv.to] {
        out.push((b'a' + square.file()) as char);
        let rank = square.rank() + u8::from(base == RankBase::One);
        let _ = write!(out, "{rank}");
    }
}
