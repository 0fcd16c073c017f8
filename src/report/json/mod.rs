//! The objects of `--json`, one line each. Keys and codes are for ever.

mod audit;
mod game;
mod judge;

pub use audit::{
    AuditJson, ClaimJson, ClockJson, ControlJson, CountJson, FoulJson, InputJson, MergedJson,
    PointJson, ReadingJson, RowJson, SideClockJson, VerdictJson,
};
pub use game::{FileJson, FindingJson, GAP, GameJson, HeadersJson, OutcomeJson, SourceJson};
pub use judge::{ChasedJson, CycleJson, JudgeJson, JudgedPlyJson};

use serde::Serialize;

pub use crate::audit::sorted_moves;
use crate::audit::{BoundStep, TouchRuling};
use crate::board::{Position, Status};

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
    /// With `--touched`: the steps of the order that have moves; the first
    /// binds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Vec<BoundJson>>,
    /// With `--touched`: whether any move may be played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<bool>,
    /// With `--touched`: technical fouls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fouls: Option<Vec<TouchFoulJson>>,
}

/// A step that binds a player who has touched a piece.
#[derive(Clone, Debug, Serialize)]
pub struct BoundJson {
    /// Number of the step in its article.
    pub step: u32,
    /// The article.
    pub article: &'static str,
    /// The moves, ICCS.
    pub moves: Vec<String>,
}

/// A foul by touching.
#[derive(Clone, Debug, Serialize)]
pub struct TouchFoulJson {
    /// The article.
    pub article: &'static str,
    /// The point that was touched.
    pub square: String,
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
            bound: None,
            free: None,
            fouls: None,
        }
    }

    /// Adds what follows from touching.
    #[must_use]
    pub fn touched(mut self, ruling: &TouchRuling) -> PositionJson {
        let step = |step: &BoundStep| BoundJson {
            step: step.step,
            article: step.article,
            moves: step.moves.iter().map(ToString::to_string).collect(),
        };
        let steps = ruling.steps.iter().filter(|step| !step.moves.is_empty());
        self.bound = Some(steps.map(step).collect());
        self.free = Some(ruling.binding().is_none());
        let foul =
            |(article, at): &(&'static str, _)| TouchFoulJson { article, square: format!("{at}") };
        self.fouls = Some(ruling.fouls.iter().map(foul).collect());
        self
    }
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
