//! Attack tables: where a piece reaches, given what stands on the board.
//!
//! Chariots and cannons are read from two line tables. A rank is nine bits of
//! the rank-major occupancy; a file is ten bits of a second, file-major
//! occupancy that [`super::Position`] keeps beside it, so no multiplication
//! and no processor-specific instruction is needed
//! (`docs/decisions/0002-board-representation.md`). All tables are computed
//! at compile time and take about 350 KiB.

use super::bitboard::Bitboard;
use super::piece::Color;
use super::square::Square;

const fn sq(file: i8, rank: i8) -> u128 {
    match Square::at(file, rank) {
        Some(square) => 1 << square.index(),
        None => 0,
    }
}

const fn file_of(index: usize) -> i8 {
    (index % 9) as i8
}

const fn rank_of(index: usize) -> i8 {
    (index / 9) as i8
}

/// Squares a chariot reaches on a line of `length` points: all up to and with
/// the first piece on either side.
const fn chariot_line(at: usize, occupied: u32, length: usize) -> u16 {
    let mut reach = 0u16;
    let mut i = at + 1;
    while i < length {
        reach |= 1 << i;
        if occupied >> i & 1 != 0 {
            break;
        }
        i += 1;
    }
    let mut i = at;
    while i > 0 {
        i -= 1;
        reach |= 1 << i;
        if occupied >> i & 1 != 0 {
            break;
        }
    }
    reach
}

/// The piece behind the first piece on either side: what a cannon attacks.
const fn cannon_line(at: usize, occupied: u32, length: usize) -> u16 {
    let mut reach = 0u16;
    let mut seen = 0;
    let mut i = at + 1;
    while i < length {
        if occupied >> i & 1 != 0 {
            seen += 1;
            if seen == 2 {
                reach |= 1 << i;
                break;
            }
        }
        i += 1;
    }
    seen = 0;
    let mut i = at;
    while i > 0 {
        i -= 1;
        if occupied >> i & 1 != 0 {
            seen += 1;
            if seen == 2 {
                reach |= 1 << i;
                break;
            }
        }
    }
    reach
}

const fn line_table<const POINTS: usize, const STATES: usize>(
    cannon: bool,
) -> [[u16; STATES]; POINTS] {
    let mut table = [[0; STATES]; POINTS];
    let mut at = 0;
    while at < POINTS {
        let mut occupied = 0;
        while occupied < STATES {
            table[at][occupied] = if cannon {
                cannon_line(at, occupied as u32, POINTS)
            } else {
                chariot_line(at, occupied as u32, POINTS)
            };
            occupied += 1;
        }
        at += 1;
    }
    table
}

static CHARIOT_ON_RANK: [[u16; 512]; 9] = line_table(false);
static CANNON_ON_RANK: [[u16; 512]; 9] = line_table(true);
static CHARIOT_ON_FILE: [[u16; 1024]; 10] = line_table(false);
static CANNON_ON_FILE: [[u16; 1024]; 10] = line_table(true);

/// Ten bits of a file spread to every ninth bit (file a).
static SPREAD: [u128; 1024] = {
    let mut table = [0; 1024];
    let mut bits = 0;
    while bits < 1024 {
        let mut rank = 0;
        while rank < 10 {
            if bits >> rank & 1 != 0 {
                table[bits] |= 1 << (9 * rank);
            }
            rank += 1;
        }
        bits += 1;
    }
    table
};

const HORSE_STEPS: [(i8, i8, usize); 8] = [
    // (file, rank, leg): leg 0 south, 1 west, 2 east, 3 north.
    (-1, -2, 0),
    (1, -2, 0),
    (-2, -1, 1),
    (-2, 1, 1),
    (2, -1, 2),
    (2, 1, 2),
    (-1, 2, 3),
    (1, 2, 3),
];

