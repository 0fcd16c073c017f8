//! The backward pass: how sure each step of the best line is, what else it
//! could be, and what decided.

use super::layers::{Edge, Happened, NO_EDGE, log_add};
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
    let (beta, reach) = backward(search, channel);
    let Some(total) = finals(search, channel).reduce(log_add) else { return Decoding::default() };
    let posterior = |edge: &Edge| {
        let log = search.nodes[edge.from as usize].alpha
            + f64::from(edge.weight)
            + beta[edge.to as usize]
            - total;
        log.exp().min(1.0) as f32
    };

    // The best line, from its end.
    let best_end = search
        .ends()
        .map(|(n, position)| (n, search.nodes[n as usize].best + channel.ending(position)))
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let mut line = Vec::new();
    let mut at = best_end.map_or(0, |(node, _)| node);
    while search.nodes[at as usize].back != NO_EDGE {
        let edge = search.nodes[at as usize].back;
        line.push(edge);
        at = search.edges[edge as usize].from;
    }
    line.reverse();

    let by_token = edges_by_token(search, channel.len());
    let steps = line.iter().map(|id| step(search, *id, &by_token, &reach, &posterior)).collect();
    Decoding { steps, tokens_read: search.reached(), widened: search.widened() }
}

/// Edges that read a token, by token.
fn edges_by_token(search: &Decoder<'_>, tokens: usize) -> Vec<Vec<u32>> {
    let mut by_token = vec![Vec::new(); tokens];
    for (id, edge) in search.edges.iter().enumerate() {
        if let Happened::Written(token) | Happened::Skipped(token) = edge.happened {
            by_token[token as usize].push(id as u32);
        }
    }
    by_token
}

fn finals<'a>(search: &'a Decoder<'_>, channel: &'a dyn Channel) -> impl Iterator<Item = f64> + 'a {
    search
        .ends()
        .map(|(n, position)| search.nodes[n as usize].alpha + f64::from(channel.ending(position)))
}

/// How far the ways from a node lead.
#[derive(Clone, Copy)]
struct Reach {
    /// The last token that was read.
    token: u32,
    /// Whether some way was dropped by the beam, so that nothing is proved.
    dropped: bool,
}

/// Log weight of all ways from each node to the end, and how far they lead.
fn backward(search: &Decoder<'_>, channel: &dyn Channel) -> (Vec<f64>, Vec<Reach>) {
    let mut beta = vec![f64::NEG_INFINITY; search.nodes.len()];
    let mut reach: Vec<Reach> =
        search.nodes.iter().map(|n| Reach { token: 0, dropped: n.dropped() }).collect();
    for (n, position) in search.ends() {
        beta[n as usize] = f64::from(channel.ending(position));
    }
    // Edges lie in the order of their layers, and every edge leads to a later
    // one: in reverse order every `to` is finished before its `from`.
    for edge in search.edges.iter().rev() {
        let (from, to) = (edge.from as usize, edge.to as usize);
        beta[from] = log_add(beta[from], f64::from(edge.weight) + beta[to]);
        let token = match edge.happened {
            Happened::Written(token) | Happened::Skipped(token) => token,
            Happened::LeftOut => 0,
        };
        reach[from].token = reach[from].token.max(token).max(reach[to].token);
        reach[from].dropped |= reach[to].dropped;
    }
    (beta, reach)
}

/// The half-moves left out at the position of one; the edges of a node lie
/// together.
fn left_out_beside(search: &Decoder<'_>, id: u32) -> Vec<u32> {
    let edges = &search.edges;
    let from = edges[id as usize].from;
    let same = |at: &usize| edges.get(*at).is_some_and(|edge| edge.from == from);
    let first = (0..id as usize).rev().take_while(same).last().unwrap_or(id as usize);
    (first..edges.len())
        .take_while(same)
        .filter(|at| edges[*at].happened == Happened::LeftOut)
        .map(|at| at as u32)
        .collect()
}

fn step(
    search: &Decoder<'_>,
    id: u32,
    by_token: &[Vec<u32>],
    reach: &[Reach],
    posterior: &impl Fn(&Edge) -> f32,
) -> Step {
    let edge = &search.edges[id as usize];
    let token = match edge.happened {
        Happened::Written(token) | Happened::Skipped(token) => Some(token as usize),
        Happened::LeftOut => None,
    };
    let mut readings: Vec<Reading> = Vec::new();
    let mut farthest = 0;
    let mut open = false;
    let beside;
    let rivals = if let Some(token) = token {
        &by_token[token]
    } else {
        // A half-move left out competes with the others left out at the same
        // position.
        beside = left_out_beside(search, id);
        &beside
    };
    for id in rivals {
        let rival = &search.edges[*id as usize];
        let probability = posterior(rival);
        let Some(mv) = rival.mv else { continue };
        readings.push(Reading { mv, probability });
        if Some(mv) != edge.mv && rival.from == edge.from {
            if probability > 0.0 || reach[rival.to as usize].dropped {
                open = true;
            }
            farthest = farthest.max(reach[rival.to as usize].token + 1);
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
    let contested = readings.iter().any(|r| Some(r.mv) != edge.mv);
    let own = edge.mv.and_then(|mv| readings.iter().find(|r| r.mv == mv));
    let probability = own.map_or_else(|| posterior(edge), |r| r.probability).min(1.0);
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
