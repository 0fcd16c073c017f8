//! What a written move means on a board: exactly one legal reading is played,
//! several are ambiguous, none is illegal with a reason
//! (notation-chinese.md, 7).

use super::chinese::{Plain, lex_chinese, plain_chinese};
use super::order;
use super::readings::{self, Candidates, Reading, interpretations, legal_readings};
use super::slip::Slips;
use super::syntax::{Direction, Hints, Place, RankBase, Relative, Syntax};
use super::{san, squares};
use crate::board::{Color, IllegalReason, Move, PieceKind, Position, Square};

/// What the reader of a game knows beside the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// Whether the side to move is in check. It must be right; a caller that
    /// replays a game carries it along.
    pub in_check: bool,
    /// What the numerals of the record say about the side.
    pub numerals: Numerals,
    /// How the record counts ranks, once that is known.
    pub rank_base: Option<RankBase>,
}

impl Context {
    /// A context for `position` on its own.
    #[must_use]
    pub fn of(position: &Position) -> Context {
        Context { in_check: position.in_check(), ..Context::default() }
    }
}

/// What the style of numerals tells in a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numerals {
    /// Nothing: some records use one style for both sides.
    #[default]
    Any,
    /// Red's moves have Chinese numerals and Black's have Arabic digits. A
    /// move in the other side's numerals that the other side could play is
    /// then [`IllegalReason::WrongSide`], even if it can be read for the side
    /// to move: a half-move is probably missing.
    BySide,
}

/// What a written move turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The one legal reading.
    Legal {
        /// The move.
        mv: Move,
        /// What is sloppy about the text.
        slips: Slips,
    },
    /// Two legal readings or more, each a different move.
    Ambiguous(Candidates),
    /// No legal reading.
    Illegal {
        /// Why, as precisely as it can be said.
        reason: IllegalReason,
        /// The move that the text names, where it names exactly one.
        mv: Option<Move>,
    },
}

/// Finds the legal move that a written move means.
///
/// The literal reading is tried first. When it gives no legal move, and does
/// not name a move that only the king's safety forbids, the sloppy readings
/// follow, each with its slip: another convention of ordinals, a superfluous
/// 前 or 后, files counted from the other side.
#[inline]
#[must_use]
pub fn resolve(syntax: Syntax, position: &Position, context: Context) -> Resolution {
    match syntax {
        Syntax::Relative(relative) => match plain(relative, position, context) {
            Some(mv) => Resolution::Legal { mv, slips: spelling_slips(relative, position.side()) },
            None => relative_slowly(relative, position, context),
        },
        Syntax::Squares(squares) => squares::resolve(squares, position, context),
        Syntax::San(san) => san::resolve(san, position, context),
    }
}

/// The fast half of [`resolve`], for replay: the move when one piece of the
/// kind stands on the file and may go there, and nothing but the house style
/// of the text is to be remarked; and whether the text itself says that it
/// belongs to the side to move. `None` says nothing: ask [`resolve`].
#[inline]
#[must_use]
pub fn resolve_plain(
    syntax: Syntax,
    position: &Position,
    context: Context,
) -> Option<(Move, bool)> {
    let Syntax::Relative(relative) = syntax else { return None };
    let mv = plain(relative, position, context)?;
    let side = position.side();
    let marked = context.numerals == Numerals::BySide && relative.numeral_side() == Some(side);
    spelling_slips(relative, side).without_style().is_empty().then_some((mv, marked))
}

/// As [`resolve_plain`], for the text of a move in Chinese notation. Nearly all
/// moves come this way, so nothing is kept in memory on it.
#[inline]
#[must_use]
pub(crate) fn resolve_plain_text(
    text: &str,
    position: &Position,
    context: Context,
) -> Option<(Move, bool)> {
    let side = position.side();
    if let Some(Plain { kind, file, direction, to, hints }) = plain_chinese(text)
        && is_rightly_spelt(hints, side)
    {
        let mv = from_file(kind, file, direction, to, position, context.in_check)?;
        let marked = context.numerals == Numerals::BySide && hints.numeral_side() == Some(side);
        return Some((mv, marked));
    }
    let (syntax, used) = lex_chinese(text)?;
    if used == text.len() { resolve_plain(syntax, position, context) } else { None }
}

