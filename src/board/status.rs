//! Whether a position is over, by articles 3 and 4.1: no repetition, no
//! counting here.

use super::position::Position;

/// State of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// There is a legal move.
    Ongoing,
    /// In check without a legal move (将死): the side to move has lost.
    Checkmate,
    /// Not in check and without a legal move (困毙): the side to move has
    /// lost (article 4.1.2).
    Stalemate,
    /// The rules do not allow the position; see [`Position::faults`].
    Illegal,
}

impl Status {
    /// `ongoing`, `checkmate`, `stalemate` or `illegal`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Status::Ongoing => "ongoing",
            Status::Checkmate => "checkmate",
            Status::Stalemate => "stalemate",
            Status::Illegal => "illegal",
        }
    }
}

impl Position {
    /// Mate, stalemate, neither, or a position the rules do not allow.
    #[must_use]
    pub fn status(&self) -> Status {
        if self.faults().is_empty() { self.end_of_play() } else { Status::Illegal }
    }

    /// As [`Position::status`] without looking for faults: what a diagram
    /// that breaks the rules would be if it were played on.
    #[must_use]
    pub fn end_of_play(&self) -> Status {
        if self.has_legal_move() {
            Status::Ongoing
        } else if self.in_check() {
            Status::Checkmate
        } else {
            Status::Stalemate
        }
    }
}
