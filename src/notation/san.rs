//! Algebraic notation: `Che2`, `Nbxa4`, `Ch2-e2`, `A1e2`
//! (notation-abbreviated.md, 3).

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map, opt, value, verify};
use nom::multi::many0_count;

use super::combinators::{Read, half_width, one, whole};
use super::readings::{Candidates, Reading};
use super::resolve::{Context, Resolution};
use super::slip::Slips;
use super::squares::{bases, proven_base, square_from};
use super::syntax::{RankBase, San, Syntax, SyntaxError};
use crate::board::{IllegalReason, Move, PieceKind, Position, Square};

fn piece(input: &str) -> Read<'_, PieceKind> {
    one("a piece letter", |character| {
        Some(match half_width(character) {
            'K' => PieceKind::King,
            'A' => PieceKind::Advisor,
            'B' | 'E' => PieceKind::Elephant,
            'N' | 'H' => PieceKind::Horse,
            'R' => PieceKind::Chariot,
            'C' => PieceKind::Cannon,
            'P' => PieceKind::Pawn,
            _ => return None,
        })
    })
    .parse(input)
}

/// Small letters only: `B` is an elephant.
fn file(input: &str) -> Read<'_, u8> {
    one("a file letter, a to i", |character| match half_width(character) {
        letter @ 'a'..='i' => Some(letter as u8 - b'a'),
        _ => None,
    })
    .parse(input)
}

/// 0 to 9, or 10.
fn rank(input: &str) -> Read<'_, u8> {
    let digit = |expected| {
        one(expected, |character| match half_width(character) {
            digit @ '0'..='9' => Some(digit as u8 - b'0'),
            _ => None,
        })
    };
    let ten = verify((digit("10"), digit("10")), |(tens, ones)| *tens == 1 && *ones == 0);
    alt((value(10, ten), digit("a rank"))).parse(input)
}

/// `-` and `x` between the two points; whether it says that it captures.
fn link(input: &str) -> Read<'_, bool> {
    one("a hyphen or x", |character| match half_width(character) {
        'x' | 'X' | '×' | ':' => Some(true),
        '-' => Some(false),
        _ => None,
    })
    .parse(input)
}

/// Check, mate and what the annotator thought of it.
fn suffix(input: &str) -> Read<'_, ()> {
    one("the end of the move", |character| {
        matches!(half_width(character), '+' | '#' | '!' | '?').then_some(())
    })
    .parse(input)
}

/// What is said of the point the piece leaves.
type Origin = (Option<u8>, Option<u8>);

/// `h`, `2`, `h2` or nothing.
fn origin(input: &str) -> Read<'_, Origin> {
    let both = map((file, rank), |(file, rank)| (Some(file), Some(rank)));
    let only_file = map(file, |file| (Some(file), None));
    let only_rank = map(rank, |rank| (None, Some(rank)));
    alt((both, only_file, only_rank)).parse(input)
}

fn body(input: &str) -> Read<'_, (Origin, Option<bool>, (u8, u8))> {
    let target = |input| (file, rank).parse(input);
    let none: Origin = (None, None);
    alt((
        (origin, opt(link), target),
        // The file just read may be that of the target.
        (
            alt((map(file, |file| (Some(file), None)), map(rank, |rank| (None, Some(rank))))),
            opt(link),
            target,
        ),
        (value(none, nom::combinator::success(())), opt(link), target),
    ))
    .parse(input)
}

/// Reads one move, white space around it allowed. Pawns may go without a
/// letter; `x`, `+`, `#` and `!?` are accepted.
///
/// # Errors
/// When the text is not one such move.
pub(super) fn parse(text: &str) -> Result<Syntax, SyntaxError> {
    let grammar = map(
        (
            verify((opt(piece), body), |(piece, (origin, ..))| {
                // Without a letter, two whole points are coordinates.
                piece.is_some() || !matches!(origin, (Some(_), Some(_)))
            }),
            many0_count(suffix),
        ),
        |((piece, ((from_file, from_rank), link, to)), _)| San {
            piece: piece.unwrap_or(PieceKind::Pawn),
            from_file,
            from_rank,
            to,
            captures: link == Some(true),
            base: proven_base(&[from_rank.unwrap_or(5), to.1]),
        },
    );
    let sound = verify(grammar, |san| {
        // 0 and 10 in one move belong to no count of ranks.
        !(san.to.1.min(san.from_rank.unwrap_or(5)) == 0
            && san.to.1.max(san.from_rank.unwrap_or(5)) == 10)
    });
    whole(text, map(sound, Syntax::San))
}

