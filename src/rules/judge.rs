//! From a line of moves to its judgement.

use crate::board::{Color, Move, Position, PositionKey};

use super::cycle::find_cycles;
use super::judgement::{Conduct, Cycle, Judgement, PlyJudgement, Verdict};
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

    fn judge(&self, cycle: Cycle, set: RuleSet) -> Judgement {
        let from = cycle.from_ply as usize - 1;
        let mut position = self.start.clone();
        for mv in &self.moves[..from] {
            position.make(*mv);
        }
        let moves = &self.moves[from..cycle.to_ply as usize];
        let (plies, ruling) = if set.is_chinese() {
            judge_chinese(position, moves, cycle, set)
        } else {
            judge_asian(position, moves, cycle, set)
        };
        let verdict = match ruling.verdict {
            Verdict::Loses(side) if cycle.times < 4 => {
                let checks = match side {
                    Color::Red => ruling.red,
                    Color::Black => ruling.black,
                } == Conduct::PerpetualCheck;
                if checks && set.is_chinese() {
                    Verdict::Loses(side)
                } else {
                    Verdict::MustChange(side)
                }
            }
            verdict => verdict,
        };
        Judgement {
            rules: set,
            cycle: Some(cycle),
            plies,
            red: ruling.red,
            black: ruling.black,
            verdict,
            article: ruling.article,
            open: ruling.open,
        }
    }
}

fn judge_chinese(
    mut position: Position,
    moves: &[Move],
    cycle: Cycle,
    set: RuleSet,
) -> (Vec<PlyJudgement>, Ruling) {
    let mut classified = Vec::with_capacity(moves.len());
    for (ply, mv) in (cycle.from_ply..).zip(moves) {
        classified.push(chinese::classify(set, ply, &position, *mv));
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
