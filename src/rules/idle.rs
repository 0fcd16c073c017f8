//! The kinds of idle move: 兑 献 拦 跟 (1999: 28.5 to 28.8; 2020: 24.4 to
//! 24.7). They change no verdict; they tell the reader what the move does.

use crate::board::{Color, Move, PieceKind, Position};

use super::RuleSet;
use super::captures::{captures_on, root_after, valuables, with_turn};
use super::judgement::{IdleKind, Root};
use super::mate::mates_at_once;
use super::material;
use super::rule_set::Articles;

/// What kind of idle move `mv` is; `after` is the position that it led to,
/// `before` the one where it was played.
pub(crate) fn kind(after: &Position, mv: Move, before: &Position, set: RuleSet) -> IdleKind {
    let side = before.side();
    if exchanges(after, mv, side) {
        IdleKind::Exchange
    } else if offers(after, mv, set) {
        IdleKind::Offer
    } else if follows(after, mv, side) {
        IdleKind::Follow
    } else if blocks(before, after, mv) {
        IdleKind::Block
    } else {
        IdleKind::Plain
    }
}

/// The article that names the kind.
pub(crate) fn article(kind: IdleKind, articles: &Articles) -> &'static str {
    match kind {
        IdleKind::Exchange => articles.exchange,
        IdleKind::Offer => articles.offer,
        IdleKind::Block => articles.block,
        IdleKind::Follow => articles.follow,
        IdleKind::Plain => articles.idle,
    }
}

/// 兑: an enemy piece of the same value and the moved one can take each other
/// off, whoever begins, and the first to take is retaken.
fn exchanges(after: &Position, mv: Move, side: Color) -> bool {
    let Some(moved) = after.piece_at(mv.to) else { return false };
    let worth = material::points(moved, mv.to);
    if worth == 0 {
        return false;
    }
    let equal = |position: &Position, square| {
        position.piece_at(square).is_some_and(|p| material::points(p, square) == worth)
    };
    let mut theirs = after.clone();
    let taken = captures_on(after, mv.to).into_iter().any(|capture| {
        equal(after, capture.from) && root_after(&mut theirs, capture) == Root::True
    });
    let mut ours = with_turn(after, side);
    taken
        || valuables(after, side.other()).into_iter().any(|target| {
            let capture = Move::new(mv.to, target);
            equal(after, target)
                && ours.is_legal(capture)
                && root_after(&mut ours, capture) == Root::True
        })
}

/// 献: the moved piece may be taken and nothing retakes; in 1999 only by a
/// piece of its kind. Taking it must not lead to mate at once.
fn offers(after: &Position, mv: Move, set: RuleSet) -> bool {
    let Some(moved) = after.piece_at(mv.to) else { return false };
    if !material::has_value(moved, mv.to) {
        return false;
    }
    let mut board = after.clone();
    captures_on(after, mv.to).into_iter().any(|capture| {
        let same = after.piece_at(capture.from).is_some_and(|p| p.kind == moved.kind);
        if (set == RuleSet::Cn1999 && !same) || root_after(&mut board, capture) == Root::True {
            return false;
        }
        let undo = board.make(capture);
        let mated = mates_at_once(&mut board);
        board.unmake(undo);
        !mated
    })
}

/// 跟: the moved piece looks at a piece that has a root.
fn follows(after: &Position, mv: Move, side: Color) -> bool {
    let mut ours = with_turn(after, side);
    valuables(after, side.other()).into_iter().any(|target| {
        let capture = Move::new(mv.to, target);
        ours.is_legal(capture) && root_after(&mut ours, capture) == Root::True
    })
}

/// 拦: an enemy piece that attacked one of ours, or reached a point beyond,
/// does so no more because the moved piece stands in its way.
fn blocks(before: &Position, after: &Position, mv: Move) -> bool {
    let enemy = before.side().other();
    before.pieces_of(enemy).into_iter().any(|from| {
        let Some(piece) = before.piece_at(from) else { return false };
        let lines = matches!(
            piece.kind,
            PieceKind::Chariot | PieceKind::Cannon | PieceKind::Horse | PieceKind::Elephant
        );
        let mut lost = before.targets(from) & !after.targets(from);
        lost.remove(mv.from);
        lost.remove(mv.to);
        lines && !lost.is_empty()
    })
}
