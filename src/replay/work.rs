//! The bound on what one game may cost. All searches of a game (looking
//! ahead, decoding a sheet, looking for mistakes) draw from one amount of
//! work, counted in things done and not in time: the same record is read the
//! same way on every machine.

use crate::record::Record;

/// Moves of a record for which [`Work::of_game`] gives a second share.
const MOVES_PER_SHARE: u64 = 50;

/// Moves that count, at most: longer lines are no games.
const MOST_MOVES: usize = 2000;

/// Work that may still be spent on one game, in plies that are tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    left: u32,
    cut: bool,
}

impl Work {
    /// An amount of plies.
    pub(super) const fn new(plies: u32) -> Work {
        Work { left: plies, cut: false }
    }

    /// What a game may cost: `share`, and as much again for every fifty moves
    /// that are written.
    pub(super) fn of_game(record: &Record, share: u32) -> Work {
        let moves = record.tree.len().min(MOST_MOVES) as u64;
        let plies = u64::from(share) * (MOVES_PER_SHARE + moves) / MOVES_PER_SHARE;
        Work::new(u32::try_from(plies).unwrap_or(u32::MAX))
    }

    /// Plies that may still be tried.
    pub(super) fn left(self) -> u32 {
        self.left
    }

    /// Takes some away; `false` when nothing is left: the search that asked
    /// has to end, and counts as cut.
    #[inline]
    pub(super) fn spend(&mut self, plies: u32) -> bool {
        let enough = self.left > plies;
        self.left = self.left.saturating_sub(plies);
        self.cut |= !enough;
        enough
    }

    /// Takes some away for what is done in any case.
    pub(super) fn pay(&mut self, plies: u32) {
        self.left = self.left.saturating_sub(plies);
    }

    /// A part of it for a search that must leave some to others; what of it
    /// was not used is given back by [`Work::take`].
    pub(super) fn part(self) -> Work {
        Work::new(self.left / 2)
    }

    /// Takes away what was used of a part.
    pub(super) fn take(&mut self, part: Work) {
        self.left -= (self.left / 2).saturating_sub(part.left);
    }

    /// A search ended, or looked at less than it would have, to save work.
    pub(super) fn note_cut(&mut self) {
        self.cut = true;
    }

    /// Whether a search was cut short.
    pub(super) fn was_cut(self) -> bool {
        self.cut
    }

    /// Begins a search of which it is wanted whether it was cut: forgets
    /// whether one before was, and says so.
    pub(super) fn begin(&mut self) -> bool {
        std::mem::take(&mut self.cut)
    }

    /// Ends a search; whether it was cut. `before` is what [`Work::begin`]
    /// said.
    pub(super) fn end(&mut self, before: bool) -> bool {
        let cut = self.cut;
        self.cut |= before;
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_and_says_so() {
        let mut work = Work::new(10);
        assert!(work.spend(9));
        assert!(!work.was_cut());
        assert!(!work.spend(9));
        assert!(work.was_cut());
        assert_eq!(work.left(), 0);
        let before = work.begin();
        work.pay(9);
        assert!(!work.was_cut(), "what is paid for was done");
        assert!(!work.end(before));
        assert!(work.was_cut());
        assert_eq!(Work::of_game(&Record::default(), 700).left(), 700);
    }
}
