//! Training: maximum likelihood by Adagrad, in a fixed order, so that the
//! same games give the same bytes.

use super::Prior;
use super::features::{Scene, Slots, Trail};
use super::model::exp;
use crate::board::{Move, Position};

/// How to train.
#[derive(Clone, Debug)]
pub struct TrainOptions {
    /// log2 of the number of weights, one byte each in the model file.
    pub bits: u32,
    /// How often every game is seen.
    pub epochs: u32,
    /// First step width; it falls to a twentieth over the training.
    pub rate: f32,
}

impl Default for TrainOptions {
    fn default() -> TrainOptions {
        TrainOptions { bits: 18, epochs: 4, rate: 0.06 }
    }
}

/// A model, and how the training went.
#[derive(Debug)]
pub struct Trained {
    /// The model.
    pub model: Prior,
    /// Mean cross-entropy a ply of each epoch, in bits.
    pub bits_per_ply: Vec<f64>,
    /// Plies learned from in each epoch.
    pub plies: u64,
}

struct Learner {
    weights: Vec<f32>,
    squares: Vec<f32>,
    slots: Vec<Slots>,
    scores: Vec<f32>,
}

/// Trains on games given as start position and legal moves; a game is read up
/// to its first move that is not legal. Games are taken in a mixed but fixed
/// order that depends on their number alone.
pub fn train(
    games: &[(Position, &[Move])],
    options: &TrainOptions,
    mut each_epoch: impl FnMut(u32, f64),
) -> Trained {
    let size = 1usize << options.bits.clamp(4, 24);
    let mut learner = Learner {
        weights: vec![0.0; size],
        squares: vec![1e-6; size],
        slots: Vec::with_capacity(128),
        scores: Vec::with_capacity(128),
    };
    let mut bits_per_ply = Vec::new();
    let mut plies = 0;
    let steps = (games.len() as u64 * u64::from(options.epochs)).max(1) as f32;
    let mut step = 0f32;
    for epoch in 0..options.epochs {
        let (mut loss, mut count) = (0f64, 0u64);
        for index in mixed_order(games.len(), epoch) {
            let rate = options.rate * (1.0 - 0.95 * step / steps);
            step += 1.0;
            let (start, moves) = &games[index];
            let (bits, n) = learner.game(start, moves, rate);
            loss += bits;
            count += n;
        }
        let mean = loss / count.max(1) as f64;
        each_epoch(epoch + 1, mean);
        bits_per_ply.push(mean);
        plies = count;
    }
    Trained { model: Prior::quantised(&learner.weights), bits_per_ply, plies }
}

impl Learner {
    fn game(&mut self, start: &Position, moves: &[Move], rate: f32) -> (f64, u64) {
        let mut position = start.clone();
        let mut trail = Trail::default();
        let (mut loss, mut count) = (0.0, 0);
        for mv in moves {
            let Some(bits) = self.ply(&position, trail, *mv, rate) else { break };
            loss += bits;
            count += 1;
            let captured = position.make(*mv).captured().is_some();
            trail = trail.after(*mv, captured);
        }
        (loss, count)
    }

    /// One step; the cross-entropy of the played move in bits, or `None` when
    /// the move is not legal.
    fn ply(&mut self, position: &Position, trail: Trail, played: Move, rate: f32) -> Option<f64> {
        let legal = position.legal_moves();
        let target = legal.iter().position(|mv| *mv == played)?;
        let scene = Scene::new(position, trail);
        let mask = self.weights.len() as u32 - 1;
        self.slots.clear();
        self.slots.extend(legal.iter().map(|mv| scene.slots(*mv, mask)));
        self.scores.clear();
        let weights = &self.weights;
        self.scores.extend(
            self.slots.iter().map(|slots| slots.iter().map(|s| weights[*s as usize]).sum::<f32>()),
        );
        let top = self.scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut total = 0.0;
        for score in &mut self.scores {
            *score = exp(*score - top);
            total += *score;
        }
        let probability = self.scores[target] / total;
        for (i, slots) in self.slots.iter().enumerate() {
            let gradient = f32::from(i == target) - self.scores[i] / total;
            if gradient.abs() < 1e-4 {
                continue;
            }
            for slot in slots {
                let slot = *slot as usize;
                self.squares[slot] += gradient * gradient;
                self.weights[slot] += rate * gradient / self.squares[slot].sqrt();
            }
        }
        Some(-f64::from(probability.max(1e-30)).log2())
    }
}

/// A permutation of `0..len` that depends only on `len` and `epoch`.
fn mixed_order(len: usize, epoch: u32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    let mut state = 0x7169_7075u64 ^ u64::from(epoch).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for i in (1..len).rev() {
        // xorshift64*, Vigna 2016
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let draw = state.wrapping_mul(0x2545_f491_4f6c_dd1d);
        let j = ((u128::from(draw) * (i as u128 + 1)) >> 64) as usize;
        order.swap(i, j);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(text: &str) -> Vec<Move> {
        text.split(' ').map(|m| m.parse().unwrap()).collect()
    }

    #[test]
    fn training_learns_and_repeats_byte_for_byte() {
        let a = opening("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7");
        let b = opening("h2e2 b9c7 h0g2 h9g7 i0h0 i9h9");
        let games = [(Position::start(), a.as_slice()), (Position::start(), b.as_slice())];
        let options = TrainOptions { bits: 12, epochs: 20, ..TrainOptions::default() };
        let first = train(&games, &options, |_, _| {});
        let again = train(&games, &options, |_, _| {});
        assert_eq!(first.model.to_bytes(), again.model.to_bytes());
        assert_eq!(first.plies, 12);
        assert!(first.bits_per_ply[19] < first.bits_per_ply[0] / 2.0, "{:?}", first.bits_per_ply);
        let ranked = first.model.ranked(&Position::start(), Trail::default());
        assert_eq!(ranked[0].0, a[0], "the only first move it has seen is the likeliest");
    }

    #[test]
    fn the_order_is_a_permutation() {
        let mut order = mixed_order(1000, 3);
        assert_ne!(order, mixed_order(1000, 2));
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..1000));
    }
}
