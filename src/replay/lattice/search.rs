//! The forward pass: a beam over consistent positions.

use rustc_hash::FxHashMap;

use super::{At, Channel, LatticeOptions};
use crate::board::{Move, MoveList, Position};
use crate::replay::prior::{Prior, Trail};

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
}

/// A position that some reading of the tokens so far reaches.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub position: Position,
    pub trail: Trail,
    /// Half-moves made so far.
    pub ply: u32,
    /// Log of the summed weight of all ways here.
    pub alpha: f64,
    /// Log weight of the best way here, and its last edge.
    pub best: f32,
    pub back: u32,
    /// Whether the beam dropped it.
    pub dropped: bool,
}

/// Tokens read, half-moves left out in a row, whether the token before the
/// last one read is still owed (a swapped pair).
type State = (usize, u32, bool);

pub(super) struct Search {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Nodes that have read all tokens, or all that could be read.
    pub last: Vec<u32>,
    reached: usize,
}

pub(super) const NO_EDGE: u32 = u32::MAX;

/// Positions that stay within twice the window.
const FEW: usize = 12;

/// The beam once all work is used up.
const NARROW: usize = 4;

/// Largest number of half-moves left out in a row that is tried.
const MAX_GAP: u32 = 4;

struct Building<'a> {
    search: Search,
    /// Nodes by state, and in it by position key.
    layers: FxHashMap<State, FxHashMap<u64, u32>>,
    channel: &'a dyn Channel,
    prior: &'a Prior,
    options: &'a LatticeOptions,
    /// Positions that were looked at.
    work: usize,
    readings: Vec<(usize, f32)>,
}

impl Search {
    /// How many tokens were read.
    pub(super) fn reached(&self) -> usize {
        self.reached
    }

    pub(super) fn run(
        start: &Position,
        channel: &dyn Channel,
        prior: &Prior,
        options: &LatticeOptions,
    ) -> Search {
        let mut building = Building {
            search: Search { nodes: Vec::new(), edges: Vec::new(), last: Vec::new(), reached: 0 },
            layers: FxHashMap::default(),
            channel,
            prior,
            options,
            work: 0,
            readings: Vec::new(),
        };
        building.search.nodes.push(Node {
            position: start.clone(),
            trail: Trail::default(),
            ply: 0,
            alpha: 0.0,
            best: 0.0,
            back: NO_EDGE,
            dropped: false,
        });
        building.layers.entry((0, 0, false)).or_default().insert(mark(start, 0), 0);
        let tokens = channel.len();
        for read in 0..=tokens {
            // A swapped pair first: its nodes feed the next layer.
            for owed in [true, false] {
                for gap in 0..=MAX_GAP {
                    let nodes = building.take_layer((read, gap, owed));
                    if nodes.is_empty() {
                        continue;
                    }
                    if !owed {
                        // Ways that read everything before `read` fall into
                        // one set, whatever was left out on the way.
                        if building.search.reached < read || building.search.last.is_empty() {
                            building.search.reached = read;
                            building.search.last.clear();
                        }
                        building.search.last.extend(&nodes);
                    }
                    for node in nodes {
                        building.expand(node, (read, gap, owed));
                    }
                }
            }
        }
        building.search
    }
}

