//! The arbiter's questions (裁判): what one or two score sheets leave to be
//! decided, with the article for each point; fouls, clocks, claims, touched
//! pieces. It knows nothing of screens.

mod touch;

pub use touch::{BoundStep, Duty, ParseTouchedError, TouchError, TouchRuling, Touched, touch};

use crate::board::{Move, Position};

/// The legal moves as a person looks for them: by file, then rank.
#[must_use]
pub fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_key(|mv| (mv.from.file(), mv.from.rank(), mv.to.file(), mv.to.rank()));
    moves
}
