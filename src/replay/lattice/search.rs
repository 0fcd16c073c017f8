//! The forward pass: a beam over consistent positions.
//!
//! Positions are kept in layers, by what of the sheet was read on the way
//! there. A layer gives its best positions to the beam; the others stay in it.
//! When no way leads on, they are taken up one by one, the best first: nothing
//! is decoded twice.
//!
//! What can never be taken up is not kept ([`super::memory`]).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::Graph;
use super::layers::{Edge, Happened, Layer, MAX_GAP, MAX_TOKENS, NO_EDGE, Node, mark};
use super::memory::UNTIDY;
use super::{At, Channel, LatticeOptions};
use crate::board::{Move, MoveList, Position};
use crate::replay::prior::{Prior, Trail};
use crate::replay::work::Work;

/// Nodes that are sorted anew in the time in which one is expanded.
const OLD: usize = 64;

/// Positions that stay within twice the window.
const FEW: usize = 12;

/// The beam once all work is used up.
const NARROW: usize = 4;

/// A decoder at work on one sheet.
pub(in crate::replay) struct Decoder<'a> {
    prior: &'a Prior,
    pub(super) options: &'a LatticeOptions,
    start: Position,
    pub(super) graph: Graph,
    reached: usize,
    widened: bool,
    readings: Vec<(usize, f32)>,
    /// The layer that gives to the beam; those before have had their turn.
    pub(super) turn: Layer,
    /// Nats behind the best up to which positions are kept.
    pub(super) kept: f64,
    /// Bytes from which on it is tidied.
    pub(super) tidy_at: usize,
    /// Whether what the beam took alone fills the memory.
    pub(super) full: bool,
    /// The first layer that gave less to the beam than it would have.
    narrowed: Option<Layer>,
    /// Whether the search for a way on was cut short.
    given_up: bool,
}

