//! The lattice itself: which positions are known, and the steps between them.

use rustc_hash::FxHashMap;

use super::layers::{Edge, Layer, NO_EDGE, NO_SEAT, Node, log_add, mark};
use super::seat::Seat;
use crate::board::Position;
use crate::replay::prior::Trail;

/// Bytes of a node with its places in its layer and in the table.
const NODE_BYTES: usize = size_of::<Node>() + 16;

/// Bytes of a leaf: with one step to it, nearly always.
pub(super) const LEAF_BYTES: usize = NODE_BYTES + size_of::<Edge>();

/// Bytes of a position with its place in the order.
const SEAT_BYTES: usize = size_of::<Seat>() + 4;

/// An empty slot of the table.
const NOTHING: u32 = u32::MAX;

/// The nodes of a layer.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    pub all: Vec<u32>,
    /// The weight of the best, as it was met.
    pub top: f64,
}

/// Positions and steps.
#[derive(Debug)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    /// The edges of a seat lie together, in the order of the seats.
    pub edges: Vec<Edge>,
    /// Nodes that the beam took, in the order in which it did.
    pub seats: Vec<Seat>,
    /// The seats in the order of their layers, as [`Graph::settle`] saw them.
    pub order: Vec<u32>,
    layers: FxHashMap<Layer, Nodes>,
    /// Weight of the best node by how many tokens were read.
    tops: Vec<f64>,
    /// Finds nodes by layer and mark: open addressing, a power of two slots.
    table: Vec<u32>,
    /// The last layer that has nodes.
    pub last: Layer,
    /// Tokens that were read on the way to the last layer that owes none.
    pub arrived: usize,
}

impl Graph {
    pub(super) fn new(start: &Position) -> Graph {
        let first = Layer::new(0, false, 0);
        let root = Node { alpha: 0.0, best: 0.0, ..Node::new(first, 0, mark(start.key().0, 0)) };
        let mut graph = Graph {
            nodes: vec![root],
            edges: Vec::new(),
            seats: Vec::new(),
            order: Vec::new(),
            layers: [(first, Nodes { all: vec![0], top: 0.0 })].into_iter().collect(),
            tops: vec![0.0],
            table: Vec::new(),
            last: first,
            arrived: 0,
        };
        graph.build_table(64);
        graph
    }

