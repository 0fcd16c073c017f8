//! How many pieces stand in which regions, kept up to date move by move.
//!
//! Each count of a question has a lane. What a piece on a square adds to the
//! lanes is tabled, so that a half-move costs a few additions for sixteen
//! counts at a time, whatever their regions are.

use smallvec::{SmallVec, smallvec};

use super::condition::{Count, PIECES};
use super::syntax::Range;
use crate::board::{Position, Square};

/// Counts that are kept together.
const WIDTH: usize = 16;
type Lanes = [i8; WIDTH];

/// Code of a piece that is not there: it adds nothing.
pub(crate) const NOBODY: usize = PIECES;

/// The counts of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    low: Vec<Lanes>,
    high: Vec<Lanes>,
    /// By piece code (and [`NOBODY`]) and square: 1 in the lanes it counts in.
    weights: Vec<Lanes>,
}

/// The numbers in one position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    lanes: SmallVec<[Lanes; 2]>,
    /// All are as they are asked to be.
    pub(crate) hold: bool,
}

impl Tally {
    pub(crate) fn new(counts: &[Count]) -> Tally {
        let blocks = counts.len().div_ceil(WIDTH);
        let mut tally = Tally {
            // A lane that is not used is always 0.
            low: vec![[0; WIDTH]; blocks],
            high: vec![[i8::MAX; WIDTH]; blocks],
            weights: vec![[0; WIDTH]; (PIECES + 1) * 90 * blocks],
        };
        for (at, count) in counts.iter().enumerate() {
            let (block, lane) = (at / WIDTH, at % WIDTH);
            // No number is above 90.
            let bound = |number: i16| number.clamp(-1, 99) as i8;
            let Range { low, high } = count.number;
            tally.low[block][lane] = bound(low);
            tally.high[block][lane] = bound(high);
            for code in &count.codes {
                for square in Square::all().filter(|square| count.region >> square.index() & 1 != 0)
                {
                    tally.weights[(code * 90 + square.index()) * blocks + block][lane] = 1;
                }
            }
        }
        tally
    }

    fn weights(&self, code: usize, square: Square) -> &[Lanes] {
        let blocks = self.low.len();
        let at = (code * 90 + square.index()) * blocks;
        &self.weights[at..at + blocks]
    }

    /// Counts a position.
    pub(crate) fn of(&self, position: &Position) -> Numbers {
        let mut numbers = Numbers { lanes: smallvec![[0; WIDTH]; self.low.len()], hold: true };
        for square in position.occupied() {
            let Some(piece) = position.piece_at(square) else { continue };
            let weights = self.weights(usize::from(piece.code()), square);
            for (lanes, weights) in numbers.lanes.iter_mut().zip(weights) {
                for (number, weight) in lanes.iter_mut().zip(weights) {
                    *number += weight;
                }
            }
        }
        for ((lanes, low), high) in numbers.lanes.iter().zip(&self.low).zip(&self.high) {
            for ((number, low), high) in lanes.iter().zip(low).zip(high) {
                numbers.hold &= low <= number && number <= high;
            }
        }
        numbers
    }

    /// Follows a half-move of the piece `code`, which took the piece `taken`.
    #[inline]
    pub(crate) fn follow(
        &self,
        numbers: &mut Numbers,
        code: usize,
        (from, to): (Square, Square),
        taken: usize,
    ) {
        let (left, reached) = (self.weights(code, from), self.weights(code, to));
        let gone = self.weights(taken, to);
        let mut bad = 0;
        for (block, lanes) in numbers.lanes.iter_mut().enumerate() {
            let (left, reached, gone) = (&left[block], &reached[block], &gone[block]);
            let (low, high) = (&self.low[block], &self.high[block]);
            for lane in 0..WIDTH {
                let number = lanes[lane] + reached[lane] - left[lane] - gone[lane];
                lanes[lane] = number;
                bad |= i8::from(number < low[lane]) | i8::from(number > high[lane]);
            }
        }
        numbers.hold = bad == 0;
    }
}
