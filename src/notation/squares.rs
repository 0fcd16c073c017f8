//! Moves written as two points: ICCS (`H2-E2`) and UCI (`h2e2`, `b10c8`)
//! (notation-abbreviated.md, 3).

use std::fmt::Write as _;

use nom::Parser;
use nom::combinator::{map, opt, success, verify};
use nom::multi::many0_count;

use super::combinators::{Read, Unexpected, half_width, one, whole};
use super::readings::{Candidates, Reading};
use super::resolve::{Context, Resolution};
use super::slip::Slips;
use super::syntax::{Hints, RankBase, Squares, Syntax, SyntaxError};
use crate::board::{IllegalReason, Move, Position, Square};

/// A file, and whether its letter is a capital.
fn file(input: &str) -> Read<'_, (u8, bool)> {
    one("a file letter, a to i", |character| match half_width(character) {
        letter @ 'a'..='i' => Some((letter as u8 - b'a', false)),
        letter @ 'A'..='I' => Some((letter as u8 - b'A', true)),
        _ => None,
    })
    .parse(input)
}

/// Two points with `between` in the middle, both files in capital or both in
/// small letters: `A1e2` is algebraic notation.
fn points<'a, T>(
    rank: fn(&'a str) -> Read<'a, (u8, bool)>,
    between: impl Parser<&'a str, Output = T, Error = Unexpected<'a>>,
) -> impl Parser<&'a str, Output = (Point, Point), Error = Unexpected<'a>> {
    map(
        verify((file, rank, between, file, rank), |(from, _, _, to, _)| from.1 == to.1),
        |(from, from_rank, _, to, to_rank)| ((from.0, from_rank), (to.0, to_rank)),
    )
}

/// File and rank as written, and whether the rank was typed as a letter.
type Point = (u8, (u8, bool));

/// A digit, and whether it was typed as a letter.
fn digit(input: &str) -> Read<'_, (u8, bool)> {
    one("a rank digit", |character| match half_width(character) {
        digit @ '0'..='9' => Some((digit as u8 - b'0', false)),
        'O' | 'o' => Some((0, true)),
        'l' => Some((1, true)),
        _ => None,
    })
    .parse(input)
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
    one("a hyphen", |character| (half_width(character) == '-').then_some(())).parse(input)
}

fn space(input: &str) -> Read<'_, ()> {
    one("a space", |character| {
        matches!(character, ' ' | '\t' | '\u{a0}' | '\u{3000}').then_some(())
    })
    .parse(input)
}

/// What ranks as written prove about their base.
pub(super) fn proven_base(ranks: &[u8]) -> Option<RankBase> {
    if ranks.contains(&10) {
        Some(RankBase::One)
    } else if ranks.contains(&0) {
        Some(RankBase::Zero)
    } else {
        None
    }
}

fn squares(from: Point, to: Point, base: Option<RankBase>) -> Squares {
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
    let grammar = points(digit, between);
    whole(text, map(grammar, |(from, to)| squares(from, to, Some(RankBase::Zero))))
        .map(Syntax::Squares)
}

/// Reads `h2e2`, `h3e3` and `b10c8`. A rank 10 proves that ranks count from 1,
/// a rank 0 that they count from 0; otherwise the game has to tell.
///
/// # Errors
/// When the text is not one such move.
pub(super) fn parse_uci(text: &str) -> Result<Syntax, SyntaxError> {
    let grammar = verify(points(rank, success(())), |(from, to)| {
        let ranks = [from.1.0, to.1.0];
        !(ranks.contains(&0) && ranks.contains(&10))
    });
    whole(text, map(grammar, |(from, to)| squares(from, to, proven_base(&[from.1.0, to.1.0]))))
        .map(Syntax::Squares)
}

/// The move, with ranks counted from `base`; `None` when a rank is not on the
/// board then.
pub(super) fn move_from(squares: Squares, base: RankBase) -> Option<Move> {
    Some(Move::new(square_from(squares.from, base)?, square_from(squares.to, base)?))
}

/// The square, with its rank counted from `base`.
pub(super) fn square_from((file, rank): (u8, u8), base: RankBase) -> Option<Square> {
    Square::at(file as i8, rank as i8 - i8::from(base == RankBase::One))
}

/// The bases to try, the likelier first.
pub(super) fn bases(proven: Option<RankBase>, context: Context) -> &'static [RankBase] {
    match proven.or(context.rank_base) {
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
    bases(squares.base, context)
        .iter()
        .filter_map(|base| move_from(squares, *base))
        .filter(|mv| position.is_legal_knowing(*mv, context.in_check))
        .map(|mv| Reading { mv, slips: slips(squares, context) })
        .collect()
}

#[inline]
pub(super) fn resolve(squares: Squares, position: &Position, context: Context) -> Resolution {
    if let Some(base) = squares.base.or(context.rank_base)
        && let Some(mv) = move_from(squares, base)
        && position.is_legal_knowing(mv, context.in_check)
    {
        return Resolution::Legal { mv, slips: slips(squares, context) };
    }
    resolve_slowly(squares, position, context)
}

#[cold]
fn resolve_slowly(squares: Squares, position: &Position, context: Context) -> Resolution {
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
    for (i, base) in bases(squares.base, context).iter().enumerate() {
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

/// Reads four digits as DhtmlXQ stores moves, `7747`, and with a dash as CBF
/// does: file from Red's left and rank from the top, both from 0.
///
/// # Errors
/// When the text is not one such move.
pub(super) fn parse_digits(text: &str) -> Result<Syntax, SyntaxError> {
    let point = |input| {
        let file = one("a file digit, 0 to 8", |c| match half_width(c) {
            digit @ '0'..='8' => Some(digit as u8 - b'0'),
            _ => None,
        });
        let rank = one("a rank digit", |c| match half_width(c) {
            digit @ '0'..='9' => Some(b'9' - digit as u8),
            _ => None,
        });
        (file, rank).parse(input)
    };
    let grammar = map((point, opt(dash), point), |(from, _, to)| {
        Syntax::Squares(Squares { from, to, base: Some(RankBase::Zero), hints: Hints::NONE })
    });
    whole(text, grammar)
}

/// Appends `7747`.
pub(super) fn write_digits(mv: Move, out: &mut String) {
    for square in [mv.from, mv.to] {
        out.push((b'0' + square.file()) as char);
        out.push((b'9' - square.rank()) as char);
    }
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
