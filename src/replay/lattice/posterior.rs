//! The backward pass: how sure each step of the best line is, what else it
//! could be, and what decided.

use super::graph::Graph;
use super::layers::{Edge, NO_EDGE, log_add};
use super::search::Decoder;
use super::{Channel, Decoding};
use crate::board::Move;

/// What decided a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// The token has one reading only, or the others are not legal here.
    Legality,
    /// The other readings cannot explain token `n` (counted from 0) and
    /// those before it.
    LaterToken(u32),
    /// The rest of the game allows several; the model of likely moves and
    /// the channel chose.
    Prior,
}

/// A reading that was weighed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The move.
    pub mv: Move,
    /// Its probability given the whole sheet, 0 to 1.
    pub probability: f32,
}

/// One step of the best line.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The token that was read, from 0; `None` for a half-move left out.
    pub token: Option<usize>,
    /// The move; `None` for a token that stands for no move.
    pub mv: Option<Move>,
    /// How sure the reading is, given the whole sheet, 0 to 1.
    pub probability: f32,
    /// All readings of the token with a probability of at least 0.001, the
    /// likeliest first; the chosen one is among them.
    pub readings: Vec<Reading>,
    /// What decided.
    pub decided: Decided,
}

impl Decoder<'_> {
    /// What was found.
    pub(in crate::replay) fn decoding(&self, channel: &dyn Channel) -> Decoding {
        decoding(self, channel)
    }
}

fn decoding(search: &Decoder<'_>, channel: &dyn Channel) -> Decoding {
    let graph = &search.graph;
    let ends: Vec<(u32, f32)> =
        search.ends().map(|(node, position)| (node, channel.ending(&position))).collect();
    let ways = Ways::back(graph, &ends);
    let ending =
        |(node, ending): &(u32, f32)| graph.nodes[*node as usize].alpha + f64::from(*ending);
    let Some(total) = ends.iter().map(ending).reduce(log_add) else { return Decoding::default() };

    // The best line, from its end.
    let best_end = ends
        .iter()
        .map(|(node, ending)| (*node, graph.nodes[*node as usize].best + ending))
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let mut line = Vec::new();
    let mut at = best_end.map_or(0, |(node, _)| node);
    while graph.nodes[at as usize].back != NO_EDGE {
        let edge = graph.nodes[at as usize].back;
        let seat = graph.seat_of(edge);
        line.push((seat, edge));
        at = graph.seats[seat].node;
    }
    line.reverse();

    let steps = line.into_iter().map(|(seat, edge)| ways.step(seat, edge, total)).collect();
    Decoding { steps, tokens_read: search.reached(), widened: search.widened() }
}

/// How far the ways from a node lead.
#[derive(Clone, Copy)]
struct Reach {
    /// The last token that was read.
    token: u32,
    /// Whether some way was dropped by the beam, so that nothing is proved.
    dropped: bool,
}

/// What follows on the positions that were looked at. Nothing follows on the
/// others.
struct Ways<'a> {
    graph: &'a Graph,
    /// Log weight of all ways from a seat to the end.
    beta: Vec<f64>,
    /// How far they lead.
    reach: Vec<Reach>,
}

