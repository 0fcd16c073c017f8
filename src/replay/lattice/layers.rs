//! What the search keeps: nodes, the steps between them, and the layers in
//! which they lie. There may be hundreds of thousands, so that they are small.

use crate::board::Move;

pub(super) const NO_EDGE: u32 = u32::MAX;

pub(super) const NO_SEAT: u32 = u32::MAX;

/// Largest number of half-moves left out in a row that is tried.
pub(super) const MAX_GAP: u32 = 4;

/// Tokens of a sheet that are read, at most: a layer has twelve bits for
/// them.
pub(super) const MAX_TOKENS: usize = 4000;

/// What happened on the way from one node to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happened {
    /// The token that is next, or owed, was written for the move.
    Written,
    /// The token after the next one was written for the move.
    Swapped,
    /// The move was made and not written.
    LeftOut,
    /// The token stands for no move.
    Skipped,
}

/// A step of the lattice. Where it begins, its place among the edges tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub to: u32,
    /// Log weight, nats.
    pub weight: f32,
    pub mv: Option<Move>,
    pub happened: Happened,
}

/// A position that some reading of the tokens so far reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Log of the summed weight of all ways here.
    pub alpha: f64,
    /// Tells it from the others of its layer.
    pub mark: u64,
    /// Log weight of the best way here, and its last edge.
    pub best: f32,
    pub back: u32,
    /// Where its position is kept, once the beam took it.
    pub seat: u32,
    /// Its layer.
    pub layer: Layer,
    /// Half-moves made so far.
    pub ply: u16,
}

const _: () = assert!(size_of::<Edge>() == 12 && size_of::<Node>() == 32);

impl Node {
    pub(super) fn new(layer: Layer, ply: u16, mark: u64) -> Node {
        let (alpha, best) = (f64::NEG_INFINITY, f32::NEG_INFINITY);
        Node { alpha, mark, best, back: NO_EDGE, seat: NO_SEAT, layer, ply }
    }

    /// Whether the beam left it out, so far.
    pub(super) fn dropped(&self) -> bool {
        self.seat == NO_SEAT
    }
}

/// What of the sheet was read: tokens, whether the token before the last one
/// read is still owed (a swapped pair), half-moves left out in a row. In this
/// order every step leads to a later layer: what is owed comes first, as it
/// feeds the layer of the same tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Layer(u16);

impl Layer {
    pub(super) fn new(read: usize, owed: bool, gap: u32) -> Layer {
        debug_assert!(read <= MAX_TOKENS && gap <= MAX_GAP);
        Layer((read as u16) << 4 | u16::from(!owed) << 3 | gap as u16)
    }

    pub(super) fn read(self) -> usize {
        usize::from(self.0 >> 4)
    }

    pub(super) fn owed(self) -> bool {
        self.0 & 8 == 0
    }

    pub(super) fn gap(self) -> u32 {
        u32::from(self.0 & 7)
    }

    /// The token that comes next, from 0.
    pub(super) fn token(self) -> usize {
        if self.owed() { self.read().saturating_sub(2) } else { self.read() }
    }

    /// The token that a step from here read.
    pub(super) fn token_of(self, happened: Happened) -> Option<usize> {
        match happened {
            Happened::Written | Happened::Skipped => Some(self.token()),
            Happened::Swapped => Some(self.read() + 1),
            Happened::LeftOut => None,
        }
    }

    /// Bits for a table.
    pub(super) fn spread(self) -> u64 {
        u64::from(self.0) << 48
    }

    /// All layers in which so many tokens were read.
    pub(super) fn of(read: usize) -> impl Iterator<Item = Layer> {
        let gaps = move |owed| (0..=MAX_GAP).map(move |gap| Layer::new(read, owed, gap));
        gaps(true).chain(gaps(false))
    }
}

/// Tells nodes of a layer apart: the key of the position, and how many
/// half-moves led to it.
pub(super) fn mark(key: u64, ply: u16) -> u64 {
    key ^ u64::from(ply).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// log(e^a + e^b)
pub(super) fn log_add(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}
