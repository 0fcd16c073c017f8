//! Move numbers: noted when they do not fit, never believed.

use super::dialect::numbered;
use crate::board::Position;
use crate::record::{NodeId, Record};

/// Follows the numbers of the main line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    /// Whether any move has a number.
    pub(super) numbered: bool,
    /// What the file's numbers are ahead of the rounds of the position.
    ahead: i64,
    /// Whether the next number sets `ahead` without being noted, because
    /// nothing says which number the first round has.
    free: bool,
    /// Whether every half-move has its own number.
    by_ply: bool,
}

impl Numbers {
    pub(super) fn new(record: &Record, start_has_round: bool) -> Numbers {
        Numbers { numbered: numbered(record), ahead: 0, free: !start_has_round, by_ply: false }
    }

    /// Takes note of the number before a move that is about to be played.
    /// Returns the number that was to be expected when it is another.
    #[inline]
    pub(super) fn see(
        &mut self,
        record: &Record,
        id: NodeId,
        position: &Position,
        ply: u32,
    ) -> Option<i64> {
        let number = record.tree.node(id).number;
        if number == 0 { None } else { self.weigh(record, id, number, position, ply) }
    }

    fn weigh(
        &mut self,
        record: &Record,
        id: NodeId,
        number: u32,
        position: &Position,
        ply: u32,
    ) -> Option<i64> {
        let number = i64::from(number);
        let count = i64::from(if self.by_ply { ply } else { position.round() });
        if number == count + self.ahead {
            self.free = false;
            return None;
        }
        let expected = count + self.ahead;
        if std::mem::take(&mut self.free) {
            self.ahead = number - count;
            return None;
        }
        if !self.by_ply && number == expected + 1 && counts_plies(record, id) {
            self.by_ply = true;
            self.ahead = number - i64::from(ply);
            return None;
        }
        self.ahead = number - count;
        Some(expected)
    }
}

/// Whether the numbers go up by one with every half-move around `id`.
fn counts_plies(record: &Record, id: NodeId) -> bool {
    let number = |id: NodeId| i64::from(record.tree.node(id).number);
    let before = record.tree.parent(id).filter(|parent| *parent != NodeId::ROOT);
    let after = record.tree.first_child(id);
    before.is_some_and(|before| number(before) == number(id) - 1)
        && after.is_none_or(|after| number(after) == number(id) + 1)
}
