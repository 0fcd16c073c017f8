//! What the search keeps: nodes, the steps between them, and the layers in
//! which they lie.

use rustc_hash::FxHashMap;

use crate::board::Move;

pub(super) const NO_EDGE: u32 = u32::MAX;

pub(super) const NO_SEAT: u32 = u32::MAX;

/// Largest number of half-moves left out in a row that is tried.
pub(super) const MAX_GAP: u32 = 4;

/// What happened on the way from one node to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happened {
    /// The token was written for the move.
    Written(u32),
    /// The move was made and not written.
    LeftOut,
    /// The token stands for no move.
    Skipped(u32),
}

/// A step of the lattice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub from: u32,
    pub to: u32,
    pub mv: Option<Move>,
    pub happened: Happened,
    /// Log weight, nats.
    pub weight: f32,
    /// Log weight of the channel, in `weight`.
    pub cost: f32,
    /// Whether all ways lead through `from`. Then the weight leaves out what
    /// they all share, and most of the model's work is saved.
    pub lone: bool,
}

/// A position that some reading of the tokens so far reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Log of the summed weight of all ways here.
    pub alpha: f64,
    /// Log weight of the best way here, and its last edge.
    pub best: f32,
    pub back: u32,
    /// Its layer.
    pub layer: Layer,
    /// Half-moves made so far.
    pub ply: u32,
    /// Tells it from the others of its layer.
    pub mark: u64,
    /// Where its position is kept, once it is wanted.
    pub seat: u32,
    /// Whether the beam took it.
    pub expanded: bool,
}

impl Node {
    pub(super) fn new(layer: Layer, ply: u32, mark: u64) -> Node {
        let (alpha, best) = (f64::NEG_INFINITY, f32::NEG_INFINITY);
        Node { alpha, best, back: NO_EDGE, layer, ply, mark, seat: NO_SEAT, expanded: false }
    }

    /// Whether the beam left it out.
    pub(super) fn dropped(&self) -> bool {
        !self.expanded
    }
}

/// What of the sheet was read: tokens, whether the token before the last one
/// read is still owed (a swapped pair), half-moves left out in a row. In this
/// order every step leads to a later layer: what is owed comes first, as it
/// feeds the layer of the same tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Layer(u32);

impl Layer {
    pub(super) fn new(read: usize, owed: bool, gap: u32) -> Layer {
        Layer((read as u32) << 4 | u32::from(!owed) << 3 | gap)
    }

    pub(super) fn read(self) -> usize {
        (self.0 >> 4) as usize
    }

    pub(super) fn owed(self) -> bool {
        self.0 & 8 == 0
    }

    pub(super) fn gap(self) -> u32 {
        self.0 & 7
    }

    /// All layers in which so many tokens were read.
    pub(super) fn of(read: usize) -> impl Iterator<Item = Layer> {
        let gaps = move |owed| (0..=MAX_GAP).map(move |gap| Layer::new(read, owed, gap));
        gaps(true).chain(gaps(false))
    }
}

/// The nodes of a layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    pub by_mark: FxHashMap<u64, u32>,
    pub all: Vec<u32>,
}

/// Tells nodes of a layer apart: the key of the position, and how many
/// half-moves led to it.
pub(super) fn mark(key: u64, ply: u32) -> u64 {
    key ^ u64::from(ply).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// log(e^a + e^b)
pub(super) fn log_add(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}
