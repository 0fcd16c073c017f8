//! A game made ready for its rows. This is the costly part of writing, and it
//! needs no database, so it runs on all cores.

use super::hash::content_hash;
use super::index::{Visit, visits};
use super::moves::{self, Coding, HalfMove};
use crate::board::{Color, Position};
use crate::finding::Severity;
use crate::game::{Game, ecco};
use crate::record::NodeId;

/// A game with what its rows need worked out.
#[derive(Debug)]
pub struct PackedGame {
    pub(crate) game: Game,
    pub(crate) coding: Coding,
    pub(crate) moves: Vec<u8>,
    pub(crate) plies: u32,
    pub(crate) content_hash: i64,
    pub(crate) opening: &'static str,
    pub(crate) visits: Vec<Visit>,
    /// Red's and Black's.
    pub(crate) ratings: [Option<u16>; 2],
    /// Depth of each node, when something hangs on nodes off the main line.
    pub(crate) depths: Vec<u32>,
    pub(crate) errors: u32,
    pub(crate) start_fen: Option<String>,
    pub(crate) other: Option<String>,
    pub(crate) unplayed: Option<String>,
}

impl PackedGame {
    /// Works out moves, hash and positions of a game.
    #[must_use]
    pub fn new(game: Game) -> PackedGame {
        let mut halves = Vec::with_capacity(game.tree.len());
        halves.extend(game.tree.main_line().map(|node| HalfMove::of(game.tree.node(node))));
        let (coding, moves) = moves::encode(&game.start, &halves);
        let line = halves.iter().map(|half| half.known());
        let is_error = |finding: &&crate::finding::Finding| finding.severity == Severity::Error;
        let json = |value: serde_json::Result<String>| value.ok();
        PackedGame {
            coding,
            moves,
            plies: line.len() as u32,
            content_hash: content_hash(&game.start, line.clone()),
            opening: ecco::classify(&game.start, line.clone()),
            visits: visits(&game.start, line.clone()),
            ratings: [Color::Red, Color::Black].map(|side| game.headers.rating(side)),
            depths: depths(&game),
            errors: game.findings.iter().filter(is_error).count() as u32,
            start_fen: (!is_ordinary_start(&game.start)).then(|| game.start.fen()),
            other: (!game.headers.other.is_empty())
                .then(|| json(serde_json::to_string(&game.headers.other)))
                .flatten(),
            unplayed: (!game.unplayed.is_empty())
                .then(|| json(serde_json::to_string(&game.unplayed)))
                .flatten(),
            game,
        }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Number of half-moves of the main line.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Whether a finding of the game is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }
}

/// The ordinary start position with its counters, which rows leave out.
fn is_ordinary_start(start: &Position) -> bool {
    start.quiet_plies() == 0 && start.round() == 1 && *start == Position::start()
}

/// Depth of every node by index; empty when no row asks for it.
fn depths(game: &Game) -> Vec<u32> {
    let tree = &game.tree;
    if tree.variations() == 0
        && tree.comments.is_empty()
        && tree.clocks.is_empty()
        && tree.glyphs.is_empty()
    {
        return Vec::new();
    }
    let mut depths = vec![0; tree.len() + 1];
    for id in tree.ids() {
        let parent = tree.parent(id).map_or(0, NodeId::index);
        depths[id.index()] = depths[parent] + 1;
    }
    depths
}