/// All legal readings of a written move, the least sloppy first, each move
/// once. In contrast to [`resolve`] the sloppy readings are listed also where
/// the literal one is legal.
#[must_use]
pub fn readings(syntax: Syntax, position: &Position, context: Context) -> Candidates {
    match syntax {
        Syntax::Relative(relative) => {
            let mut found = Candidates::new();
            for interpretation in &interpretations(relative, position) {
                legal_readings(relative, interpretation, position, context.in_check, &mut found);
            }
            found
        }
        Syntax::Squares(squares) => squares::readings(squares, position, context),
        Syntax::San(san) => san::readings(san, position, context),
    }
}

/// The common case: one piece of the kind on the file, and it may go there.
#[inline]
fn plain(relative: Relative, position: &Position, context: Context) -> Option<Move> {
    let (Some(kind), Place::File(file), Some(direction)) =
        (relative.piece, relative.place, relative.direction)
    else {
        return None;
    };
    let other = Some(position.side().other());
    if context.numerals == Numerals::BySide && relative.numeral_side() == other {
        return None;
    }
    from_file(kind, file, direction, relative.to, position, context.in_check)
}

/// The move of the only piece of a kind on a file of the side to move, when it
/// is legal.
fn from_file(
    kind: PieceKind,
    file: u8,
    direction: Direction,
    to: u8,
    position: &Position,
    in_check: bool,
) -> Option<Move> {
    let side = position.side();
    let on_file = position.bits(side, kind) & order::file_of_number(file, side);
    if !on_file.is_power_of_two() {
        return None;
    }
    let from = Square::from_index(on_file.trailing_zeros() as u8);
    let to = order::target(kind, side, side, from, direction, to)?;
    let mv = Move::new(from, to);
    position.is_legal_knowing(mv, in_check).then_some(mv)
}

/// What the spelling alone shows, given who moves.
#[inline]
pub(super) fn spelling_slips(relative: Relative, side: Color) -> Slips {
    if is_rightly_spelt(relative.hints, side) { Slips::NONE } else { odd_spelling(relative, side) }
}

/// Whether numerals and characters are those of the side, and nothing is odd.
#[inline]
fn is_rightly_spelt(hints: Hints, side: Color) -> bool {
    const RED: u32 = Hints::HAN.0 | Hints::RED_CHARACTER.0 | LETTERS;
    const BLACK: u32 = Hints::ARABIC.0 | Hints::BLACK_CHARACTER.0 | LETTERS;
    const LETTERS: u32 = Hints::UPPER.0
        | Hints::LOWER.0
        | Hints::WXF.0
        | Hints::UNDERLINED.0
        | Hints::OVERLINED.0
        | Hints::LETTER_MARK.0
        | Hints::DOUBLE_MARK.0
        | Hints::DIGIT_PAIR.0
        | Hints::CAPITAL_NUMBER.0;
    let right = if side == Color::Red { RED } else { BLACK };
    hints.0 & !right == 0
}

fn odd_spelling(relative: Relative, side: Color) -> Slips {
    let hints = relative.hints;
    let other = Some(side.other());
    [
        (hints.has(Hints::LETTER), Slips::DIGIT_TYPED_AS_LETTER),
        (hints.has(Hints::MISREAD), Slips::MISREAD_CHARACTER),
        (hints.has(Hints::PIECE_FIRST), Slips::PIECE_BEFORE_ORDINAL),
        (hints.has(Hints::OLD), Slips::OLD_SPELLING),
        (hints.has(Hints::ARABIC_ORDINAL), Slips::ARABIC_ORDINAL),
        (hints.has(Hints::HAN.with(Hints::ARABIC)), Slips::NUMERALS_MIXED),
        (relative.numeral_side() == other, Slips::NUMERALS_OF_OTHER_SIDE),
        (relative.character_side() == other, Slips::WRONG_PIECE_CHARACTER),
    ]
    .into_iter()
    .filter(|(applies, _)| *applies)
    .fold(Slips::NONE, |all, (_, slip)| all.with(slip))
}

