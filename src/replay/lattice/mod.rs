//! Reading a whole sheet at once: a noisy-channel decoder.
//!
//! A token of an abbreviated or damaged sheet may have several legal readings.
//! They are all kept: a beam walks over consistent positions, each reading is
//! weighed by how well it explains the token (the channel) and how likely
//! people are to play it (the [`Prior`], normalised over
//! all legal moves), and the whole rest of the game decides. The same search
//! finds missing half-moves, tokens too many and swapped pairs, where the
//! caller allows them.

mod graph;
mod layers;
mod memory;
mod posterior;
mod search;
mod seat;

use super::prior::Prior;
use super::work::Work;
use crate::board::{Move, Position};

pub use posterior::{Decided, Reading, Step};
pub(super) use search::Decoder;

/// Where in the search a token is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The token, from 0.
    pub token: usize,
    /// The ply of its move, from 1, half-moves left out counted in.
    pub ply: u32,
}

/// Half-moves that may be missing before a token.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// How many in a row, at most.
    pub most: u32,
    /// Log cost (nats, at most 0) of each.
    pub cost: f32,
}

/// What was written: how each token can be read in a position.
pub trait Channel {
    /// Number of tokens.
    fn len(&self) -> usize;

    /// Whether there is no token.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts the readings of a token into `out`: indices into `legal`, the
    /// legal moves of `position`, with the log probability (nats, at most 0)
    /// that the token would be written for the move.
    fn readings(&self, at: At, position: &Position, legal: &[Move], out: &mut Vec<(usize, f32)>);

    /// Whether `mv` can have been played at a ply. What a person said is
    /// certain evidence; it rules out everything else.
    fn allows(&self, ply: u32, position: &Position, mv: Move) -> bool {
        let _ = (ply, position, mv);
        true
    }

    /// Log weight (nats) of the position after the last token: a recorded
    /// result, a mate, a known final position. 0 where nothing is known.
    fn ending(&self, position: &Position) -> f32 {
        let _ = position;
        0.0
    }

    /// The half-moves that may be missing before a token; at the index
    /// [`Channel::len`] those after the last one.
    fn gap(&self, token: usize) -> Gap {
        let _ = token;
        Gap::default()
    }

    /// Whether a token may be one too many.
    fn may_skip(&self, token: usize) -> bool {
        let _ = token;
        false
    }

    /// Whether a token and the next may have changed places.
    fn may_swap(&self, token: usize) -> bool {
        let _ = token;
        false
    }
}

/// How the decoder searches.
#[derive(Clone, Debug)]
pub struct LatticeOptions {
    /// Positions kept after each token.
    pub beam: usize,
    /// Positions this many nats below the best are dropped.
    pub window: f32,
    /// Positions that were dropped are taken up again when the beam dies,
    /// where they are not more nats than this below the best.
    pub revive: f32,
    /// Factor on the prior's log probabilities that makes the posterior
    /// honest (fitted on games kept for that, `docs/accuracy.md`).
    pub temperature: f32,
    /// Log cost of a token too many.
    pub skip_cost: f32,
    /// Log cost of a swapped pair.
    pub swap_cost: f32,
    /// Bytes that the positions of one sheet may hold. Where they would be
    /// more, those farthest behind are forgotten.
    pub memory: usize,
}

impl Default for LatticeOptions {
    fn default() -> LatticeOptions {
        LatticeOptions {
            beam: 64,
            window: 9.0,
            revive: 30.0,
            temperature: 0.75,
            skip_cost: -9.0,
            swap_cost: -8.0,
            memory: 32 << 20,
        }
    }
}

/// What the decoder found.
#[derive(Clone, Debug, Default)]
pub struct Decoding {
    /// The best line, a step a half-move (and one for each skipped token).
    pub steps: Vec<Step>,
    /// Number of tokens that could be read; below the number of tokens when
    /// no line explains them all.
    pub tokens_read: usize,
    /// Whether the beam died and positions that were dropped were taken up
    /// again.
    pub widened: bool,
}

impl Decoding {
    /// The moves of the best line.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.steps.iter().filter_map(|step| step.mv)
    }
}

/// Decodes the tokens of a game that begins at `start`.
#[must_use]
pub fn decode(
    start: &Position,
    channel: &dyn Channel,
    prior: &Prior,
    options: &LatticeOptions,
) -> Decoding {
    let mut decoder = Decoder::new(start, prior, options);
    decoder.read(channel, &mut Work::new(u32::MAX));
    decoder.decoding(channel)
}
