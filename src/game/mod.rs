//! The game that is believed: headers normalised, partial dates, a tree of
//! legal moves, the outcome, findings. It knows nothing of files.

mod date;
mod date_reading;
pub mod ecco;
mod from_record;
mod headers;
mod result;
mod tree;

pub use date::{LaxDate, ParseDateError};
pub use date_reading::{DateDoubt, DateReading};
pub use from_record::HeaderReading;
pub use headers::Headers;
pub use result::GameResult;
pub use tree::{GameNode, GameTree};

use crate::board::{Color, Move, Position};
use crate::finding::Finding;
use crate::notation::Notation;
use crate::record::Origin;

/// How the game ended on the board (`outcome.kind`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutcomeKind {
    /// 将死
    Checkmate,
    /// 困毙
    Stalemate,
    /// By repetition (articles 24 to 29).
    Repetition,
    /// By the natural limit (article 23.3).
    NaturalLimit,
    /// Neither side can win (article 4.2.1).
    Insufficient,
    /// The board does not end the game.
    #[default]
    None,
}

impl OutcomeKind {
    /// The name in the JSON output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OutcomeKind::Checkmate => "checkmate",
            OutcomeKind::Stalemate => "stalemate",
            OutcomeKind::Repetition => "repetition",
            OutcomeKind::NaturalLimit => "natural-limit",
            OutcomeKind::Insufficient => "insufficient",
            OutcomeKind::None => "none",
        }
    }
}

/// Who won by the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// One side.
    Side(Color),
    /// Neither.
    Draw,
}

/// The end of a game by the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What ended it.
    pub kind: OutcomeKind,
    /// Who won; `None` while open.
    pub winner: Option<Winner>,
    /// The article that decides.
    pub article: Option<&'static str>,
}

/// A replayed game.
#[derive(Clone, Debug)]
pub struct Game {
    /// Where it comes from.
    pub origin: Origin,
    /// Normalised header fields.
    pub headers: Headers,
    /// The notation in which the moves were written, where it is known.
    pub notation: Option<Notation>,
    /// The start position; an empty board when the record gives one that
    /// cannot be read and its moves do not tell either.
    pub start: Position,
    /// Legal moves with variations, comments, clocks.
    pub tree: GameTree,
    /// The end by the board, on the main line.
    pub outcome: Outcome,
    /// Everything that was found, in the order of the record.
    pub findings: Vec<Finding>,
    /// Written moves of the main line that were not played, word for word,
    /// from the first that could not be.
    pub unplayed: Vec<String>,
    /// The result token at the end of the moves, word for word.
    pub result_token: Option<String>,
    /// What follows the game and belongs to no game (advertising).
    pub trailer: Option<String>,
}

impl Game {
    /// The main line; `None` stands for a half-move that is missing or
    /// unreadable (`--`).
    pub fn main_line(&self) -> impl Iterator<Item = Option<Move>> + '_ {
        self.tree.main_line().map(|node| self.tree.node(node).mv)
    }

    /// The position at the end of the main line.
    #[must_use]
    pub fn final_position(&self) -> Position {
        let mut position = self.start.clone();
        for node in self.tree.main_line() {
            self.tree.node(node).play_on(&mut position);
        }
        position
    }
}
