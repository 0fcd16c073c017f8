//! The forward pass: a beam over consistent positions.
//!
//! Positions are kept in layers, by what of the sheet was read on the way
//! there. A layer gives its best positions to the beam; the others stay in it.
//! When no way leads on, they are taken up one by one, the best first: nothing
//! is decoded twice.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::layers::{Edge, Happened, Layer, MAX_GAP, NO_EDGE, NO_SEAT, Node, Nodes, log_add, mark};
use super::{At, Channel, LatticeOptions};
use crate::board::{Move, MoveList, Position};
use crate::replay::prior::{Prior, Trail};
use crate::replay::work::Work;

/// How much of a layer is looked at.
#[derive(Clone, Copy, Debug)]
struct Width {
    beam: usize,
    /// Nats below the best of the layer.
    window: f64,
    /// The token up to which the work has to last.
    until: usize,
}

/// A position that was looked at.
#[derive(Clone, Debug)]
struct Seat {
    position: Position,
    trail: Trail,
}

/// Nodes that are sorted anew in the time in which one is expanded.
const OLD: usize = 64;

/// Positions that stay within twice the window.
const FEW: usize = 12;

/// The beam once all work is used up.
const NARROW: usize = 4;

/// A decoder at work on one sheet.
pub(in crate::replay) struct Decoder<'a> {
    prior: &'a Prior,
    options: &'a LatticeOptions,
    pub(super) nodes: Vec<Node>,
    /// A node's edges lie together, in the order of the layers once
    /// [`Decoder::settle`] was called.
    pub(super) edges: Vec<Edge>,
    seats: Vec<Seat>,
    layers: FxHashMap<Layer, Nodes>,
    /// The last layer that has nodes.
    last: Layer,
    /// Tokens that were read on the way to the last layer that owes none.
    arrived: usize,
    reached: usize,
    widened: bool,
    readings: Vec<(usize, f32)>,
}