impl<'a> Ways<'a> {
    fn back(graph: &'a Graph, ends: &[(u32, f32)]) -> Ways<'a> {
        let beta = vec![f64::NEG_INFINITY; graph.seats.len()];
        let reach = vec![Reach { token: 0, dropped: false }; graph.seats.len()];
        let mut ways = Ways { graph, beta, reach };
        for (node, ending) in ends {
            if let Some(beta) = ways.beta.get_mut(graph.nodes[*node as usize].seat as usize) {
                *beta = f64::from(*ending);
            }
        }
        // Every edge leads to a later layer: in reverse order all that an edge
        // leads to is finished before it.
        for seat in graph.order.iter().rev() {
            ways.sum_up(*seat as usize);
        }
        ways
    }

    fn sum_up(&mut self, seat: usize) {
        let graph = self.graph;
        let from = &graph.seats[seat];
        let layer = graph.layer_of(from);
        let mut beta = self.beta[seat];
        let mut reach = Reach { token: 0, dropped: from.fewer_words || from.fewer_gaps };
        for edge in graph.edges[graph.edges_of(seat)].iter().rev() {
            beta = log_add(beta, f64::from(edge.weight) + self.beta_of(edge));
            let token = layer.token_of(edge.happened).unwrap_or(0) as u32;
            let on = self.reach_of(edge);
            reach.token = reach.token.max(token).max(on.token);
            reach.dropped |= on.dropped;
        }
        self.beta[seat] = beta;
        self.reach[seat] = reach;
    }

    fn seat_behind(&self, edge: &Edge) -> usize {
        self.graph.nodes[edge.to as usize].seat as usize
    }

    fn beta_of(&self, edge: &Edge) -> f64 {
        self.beta.get(self.seat_behind(edge)).copied().unwrap_or(f64::NEG_INFINITY)
    }

    fn reach_of(&self, edge: &Edge) -> Reach {
        let dropped = Reach { token: 0, dropped: true };
        self.reach.get(self.seat_behind(edge)).copied().unwrap_or(dropped)
    }

    /// The probability of an edge, `total` being the log weight of all ways.
    fn posterior(&self, seat: usize, edge: &Edge, total: f64) -> f32 {
        let from = self.graph.seats[seat].node;
        let alpha = self.graph.nodes[from as usize].alpha;
        let log = alpha + f64::from(edge.weight) + self.beta_of(edge) - total;
        log.exp().min(1.0) as f32
    }

    /// The edges that compete with one: those that read the same token, or
    /// the others that leave out a half-move at the same position.
    fn rivals(&self, seat: usize, token: Option<usize>) -> impl Iterator<Item = (usize, &'a Edge)> {
        let graph = self.graph;
        let seats = match token {
            None => vec![seat as u32],
            // Read after its turn by a swap, in its turn, owed after a swap.
            Some(token) => [token.checked_sub(1), Some(token), Some(token + 2)]
                .into_iter()
                .flatten()
                .flat_map(|read| graph.seats_at(read))
                .copied()
                .collect(),
        };
        seats.into_iter().flat_map(move |seat| {
            let seat = seat as usize;
            let layer = graph.layer_of(&graph.seats[seat]);
            let edges = &graph.edges[graph.edges_of(seat)];
            let same = move |edge: &&Edge| layer.token_of(edge.happened) == token;
            edges.iter().filter(same).map(move |edge| (seat, edge))
        })
    }

    fn step(&self, seat: usize, id: u32, total: f64) -> Step {
        let graph = self.graph;
        let edge = &graph.edges[id as usize];
        let from = &graph.seats[seat];
        let token = graph.layer_of(from).token_of(edge.happened);
        let mut readings: Vec<Reading> = Vec::new();
        let mut farthest = 0;
        // Of those that were not worth an edge nothing is known.
        let fewer = if token.is_some() { from.fewer_words } else { from.fewer_gaps };
        let mut open = fewer;
        for (other, rival) in self.rivals(seat, token) {
            let probability = self.posterior(other, rival, total);
            let Some(mv) = rival.mv else { continue };
            readings.push(Reading { mv, probability });
            if Some(mv) != edge.mv && other == seat {
                let on = self.reach_of(rival);
                open |= probability > 0.0 || on.dropped;
                farthest = farthest.max(on.token + 1);
            }
        }
        // There may be thousands, of a hundred moves.
        readings.sort_by_key(|r| r.mv);
        readings.dedup_by(|next, kept| {
            let same = next.mv == kept.mv;
            if same {
                kept.probability += next.probability;
            }
            same
        });
        let contested = fewer || readings.iter().any(|r| Some(r.mv) != edge.mv);
        let own = edge.mv.and_then(|mv| readings.iter().find(|r| r.mv == mv));
        let probability =
            own.map_or_else(|| self.posterior(seat, edge, total), |r| r.probability).min(1.0);
        readings.retain(|r| r.probability >= 0.001 || Some(r.mv) == edge.mv);
        readings.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.mv.cmp(&b.mv)));
        let decided = if !contested {
            Decided::Legality
        } else if open || farthest == 0 {
            Decided::Prior
        } else {
            Decided::LaterToken(farthest)
        };
        Step { token, mv: edge.mv, probability, readings, decided }
    }
}
