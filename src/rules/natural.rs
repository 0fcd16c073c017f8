//! Counting for the natural limit (自然限着, articles 4.2.4 and 23.3).

use crate::board::{Color, Move, Position};

/// Of a claimant's checks at most so many count (article 23.3).
pub const COUNTED_CHECKS: u32 = 10;

/// The count since the last capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaturalCount {
    /// Full rounds (回合) without a capture.
    pub rounds: u32,
    /// Checks by Red, then by Black, in that stretch.
    pub checks: [u32; 2],
    /// Rounds that count once the checks beyond the tenth are left out.
    pub counted: u32,
}

impl NaturalCount {
    /// Whether a limit of so many rounds is reached
    /// ([`RuleSet::natural_limit`](super::RuleSet::natural_limit)).
    #[must_use]
    pub const fn reaches(&self, rounds: u32) -> bool {
        self.counted >= rounds
    }
}

/// Counts while a game is played. It begins with a start position, whose plies
/// without a capture come from its FEN; their checks are not known and not
/// taken off.
#[derive(Clone, Copy, Debug, Default)]
pub struct NaturalCounter {
    checks: [u32; 2],
}

impl NaturalCounter {
    /// Takes note of the position after a move.
    pub fn note(&mut self, after: &Position) {
        if after.quiet_plies() == 0 {
            self.checks = [0; 2];
        } else if after.in_check() {
            self.checks[after.side().other().index()] += 1;
        }
    }

    /// The count in `position`, the last one noted.
    ///
    /// `claimant` is the side that claims the draw: each of its checks beyond
    /// the tenth takes a round off. Without one the arbiter counts for both
    /// sides, and the larger excess is taken off (a reading: the draw must
    /// hold whoever claims it).
    #[must_use]
    pub fn count(&self, position: &Position, claimant: Option<Color>) -> NaturalCount {
        let rounds = position.quiet_plies() / 2;
        let excess = |side: Color| self.checks[side.index()].saturating_sub(COUNTED_CHECKS);
        let left_out = match claimant {
            Some(side) => excess(side),
            None => excess(Color::Red).max(excess(Color::Black)),
        };
        NaturalCount { rounds, checks: self.checks, counted: rounds.saturating_sub(left_out) }
    }
}

/// Counts the rounds without a capture at the end of a line of legal moves;
/// see [`NaturalCounter`].
#[must_use]
pub fn natural_count(start: &Position, moves: &[Move], claimant: Option<Color>) -> NaturalCount {
    let mut position = start.clone();
    let mut counter = NaturalCounter::default();
    for mv in moves {
        if position.play(*mv).is_err() {
            break;
        }
        counter.note(&position);
    }
    counter.count(&position, claimant)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Red checks with the chariot on every move; no capture.
    fn checks(rounds: usize) -> (Position, Vec<Move>) {
        let start: Position = "3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1".parse().unwrap();
        let round = ["d9e9", "d4e4", "e9d9", "e4d4"];
        let moves = round.iter().cycle().take(2 * rounds).map(|mv| mv.parse().unwrap()).collect();
        (start, moves)
    }

    #[test]
    fn only_ten_checks_of_the_claimant_count() {
        let (start, moves) = checks(65);
        let red = natural_count(&start, &moves, Some(Color::Red));
        assert_eq!((red.rounds, red.checks, red.counted), (65, [65, 0], 10));
        assert!(!red.reaches(60));
        let black = natural_count(&start, &moves, Some(Color::Black));
        assert_eq!(black.counted, 65);
        assert!(black.reaches(60) && !black.reaches(66));
        assert_eq!(natural_count(&start, &moves, None).counted, 10);
    }

    #[test]
    fn a_capture_begins_the_count_anew() {
        let start: Position = "3k5/9/9/9/p8/R8/9/9/9/4K4 w - - 100 51".parse().unwrap();
        let moves: Vec<Move> =
            ["a4a5", "d9d8", "a5b5", "d8d9"].iter().map(|mv| mv.parse().unwrap()).collect();
        assert_eq!(natural_count(&start, &moves[..0], None).rounds, 50);
        assert_eq!(natural_count(&start, &moves, None).rounds, 1);
    }
}
