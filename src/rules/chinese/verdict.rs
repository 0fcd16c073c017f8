//! Ruling on a loop by articles 24 and 26 (1999), 25 and 26.9 (2020).

use crate::board::Color;

use crate::rules::RuleSet;
use crate::rules::judgement::{Conduct, MoveClass, Verdict, Why};
use crate::rules::ruling::Ruling;

use super::chase::Classified;

/// What a side does in the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Side {
    conduct: Conduct,
    /// 2020, 26.9.1: nothing but mate threats, chases of chariots and of
    /// unrooted pieces.
    heavy: bool,
    /// Every chase is of a chariot.
    chariots: bool,
}

/// Rules on a loop whose moves are `moves`, with the final loss for the
/// offender; the caller softens it at the third time.
pub(crate) fn rule(set: RuleSet, moves: &mut [Classified]) -> Ruling {
    if set == RuleSet::Cn1999 {
        count_pawns(moves);
    }
    let red = conduct(moves, Color::Red);
    let black = conduct(moves, Color::Black);
    let articles = set.articles();
    let checks = |side: Side| side.conduct == Conduct::PerpetualCheck;
    let permitted = |side: Side| side.conduct == Conduct::Permitted;
    let (verdict, article) = if checks(red) != checks(black) {
        let loser = if checks(red) { Color::Red } else { Color::Black };
        (Verdict::Loses(loser), articles.perpetual_check)
    } else {
        match (permitted(red), permitted(black)) {
            (true, true) => (Verdict::Draw, articles.both_permitted),
            (false, true) => (Verdict::Loses(Color::Red), articles.one_forbidden),
            (true, false) => (Verdict::Loses(Color::Black), articles.one_forbidden),
            (false, false) if set == RuleSet::Cn2020 && !checks(red) => both_forbidden(red, black),
            (false, false) => (Verdict::Draw, articles.both_forbidden),
        }
    };
    Ruling { red: red.conduct, black: black.conduct, verdict, article, open: None }
}

/// 2020, 26.9: both sides do what is forbidden, and not both check.
fn both_forbidden(red: Side, black: Side) -> (Verdict, &'static str) {
    match (red.heavy, black.heavy) {
        (true, true) => (Verdict::Draw, "26.9.4"),
        (true, false) => (Verdict::Loses(Color::Red), "26.9.1"),
        (false, true) => (Verdict::Loses(Color::Black), "26.9.1"),
        (false, false) => (Verdict::Draw, "26.9.4"),
    }
}

fn conduct(moves: &[Classified], side: Color) -> Side {
    let own = || moves.iter().filter(move |m| m.ply.side == side);
    let all = |class| own().all(|m| m.ply.class == class);
    let conduct = if own().any(|m| m.ply.class == MoveClass::Idle) || own().next().is_none() {
        Conduct::Permitted
    } else if all(MoveClass::Check) {
        Conduct::PerpetualCheck
    } else if all(MoveClass::MateThreat) {
        Conduct::PerpetualMateThreat
    } else if all(MoveClass::Chase) {
        Conduct::PerpetualChase
    } else {
        Conduct::PerpetualAttack
    };
    let chases = || own().filter(|m| m.ply.class == MoveClass::Chase);
    Side { conduct, heavy: chases().all(|m| m.alone), chariots: chases().all(|m| m.chariot) }
}

/// 27.2 of 1999: where both sides attack on every move, a pawn's own attacks
/// count as chases.
fn count_pawns(moves: &mut [Classified]) {
    let attacks = |m: &Classified| m.ply.class != MoveClass::Idle || !m.pawn_chases.is_empty();
    if !moves.iter().all(attacks) {
        return;
    }
    for m in moves {
        if m.ply.class == MoveClass::Idle {
            m.ply.class = MoveClass::Chase;
            m.ply.idle = None;
            m.ply.article = "27.2";
            m.ply.why = Why::Chases;
            m.ply.chased.append(&mut m.pawn_chases);
        }
    }
}