impl<'a> Decoder<'a> {
    pub(in crate::replay) fn new(
        start: &Position,
        prior: &'a Prior,
        options: &'a LatticeOptions,
    ) -> Decoder<'a> {
        let window = f64::from(options.window);
        Decoder {
            prior,
            options,
            start: start.clone(),
            graph: Graph::new(start),
            reached: 0,
            widened: false,
            readings: Vec::new(),
            turn: Layer::new(0, true, 0),
            kept: f64::from(options.revive).max(2.0 * window),
            tidy_at: UNTIDY,
            full: false,
            narrowed: None,
            given_up: false,
        }
    }

    /// How many tokens were read.
    pub(in crate::replay) fn reached(&self) -> usize {
        self.reached
    }

    pub(super) fn widened(&self) -> bool {
        self.widened
    }

    /// Whether the work or the memory cut short a search on which the reading
    /// rests.
    pub(in crate::replay) fn was_cut(&self) -> bool {
        self.given_up || self.narrowed.is_some()
    }

    /// Reads the tokens to the end, or as far as the beam leads at its
    /// widest.
    pub(in crate::replay) fn read(&mut self, channel: &dyn Channel, work: &mut Work) {
        self.read_from(0, channel, work);
    }

    fn read_from(&mut self, first: usize, channel: &dyn Channel, work: &mut Work) {
        let tokens = tokens(channel);
        self.forward(first, channel, work);
        while self.reached < tokens && self.revive(channel, work) {
            self.forward(self.reached, channel, work);
        }
        self.graph.settle();
    }

    /// No way leads on: takes up what the beam left out, wherever it was, the
    /// nearest behind the best of its token first. A line that was hard to
    /// believe and goes on well overtakes those that die. Returns whether a
    /// way was found.
    fn revive(&mut self, channel: &dyn Channel, work: &mut Work) -> bool {
        let stuck = self.reached;
        self.widened = true;
        if self.full {
            self.given_up = true;
            return false;
        }
        self.turn = Layer::new(stuck, true, 0);
        self.weigh_all(channel);
        let tops = self.graph.tops().to_vec();
        let mut queue = self.queue(stuck, &tops, 0);
        let mut part = work.part();
        let mut spent = (self.graph.nodes.len() / OLD) as u32;
        let mut enough = u32::MAX;
        part.spend(spent * NODE);
        while let Some(Reverse((_, id))) = queue.pop() {
            if spent >= enough || !part.spend(NODE) {
                break;
            }
            let known = self.graph.nodes.len();
            self.expand(id, channel);
            spent += 1;
            if self.graph.bytes() < self.tidy_at {
                queue.append(&mut self.queue(stuck, &tops, known));
            } else {
                drop(queue);
                self.tidy();
                queue = self.queue(stuck, &tops, 0);
            }
            if self.full {
                break;
            }
            if self.graph.arrived > stuck && enough == u32::MAX {
                // Others may be as good.
                enough = 2 * spent.max(FEW as u32);
            }
        }
        work.take(part);
        let found = self.graph.arrived > stuck;
        let forgotten = self.kept < f64::from(self.options.revive);
        self.given_up |= !found && (part.was_cut() || self.full || forgotten);
        found
    }

    /// The positions that may be taken up, from the node `first` on, the
    /// nearest to the best of their token first.
    fn queue(&self, stuck: usize, tops: &[f64], first: usize) -> BinaryHeap<Reverse<(i32, u32)>> {
        let limit = f64::from(self.options.revive).min(self.kept);
        let behind = |node: &Node| -> Option<i32> {
            let top = tops.get(node.layer.read()).copied().unwrap_or(f64::NEG_INFINITY);
            let far = (top - node.alpha).clamp(-1e3, 1e6);
            // Of those that another idea of the channel left behind, without a
            // way to them, nothing can be said.
            let lives = node.alpha > f64::NEG_INFINITY;
            let near = lives && far <= limit && node.dropped();
            let before = node.layer.owed() || node.layer.read() <= stuck;
            // Thousandths of a nat, as numbers that can be ordered.
            (near && before).then_some((far * 1e3) as i32)
        };
        let queued = |(id, node): (usize, &Node)| Some(Reverse((behind(node)?, id as u32)));
        self.graph.nodes.iter().enumerate().skip(first).filter_map(queued).collect()
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
        self.graph.cut_behind(first);
        self.reached = self.graph.arrived;
        self.full = false;
        self.tidy_at = UNTIDY;
        // That no way on was found does not matter when one is found now.
        self.given_up = false;
        self.narrowed = self.narrowed.filter(|layer| *layer < first);
        self.read_from(from, channel, work);
    }

    /// The nodes from which the rest of the sheet is judged.
    pub(super) fn ends(&self) -> impl Iterator<Item = (u32, Position)> {
        Layer::of(self.reached)
            .filter(|layer| !layer.owed())
            .filter_map(|layer| self.graph.layer(layer))
            .flat_map(|nodes| &nodes.all)
            .filter_map(|id| {
                let seat = self.graph.nodes[*id as usize].seat;
                Some((*id, self.graph.seats.get(seat as usize)?.position()))
            })
    }

    /// Expands the best nodes of all layers from one token on.
    fn forward(&mut self, first: usize, channel: &dyn Channel, work: &mut Work) {
        let last = tokens(channel);
        for read in first..=last {
            if read > self.graph.last.read() {
                break;
            }
            for layer in Layer::of(read) {
                self.turn = layer;
                for node in self.best(layer, last, work) {
                    self.expand(node, channel);
                }
                self.tidy();
            }
        }
    }

    /// The nodes of a layer that are in the beam and were not expanded yet,
    /// the best first. The work has to last up to the token `until`.
    fn best(&mut self, layer: Layer, until: usize, work: &mut Work) -> Vec<u32> {
        let Some(layer_nodes) = self.graph.layer(layer) else { return Vec::new() };
        if !layer.owed() {
            self.reached = self.reached.max(layer.read());
        }
        let all = &self.graph.nodes;
        // Enough for the rest of the way has to be left over.
        let rest = until.saturating_sub(layer.read()).max(1);
        let share = if self.full { 0 } else { (work.left() / NODE / rest as u32) as usize };
        let (beam, window) = (self.options.beam, f64::from(self.options.window));
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
        let close = nodes.iter().take_while(|n| alpha(n) >= best - window).count();
        // Where few are left, one far behind may still be the right one.
        let far = best - 2.0 * window;
        let few = nodes.iter().take(FEW).take_while(|n| alpha(n) >= far).count();
        let wanted = close.max(few);
        nodes.truncate(wanted);
        nodes.retain(|n| all[*n as usize].dropped());
        if nodes.len() > share.max(NARROW) {
            nodes.truncate(share.max(NARROW));
            self.narrowed = Some(self.narrowed.map_or(layer, |first| first.min(layer)));
        }
        work.pay(nodes.len() as u32 * NODE);
        nodes
    }

    /// The position of a node, and the moves that led to it.
    fn stand_on(&self, id: u32) -> (Position, Trail) {
        let graph = &self.graph;
        let node = &graph.nodes[id as usize];
        if node.back == NO_EDGE {
            return (self.start.clone(), Trail::default());
        }
        let before = &graph.seats[graph.seat_of(node.back)];
        let (mut position, mut trail) = (before.position(), before.trail());
        if let Some(mv) = graph.edges[node.back as usize].mv {
            let captured = position.make(mv).captured().is_some();
            trail = trail.after(mv, captured);
        }
        (position, trail)
    }

    fn expand(&mut self, from: u32, channel: &dyn Channel) {
        let (position, trail) = self.stand_on(from);
        let seat = self.graph.sit(from, &position, trail);
        let Node { layer, ply, alpha, .. } = self.graph.nodes[from as usize];
        let tokens = tokens(channel);
        let (read, owed, token) = (layer.read(), layer.owed(), layer.token());
        let ply = ply + 1;
        let left_out = channel.gap(read);
        let may_gap = !owed && layer.gap() < left_out.most.min(MAX_GAP);
        let may_swap = !owed && read + 1 < tokens && channel.may_swap(read);
        let may_skip = !owed && token < tokens && channel.may_skip(token);
        if token >= tokens && !may_gap {
            return;
        }
        let legal: MoveList = position.legal_moves();
        let last = self.graph.last == layer;
        let alone = last && self.graph.layer(layer).is_some_and(|n| n.all.len() == 1);
        let lone = alone && !(may_gap || may_swap || may_skip);
        self.graph.seats[seat].lone = lone;
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
            steps.push((to, Edge { to: 0, mv: Some(mv), happened, weight }));
        };
        let at = |token| At { token, ply: u32::from(ply) };
        if token < tokens {
            readings.clear();
            channel.readings(at(token), &position, &legal, &mut readings);
            let to = Layer::new(read + usize::from(!owed), false, 0);
            let happened = Happened::Written;
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
            channel.readings(at(read + 1), &position, &legal, &mut readings);
            if !readings.is_empty() {
                let p = prior(&legal);
                let to = Layer::new(read + 2, true, 0);
                for (index, cost) in &readings {
                    let cost = cost + self.options.swap_cost;
                    add(to, legal[*index], Happened::Swapped, p[*index], cost);
                }
            }
        }
        if may_gap {
            let p = prior(&legal);
            let to = Layer::new(read, false, layer.gap() + 1);
            for (mv, p) in legal.iter().zip(p) {
                if channel.allows(u32::from(ply), &position, *mv) {
                    add(to, *mv, Happened::LeftOut, p, left_out.cost);
                }
            }
        }
        self.readings = readings;
        if may_skip {
            let weight = self.options.skip_cost;
            let to = Layer::new(read + 1, false, 0);
            steps.push((to, Edge { to: 0, mv: None, happened: Happened::Skipped, weight }));
        }
        for (layer, edge) in steps {
            if !lone && self.is_hopeless(layer, alpha + f64::from(edge.weight)) {
                self.graph.seats[seat].drops(edge.happened);
                continue;
            }
            let (key, ply) = match edge.mv {
                Some(mv) => (position.key_after(mv), ply),
                None => (position.key(), ply - 1),
            };
            self.graph.arrive(layer, edge, mark(key.0, ply), ply);
        }
    }

    /// Weighs the steps of lone nodes in full: there will be ways beside
    /// them.
    fn weigh_all(&mut self, channel: &dyn Channel) {
        let mut readings = Vec::new();
        for seat in 0..self.graph.seats.len() {
            let place = &mut self.graph.seats[seat];
            if !std::mem::take(&mut place.lone) {
                continue;
            }
            let (position, trail) = (place.position(), place.trail());
            let node = &self.graph.nodes[place.node as usize];
            let at = At { token: node.layer.token(), ply: u32::from(node.ply) + 1 };
            let legal = position.legal_moves();
            let p = self.prior.log_probabilities(&position, trail, &legal);
            readings.clear();
            channel.readings(at, &position, &legal, &mut readings);
            let edges = self.graph.edges_of(seat);
            for edge in &mut self.graph.edges[edges] {
                let said = |(index, _): &&(usize, f32)| Some(legal[*index]) == edge.mv;
                if let Some((index, cost)) = readings.iter().find(said) {
                    edge.weight = p[*index] * self.options.temperature + cost;
                }
            }
        }
        self.graph.settle();
    }
}

