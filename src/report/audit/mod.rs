//! The arbiter's report: as text for the terminal, and as a page to be
//! printed.

mod html;
mod page;
mod rounds;
mod text;
mod words;

pub use html::html;
pub use text::AuditText;

use crate::audit::Audit;
use crate::board::{Color, Position};
use crate::game::{GameResult, Winner};
use crate::rules::Judgement;

/// The position before each ply of a loop, and the one after the last.
#[must_use]
pub fn loop_positions(audit: &Audit, judged: &Judgement) -> Vec<Position> {
    let Some(cycle) = judged.cycle else { return Vec::new() };
    let (from, to) = (audit.loops_from + cycle.from_ply, audit.loops_from + cycle.to_ply);
    (from..=to + 1).map(|ply| audit.line.before(ply)).collect()
}

/// Who won by a result; `None` where it is not known.
#[must_use]
pub const fn winner(result: GameResult) -> Option<Winner> {
    match result {
        GameResult::RedWins => Some(Winner::Side(Color::Red)),
        GameResult::BlackWins => Some(Winner::Side(Color::Black)),
        GameResult::Draw => Some(Winner::Draw),
        GameResult::Unknown => None,
    }
}