/// Diagonal neighbours in the order of [`diagonal_bits`].
const DIAGONALS: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Where a horse goes, by square and blocked legs (蹩马腿).
pub(super) static HORSE: [[u128; 16]; 90] = {
    let mut table = [[0; 16]; 90];
    let mut at = 0;
    while at < 90 {
        let mut blocked = 0;
        while blocked < 16 {
            let mut i = 0;
            while i < 8 {
                let (df, dr, leg) = HORSE_STEPS[i];
                if blocked >> leg & 1 == 0 {
                    table[at][blocked] |= sq(file_of(at) + df, rank_of(at) + dr);
                }
                i += 1;
            }
            blocked += 1;
        }
        at += 1;
    }
    table
};

/// From where a horse attacks a square, by the square's occupied diagonal
/// neighbours, which are the legs of those horses.
static HORSE_TO: [[u128; 16]; 90] = {
    let mut table = [[0; 16]; 90];
    let mut at = 0;
    while at < 90 {
        let mut blocked = 0;
        while blocked < 16 {
            let mut d = 0;
            while d < 4 {
                if blocked >> d & 1 == 0 {
                    let (df, dr) = DIAGONALS[d];
                    table[at][blocked] |= sq(file_of(at) + df, rank_of(at) + 2 * dr)
                        | sq(file_of(at) + 2 * df, rank_of(at) + dr);
                }
                d += 1;
            }
            blocked += 1;
        }
        at += 1;
    }
    table
};

/// Where an elephant goes, by square and blocked eyes (塞象眼), on its own
/// side of the river.
static ELEPHANT: [[u128; 16]; 90] = {
    let mut table = [[0; 16]; 90];
    let mut at = 0;
    while at < 90 {
        let mut blocked = 0;
        while blocked < 16 {
            let mut d = 0;
            while d < 4 {
                if blocked >> d & 1 == 0 {
                    let (df, dr) = DIAGONALS[d];
                    let rank = rank_of(at) + 2 * dr;
                    if (rank <= 4) == (rank_of(at) <= 4) {
                        table[at][blocked] |= sq(file_of(at) + 2 * df, rank);
                    }
                }
                d += 1;
            }
            blocked += 1;
        }
        at += 1;
    }
    table
};

const fn palace() -> u128 {
    let mut mask = 0;
    let mut file = 3;
    while file <= 5 {
        let mut rank = 0;
        while rank <= 2 {
            mask |= sq(file, rank) | sq(file, 9 - rank);
            rank += 1;
        }
        file += 1;
    }
    mask
}

/// Both palaces (九宫).
pub(crate) const PALACE: u128 = palace();

static ADVISOR: [u128; 90] = {
    let mut table = [0; 90];
    let mut at = 0;
    while at < 90 {
        let mut d = 0;
        while d < 4 {
            let (df, dr) = DIAGONALS[d];
            table[at] |= sq(file_of(at) + df, rank_of(at) + dr) & PALACE;
            d += 1;
        }
        at += 1;
    }
    table
};

static KING: [u128; 90] = {
    let mut table = [0; 90];
    let mut at = 0;
    while at < 90 {
        let (f, r) = (file_of(at), rank_of(at));
        table[at] = (sq(f + 1, r) | sq(f - 1, r) | sq(f, r + 1) | sq(f, r - 1)) & PALACE;
        at += 1;
    }
    table
};

/// Where a pawn goes, by side.
static PAWN: [[u128; 90]; 2] = {
    let mut table = [[0; 90]; 2];
    let mut at = 0;
    while at < 90 {
        let (f, r) = (file_of(at), rank_of(at));
        table[0][at] = sq(f, r + 1);
        if r >= 5 {
            table[0][at] |= sq(f + 1, r) | sq(f - 1, r);
        }
        table[1][at] = sq(f, r - 1);
        if r <= 4 {
            table[1][at] |= sq(f + 1, r) | sq(f - 1, r);
        }
        at += 1;
    }
    table
};

/// From where a pawn of a side attacks a square.
static PAWN_TO: [[u128; 90]; 2] = {
    let mut table = [[0; 90]; 2];
    let mut from = 0;
    while from < 90 {
        let mut to = 0;
        while to < 90 {
            if PAWN[0][from] >> to & 1 != 0 {
                table[0][to] |= 1 << from;
            }
            if PAWN[1][from] >> to & 1 != 0 {
                table[1][to] |= 1 << from;
            }
            to += 1;
        }
        from += 1;
    }
    table
};

