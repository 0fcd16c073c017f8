//! Two sheets laid beside each other: a search for the game that explains
//! both with the fewest slips of the pen. What a sheet leaves out, misreads,
//! writes twice or in another order costs something; a legal move that both
//! have costs nothing.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::tokens::{Token, Tokens};
use crate::board::{Move, Position, PositionKey};

/// States that are kept a ply.
const BEAM: usize = 48;
/// States that are so much worse than the best are dropped.
const WORST: f32 = 24.0;

const OMITS: f32 = 4.0;
const GAP_SHOWN: f32 = 1.0;
const DIFFERS: f32 = 5.0;
const ILLEGIBLE: f32 = 2.0;
const BLANK: f32 = 0.2;
const EXTRA: f32 = 5.0;
const SWAPS: f32 = 3.0;
const ENDED: f32 = 0.05;

/// From this cost on another reading is refuted.
pub(super) const REFUTED: f32 = 3.9;

/// What one sheet says to a move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Says {
    /// The same.
    Same,
    /// Something else.
    Differs,
    /// Nothing: the move is left out.
    Omits,
    /// A blank, or a sign for a move that is not known.
    Blank,
    /// The same, but in another order.
    Swapped,
    /// The sheet has ended.
    Ended,
}

impl Says {
    /// `same`, `differs`, `omits`, `blank`, `swapped` or `ended`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Says::Same => "same",
            Says::Differs => "differs",
            Says::Omits => "omits",
            Says::Blank => "blank",
            Says::Swapped => "swapped",
            Says::Ended => "ended",
        }
    }
}

/// One sheet at one ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) says: Says,
    /// The word it says it with.
    pub(super) token: Option<u32>,
    /// A word before it that is no move of the game.
    pub(super) extra: Option<u32>,
}

/// In which order words are taken: two rounds exchanged, or two moves of one
/// side.
const ORDERS: [&[u8]; 2] = [&[2, 3, 0, 1], &[2, 1, 0]];

/// How far a sheet has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Place {
    /// The next word.
    at: u32,
    /// A swap that is being read: which order, and how many of its words.
    swap: Option<(u8, u8)>,
}

/// A point of the search.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) position: Position,
    places: [Place; 2],
    cost: f32,
    node: u32,
}

impl State {
    /// Whether a sheet is being read in another order here.
    pub(super) fn is_swapping(&self, sheet: usize) -> bool {
        self.places[sheet].swap.is_some()
    }

    /// The next word of a sheet.
    pub(super) fn next_word(&self, sheet: usize) -> usize {
        self.places[sheet].at as usize
    }
}

/// A move that was tried.
#[derive(Clone, Copy, Debug)]
struct Node {
    before: u32,
    mv: Move,
    cells: [Cell; 2],
    places: [Place; 2],
    cost: f32,
}

/// A step of the game that was found.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The state before it.
    pub(super) before: State,
    pub(super) mv: Move,
    pub(super) cells: [Cell; 2],
}

/// The game that explains both sheets best.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) steps: Vec<Step>,
    pub(super) cost: f32,
    /// From which word on each sheet could not be read.
    pub(super) read: [usize; 2],
}

/// The moves that a word can mean, with what each reading costs.
type Heard = SmallVec<[(Move, f32); 4]>;

const ROOT: u32 = u32::MAX;

/// A way for one sheet to take a move.
#[derive(Clone, Copy)]
struct Way {
    cell: Cell,
    place: Place,
    cost: f32,
}

/// The beginning of both sheets.
pub(super) fn begin(position: &Position) -> State {
    State { position: position.clone(), places: [Place::default(); 2], cost: 0.0, node: ROOT }
}

/// Searches from a state; `first` is the move that is tried there, any where
/// it is `None`.
pub(super) fn search(sheets: &[Tokens<'_>; 2], from: &State, first: Option<Move>) -> Option<Path> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut beam = vec![State { node: ROOT, ..from.clone() }];
    let mut best: Option<(f32, State)> = None;
    let mut forced = first;
    let most = sheets[0].len() + sheets[1].len() + 8;
    for _ in 0..most {
        let mut next: FxHashMap<(PositionKey, [Place; 2]), State> = FxHashMap::default();
        for state in &beam {
            if forced.is_none() {
                let rest = left_over(sheets, state);
                if best.as_ref().is_none_or(|(cost, _)| state.cost + rest < *cost) {
                    best = Some((state.cost + rest, state.clone()));
                }
            }
            let done = (0..2).all(|s| state.places[s].at as usize >= sheets[s].len());
            if done && forced.is_none() {
                continue;
            }
            extend(sheets, state, forced, &mut nodes, &mut next);
        }
        forced = None;
        beam = next.into_values().collect();
        beam.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.node.cmp(&b.node)));
        let Some(least) = beam.first().map(|state| state.cost) else { break };
        if best.as_ref().is_some_and(|(cost, _)| *cost <= least) {
            break;
        }
        beam.retain(|state| state.cost <= least + WORST);
        beam.truncate(BEAM);
    }
    let (cost, end) = best?;
    Some(path(&nodes, from, end, cost))
}

