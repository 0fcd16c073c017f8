//! Which games reached a position, and what was played there.
//!
//! Everything that asks goes through [`PositionIndex`]. [`Segments`] answers
//! from postings, [`Scan`] by replaying every game; both give the same
//! answers, and the tests hold them to it.
//!
//! Games count once: those that are linked to an earlier copy
//! (`duplicate_of`) are left out, and so are positions after a half-move that
//! is not known, because the board is not known there either.

pub(crate) mod backlog;
mod builder;
mod coding;
mod compact;
mod posting;
mod scan;
mod segment;
mod segments;

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::board::{Move, Position};
use crate::game::GameResult;

pub(crate) use builder::SegmentBuilder;
pub(crate) use compact::{compact, reindex};
pub use scan::Scan;
pub use segments::Segments;
pub(crate) use segments::Sum;

use super::error::Result;
use super::moves::Coding;
use super::walk::{Walk, walk};

/// Threads that may sort positions.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Id of a game in the database (`game.id`).
pub type GameId = i64;

/// What was played from a position, and how the games ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveStats {
    /// The move.
    pub mv: Move,
    /// Games in which it was played there, each counted once.
    pub games: u64,
    /// Of these, won by Red.
    pub red_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black_wins: u64,
    /// Games whose year is known.
    pub dated: u64,
    /// Sum of the known years.
    pub year_sum: u64,
    /// The latest year.
    pub last_year: Option<u16>,
    /// The latest game: of the latest year, then the highest id.
    pub last_game: GameId,
    /// Ratings of the players, Red's and Black's, where they are known.
    pub ratings: [RatingSum; 2],
}

/// Ratings of some players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingSum {
    /// Games in which the rating is known.
    pub games: u64,
    /// Sum of the ratings.
    pub sum: u64,
}

impl RatingSum {
    /// Their mean.
    #[must_use]
    pub fn mean(self) -> Option<f64> {
        (self.games > 0).then(|| self.sum as f64 / self.games as f64)
    }

    fn absorb(&mut self, other: RatingSum) {
        self.games += other.games;
        self.sum += other.sum;
    }
}

/// What the statistics need of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameFacts {
    pub(crate) result: GameResult,
    pub(crate) year: Option<u16>,
    /// Red's and Black's.
    pub(crate) ratings: [Option<u16>; 2],
}

impl MoveStats {
    /// No game yet.
    pub(crate) fn new(mv: Move) -> MoveStats {
        MoveStats {
            mv,
            games: 0,
            red_wins: 0,
            draws: 0,
            black_wins: 0,
            dated: 0,
            year_sum: 0,
            last_year: None,
            last_game: 0,
            ratings: Default::default(),
        }
    }

    /// Red's share of the points in games with a known result, 0 to 1, a draw
    /// counting one half; `None` when no result is known.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let known = self.red_wins + self.draws + self.black_wins;
        (known > 0).then(|| (self.red_wins as f64 + self.draws as f64 / 2.0) / known as f64)
    }

    /// Mean of the known years.
    #[must_use]
    pub fn mean_year(&self) -> Option<f64> {
        (self.dated > 0).then(|| self.year_sum as f64 / self.dated as f64)
    }

    /// Counts a game.
    pub(crate) fn count(&mut self, game: GameId, facts: GameFacts) {
        self.games += 1;
        match facts.result {
            GameResult::RedWins => self.red_wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::BlackWins => self.black_wins += 1,
            GameResult::Unknown => {}
        }
        if let Some(year) = facts.year {
            self.dated += 1;
            self.year_sum += u64::from(year);
        }
        for (sum, rating) in self.ratings.iter_mut().zip(facts.ratings) {
            if let Some(rating) = rating {
                sum.absorb(RatingSum { games: 1, sum: u64::from(rating) });
            }
        }
        self.note_last(facts.year, game);
    }

    fn note_last(&mut self, year: Option<u16>, game: GameId) {
        if (year, game) > (self.last_year, self.last_game) {
            (self.last_year, self.last_game) = (year, game);
        }
    }

    /// Adds the counts of other games with the same move.
    pub(crate) fn absorb(&mut self, other: &MoveStats) {
        self.games += other.games;
        self.red_wins += other.red_wins;
        self.draws += other.draws;
        self.black_wins += other.black_wins;
        self.dated += other.dated;
        self.year_sum += other.year_sum;
        for (sum, other) in self.ratings.iter_mut().zip(other.ratings) {
            sum.absorb(other);
        }
        self.note_last(other.last_year, other.last_game);
    }
}

/// What the games did at a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionTree {
    /// Games that reached the position.
    pub games: u64,
    /// The moves, most games first, then in the order of ICCS.
    pub moves: Vec<MoveStats>,
}