    /// Bytes that it holds, as near as they can be told by counting.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * NODE_BYTES
            + self.edges.len() * size_of::<Edge>()
            + self.seats.len() * SEAT_BYTES
    }

    pub(super) fn layer(&self, layer: Layer) -> Option<&Nodes> {
        self.layers.get(&layer)
    }

    pub(super) fn layer_of(&self, seat: &Seat) -> Layer {
        self.nodes[seat.node as usize].layer
    }

    /// The weight of the best node by how many tokens were read.
    pub(super) fn tops(&self) -> &[f64] {
        &self.tops
    }

    /// Nats between a node and the best one that has read as much.
    pub(super) fn behind(&self, node: &Node) -> f64 {
        self.tops[node.layer.read()] - node.alpha
    }

    /// The edges of a seat.
    pub(super) fn edges_of(&self, seat: usize) -> std::ops::Range<usize> {
        let end = self.seats.get(seat + 1).map_or(self.edges.len(), |next| next.first as usize);
        self.seats[seat].first as usize..end
    }

    /// The seat in which an edge begins.
    pub(super) fn seat_of(&self, edge: u32) -> usize {
        self.seats.partition_point(|seat| seat.first <= edge).saturating_sub(1)
    }

    /// The seats from which tokens are read after the first `read`, the order
    /// being settled.
    pub(super) fn seats_at(&self, read: usize) -> &[u32] {
        let before = |read: usize| {
            self.order
                .partition_point(|seat| self.layer_of(&self.seats[*seat as usize]).read() < read)
        };
        &self.order[before(read)..before(read + 1)]
    }

    /// Gives a node the place for its position; its edges come next.
    pub(super) fn sit(&mut self, node: u32, position: &Position, trail: Trail) -> usize {
        let seat = self.seats.len();
        self.nodes[node as usize].seat = seat as u32;
        self.seats.push(Seat::new(node, self.edges.len() as u32, position, trail));
        seat
    }

    /// What the best of a layer and the best with as many tokens would have
    /// over a way of this weight.
    pub(super) fn behind_both(&self, layer: Layer, alpha: f64) -> (f64, f64) {
        let (of_layer, of_read) = (self.layers.get(&layer), self.tops.get(layer.read()));
        (
            of_layer.map_or(f64::NEG_INFINITY, |nodes| nodes.top) - alpha,
            of_read.map_or(f64::NEG_INFINITY, |top| *top) - alpha,
        )
    }

    /// Adds an edge of the last seat, and its node unless the position is
    /// there already.
    pub(super) fn arrive(&mut self, layer: Layer, mut edge: Edge, mark: u64, ply: u16) {
        let slot = self.slot(layer, mark);
        edge.to = self.table[slot];
        if edge.to == NOTHING {
            edge.to = self.nodes.len() as u32;
            self.table[slot] = edge.to;
            self.nodes.push(Node::new(layer, ply, mark));
            let empty = || Nodes { all: Vec::new(), top: f64::NEG_INFINITY };
            self.layers.entry(layer).or_insert_with(empty).all.push(edge.to);
            self.note(layer);
            if self.nodes.len() * 4 > self.table.len() * 3 {
                self.build_table(self.table.len() * 2);
            }
        }
        let id = self.edges.len() as u32;
        self.edges.push(edge);
        if let Some(seat) = self.seats.last() {
            self.relax(seat.node, id);
        }
        self.note_weight(edge.to);
    }

    fn note(&mut self, layer: Layer) {
        self.last = self.last.max(layer);
        if !layer.owed() {
            self.arrived = self.arrived.max(layer.read());
        }
    }

    fn note_weight(&mut self, id: u32) {
        let Node { layer, alpha, .. } = self.nodes[id as usize];
        if let Some(nodes) = self.layers.get_mut(&layer) {
            nodes.top = nodes.top.max(alpha);
        }
        if self.tops.len() <= layer.read() {
            self.tops.resize(layer.read() + 1, f64::NEG_INFINITY);
        }
        let top = &mut self.tops[layer.read()];
        *top = top.max(alpha);
    }

    /// Adds the ways over an edge to those of its node.
    fn relax(&mut self, from: u32, id: u32) {
        let edge = &self.edges[id as usize];
        let from = &self.nodes[from as usize];
        let alpha = from.alpha + f64::from(edge.weight);
        let best = from.best + edge.weight;
        let node = &mut self.nodes[edge.to as usize];
        node.alpha = log_add(node.alpha, alpha);
        if node.back == NO_EDGE || best > node.best {
            node.best = best;
            node.back = id;
        }
    }

    /// Puts the seats in the order of their layers, and sums up all ways
    /// again: edges that were found late change what lies behind them.
    pub(super) fn settle(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..self.seats.len() as u32);
        order.sort_by_key(|seat| self.layer_of(&self.seats[*seat as usize]));
        for node in self.nodes.iter_mut().skip(1) {
            node.alpha = f64::NEG_INFINITY;
            node.best = f32::NEG_INFINITY;
            node.back = NO_EDGE;
        }
        for seat in &order {
            let from = self.seats[*seat as usize].node;
            for id in self.edges_of(*seat as usize) {
                self.relax(from, id as u32);
            }
        }
        self.order = order;
        self.tops.fill(f64::NEG_INFINITY);
        for nodes in self.layers.values_mut() {
            nodes.top = f64::NEG_INFINITY;
        }
        for id in 0..self.nodes.len() as u32 {
            self.note_weight(id);
        }
    }

    /// Takes away what was found behind a layer, with all positions that no
    /// way leads to any more.
    pub(super) fn cut_behind(&mut self, first: Layer) {
        for node in self.nodes.iter_mut().filter(|node| node.layer >= first) {
            node.seat = NO_SEAT;
            node.back = NO_EDGE;
        }
        for seat in 0..self.seats.len() {
            if self.layer_of(&self.seats[seat]) < first {
                for id in self.edges_of(seat) {
                    let to = self.edges[id].to;
                    self.nodes[to as usize].back = id as u32;
                }
            }
        }
        let lives: Vec<bool> = self.nodes.iter().map(|node| node.back != NO_EDGE).collect();
        self.retain(|id| lives[id]);
        self.settle();
    }

    /// Keeps the nodes that the beam took, and of the others some.
    pub(super) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        // The root is the first, and stays.
        let mut next = 0;
        let mut moved = vec![NOTHING; self.nodes.len()];
        for (id, to) in moved.iter_mut().enumerate() {
            if id == 0 || !self.nodes[id].dropped() || keep(id) {
                *to = next;
                next += 1;
            }
        }
        self.retain_edges(&moved);
        let mut id = 0;
        self.nodes.retain(|_| {
            id += 1;
            moved[id - 1] != NOTHING
        });
        drop(moved);
        self.nodes.shrink_to(self.nodes.len() * 3 / 2);
        self.edges.shrink_to(self.edges.len() * 3 / 2);
        self.seats.shrink_to(self.seats.len() * 3 / 2);
        self.order.clear();
        self.build_table((self.nodes.len() * 2).next_power_of_two().max(64));
        (self.last, self.arrived) = (Layer::new(0, false, 0), 0);
        let layers: Vec<Layer> = self.layers.keys().copied().collect();
        for layer in layers {
            self.note(layer);
        }
    }

    /// Keeps the seats that nodes still have, and of their edges those to
    /// nodes that stay; numbers everything anew.
    fn retain_edges(&mut self, moved: &[u32]) {
        let (mut seats, mut edges) = (0, 0);
        for seat in 0..self.seats.len() {
            let range = self.edges_of(seat);
            let node = self.seats[seat].node;
            if self.nodes[node as usize].seat != seat as u32 {
                continue;
            }
            let first = edges;
            for id in range {
                let mut edge = self.edges[id];
                let to = &mut self.nodes[edge.to as usize];
                let new = moved[edge.to as usize];
                if new == NOTHING {
                    self.seats[seat].drops(edge.happened);
                    continue;
                }
                if to.back == id as u32 {
                    to.back = edges;
                }
                edge.to = new;
                self.edges[edges as usize] = edge;
                edges += 1;
            }
            self.nodes[node as usize].seat = seats;
            let seat = &mut self.seats[seat];
            (seat.first, seat.node) = (first, moved[node as usize]);
            let seat = seat.clone();
            self.seats[seats as usize] = seat;
            seats += 1;
        }
        self.edges.truncate(edges as usize);
        self.seats.truncate(seats as usize);
        self.layers.retain(|_, nodes| {
            nodes.all.retain_mut(|id| {
                *id = moved[*id as usize];
                *id != NOTHING
            });
            nodes.all.shrink_to(nodes.all.len() * 3 / 2);
            !nodes.all.is_empty()
        });
    }

    /// The slot of a node, or the empty one where it belongs.
    fn slot(&self, layer: Layer, mark: u64) -> usize {
        let last = self.table.len() - 1;
        let spread = (mark ^ layer.spread()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (spread >> 32) as usize & last;
        loop {
            let Some(node) = self.nodes.get(self.table[slot] as usize) else { return slot };
            if node.mark == mark && node.layer == layer {
                return slot;
            }
            slot = (slot + 1) & last;
        }
    }

    fn build_table(&mut self, slots: usize) {
        // The old one goes first: the nodes know everything.
        self.table = Vec::new();
        self.table = vec![NOTHING; slots];
        for id in 0..self.nodes.len() {
            let slot = self.slot(self.nodes[id].layer, self.nodes[id].mark);
            self.table[slot] = id as u32;
        }
    }
}