/// What it costs to take all that is left of both sheets for no moves.
fn left_over(sheets: &[Tokens<'_>; 2], state: &State) -> f32 {
    let mut cost = 0.0;
    for (sheet, place) in sheets.iter().zip(&state.places) {
        cost += EXTRA * sheet.len().saturating_sub(place.at as usize) as f32;
    }
    cost
}

fn extend(
    sheets: &[Tokens<'_>; 2],
    state: &State,
    forced: Option<Move>,
    nodes: &mut Vec<Node>,
    next: &mut FxHashMap<(PositionKey, [Place; 2]), State>,
) {
    let legal = state.position.legal_moves();
    let in_check = state.position.in_check();
    // Readings of the words that can be taken now: the next three of each.
    let heard: [[Heard; 3]; 2] = std::array::from_fn(|s| {
        std::array::from_fn(|ahead| {
            let at = state.places[s].at as usize + ahead;
            sheets[s].readings(at, &state.position, in_check, &legal)
        })
    });
    let mut moves: SmallVec<[Move; 8]> = SmallVec::new();
    if let Some(mv) = forced {
        moves.push(mv);
    } else {
        for (mv, _) in heard.iter().flatten().flatten() {
            if !moves.contains(mv) {
                moves.push(*mv);
            }
        }
        if heard.iter().all(|sheet| sheet[0].is_empty()) {
            moves = legal.iter().copied().collect();
        }
    }
    for mv in moves {
        let ways: [SmallVec<[Way; 8]>; 2] =
            std::array::from_fn(|s| ways(&sheets[s], state, s, mv, &heard[s]));
        if ways.iter().any(SmallVec::is_empty) {
            continue;
        }
        let mut after = state.position.clone();
        after.make(mv);
        let key = after.key();
        for one in &ways[0] {
            for other in &ways[1] {
                let places = [one.place, other.place];
                let cost = state.cost + one.cost + other.cost;
                let known = next.get(&(key, places)).is_some_and(|known| known.cost <= cost);
                if known {
                    continue;
                }
                let node = nodes.len() as u32;
                let cells = [one.cell, other.cell];
                nodes.push(Node { before: state.node, mv, cells, places, cost });
                let new = State { position: after.clone(), places, cost, node };
                next.insert((key, places), new);
            }
        }
    }
}

/// The ways in which a sheet can take a move.
fn ways(
    sheet: &Tokens<'_>,
    state: &State,
    s: usize,
    mv: Move,
    heard: &[Heard; 3],
) -> SmallVec<[Way; 8]> {
    let mut found = SmallVec::new();
    let place = state.places[s];
    let at = place.at as usize;
    let reads = |ahead: usize| heard.get(ahead)?.iter().find(|(m, _)| *m == mv).map(|(_, c)| *c);
    let cell = |says, token: usize| Cell { says, token: Some(token as u32), extra: None };
    let go = |ahead: u32| Place { at: place.at + ahead, swap: None };
    if let Some((order, step)) = place.swap {
        let offsets = ORDERS[usize::from(order)];
        let offset = usize::from(offsets[usize::from(step)]);
        // The words of a swap lie within the next four; the fourth was heard
        // nowhere and is read here.
        let legal = [mv];
        let own = sheet.readings(at + offset, &state.position, state.position.in_check(), &legal);
        if own.iter().any(|(m, _)| *m == mv) {
            let last = usize::from(step) + 1 == offsets.len();
            let place = if last {
                go(offsets.len() as u32)
            } else {
                Place { swap: Some((order, step + 1)), ..place }
            };
            found.push(Way { cell: cell(Says::Swapped, at + offset), place, cost: 0.0 });
        }
        return found;
    }
    let Some(token) = sheet.token(at) else {
        let cell = Cell { says: Says::Ended, token: None, extra: None };
        found.push(Way { cell, place, cost: ENDED });
        return found;
    };
    let side = state.position.side();
    let shown = sheet.is_of_other(at, side);
    let omits = if shown { GAP_SHOWN } else { OMITS };
    let left_out = Cell { says: Says::Omits, token: None, extra: None };
    found.push(Way { cell: left_out, place, cost: omits });
    if let Some(cost) = reads(0).filter(|_| !shown) {
        found.push(Way { cell: cell(Says::Same, at), place: go(1), cost });
        return found;
    }
    match token {
        Token::Unknown => {
            found.push(Way { cell: cell(Says::Blank, at), place: go(1), cost: BLANK });
        }
        Token::Damaged => {
            found.push(Way { cell: cell(Says::Differs, at), place: go(1), cost: ILLEGIBLE });
        }
        Token::Squares(_) | Token::Said(_) => {
            found.push(Way { cell: cell(Says::Differs, at), place: go(1), cost: DIFFERS });
        }
    }
    if let Some(cost) = reads(1) {
        let cell = Cell { says: Says::Same, token: Some(at as u32 + 1), extra: Some(at as u32) };
        found.push(Way { cell, place: go(2), cost: EXTRA + cost });
    }
    if reads(2).is_some() {
        for (order, offsets) in (0u8..).zip(ORDERS) {
            if at + offsets.len() <= sheet.len() {
                let place = Place { swap: Some((order, 1)), ..place };
                found.push(Way { cell: cell(Says::Swapped, at + 2), place, cost: SWAPS });
            }
        }
    }
    found
}

fn path(nodes: &[Node], from: &State, end: State, cost: f32) -> Path {
    let mut chain: Vec<Node> = Vec::new();
    let mut next = end.node;
    while let Some(node) = nodes.get(next as usize) {
        chain.push(*node);
        next = node.before;
    }
    chain.reverse();
    let mut steps = Vec::with_capacity(chain.len());
    let mut state = State { node: ROOT, ..from.clone() };
    for node in chain {
        let mut position = state.position.clone();
        position.make(node.mv);
        let after = State { position, places: node.places, cost: node.cost, node: ROOT };
        steps.push(Step { before: state, mv: node.mv, cells: node.cells });
        state = after;
    }
    Path { steps, cost, read: end.places.map(|place| place.at as usize) }
}