#[cold]
fn relative_slowly(relative: Relative, position: &Position, context: Context) -> Resolution {
    let side = position.side();
    let other_style = relative.numeral_side() == Some(side.other());
    if other_style
        && context.numerals == Numerals::BySide
        && for_other_side(Syntax::Relative(relative), position).is_some()
    {
        return Resolution::Illegal { reason: IllegalReason::WrongSide, mv: None };
    }
    let interpretations = interpretations(relative, position);
    let named = interpretations.iter().any(|i| i.tier == readings::LITERAL && i.from != 0);
    let mut found = Candidates::new();
    for tier in readings::LITERAL..=readings::LAST_TIER {
        if tier == readings::SWAPPED
            && (named
                || other_style
                || for_other_side(Syntax::Relative(relative), position).is_some())
        {
            // Rather a move of the other side, one half-move too early or late.
            break;
        }
        for interpretation in interpretations.iter().filter(|i| i.tier == tier) {
            legal_readings(relative, interpretation, position, context.in_check, &mut found);
        }
        match found.as_slice() {
            [] => {}
            [Reading { mv, slips }] => return Resolution::Legal { mv: *mv, slips: *slips },
            _ => return Resolution::Ambiguous(found),
        }
        if tier == readings::LITERAL
            && literal_moves(relative, position).any(|mv| position.is_pseudo_legal(mv))
        {
            // The text is clear; only the king's safety is in its way.
            break;
        }
    }
    if (!named || (other_style && side == Color::Black))
        && for_other_side(Syntax::Relative(relative), position).is_some()
    {
        return Resolution::Illegal { reason: IllegalReason::WrongSide, mv: None };
    }
    why_illegal(relative, position)
}

/// The moves that the literal reading names, legal or not.
fn literal_moves(relative: Relative, position: &Position) -> impl Iterator<Item = Move> + '_ {
    interpretations(relative, position)
        .into_iter()
        .filter(|interpretation| interpretation.tier == readings::LITERAL)
        .flat_map(move |interpretation| interpretation.moves(relative, position))
}

/// The reason of the literal reading that comes furthest.
fn why_illegal(relative: Relative, position: &Position) -> Resolution {
    let named = interpretations(relative, position)
        .iter()
        .any(|i| i.tier == readings::LITERAL && i.from != 0);
    let rank_of =
        |reason: IllegalReason| IllegalReason::ALL.iter().position(|known| *known == reason);
    let mut best =
        if named { IllegalReason::PieceCannotMoveSo } else { IllegalReason::NoSuchPiece };
    let mut only = None;
    let mut count = 0;
    for mv in literal_moves(relative, position) {
        if only != Some(mv) {
            count += 1;
            only = Some(mv);
        }
        if let Err(reason) = position.legality(mv)
            && (count == 1 || rank_of(reason) > rank_of(best))
        {
            best = reason;
        }
    }
    Resolution::Illegal { reason: best, mv: only.filter(|_| count == 1) }
}

/// The move that a text would be for the side that is *not* to move, if that
/// side had the turn and exactly one legal literal reading: the mark of a
/// missing half-move.
#[must_use]
pub fn for_other_side(syntax: Syntax, position: &Position) -> Option<Move> {
    let mut turned = position.clone();
    turned.set_side(position.side().other());
    let in_check = turned.in_check();
    let mut found = Candidates::new();
    match syntax {
        Syntax::Relative(relative) => {
            for interpretation in &interpretations(relative, &turned) {
                if interpretation.tier == readings::LITERAL {
                    legal_readings(relative, interpretation, &turned, in_check, &mut found);
                }
            }
        }
        other => {
            let context = Context { in_check, ..Context::default() };
            found = self::readings(other, &turned, context);
        }
    }
    match found.as_slice() {
        [reading] => Some(reading.mv),
        _ => None,
    }
}

/// The rank base by which a text of coordinates names `mv`: what a reader
/// learns from the first move that is certain. `None` for other notations, or
/// when the text does not name the move.
#[must_use]
pub fn rank_base(syntax: Syntax, mv: Move) -> Option<RankBase> {
    [RankBase::Zero, RankBase::One].into_iter().find(|base| match syntax {
        Syntax::Relative(_) => false,
        Syntax::Squares(squares) => squares::move_from(squares, *base) == Some(mv),
        Syntax::San(san) => squares::square_from(san.to, *base) == Some(mv.to),
    })
}

/// The piece a relative move speaks of: a pawn where none is named.
pub(super) fn kind_of(relative: Relative) -> PieceKind {
    relative.piece.unwrap_or(PieceKind::Pawn)
}
