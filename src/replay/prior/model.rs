//! The weight table: scoring, and its file.

use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::features::{Scene, Slots, Trail};
use crate::board::{Move, MoveList, Position};

/// First bytes of a model file; the digit is the version of the features.
const MAGIC: &[u8; 8] = b"QIPUPR1\n";
const HEADER: usize = 8 + 4 + 4;

/// Why bytes are not a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The signature is not that of a model of this version.
    #[error("not a model of this version (made by `qipu prior train`)")]
    Magic,
    /// The file is shorter or longer than its header says.
    #[error("the model file is cut or has bytes too many")]
    Size,
}

/// A model of likely moves (着法先验).
#[derive(Clone)]
pub struct Prior {
    weights: Box<[i8]>,
    /// What one unit of a weight is worth, in nats.
    scale: f32,
}

impl std::fmt::Debug for Prior {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prior")
            .field("slots", &self.weights.len())
            .field("scale", &self.scale)
            .finish()
    }
}

impl Prior {
    /// A model that finds every legal move equally likely.
    #[must_use]
    pub fn uniform() -> Prior {
        Prior { weights: vec![0].into_boxed_slice(), scale: 0.0 }
    }

    /// The model that ships with qipu; `docs/accuracy.md` names the games it
    /// was trained on.
    #[must_use]
    pub fn builtin() -> Arc<Prior> {
        static BUILTIN: OnceLock<Arc<Prior>> = OnceLock::new();
        let read = || {
            let model = Prior::from_bytes(include_bytes!("builtin.bin"));
            // A test reads the file; a damaged one would only make readings
            // less sure.
            Arc::new(model.unwrap_or_else(|_| Prior::uniform()))
        };
        Arc::clone(BUILTIN.get_or_init(read))
    }

    /// Whether all moves are equally likely to this model.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.weights.len() == 1
    }

    /// A model from weights in nats; the number of weights is a power of two.
    pub(super) fn quantised(weights: &[f32]) -> Prior {
        debug_assert!(weights.len().is_power_of_two());
        let largest = weights.iter().fold(0f32, |m, w| m.max(w.abs()));
        // Few weights are large; cutting them at two thirds keeps the small
        // ones finer.
        let scale = (largest * 0.66 / 127.0).max(1e-6);
        let weights =
            weights.iter().map(|w| (w / scale).round().clamp(-127.0, 127.0) as i8).collect();
        Prior { weights, scale }
    }

    /// The bytes of the model file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + self.weights.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.scale.to_le_bytes());
        bytes.extend_from_slice(&(self.weights.len() as u32).to_le_bytes());
        bytes.extend(self.weights.iter().map(|w| *w as u8));
        bytes
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// When the bytes are not what [`Prior::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Prior, ModelError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ModelError::Magic)?;
        let (scale, rest) = rest.split_first_chunk::<4>().ok_or(ModelError::Size)?;
        let (count, rest) = rest.split_first_chunk::<4>().ok_or(ModelError::Size)?;
        let count = u32::from_le_bytes(*count) as usize;
        let scale = f32::from_le_bytes(*scale);
        if rest.len() != count || !count.is_power_of_two() || !scale.is_finite() {
            return Err(ModelError::Size);
        }
        Ok(Prior { weights: rest.iter().map(|b| *b as i8).collect(), scale })
    }

    /// Log probabilities (nats) of the given moves, normalised over them:
    /// hand in *all* legal moves of the position.
    #[must_use]
    pub fn log_probabilities(
        &self,
        position: &Position,
        trail: Trail,
        moves: &[Move],
    ) -> SmallVec<[f32; 128]> {
        if self.is_uniform() {
            let each = -(moves.len().max(1) as f32).ln();
            return moves.iter().map(|_| each).collect();
        }
        let scene = Scene::new(position, trail);
        let mask = self.weights.len() as u32 - 1;
        let mut scores: SmallVec<[f32; 128]> =
            moves.iter().map(|mv| self.sum(&scene.slots(*mv, mask)) as f32 * self.scale).collect();
        let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = scores.iter().map(|s| exp(s - top)).sum();
        let norm = top + total.ln();
        for score in &mut scores {
            *score -= norm;
        }
        scores
    }

    /// All legal moves with their log probabilities, the likeliest first.
    #[must_use]
    pub fn ranked(&self, position: &Position, trail: Trail) -> Vec<(Move, f32)> {
        let moves: MoveList = position.legal_moves();
        let scores = self.log_probabilities(position, trail, &moves);
        let mut ranked: Vec<(Move, f32)> = moves.into_iter().zip(scores).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }

    fn sum(&self, slots: &Slots) -> i32 {
        slots.iter().map(|slot| i32::from(self.weights[*slot as usize])).sum()
    }
}

/// e^x for x from -80 to 0 by a polynomial, the same on every machine (the
/// libraries' own differ in the last bit, and training must repeat byte for
/// byte). Relative error below 1e-6; 0 below -80.
pub(super) fn exp(x: f32) -> f32 {
    // ln 2 in two parts, so that the reduction loses no digits.
    const LN_2_HIGH: f32 = 0.693_145_75;
    const LN_2_LOW: f32 = 1.428_606_8e-6;
    if x < -80.0 {
        return 0.0;
    }
    let whole = (x * std::f32::consts::LOG2_E).round();
    let part = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let poly = 1.0
        + part
            * (1.0
                + part
                    * (0.5
                        + part
                            * (1.0 / 6.0
                                + part * (1.0 / 24.0 + part * (1.0 / 120.0 + part / 720.0)))));
    f32::from_bits(((whole as i32 + 127) as u32) << 23) * poly
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomial_is_the_exponential() {
        for i in 0..8000 {
            let x = -(i as f32) / 100.0;
            let (ours, true_value) = (exp(x), x.exp());
            assert!((ours - true_value).abs() <= true_value * 2e-6, "{x}: {ours} {true_value}");
        }
        assert!((exp(0.5) - 0.5f32.exp()).abs() < 1e-5);
    }

    #[test]
    fn a_uniform_model_gives_every_move_the_same() {
        let start = Position::start();
        let ranked = Prior::uniform().ranked(&start, Trail::default());
        assert_eq!(ranked.len(), 44);
        assert!(ranked.iter().all(|(_, p)| (p + 44f32.ln()).abs() < 1e-6));
    }

    #[test]
    fn the_model_in_the_binary_is_one() {
        assert!(!Prior::builtin().is_uniform());
    }

    #[test]
    fn files_come_back_and_damage_is_refused() {
        let weights: Vec<f32> = (0..64).map(|i| i as f32 / 10.0 - 3.0).collect();
        let model = Prior::quantised(&weights);
        let bytes = model.to_bytes();
        assert_eq!(Prior::from_bytes(&bytes).unwrap().to_bytes(), bytes);
        assert_eq!(Prior::from_bytes(&bytes[..bytes.len() - 1]).err(), Some(ModelError::Size));
        assert_eq!(Prior::from_bytes(b"PNG").err(), Some(ModelError::Magic));
        let p = model.log_probabilities(
            &Position::start(),
            Trail::default(),
            &Position::start().legal_moves(),
        );
        let sum: f32 = p.iter().map(|p| p.exp()).sum();
        assert!((sum - 1.0).abs() < 1e-4);
    }
}
