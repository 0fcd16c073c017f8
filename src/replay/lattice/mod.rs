//! Reading a whole sheet at once: a noisy-channel decoder.
//!
//! A token of an abbreviated or damaged sheet may have several legal readings.
//! They are all kept: a beam walks over consistent positions, each reading is
//! weighed by how well it explains the token (the channel) and how likely
//! people are to play it (the [`Prior`](super::prior::Prior), normalised over
//! all legal moves), and the whole rest of the game decides. The same search
//! finds missing half-moves, tokens too many and swapped pairs, where the
//! caller allows them.

mod posterior;
mod search;

use crate::board::{Move, Position};

pub use posterior::{Decided, Reading, Step};

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
    fn readings(
        &self,
        token: usize,
        position: &Position,
        legal: &[Move],
        out: &mut Vec<(usize, f32)>,
    );

    /// Log weight (nats) of the position after the last token: a recorded
    /// result, a mate, a known final position. 0 where nothing is known.
    fn ending(&self, position: &Position) -> f32 {
        let _ = position;
        0.0
    }

    /// Most half-moves that may be missing before a token; at the index
    /// [`Channel::len`] those after the last one.
    fn gap(&self, token: usize) -> u32 {
        let _ = token;
        0
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
    /// The beam is widened this many times when it dies, and the search
    /// begins again; 1 gives up at once.
    pub widen: usize,
    /// Factor on the prior's log probabilities that makes the posterior
    /// honest (fitted on games kept for that, `docs/accuracy.md`).
    pub temperature: f32,
    /// Log cost (nats) of a half-move that was left out.
    pub gap_cost: f32,
    /// Log cost of a token too many.
    pub skip_cost: f32,
    /// Log cost of a swapped pair.
    pub swap_cost: f32,
}

impl Default for LatticeOptions {
    fn default() -> LatticeOptions {
        LatticeOptions {
            beam: 64,
            window: 12.0,
            widen: 16,
            temperature: 0.85,
            gap_cost: -7.0,
            skip_cost: -9.0,
            swap_cost: -8.0,
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
    /// Whether the beam had to be widened.
    pub widened: bool,
    /// Log weight of everything that was kept, for comparing hypotheses.
    pub evidence: f64,
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
    prior: &super::prior::Prior,
    options: &LatticeOptions,
) -> Decoding {
    let mut search = search::Search::run(start, channel, prior, options, options.beam);
    let mut widened = false;
    if search.reached() < channel.len() && options.widen > 1 {
        search = search::Search::run(start, channel, prior, options, options.beam * options.widen);
        widened = true;
    }
    let mut decoding = posterior::decoding(&search, channel);
    decoding.widened = widened;
    decoding
}