/// The squares of the mover's pieces that fit what is said of the origin.
fn origins(san: San, position: &Position, base: RankBase) -> impl Iterator<Item = Square> {
    let from_rank = san.from_rank;
    position.pieces(position.side(), san.piece).into_iter().filter(move |square| {
        san.from_file.is_none_or(|file| file == square.file())
            && from_rank
                .is_none_or(|rank| square_from((square.file(), rank), base) == Some(*square))
    })
}

pub(super) fn readings(san: San, position: &Position, context: Context) -> Candidates {
    let mut found = Candidates::new();
    for base in bases(san.base, context) {
        let Some(to) = square_from(san.to, *base) else { continue };
        let slips = match (san.base, context.rank_base) {
            (Some(proven), Some(known)) if proven != known => Slips::RANK_BASE,
            _ => Slips::NONE,
        };
        for from in origins(san, position, *base) {
            let mv = Move::new(from, to);
            if position.is_legal_knowing(mv, context.in_check) {
                found.push(Reading { mv, slips });
            }
        }
    }
    found
}

pub(super) fn resolve(san: San, position: &Position, context: Context) -> Resolution {
    let found = readings(san, position, context);
    match found.as_slice() {
        [] => why_illegal(san, position, context),
        [Reading { mv, slips }] => Resolution::Legal { mv: *mv, slips: *slips },
        _ => Resolution::Ambiguous(found),
    }
}

/// The reason of the piece that comes nearest to making the move.
#[cold]
fn why_illegal(san: San, position: &Position, context: Context) -> Resolution {
    let rank_of =
        |reason: IllegalReason| IllegalReason::ALL.iter().position(|known| *known == reason);
    let mut best = IllegalReason::NoSuchPiece;
    let mut only = None;
    let mut count = 0;
    for base in bases(san.base, context) {
        let Some(to) = square_from(san.to, *base) else { continue };
        for from in origins(san, position, *base) {
            let mv = Move::new(from, to);
            let Err(reason) = position.legality(mv) else { continue };
            count += 1;
            only = Some(mv);
            if rank_of(reason) > rank_of(best) {
                best = reason;
            }
        }
    }
    Resolution::Illegal { reason: best, mv: only.filter(|_| count == 1) }
}

/// Appends the shortest text that only this legal move has: `Che2`, with file,
/// rank or both of the origin where two pieces could go.
pub(super) fn write(mv: Move, position: &Position, base: RankBase, out: &mut String) {
    let Some(piece) = position.piece_at(mv.from) else {
        return super::squares::write_uci(mv, base, out);
    };
    let in_check = position.in_check();
    let others = |same: &dyn Fn(Square) -> bool| {
        position.pieces(piece.color, piece.kind).into_iter().any(|from| {
            from != mv.from
                && same(from)
                && position.is_legal_knowing(Move::new(from, mv.to), in_check)
        })
    };
    let (file, rank) = if !others(&|_| true) {
        (false, false)
    } else if !others(&|from| from.file() == mv.from.file()) {
        (true, false)
    } else if !others(&|from| from.rank() == mv.from.rank()) {
        (false, true)
    } else {
        (true, true)
    };
    let one = u8::from(base == RankBase::One);
    out.push(piece.kind.letter());
    if file {
        out.push((b'a' + mv.from.file()) as char);
    }
    if rank {
        out.push_str(&(mv.from.rank() + one).to_string());
    }
    out.push((b'a' + mv.to.file()) as char);
    out.push_str(&(mv.to.rank() + one).to_string());
}