impl PositionTree {
    fn stats(&mut self, mv: Move) -> &mut MoveStats {
        let at = self.moves.iter().position(|stats| stats.mv == mv).unwrap_or_else(|| {
            self.moves.push(MoveStats::new(mv));
            self.moves.len() - 1
        });
        &mut self.moves[at]
    }

    /// Counts a game that played `moves` from the position, each once.
    pub(crate) fn count(&mut self, game: GameId, moves: &[Move], facts: GameFacts) {
        self.games += 1;
        for mv in moves {
            self.stats(*mv).count(game, facts);
        }
    }

    /// Adds the counts of other games.
    pub(crate) fn absorb(&mut self, other: &PositionTree) {
        self.games += other.games;
        for stats in &other.moves {
            self.stats(stats.mv).absorb(stats);
        }
    }

    /// Puts the moves in their order.
    pub(crate) fn sorted(mut self) -> PositionTree {
        self.moves.sort_by_key(|stats| (std::cmp::Reverse(stats.games), iccs_order(stats.mv)));
        self
    }
}

/// Sorts moves as their ICCS text sorts: files before ranks.
fn iccs_order(mv: Move) -> [u8; 4] {
    [mv.from.file(), mv.from.rank(), mv.to.file(), mv.to.rank()]
}

/// Answers questions about positions on the main lines of the games.
pub trait PositionIndex {
    /// The games that reached the position, in the order of their ids.
    ///
    /// # Errors
    /// When the database cannot be read.
    fn games_at(&self, position: &Position) -> Result<Vec<GameId>>;

    /// What was played at the position.
    ///
    /// # Errors
    /// When the database cannot be read.
    fn tree_at(&self, position: &Position) -> Result<PositionTree>;
}

/// A position on a main line, as the index takes it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    /// Key of the position.
    pub(crate) key: u64,
    /// Packed move that was played there, or [`NO_MOVE`].
    pub(crate) mv: u16,
}

/// The line ends at the position.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// A line of more half-moves may come back to a position so often that it
/// pays to leave the repetitions out.
const LONG_LINE: usize = 400;

/// The positions of a main line.
pub(crate) fn visits(
    start: &Position,
    line: impl ExactSizeIterator<Item = Option<Move>>,
) -> Vec<Visit> {
    let mut visits = Vec::with_capacity(line.len() + 1);
    let mut board = Walk::of(start);
    for mv in line {
        let key = board.key;
        let Some(mv) = mv else { break };
        visits.push(Visit { key, mv: mv.to_u16() });
        board.make(mv);
    }
    visits.push(Visit { key: board.key, mv: NO_MOVE });
    without_repetitions(&mut visits);
    visits
}

/// The positions of a stored main line, into `visits`.
pub(crate) fn visits_of_stored(
    start: &Position,
    coding: Coding,
    bytes: &[u8],
    visits: &mut Vec<Visit>,
) -> Result<()> {
    visits.clear();
    walk(start, coding, bytes, &mut |board, mv| {
        visits.push(Visit { key: board.key, mv: mv.map_or(NO_MOVE, Move::to_u16) });
        ControlFlow::Continue(())
    })?;
    without_repetitions(visits);
    Ok(())
}

fn without_repetitions(visits: &mut Vec<Visit>) {
    if visits.len() > LONG_LINE {
        let mut seen = HashSet::with_capacity(visits.len());
        visits.retain(|visit| seen.insert((visit.key, visit.mv)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<Option<Move>> {
        text.split(' ').map(|word| word.parse().ok()).collect()
    }

    #[test]
    fn a_line_is_known_up_to_the_first_gap() {
        let start = Position::start();
        let seen = visits(&start, line("h2e2 h9g7 -- i9h9").into_iter());
        assert_eq!(seen.len(), 3);
        assert_eq!(seen[0].key, start.key().0);
        assert_eq!(seen[2].mv, NO_MOVE);
    }

    #[test]
    fn the_score_is_reds_share_of_the_known_results() {
        let mut stats = MoveStats::new("h2e2".parse().unwrap());
        assert_eq!(stats.score(), None);
        let facts = |result, year, red| GameFacts { result, year, ratings: [red, None] };
        stats.count(1, facts(GameResult::RedWins, Some(1956), Some(2400)));
        stats.count(2, facts(GameResult::Draw, Some(1960), None));
        stats.count(3, facts(GameResult::Unknown, None, Some(2100)));
        stats.count(4, facts(GameResult::BlackWins, Some(1958), None));
        assert_eq!(stats.ratings.map(RatingSum::mean), [Some(2250.0), None]);
        assert_eq!(stats.score(), Some(0.5));
        assert_eq!(stats.mean_year(), Some(1958.0));
        assert_eq!((stats.last_year, stats.last_game), (Some(1960), 2));
    }
}
