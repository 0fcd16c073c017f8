//! From a line of moves to its judgement.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::board::{Move, Position, PositionKey};

use super::cycle::find_cycles;
use super::judgement::{Conduct, Cycle, Judgement, LoopRuling, OpenPoint, PlyJudgement, Verdict};
use super::ruling::Ruling;
use super::{RuleSet, asian, chinese};

/// Judges the last loop of a line of legal moves from `start`. Moves from the
/// first illegal one on are left out.
///
/// A verdict is given from the third time on that a position stands on the
/// board: then a side that has to change may still do so
/// ([`Verdict::MustChange`], article 24.3); from the fourth time on it has
/// lost. A one-sided perpetual check loses at the third time under the
/// Chinese rules (24.1).
#[must_use]
pub fn judge(start: &Position, moves: &[Move], set: RuleSet) -> Judgement {
    let line = Line::new(start, moves);
    match find_cycles(&line.keys).last() {
        Some(cycle) => line.judge(*cycle, set),
        None => Judgement::none(set),
    }
}

/// Judges every loop of a line, in the order of play; empty for a line in
/// which no position stands for the third time. See [`judge`].
#[must_use]
pub fn judge_all(start: &Position, moves: &[Move], set: RuleSet) -> Vec<Judgement> {
    let line = Line::new(start, moves);
    find_cycles(&line.keys).into_iter().map(|cycle| line.judge(cycle, set)).collect()
}

/// Rules on every loop of a line as [`judge_all`] does, without telling what
/// each move is: no more moves are looked at than the verdict hangs on. Loops
/// that are longer than those of any game are left
/// [open](OpenPoint::TooLong).
#[must_use]
pub fn rule_on_loops(start: &Position, moves: &[Move], set: RuleSet) -> Vec<LoopRuling> {
    let line = Line::new(start, moves);
    let mut known = Known::new();
    let mut left = MOST_PLIES;
    find_cycles(&line.keys)
        .into_iter()
        .map(|cycle| match left.checked_sub(cycle.length()) {
            Some(rest) => {
                left = rest;
                line.rule(cycle, set, &mut known)
            }
            None => LoopRuling {
                rules: set,
                cycle,
                checks: [false; 2],
                verdict: Verdict::Undecided,
                article: "",
                open: Some(OpenPoint::TooLong),
            },
        })
        .collect()
}

/// The loops of one line are ruled on up to so many plies together, so that
/// no made-up record takes long. Those of real games have a few dozen.
const MOST_PLIES: u32 = 1024;

/// The moves of a line that were classified already: loops that stand apart
/// share moves.
type Known = HashMap<(PositionKey, Move), chinese::Classified>;

/// At the third time a side may still change (24.3), but for a one-sided
/// perpetual check under the Chinese rules (24.1).
fn soften(verdict: Verdict, times: u32, checks: [bool; 2], set: RuleSet) -> Verdict {
    match verdict {
        Verdict::Loses(side) if times < 4 && !(checks[side.index()] && set.is_chinese()) => {
            Verdict::MustChange(side)
        }
        verdict => verdict,
    }
}

/// A line of play with the keys of its positions.
struct Line<'a> {
    start: &'a Position,
    moves: &'a [Move],
    keys: Vec<PositionKey>,
}

impl<'a> Line<'a> {
    fn new(start: &'a Position, moves: &'a [Move]) -> Line<'a> {
        let mut position = start.clone();
        let mut keys = Vec::with_capacity(moves.len() + 1);
        keys.push(position.key());
        for mv in moves {
            if position.play(*mv).is_err() {
                break;
            }
            keys.push(position.key());
        }
        Line { start, moves: &moves[..keys.len() - 1], keys }
    }

    /// The position before the loop, and its moves.
    fn stretch(&self, cycle: Cycle) -> (Position, &[Move]) {
        let from = cycle.from_ply as usize - 1;
        let mut position = self.start.clone();
        for mv in &self.moves[..from] {
            position.make(*mv);
        }
        (position, &self.moves[from..cycle.to_ply as usize])
    }

    fn judge(&self, cycle: Cycle, set: RuleSet) -> Judgement {
        let (position, moves) = self.stretch(cycle);
        let (plies, ruling) = if set.is_chinese() {
            judge_chinese(position, moves, cycle, set)
        } else {
            judge_asian(position, moves, cycle, set)
        };
        let checks = [ruling.red, ruling.black].map(|did| did == Conduct::PerpetualCheck);
        Judgement {
            rules: set,
            cycle: Some(cycle),
            plies,
            red: ruling.red,
            black: ruling.black,
            verdict: soften(ruling.verdict, cycle.times, checks, set),
            article: ruling.article,
            open: ruling.open,
        }
    }

    fn rule(&self, cycle: Cycle, set: RuleSet, known: &mut Known) -> LoopRuling {
        let (mut position, moves) = self.stretch(cycle);
        let mut steps = Vec::with_capacity(moves.len());
        let mut checks = [true; 2];
        for mv in moves {
            let side = position.side();
            steps.push((position.clone(), *mv));
            position.make(*mv);
            checks[side.index()] &= position.in_check();
        }
        let memo = RefCell::new(chinese::Memo::default());
        let decided = if set.is_chinese() {
            chinese::decide(set, &steps, checks, |at| {
                let (before, mv) = &steps[at];
                let key = (before.key(), *mv);
                let ply = cycle.from_ply + at as u32;
                let new = || chinese::classify(set, ply, before, *mv, &memo);
                known.entry(key).or_insert_with(new).clone()
            })
        } else {
            let (position, moves) = self.stretch(cycle);
            let ruling = judge_asian(position, moves, cycle, set).1;
            chinese::Decided { verdict: ruling.verdict, article: ruling.article, open: ruling.open }
        };
        LoopRuling {
            rules: set,
            cycle,
            checks,
            verdict: soften(decided.verdict, cycle.times, checks, set),
            article: decided.article,
            open: decided.open,
        }
    }
}

fn judge_chinese(
    mut position: Position,
    moves: &[Move],
    cycle: Cycle,
    set: RuleSet,
) -> (Vec<PlyJudgement>, Ruling) {
    let memo = RefCell::new(chinese::Memo::default());
    let mut classified = Vec::with_capacity(moves.len());
    for (ply, mv) in (cycle.from_ply..).zip(moves) {
        let mut class = chinese::classify(set, ply, &position, *mv, &memo);
        chinese::name_idle(set, &position, &mut class);
        classified.push(class);
        position.make(*mv);
    }
    let ruling = chinese::rule(set, &mut classified);
    (classified.into_iter().map(|c| c.ply).collect(), ruling)
}

fn judge_asian(
    mut position: Position,
    moves: &[Move],
    cycle: Cycle,
    set: RuleSet,
) -> (Vec<PlyJudgement>, Ruling) {
    let mut classified = Vec::with_capacity(moves.len());
    // Names for the pieces: where each stood when the loop began.
    let mut ids = [0u8; 90];
    for (at, id) in ids.iter_mut().enumerate() {
        *id = at as u8;
    }
    for (ply, mv) in (cycle.from_ply..).zip(moves) {
        classified.push(asian::classify(set, ply, &position, *mv, &ids));
        position.make(*mv);
        ids[mv.to.index()] = ids[mv.from.index()];
    }
    let ruling = asian::rule(set, &classified);
    (classified.into_iter().map(|c| c.ply).collect(), ruling)
}