/// The tokens of a sheet that are read.
fn tokens(channel: &dyn Channel) -> usize {
    channel.len().min(MAX_TOKENS)
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
        let graph = &decoder.graph;
        let steps = |seat| graph.edges[graph.edges_of(seat)].iter().map(move |e| (seat, e.to));
        let steps: HashSet<(usize, u32)> = (0..graph.seats.len()).flat_map(steps).collect();
        assert_eq!(steps.len(), graph.edges.len(), "nothing is decoded twice");
        let nodes: HashSet<u32> = graph.seats.iter().map(|seat| seat.node).collect();
        assert_eq!(nodes.len(), graph.seats.len(), "nothing is looked at twice");
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
            let seen = decoder.graph.seats.len();
            assert_eq!(decoder.reached(), 100);
            assert!(seen <= most as usize + NARROW * 101, "{seen} positions");
            assert_eq!(decoder.was_cut(), most < 10_000);
        }
    }

    /// That the first reading was given up for want of work does not matter
    /// to the second, which leads to the end without.
    #[test]
    fn a_later_reading_that_is_whole_is_not_cut() {
        let (start, prior) = (Position::start(), Prior::uniform());
        let mut words: Vec<Option<&str>> = vec![None; 8];
        words[7] = Some("e5");
        let sheet = Squares(words.clone());
        let options = LatticeOptions { beam: 8, ..LatticeOptions::default() };
        let mut decoder = Decoder::new(&start, &prior, &options);
        let mut work = Work::new(8 * 8 * NODE * 3);
        // No piece of Black's gets to e0 in four moves.
        words[7] = Some("e0");
        decoder.read(&Squares(words), &mut work);
        assert_eq!(decoder.reached(), 7);
        assert!(decoder.was_cut());
        decoder.reread(7, &sheet, &mut Work::new(u32::MAX));
        assert_eq!(decoder.reached(), 8);
        assert!(!decoder.was_cut());
    }
}