impl<'a> Decoder<'a> {
    pub(in crate::replay) fn new(
        start: &Position,
        prior: &'a Prior,
        options: &'a LatticeOptions,
    ) -> Decoder<'a> {
        let first = Layer::new(0, false, 0);
        let mark = mark(start.key().0, 0);
        let root = Node { alpha: 0.0, best: 0.0, seat: 0, ..Node::new(first, 0, mark) };
        let nodes = Nodes { by_mark: [(mark, 0)].into_iter().collect(), all: vec![0] };
        Decoder {
            prior,
            options,
            nodes: vec![root],
            edges: Vec::new(),
            seats: vec![Seat { position: start.clone(), trail: Trail::default() }],
            layers: [(first, nodes)].into_iter().collect(),
            last: first,
            arrived: 0,
            reached: 0,
            widened: false,
            readings: Vec::new(),
        }
    }

    /// How many tokens were read.
    pub(in crate::replay) fn reached(&self) -> usize {
        self.reached
    }

    pub(super) fn widened(&self) -> bool {
        self.widened
    }

    /// Reads the tokens to the end, or as far as the beam leads at its
    /// widest.
    pub(in crate::replay) fn read(&mut self, channel: &dyn Channel, work: &mut Work) {
        self.read_from(0, channel, work);
    }

    fn read_from(&mut self, first: usize, channel: &dyn Channel, work: &mut Work) {
        let tokens = channel.len();
        let window = f64::from(self.options.window);
        let usual = Width { beam: self.options.beam, window, until: tokens };
        self.forward(first, tokens, channel, usual, work);
        while self.reached < tokens && self.revive(channel, work) {
            self.forward(self.reached, tokens, channel, usual, work);
        }
        self.settle();
    }

    /// No way leads on: takes up what the beam left out, wherever it was, the
    /// nearest behind the best of its token first. A line that was hard to
    /// believe and goes on well overtakes those that die. Returns whether a
    /// way was found.
    fn revive(&mut self, channel: &dyn Channel, work: &mut Work) -> bool {
        let stuck = self.reached;
        self.widened = true;
        self.weigh_all();
        let mut best = vec![f64::NEG_INFINITY; channel.len() + 1];
        for node in &self.nodes {
            let best = &mut best[node.layer.read()];
            *best = best.max(node.alpha);
        }
        let limit = f64::from(self.options.revive);
        let behind = |node: &Node| -> Option<i64> {
            let far = (best[node.layer.read()] - node.alpha).max(-1e3);
            // Of those that another idea of the channel left behind, without a
            // way to them, nothing can be said.
            let lives = node.alpha > f64::NEG_INFINITY;
            let near = lives && far <= limit && !node.expanded;
            let before = node.layer.owed() || node.layer.read() <= stuck;
            // Thousandths of a nat, as numbers that can be ordered.
            (near && before).then_some((far * 1e3) as i64)
        };
        let queued = |(id, node): (usize, &Node)| Some(Reverse((behind(node)?, id as u32)));
        let mut queue: BinaryHeap<Reverse<(i64, u32)>> =
            self.nodes.iter().enumerate().filter_map(queued).collect();
        let mut part = work.part();
        let mut spent = (self.nodes.len() / OLD) as u32;
        let mut enough = u32::MAX;
        part.spend(spent * NODE);
        while let Some(Reverse((_, id))) = queue.pop() {
            if spent >= enough || !part.spend(NODE) {
                break;
            }
            let known = self.nodes.len();
            self.expand(id, self.nodes[id as usize].layer, channel);
            spent += 1;
            let queued = |(id, node): (usize, &Node)| Some(Reverse((behind(node)?, id as u32)));
            queue.extend(self.nodes.iter().enumerate().skip(known).filter_map(queued));
            if self.arrived > stuck && enough == u32::MAX {
                // Others may be as good.
                enough = 2 * spent.max(FEW as u32);
            }
        }
        work.take(part);
        if self.arrived == stuck && part.was_cut() {
            work.note_cut();
        }
        self.arrived > stuck
    }

    /// Forgets what was read from a token on, and reads on from there with
    /// another idea of the channel.
    pub(in crate::replay) fn reread(
        &mut self,
        from: usize,
        channel: &dyn Channel,
        work: &mut Work,
    ) {
        let first = Layer::new(from, true, 0);
        let nodes = &mut self.nodes;
        self.edges.retain(|edge| nodes[edge.from as usize].layer < first);
        for (id, node) in nodes.iter_mut().enumerate().filter(|(_, n)| n.layer >= first) {
            node.expanded = false;
            node.seat = if id == 0 { 0 } else { NO_SEAT };
        }
        self.settle();
        let nodes = &self.nodes;
        let lives = |id: &u32| *id == 0 || nodes[*id as usize].back != NO_EDGE;
        self.layers.retain(|layer, of| {
            if *layer >= first {
                of.all.retain(lives);
                of.by_mark.retain(|_, id| lives(id));
            }
            !of.all.is_empty()
        });
        self.last = self.layers.keys().copied().max().unwrap_or(first);
        let before = self.layers.keys().filter(|layer| !layer.owed()).max();
        self.reached = before.map_or(0, |layer| layer.read());
        self.arrived = self.reached;
        self.read_from(from, channel, work);
    }

    /// The nodes from which the rest of the sheet is judged.
    pub(super) fn ends(&self) -> impl Iterator<Item = (u32, &Position)> {
        Layer::of(self.reached)
            .filter(|layer| !layer.owed())
            .filter_map(|layer| self.layers.get(&layer))
            .flat_map(|nodes| &nodes.all)
            .filter_map(|id| {
                let seat = self.seats.get(self.nodes[*id as usize].seat as usize)?;
                Some((*id, &seat.position))
            })
    }

    /// Expands the best nodes of all layers from one token to another.
    fn forward(
        &mut self,
        first: usize,
        last: usize,
        channel: &dyn Channel,
        width: Width,
        work: &mut Work,
    ) {
        for read in first..=last {
            if read > self.last.read() {
                break;
            }
            for layer in Layer::of(read) {
                for node in self.best(layer, width, work) {
                    self.expand(node, layer, channel);
                }
            }
        }
    }

    /// The nodes of a layer that are in the beam and were not expanded yet,
    /// the best first.
    fn best(&mut self, layer: Layer, width: Width, work: &mut Work) -> Vec<u32> {
        let Some(layer_nodes) = self.layers.get(&layer) else { return Vec::new() };
        if !layer.owed() {
            self.reached = self.reached.max(layer.read());
        }
        let all = &self.nodes;
        // Enough for the rest of the way has to be left over.
        let tokens = width.until.saturating_sub(layer.read()).max(1);
        let share = (work.left() / NODE / tokens as u32) as usize;
        let beam = width.beam;
        let better = |a: &u32, b: &u32| {
            let (x, y) = (&all[*a as usize], &all[*b as usize]);
            y.alpha.total_cmp(&x.alpha).then_with(|| x.mark.cmp(&y.mark))
        };
        let mut nodes = layer_nodes.all.clone();
        if nodes.len() > beam {
            nodes.select_nth_unstable_by(beam, better);
            nodes.truncate(beam);
        }
        nodes.sort_unstable_by(better);
        let alpha = |n: &u32| all[*n as usize].alpha;
        let best = nodes.first().map_or(0.0, alpha);
        let close = nodes.iter().take_while(|n| alpha(n) >= best - width.window).count();
        // Where few are left, one far behind may still be the right one.
        let far = best - 2.0 * width.window;
        let few = nodes.iter().take(FEW).take_while(|n| alpha(n) >= far).count();
        let wanted = close.max(few);
        nodes.truncate(wanted);
        nodes.retain(|n| all[*n as usize].dropped());
        if nodes.len() > share.max(NARROW) {
            nodes.truncate(share.max(NARROW));
            work.note_cut();
        }
        work.spend(nodes.len() as u32 * NODE);
        nodes
    }

    /// The position of a node.
    fn seat(&mut self, id: u32) -> Seat {
        let node = &self.nodes[id as usize];
        if let Some(seat) = self.seats.get(node.seat as usize) {
            return seat.clone();
        }
        let edge = &self.edges[node.back as usize];
        let mut seat = self.seats[self.nodes[edge.from as usize].seat as usize].clone();
        if let Some(mv) = edge.mv {
            let captured = seat.position.make(mv).captured().is_some();
            seat.trail = seat.trail.after(mv, captured);
        }
        self.nodes[id as usize].seat = self.seats.len() as u32;
        self.seats.push(seat.clone());
        seat
    }

    fn expand(&mut self, from: u32, layer: Layer, channel: &dyn Channel) {
        let Seat { position, trail } = self.seat(from);
        self.nodes[from as usize].expanded = true;
        let tokens = channel.len();
        let (read, owed) = (layer.read(), layer.owed());
        let token = if owed { read.wrapping_sub(2) } else { read };
        let ply = self.nodes[from as usize].ply + 1;
        let left_out = channel.gap(read);
        let may_gap = !owed && layer.gap() < left_out.most.min(MAX_GAP);
        let may_swap = !owed && read + 1 < tokens && channel.may_swap(read);
        let may_skip = !owed && token < tokens && channel.may_skip(token);
        if token >= tokens && !may_gap {
            return;
        }
        let legal: MoveList = position.legal_moves();
        let alone = self.last == layer && self.layers.get(&layer).is_some_and(|n| n.all.len() == 1);
        let lone = alone && !(may_gap || may_swap || may_skip);
        let mut scores = None;
        let mut prior = |moves: &[Move]| {
            scores
                .get_or_insert_with(|| self.prior.log_probabilities(&position, trail, moves))
                .clone()
        };
        let mut readings = std::mem::take(&mut self.readings);
        let mut steps: Vec<(Layer, Edge)> = Vec::new();
        let factor = self.options.temperature;
        let mut add = |to, mv, happened, log: f32, cost: f32| {
            let weight = log * factor + cost;
            let edge = Edge { from, to: 0, mv: Some(mv), happened, weight, cost, lone };
            steps.push((to, edge));
        };
        if token < tokens {
            readings.clear();
            channel.readings(At { token, ply }, &position, &legal, &mut readings);
            let to = Layer::new(read + usize::from(!owed), false, 0);
            let happened = Happened::Written(token as u32);
            if lone {
                let moves: MoveList = readings.iter().map(|(index, _)| legal[*index]).collect();
                let p = if moves.len() > 1 { prior(&moves) } else { smallvec::smallvec![0.0] };
                for ((mv, p), (_, cost)) in moves.iter().zip(p).zip(&readings) {
                    add(to, *mv, happened, p, *cost);
                }
            } else if !readings.is_empty() {
                let p = prior(&legal);
                for (index, cost) in &readings {
                    add(to, legal[*index], happened, p[*index], *cost);
                }
            }
        }
        if may_swap {
            readings.clear();
            channel.readings(At { token: read + 1, ply }, &position, &legal, &mut readings);
            if !readings.is_empty() {
                let p = prior(&legal);
                let happened = Happened::Written(read as u32 + 1);
                for (index, cost) in &readings {
                    let cost = cost + self.options.swap_cost;
                    add(Layer::new(read + 2, true, 0), legal[*index], happened, p[*index], cost);
                }
            }
        }
        if may_gap {
            let p = prior(&legal);
            let to = Layer::new(read, false, layer.gap() + 1);
            for (mv, p) in legal.iter().zip(p) {
                if channel.allows(ply, &position, *mv) {
                    add(to, *mv, Happened::LeftOut, p, left_out.cost);
                }
            }
        }
        self.readings = readings;
        for (layer, edge) in steps {
            let key = edge.mv.map_or(position.key(), |mv| position.key_after(mv));
            self.arrive(layer, edge, mark(key.0, ply), ply);
        }
        if may_skip {
            let cost = self.options.skip_cost;
            let happened = Happened::Skipped(token as u32);
            let edge = Edge { from, to: 0, mv: None, happened, weight: cost, cost, lone };
            let to = Layer::new(read + 1, false, 0);
            self.arrive(to, edge, mark(position.key().0, ply - 1), ply - 1);
        }
    }

    /// Adds an edge, and its node unless the position is there already.
    fn arrive(&mut self, layer: Layer, mut edge: Edge, mark: u64, ply: u32) {
        let next = self.nodes.len() as u32;
        let nodes = self.layers.entry(layer).or_default();
        edge.to = *nodes.by_mark.entry(mark).or_insert(next);
        if edge.to == next {
            nodes.all.push(next);
            self.nodes.push(Node::new(layer, ply, mark));
            self.last = self.last.max(layer);
            if !layer.owed() {
                self.arrived = self.arrived.max(layer.read());
            }
        }
        let id = self.edges.len() as u32;
        self.edges.push(edge);
        self.relax(id);
    }

    /// Adds the ways over an edge to those of its node.
    fn relax(&mut self, id: u32) {
        let edge = &self.edges[id as usize];
        let from = &self.nodes[edge.from as usize];
        let alpha = from.alpha + f64::from(edge.weight);
        let best = from.best + edge.weight;
        let node = &mut self.nodes[edge.to as usize];
        node.alpha = log_add(node.alpha, alpha);
        if node.back == NO_EDGE || best > node.best {
            node.best = best;
            node.back = id;
        }
    }

    /// Weighs the steps of lone nodes in full: there will be ways beside
    /// them.
    fn weigh_all(&mut self) {
        let mut known = None;
        for edge in &mut self.edges {
            let node = &self.nodes[edge.from as usize];
            let (true, Some(mv)) = (edge.lone, edge.mv) else { continue };
            let Some(seat) = self.seats.get(node.seat as usize) else { continue };
            if known.as_ref().is_none_or(|(id, _, _)| *id != edge.from) {
                let legal = seat.position.legal_moves();
                let p = self.prior.log_probabilities(&seat.position, seat.trail, &legal);
                known = Some((edge.from, legal, p));
            }
            let log = known.as_ref().and_then(|(_, legal, p)| {
                legal.iter().position(|known| *known == mv).map(|index| p[index])
            });
            edge.weight = log.unwrap_or(0.0) * self.options.temperature + edge.cost;
            edge.lone = false;
        }
        self.settle();
    }

    /// Puts the edges in the order of their layers, and sums up all ways
    /// again: edges that were found late change what lies behind them.
    fn settle(&mut self) {
        let nodes = &mut self.nodes;
        self.edges.sort_by_key(|edge| nodes[edge.from as usize].layer);
        for node in nodes.iter_mut().skip(1) {
            node.alpha = f64::NEG_INFINITY;
            node.best = f32::NEG_INFINITY;
            node.back = NO_EDGE;
        }
        for id in 0..self.edges.len() as u32 {
            self.relax(id);
        }
    }
}

