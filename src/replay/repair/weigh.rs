//! How likely the repairs of a line are, to the model of likely moves and
//! beside each other.

use super::mistakes::Trial;
use super::{Edit, Found, Item, Line, Repair, Workshop};
use crate::board::{Move, Position};
use crate::replay::lattice::{Decided, LatticeOptions, Reading, Step};
use crate::replay::prior::Trail;

/// Log probability of a move of which nothing is known (nats).
const USUAL: f32 = -2.5;

/// Words after a mistake that are weighed by the model.
const WEIGHED: usize = 5;

/// Repairs less likely than this are not proposed. What can have been left out
/// is not measured by it: there it counts how many moves fit.
const LEAST: f32 = 0.01;

impl Workshop<'_> {
    /// How much likelier the line becomes, to the model of likely moves.
    pub(super) fn weigh(
        &self,
        line: &Line,
        trial: &Trial,
        items: &[Item],
        positions: &[Position],
    ) -> f32 {
        let ours = trial.put.len() + WEIGHED;
        let theirs = trial.consumed + WEIGHED;
        self.likelihood(items, positions, trial.at, ours)
            - self.likelihood(&line.items, &line.positions, trial.at, theirs)
    }

    fn likelihood(&self, items: &[Item], positions: &[Position], from: usize, count: usize) -> f32 {
        let mut trail = Trail::default();
        let mut sum = 0.0;
        for at in from..(from + count).min(items.len()) {
            let Some(position) = positions.get(at) else {
                sum += USUAL;
                continue;
            };
            let Some(mv) = made(positions, at) else {
                if positions.get(at + 1).is_none() {
                    sum += USUAL;
                }
                trail = trail.after_unknown();
                continue;
            };
            let legal = position.legal_moves();
            let scores = self.prior.log_probabilities(position, trail, &legal);
            let index = legal.iter().position(|known| *known == mv);
            sum +=
                index.map_or(USUAL, |index| scores[index]) * LatticeOptions::default().temperature;
            trail = trail.after(mv, position.piece_at(mv.to).is_some());
        }
        sum
    }
}

/// The move between two positions of a line.
pub(super) fn made(positions: &[Position], at: usize) -> Option<Move> {
    let (before, after) = (positions.get(at)?, positions.get(at + 1)?);
    before.legal_moves().into_iter().find(|mv| {
        let mut position = before.clone();
        position.make(*mv);
        position.key() == after.key()
    })
}

/// Repairs with their probabilities; those that do the same at the same place
/// are alternatives of each other.
pub(super) fn ranked(mut lines: Vec<Found>, proved: bool) -> Vec<Repair> {
    lines.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let best = lines.first().map_or(0.0, |line| line.weight);
    let odds: Vec<f32> = lines.iter().map(|line| (line.weight - best).exp()).collect();
    let total: f32 = odds.iter().sum();
    let mut repairs: Vec<Repair> = Vec::new();
    for (line, odds) in lines.iter().zip(odds) {
        let probability = odds / total;
        let edits: Vec<Edit> = line
            .edits
            .iter()
            .map(|(at, kind, node, mv)| Edit {
                node: *node,
                ply: *at as u32 + 1,
                kind: *kind,
                proved,
                step: Step {
                    token: None,
                    mv: *mv,
                    probability,
                    readings: mv.map(|mv| Reading { mv, probability }).into_iter().collect(),
                    decided: Decided::Prior,
                },
            })
            .collect();
        let gap = edits.iter().all(|edit| edit.kind.is_gap());
        let repair = Repair { edits, probability, shown: line.shown };
        // However unlikely: the move of a proposed gap is not the only one as
        // long as another fits there too.
        let counts = || {
            repairs.iter().all(Repair::is_gap)
                || repairs.iter().any(|other| other.fills_as(&repair))
        };
        if probability >= LEAST || gap && counts() {
            repairs.push(repair);
        }
    }
    repairs
}
