//! The objects of `--json`, one line each. Keys and codes are for ever.

mod game;
mod judge;

pub use game::{FileJson, FindingJson, GAP, GameJson, HeadersJson, OutcomeJson, SourceJson};
pub use judge::{ChasedJson, CycleJson, JudgeJson, JudgedPlyJson};

use serde::Serialize;

use crate::board::{Move, Position, Status};

/// `position --json`.
#[derive(Clone, Debug, Serialize)]
pub struct PositionJson {
    /// Canonical FEN.
    pub fen: String,
    /// `red` or `black`.
    pub side: &'static str,
    /// `ongoing`, `checkmate`, `stalemate` or `illegal`.
    pub status: &'static str,
    /// Why the position is illegal: the stable name, a colon and a sentence.
    pub reasons: Vec<String>,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The squares of the pieces that give check.
    pub checkers: Vec<String>,
    /// All legal moves in ICCS order.
    pub legal_moves: Vec<String>,
}

impl PositionJson {
    /// Describes a position; `reasons` come from the catalogue.
    #[must_use]
    pub fn new(position: &Position, status: Status, reasons: Vec<String>) -> PositionJson {
        PositionJson {
            fen: position.fen(),
            side: position.side().name(),
            status: status.name(),
            reasons,
            in_check: position.in_check(),
            checkers: position
                .checkers(position.side())
                .into_iter()
                .map(|square| square.to_string())
                .collect(),
            legal_moves: sorted_moves(position).iter().map(ToString::to_string).collect(),
        }
    }
}

/// The legal moves as a person looks for them: by file, then rank.
#[must_use]
pub fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_key(|mv| (mv.from.file(), mv.from.rank(), mv.to.file(), mv.to.rank()));
    moves
}

/// `perft --json`.
#[derive(Clone, Debug, Serialize)]
pub struct PerftJson {
    /// Canonical FEN of the start.
    pub fen: String,
    /// Plies.
    pub depth: u32,
    /// Legal move paths.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// With `--divide`: the paths of every first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<PerftMoveJson>>,
}

/// One first move of `perft --divide --json`.
#[derive(Clone, Debug, Serialize)]
pub struct PerftMoveJson {
    /// The move in ICCS.
    #[serde(rename = "move")]
    pub mv: String,
    /// Paths that begin with it.
    pub nodes: u64,
}
