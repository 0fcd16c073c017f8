//! Whether a move has anything to do with a king: asked of every move that is
//! replayed, and nearly always denied.

use super::attacks::{HORSE, NEAR_KING};

/// Sets of squares for each square of a king, in halves of 64 squares, so that
/// asking for one square takes one load and one shift.
struct Sets([[u64; 2]; 90]);

impl Sets {
    const fn of(boards: &[u128; 90]) -> Sets {
        let mut sets = [[0; 2]; 90];
        let mut at = 0;
        while at < 90 {
            sets[at] = [boards[at] as u64, (boards[at] >> 64) as u64];
            at += 1;
        }
        Sets(sets)
    }

    /// Whether one of two squares, 0 to 89, is in the set of `king`.
    #[inline]
    fn has_either(&self, king: usize, from: usize, to: usize) -> bool {
        let set = &self.0[king];
        (set[from >> 6 & 1] >> (from & 63) | set[to >> 6 & 1] >> (to & 63)) & 1 != 0
    }
}

static TOUCHING: Sets = Sets::of(&NEAR_KING);

static CHECKING: Sets = {
    let mut boards = NEAR_KING;
    let mut at = 0;
    while at < 90 {
        boards[at] |= HORSE[at][0];
        at += 1;
    }
    Sets::of(&boards)
};

/// Whether a move between two squares can open a line to a king, or a horse's
/// leg, or give a cannon its screen.
#[inline]
pub(super) fn can_expose(king: usize, from: usize, to: usize) -> bool {
    TOUCHING.has_either(king, from, to)
}

/// Whether a move between two squares can give check to a king: as
/// [`can_expose`], or by a horse that has come to where it attacks from.
#[inline]
pub(super) fn can_check(king: usize, from: usize, to: usize) -> bool {
    CHECKING.has_either(king, from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_are_the_whole_boards() {
        for king in 0..90 {
            for square in 0..90 {
                let near = NEAR_KING[king] >> square & 1 != 0;
                let attacks = HORSE[king][0] >> square & 1 != 0;
                assert_eq!(can_expose(king, square, square), near);
                assert_eq!(can_check(king, square, square), near || attacks);
            }
        }
        // e0: d1 is a leg, d2 a place to attack from, c1 too; d3 is nothing.
        assert!(can_expose(4, 12, 89) && !can_expose(4, 21, 89));
        assert!(can_check(4, 89, 21) && can_check(4, 11, 89) && !can_check(4, 30, 89));
    }
}
