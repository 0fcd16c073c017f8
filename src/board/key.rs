//! The position key: one 64-bit number a position, the same for ever.
//!
//! The key is the XOR of one number for each piece on its square, and one
//! more when Black is to move. The numbers are the outputs of SplitMix64
//! started at [`SEED`]: number `code * 90 + square` for a piece (codes 0 to 6
//! are Red's K A B N R C P, 7 to 13 Black's), number 1260 for Black to move.
//! `docs/position-key.md` specifies it and `tests/data/position-keys.tsv`
//! pins values, because databases keep the keys.

use std::fmt;

/// Start value of the generator: the ASCII bytes of `qipu1956`.
pub(crate) const SEED: u64 = 0x7169_7075_3139_3536;

const COUNT: usize = 14 * 90 + 1;

/// One output of SplitMix64 (Steele, Lea, Flood 2014) and its next state.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31), state)
}

static NUMBERS: [u64; COUNT] = {
    let mut table = [0; COUNT];
    let mut state = SEED;
    let mut i = 0;
    while i < COUNT {
        (table[i], state) = split_mix(state);
        i += 1;
    }
    table
};

/// Key contribution of a piece code on a square.
#[inline]
pub(crate) fn of_piece(code: u8, square: usize) -> u64 {
    NUMBERS[code as usize * 90 + square]
}

/// Key contribution of Black being to move.
#[inline]
pub(crate) fn of_black_to_move() -> u64 {
    NUMBERS[COUNT - 1]
}

/// Identifies a position: pieces, squares and the side to move.
///
/// Counters are not part of it. Two different positions may share a key with
/// a probability of about 2^-64 a pair; whoever needs certainty compares the
/// positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub u64);

impl fmt::Display for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