/// Work of looking at a node, in plies that are tried.
const NODE: u32 = 50;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::PieceKind;

    /// A sheet of which each token names the square a piece goes to, or
    /// nothing. That it was a cannon is hard to believe.
    struct Squares(Vec<Option<&'static str>>);

    impl Channel for Squares {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn readings(&self, at: At, on: &Position, legal: &[Move], out: &mut Vec<(usize, f32)>) {
            for (index, mv) in legal.iter().enumerate() {
                let cannon = on.piece_at(mv.from).is_some_and(|p| p.kind == PieceKind::Cannon);
                if self.0[at.token].is_none_or(|to| mv.to.to_string() == to) {
                    out.push((index, if cannon { -5.0 } else { 0.0 }));
                }
            }
        }
    }

    /// A beam of one believes in an elephant on e2, but only a cannon can go
    /// from there to the pawn on e6.
    #[test]
    fn a_line_that_dies_is_taken_up_where_it_was_left() {
        let (start, prior) = (Position::start(), Prior::uniform());
        let sheet = Squares(vec![Some("e2"), Some("g7"), Some("e6"), Some("c7")]);
        let narrow = LatticeOptions { beam: 1, window: 6.0, revive: 0.0, ..Default::default() };
        let wide = LatticeOptions { revive: 12.0, ..narrow.clone() };
        let read = |options| {
            let mut decoder = Decoder::new(&start, &prior, options);
            decoder.read(&sheet, &mut Work::new(u32::MAX));
            decoder
        };
        assert_eq!(read(&narrow).reached(), 2);
        let decoder = read(&wide);
        assert_eq!(decoder.reached(), 4);
        let steps: HashSet<(u32, u32)> = decoder.edges.iter().map(|e| (e.from, e.to)).collect();
        assert_eq!(steps.len(), decoder.edges.len(), "nothing is decoded twice");
        let moves = decoder.decoding(&sheet);
        assert!(moves.widened);
        assert!(moves.moves().map(|mv| mv.to.to_string()).eq(["e2", "g7", "e6", "c7"]));
    }

    #[test]
    fn a_search_without_work_goes_on_narrowly_and_says_so() {
        let (start, prior) = (Position::start(), Prior::uniform());
        let sheet = Squares(vec![None; 100]);
        let options = LatticeOptions::default();
        for most in [0, 1000, 10_000] {
            let mut work = Work::new(most * NODE);
            let mut decoder = Decoder::new(&start, &prior, &options);
            decoder.read(&sheet, &mut work);
            let seen = decoder.seats.len();
            assert_eq!(decoder.reached(), 100);
            assert!(seen <= most as usize + NARROW * 101, "{seen} positions");
            assert_eq!(work.was_cut(), most < 10_000);
        }
    }
}
