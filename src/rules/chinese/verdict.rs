//! Ruling on a loop by articles 24 and 26 (1999), 25 and 26.9 (2020).

use crate::board::{Color, Move, Position};

use crate::rules::RuleSet;
use crate::rules::judgement::{Conduct, MoveClass, OpenPoint, Verdict, Why};
use crate::rules::ruling::Ruling;

use super::chase::Classified;

/// Rules on a loop whose moves are `moves`, with the final loss for the
/// offender; the caller softens it at the third time.
pub(crate) fn rule(set: RuleSet, moves: &mut [Classified]) -> Ruling {
    if set == RuleSet::Cn1999 {
        count_pawns(moves);
    }
    let (mut verdict, mut article) = table(set, moves, None);
    let open = [OpenPoint::ExchangeMate, OpenPoint::Fortress].into_iter().find(|point| {
        moves.iter().any(|m| m.doubt.is_some_and(|(doubt, _)| doubt == *point))
            && table(set, moves, Some(*point)).0 != verdict
    });
    if let Some(point) = open {
        verdict = Verdict::Undecided;
        article = match (point, set) {
            (OpenPoint::Fortress, RuleSet::Cn1999) => "27.3",
            (OpenPoint::Fortress, _) => "26.2",
            (_, set) => set.articles().exchange,
        };
    }
    let [red, black] = conducts(moves, None);
    Ruling { red, black, verdict, article, open }
}

/// A verdict without the classes of all moves.
pub(crate) struct Decided {
    pub verdict: Verdict,
    pub article: &'static str,
    pub open: Option<OpenPoint>,
}

/// Rules as [`rule`] on a loop, with no more moves classified than the
/// verdict hangs on: one plainly idle move lets a side off, and perpetual
/// check by one side alone needs no look at what the other does.
///
/// `steps` are the moves with the positions before them. `checks` tells for
/// Red and Black whether every move of theirs checks. `classify` classifies
/// the move at an index.
pub(crate) fn decide(
    set: RuleSet,
    steps: &[(Position, Move)],
    checks: [bool; 2],
    mut classify: impl FnMut(usize) -> Classified,
) -> Decided {
    if let [true, false] | [false, true] = checks {
        let side = if checks[0] { Color::Red } else { Color::Black };
        let article = set.articles().perpetual_check;
        return Decided { verdict: Verdict::Loses(side), article, open: None };
    }
    let mut classified = Vec::with_capacity(steps.len());
    for color in Color::ALL {
        // Who has fewer checks after the move is sooner found to be idle.
        let mut own: Vec<(usize, usize)> = (0..steps.len())
            .filter(|at| steps[*at].0.side() == color)
            .map(|at| (checks_after(&steps[at]), at))
            .collect();
        own.sort_unstable();
        for (_, at) in own {
            let class = classify(at);
            let idle = class.is_plainly_idle();
            classified.push(class);
            if idle {
                break;
            }
        }
    }
    let Ruling { verdict, article, open, .. } = rule(set, &mut classified);
    Decided { verdict, article, open }
}

/// How many checks a side would have if it could go on after its move; a
/// check is the last to be idle.
fn checks_after((before, mv): &(Position, Move)) -> usize {
    let mut after = before.clone();
    after.make(*mv);
    if after.in_check() {
        return usize::MAX;
    }
    after.set_side(before.side());
    after.checking_moves().len()
}

/// The table of article 26 (2020: 25 and 26.9); `other` is the open point of
/// which the other reading is taken.
fn table(set: RuleSet, moves: &[Classified], other: Option<OpenPoint>) -> (Verdict, &'static str) {
    let articles = set.articles();
    let [red, black] = conducts(moves, other);
    let checks = |conduct| conduct == Conduct::PerpetualCheck;
    let permitted = |conduct| conduct == Conduct::Permitted;
    match (permitted(red), permitted(black)) {
        _ if checks(red) && checks(black) => (Verdict::Draw, articles.both_forbidden),
        _ if checks(red) => (Verdict::Loses(Color::Red), articles.perpetual_check),
        _ if checks(black) => (Verdict::Loses(Color::Black), articles.perpetual_check),
        (true, true) => (Verdict::Draw, articles.both_permitted),
        (false, true) => (Verdict::Loses(Color::Red), articles.one_forbidden),
        (true, false) => (Verdict::Loses(Color::Black), articles.one_forbidden),
        (false, false) if set == RuleSet::Cn1999 => (Verdict::Draw, articles.both_forbidden),
        (false, false) => match Color::ALL.map(|side| is_heavy(moves, side, other)) {
            [true, false] => (Verdict::Loses(Color::Red), "26.9.1"),
            [false, true] => (Verdict::Loses(Color::Black), "26.9.1"),
            _ => (Verdict::Draw, "26.9.4"),
        },
    }
}

/// What a move is, where of the open point `other` the other reading is taken.
fn class(m: &Classified, other: Option<OpenPoint>) -> MoveClass {
    match m.doubt {
        Some((point, class)) if Some(point) == other => class,
        _ => m.ply.class,
    }
}

/// What Red and Black do.
fn conducts(moves: &[Classified], other: Option<OpenPoint>) -> [Conduct; 2] {
    Color::ALL.map(|color| {
        let own = || moves.iter().filter(move |m| m.ply.side == color).map(|m| class(m, other));
        let all = |wanted| own().all(|class| class == wanted);
        if own().next().is_none() || own().any(|class| class == MoveClass::Idle) {
            Conduct::Permitted
        } else if all(MoveClass::Check) {
            Conduct::PerpetualCheck
        } else if all(MoveClass::MateThreat) {
            Conduct::PerpetualMateThreat
        } else if all(MoveClass::Chase) {
            Conduct::PerpetualChase
        } else {
            Conduct::PerpetualAttack
        }
    })
}

/// 2020, 26.9.1: whatever the side wins, it wins single-handed. A side of
/// which one move or more chases jointly (联合捉子), or a piece with too few
/// roots, does the lighter thing.
fn is_heavy(moves: &[Classified], side: Color, other: Option<OpenPoint>) -> bool {
    let mut chases =
        moves.iter().filter(|m| m.ply.side == side && class(m, other) == MoveClass::Chase);
    chases.all(Classified::is_alone)
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