impl Building<'_> {
    /// The nodes of a state that stay in the beam, the best first.
    fn take_layer(&mut self, state: State) -> Vec<u32> {
        let Some(layer) = self.layers.remove(&state) else { return Vec::new() };
        let mut nodes: Vec<u32> = layer.into_values().collect();
        let all = &self.search.nodes;
        nodes.sort_by(|a, b| {
            let (x, y) = (&all[*a as usize], &all[*b as usize]);
            y.alpha.total_cmp(&x.alpha).then_with(|| x.position.key().cmp(&y.position.key()))
        });
        let best = nodes.first().map_or(0.0, |n| all[*n as usize].alpha);
        let worst = best - f64::from(self.options.window);
        let options = self.options;
        let beam = match self.work / options.work.max(1) {
            0 => options.beam,
            1 => options.beam.min(options.usual),
            _ => options.beam.min(NARROW),
        };
        let weight = |n: &u32| all[*n as usize].alpha;
        let close = nodes.iter().take(beam.max(1)).take_while(|n| weight(n) >= worst).count();
        // Where few are left, one far behind may still be the right one.
        let worst = best - 2.0 * f64::from(self.options.window);
        let few = nodes.iter().take(FEW.min(beam)).take_while(|n| weight(n) >= worst).count();
        let keep = close.max(few);
        for node in nodes.drain(keep..) {
            self.search.nodes[node as usize].dropped = true;
        }
        self.work += nodes.len();
        nodes
    }

    fn expand(&mut self, from: u32, (read, gap, owed): State) {
        let tokens = self.channel.len();
        let token = if owed { read.wrapping_sub(2) } else { read };
        let node = &self.search.nodes[from as usize];
        let (position, trail, ply) = (node.position.clone(), node.trail, node.ply + 1);
        let legal: MoveList = position.legal_moves();
        let left_out = self.channel.gap(read);
        let may_gap = !owed && gap < left_out.most.min(MAX_GAP);
        let may_swap = !owed && read + 1 < tokens && self.channel.may_swap(read);
        if token >= tokens && !may_gap {
            return;
        }
        let mut scores = None;
        let mut prior = |legal: &[Move]| {
            scores
                .get_or_insert_with(|| {
                    let mut p = self.prior.log_probabilities(&position, trail, legal);
                    for p in &mut p {
                        *p *= self.options.temperature;
                    }
                    p
                })
                .clone()
        };
        let mut readings = std::mem::take(&mut self.readings);
        let mut added: Vec<(State, Move, Happened, f32)> = Vec::new();
        if token < tokens {
            readings.clear();
            self.channel.readings(At { token, ply }, &position, &legal, &mut readings);
            if !readings.is_empty() {
                let p = prior(&legal);
                let next = (read + usize::from(!owed), 0, false);
                for (index, cost) in &readings {
                    let happened = Happened::Written(token as u32);
                    added.push((next, legal[*index], happened, p[*index] + cost));
                }
            }
        }
        if may_swap {
            readings.clear();
            self.channel.readings(At { token: read + 1, ply }, &position, &legal, &mut readings);
            if !readings.is_empty() {
                let p = prior(&legal);
                for (index, cost) in &readings {
                    let weight = p[*index] + cost + self.options.swap_cost;
                    let happened = Happened::Written(read as u32 + 1);
                    added.push(((read + 2, 0, true), legal[*index], happened, weight));
                }
            }
        }
        if may_gap {
            let p = prior(&legal);
            for (mv, p) in legal.iter().zip(p) {
                if self.channel.allows(ply, &position, *mv) {
                    let weight = p + left_out.cost;
                    added.push(((read, gap + 1, false), *mv, Happened::LeftOut, weight));
                }
            }
        }
        self.readings = readings;
        for (state, mv, happened, weight) in added {
            self.play(from, state, mv, happened, weight, &position, trail);
        }
        if token < tokens && !owed && self.channel.may_skip(token) {
            let edge = Edge {
                from,
                to: 0,
                mv: None,
                happened: Happened::Skipped(token as u32),
                weight: self.options.skip_cost,
            };
            self.arrive((read + 1, 0, false), edge, position, trail, ply - 1);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one step of the search")]
    fn play(
        &mut self,
        from: u32,
        state: State,
        mv: Move,
        happened: Happened,
        weight: f32,
        position: &Position,
        trail: Trail,
    ) {
        let mut after = position.clone();
        let captured = after.make(mv).captured().is_some();
        let edge = Edge { from, to: 0, mv: Some(mv), happened, weight };
        let ply = self.search.nodes[from as usize].ply + 1;
        self.arrive(state, edge, after, trail.after(mv, captured), ply);
    }

    /// Adds an edge, and its node unless the position is there already.
    fn arrive(&mut self, state: State, mut edge: Edge, position: Position, trail: Trail, ply: u32) {
        let from = &self.search.nodes[edge.from as usize];
        let alpha = from.alpha + f64::from(edge.weight);
        let best = from.best + edge.weight;
        let id = self.search.edges.len() as u32;
        let layer = self.layers.entry(state).or_default();
        let next = self.search.nodes.len() as u32;
        edge.to = *layer.entry(mark(&position, ply)).or_insert(next);
        if edge.to == next {
            let node = Node { position, trail, ply, alpha, best, back: id, dropped: false };
            self.search.nodes.push(node);
        } else {
            let node = &mut self.search.nodes[edge.to as usize];
            node.alpha = log_add(node.alpha, alpha);
            if best > node.best {
                node.best = best;
                node.back = id;
                node.trail = trail;
            }
        }
        self.search.edges.push(edge);
    }
}

/// Tells nodes of a layer apart: the position, and how many half-moves led to
/// it.
fn mark(position: &Position, ply: u32) -> u64 {
    position.key().0 ^ u64::from(ply).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// log(e^a + e^b)
pub(super) fn log_add(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}