/// The squares strictly between two squares of one rank or file.
static BETWEEN: [[u128; 90]; 90] = {
    let mut table = [[0; 90]; 90];
    let mut a = 0;
    while a < 90 {
        let mut b = 0;
        while b < a {
            let step = if rank_of(a) == rank_of(b) {
                1
            } else if file_of(a) == file_of(b) {
                9
            } else {
                0
            };
            if step != 0 {
                let mut mask = 0;
                let mut i = b + step;
                while i < a {
                    mask |= 1 << i;
                    i += step;
                }
                table[a][b] = mask;
                table[b][a] = mask;
            }
            b += 1;
        }
        a += 1;
    }
    table
};

/// The rank and file of a square, without the square.
static LINES: [u128; 90] = {
    let mut table = [0; 90];
    let mut a = 0;
    while a < 90 {
        let mut b = 0;
        while b < 90 {
            if a != b && (rank_of(a) == rank_of(b) || file_of(a) == file_of(b)) {
                table[a] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    table
};

/// The squares on which a change can matter to a king on a square, horses
/// that come near left aside: its rank and file, and its diagonal neighbours,
/// which are horses' legs.
pub(super) static NEAR_KING: [u128; 90] = {
    let mut table = LINES;
    let mut at = 0;
    while at < 90 {
        let mut d = 0;
        while d < 4 {
            let (df, dr) = DIAGONALS[d];
            table[at] |= sq(file_of(at) + df, rank_of(at) + dr);
            d += 1;
        }
        at += 1;
    }
    table
};

/// The 21 bits around a square, shifted so that the offset -10 is bit 0.
#[inline]
fn neighbourhood(at: usize, occupied: u128) -> u32 {
    // Ten zero bits below a0 stand for the points beyond the board.
    ((occupied << 10) >> at) as u32
}

#[inline]
fn leg_bits(at: usize, occupied: u128) -> usize {
    let w = neighbourhood(at, occupied);
    ((w >> 1 & 1) | (w >> 9 & 1) << 1 | (w >> 11 & 1) << 2 | (w >> 19 & 1) << 3) as usize
}

#[inline]
fn diagonal_bits(at: usize, occupied: u128) -> usize {
    let w = neighbourhood(at, occupied);
    ((w & 1) | (w >> 2 & 1) << 1 | (w >> 18 & 1) << 2 | (w >> 20 & 1) << 3) as usize
}

/// What stands on the board, in both orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Occupancy {
    /// Bit `rank * 9 + file`.
    pub by_rank: u128,
    /// Bit `file * 10 + rank`.
    pub by_file: u128,
}

/// Index of a square in the file-major order.
#[inline]
pub(crate) const fn by_file_index(square: usize) -> usize {
    square % 9 * 10 + square / 9
}

/// The bit of a square in the file-major order.
static BY_FILE: [u128; 90] = {
    let mut table = [0; 90];
    let mut at = 0;
    while at < 90 {
        table[at] = 1 << by_file_index(at);
        at += 1;
    }
    table
};

impl Occupancy {
    #[inline]
    pub(crate) fn set(&mut self, square: usize) {
        self.by_rank |= 1 << square;
        self.by_file |= BY_FILE[square];
    }

    #[inline]
    pub(crate) fn clear(&mut self, square: usize) {
        self.by_rank &= !(1 << square);
        self.by_file &= !BY_FILE[square];
    }

    #[inline]
    fn rank_state(self, square: usize) -> usize {
        (self.by_rank >> (square / 9 * 9)) as usize & 0x1ff
    }

    #[inline]
    fn file_state(self, square: usize) -> usize {
        (self.by_file >> (square % 9 * 10)) as usize & 0x3ff
    }
}

#[inline]
pub(crate) fn chariot(at: usize, occupied: Occupancy) -> u128 {
    let (file, rank) = (at % 9, at / 9);
    (CHARIOT_ON_RANK[file][occupied.rank_state(at)] as u128) << (rank * 9)
        | SPREAD[CHARIOT_ON_FILE[rank][occupied.file_state(at)] as usize] << file
}

/// The pieces that stand behind exactly one screen (炮架), seen from `at`.
#[inline]
pub(crate) fn cannon(at: usize, occupied: Occupancy) -> u128 {
    let (file, rank) = (at % 9, at / 9);
    (CANNON_ON_RANK[file][occupied.rank_state(at)] as u128) << (rank * 9)
        | SPREAD[CANNON_ON_FILE[rank][occupied.file_state(at)] as usize] << file
}

#[inline]
pub(crate) fn horse(at: usize, occupied: u128) -> u128 {
    HORSE[at][leg_bits(at, occupied)]
}

#[inline]
pub(crate) fn horse_to(at: usize, occupied: u128) -> u128 {
    HORSE_TO[at][diagonal_bits(at, occupied)]
}

#[inline]
pub(crate) fn elephant(at: usize, occupied: u128) -> u128 {
    ELEPHANT[at][diagonal_bits(at, occupied)]
}

#[inline]
pub(crate) fn advisor(at: usize) -> u128 {
    ADVISOR[at]
}

#[inline]
pub(crate) fn king(at: usize) -> u128 {
    KING[at]
}

#[inline]
pub(crate) fn pawn(color: Color, at: usize) -> u128 {
    PAWN[color.index()][at]
}

#[inline]
pub(crate) fn pawn_to(color: Color, at: usize) -> u128 {
    PAWN_TO[color.index()][at]
}

#[inline]
pub(crate) fn between_bits(a: usize, b: usize) -> u128 {
    BETWEEN[a][b]
}

#[inline]
pub(crate) fn lines(at: usize) -> u128 {
    LINES[at]
}

/// The whole file of a square.
#[inline]
pub(crate) fn file(at: usize) -> u128 {
    SPREAD[0x3ff] << (at % 9)
}

/// The diagonal neighbours of a square, palace or not.
#[inline]
pub(crate) fn diagonal(at: usize) -> u128 {
    NEAR_KING[at] & !LINES[at]
}

/// Whether a chariot on `from` reaches or protects `to`.
#[inline]
pub(crate) fn on_chariot_line(from: usize, to: usize, occupied: Occupancy) -> bool {
    let (file, rank) = (from % 9, from / 9);
    if rank == to / 9 {
        CHARIOT_ON_RANK[file][occupied.rank_state(from)] >> (to % 9) & 1 != 0
    } else {
        file == to % 9 && CHARIOT_ON_FILE[rank][occupied.file_state(from)] >> (to / 9) & 1 != 0
    }
}

/// Whether a cannon on `from` attacks or protects `to` over a screen.
#[inline]
pub(crate) fn on_cannon_line(from: usize, to: usize, occupied: Occupancy) -> bool {
    let (file, rank) = (from % 9, from / 9);
    if rank == to / 9 {
        CANNON_ON_RANK[file][occupied.rank_state(from)] >> (to % 9) & 1 != 0
    } else {
        file == to % 9 && CANNON_ON_FILE[rank][occupied.file_state(from)] >> (to / 9) & 1 != 0
    }
}

/// The leg of a horse that goes from one square to another.
#[inline]
pub(crate) fn leg(from: usize, to: usize) -> usize {
    match to.wrapping_sub(from) as isize {
        12.. => from + 9,
        11 | -7 => from + 1,
        7 | -11 => from.wrapping_sub(1),
        _ => from.wrapping_sub(9),
    }
}

/// Where a horse would go were no leg blocked, and equally from where one
/// would reach `at`.
#[inline]
pub(crate) fn horse_geometry(at: usize) -> u128 {
    HORSE[at][0]
}

#[inline]
pub(crate) fn elephant_geometry(at: usize) -> u128 {
    ELEPHANT[at][0]
}

/// The squares strictly between two squares of one rank or file; empty when
/// they share neither.
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}
