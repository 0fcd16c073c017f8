//! Like pieces on one file, counted from the front: what 前, 中, 后, 一, 二 …
//! mean on a board (notation-chinese.md, 4 and 5). Reading and writing both
//! stand on this.

use super::syntax::{Direction, Ordinal};
use crate::board::{Color, PieceKind, Square};

/// The ten points of file a.
const FILE_A: u128 = {
    let mut mask = 0;
    let mut rank = 0;
    while rank < 10 {
        mask |= 1 << (rank * 9);
        rank += 1;
    }
    mask
};

/// The points of the file that `side` calls `number` (1 to 9).
#[inline]
pub(super) fn file_of_number(number: u8, side: Color) -> u128 {
    FILE_A << file_index(number, side)
}

/// Index 0 to 8 from Red's left of the file that `side` calls `number`.
#[inline]
pub(super) fn file_index(number: u8, side: Color) -> u8 {
    let number = number.clamp(1, 9);
    match side {
        Color::Red => 9 - number,
        Color::Black => number - 1,
    }
}

/// The piece with `index` (from 0) of a set on one file, counted from the
/// front; empty when there are not so many.
pub(super) fn from_front(mut set: u128, side: Color, index: u32) -> u128 {
    for _ in 0..index {
        set &= !frontmost(set, side);
    }
    frontmost(set, side)
}

fn frontmost(set: u128, side: Color) -> u128 {
    match (set, side) {
        (0, _) => 0,
        (_, Color::Red) => 1 << set.ilog2(),
        (_, Color::Black) => set & set.wrapping_neg(),
    }
}

/// The piece that an ordinal picks from the pieces of one file. 中 of an even
/// number picks nothing.
pub(super) fn ordinal_on_file(set: u128, side: Color, ordinal: Ordinal) -> u128 {
    let count = set.count_ones();
    match ordinal {
        Ordinal::Front => from_front(set, side, 0),
        Ordinal::Middle if count % 2 == 1 => from_front(set, side, count / 2),
        Ordinal::Rear if count > 0 => from_front(set, side, count - 1),
        Ordinal::Nth(n) if n >= 1 => from_front(set, side, n as u32 - 1),
        Ordinal::Middle | Ordinal::Rear | Ordinal::Nth(_) => 0,
    }
}

/// The two in the middle of an even number.
pub(super) fn middle_pair(set: u128, side: Color) -> u128 {
    let count = set.count_ones();
    if count == 0 || count % 2 == 1 {
        return 0;
    }
    from_front(set, side, count / 2 - 1) | from_front(set, side, count / 2)
}

/// The files that hold two pieces of the set or more, each as the set of its
/// pieces, from the mover's right to his left.
pub(super) fn shared_files(set: u128, side: Color) -> impl Iterator<Item = u128> {
    (1..=9)
        .map(move |number| set & file_of_number(number, side))
        .filter(|on_file| on_file & on_file.wrapping_sub(1) != 0)
}

/// The piece with running number `n` (from 1) over all shared files: from the
/// mover's right file to his left, on a file from the front (xqbase standard
/// no. 2, as its example and its author's program have it).
pub(super) fn running_number(set: u128, side: Color, n: u8) -> u128 {
    let mut before = 0;
    for on_file in shared_files(set, side) {
        let count = on_file.count_ones();
        if (n as u32) <= before + count {
            return if n == 0 { 0 } else { from_front(on_file, side, n as u32 - before - 1) };
        }
        before += count;
    }
    0
}

/// Where the last two words of a move lead from a square; `None` off the
/// board, or where the piece never goes so. `numbering` is the side whose
/// file numbers are meant; normally the mover.
#[inline]
pub(super) fn target(
    kind: PieceKind,
    side: Color,
    numbering: Color,
    from: Square,
    direction: Direction,
    to: u8,
) -> Option<Square> {
    let forward = side.forward();
    let (file, rank) = (from.file() as i8, from.rank() as i8);
    if kind.moves_diagonally() {
        let to_file = file_index(to, numbering) as i8;
        let ranks = match (kind, to_file.abs_diff(file)) {
            (PieceKind::Horse, 1) | (PieceKind::Elephant, 2) => 2,
            (PieceKind::Horse, 2) | (PieceKind::Advisor, 1) => 1,
            _ => return None,
        };
        return match direction {
            Direction::Forward => Square::at(to_file, rank + forward * ranks),
            Direction::Back => Square::at(to_file, rank - forward * ranks),
            Direction::Sideways => None,
        };
    }
    match direction {
        Direction::Forward => Square::at(file, rank + forward * to as i8),
        Direction::Back => Square::at(file, rank - forward * to as i8),
        Direction::Sideways => {
            let to_file = file_index(to, numbering) as i8;
            if to_file == file { None } else { Square::at(to_file, rank) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(squares: &[&str]) -> u128 {
        squares.iter().map(|s| 1u128 << s.parse::<Square>().unwrap().index()).sum()
    }

    #[test]
    fn the_example_of_the_xqbase_standard() {
        // 4k4/3P1P3/4P4/3P1P3/…: 一 and 二 on file 4 (f), 三 and 四 on file 6.
        let pawns = set(&["d8", "f8", "e7", "d6", "f6"]);
        let numbered: Vec<u128> = (0..=5).map(|n| running_number(pawns, Color::Red, n)).collect();
        assert_eq!(numbered, [0, set(&["f8"]), set(&["f6"]), set(&["d8"]), set(&["d6"]), 0]);
        // For Black the right hand is the d file, and the front is below.
        assert_eq!(running_number(pawns, Color::Black, 1), set(&["d6"]));
    }

    #[test]
    fn ordinals_of_three_and_four() {
        let three = set(&["e8", "e7", "e6"]);
        assert_eq!(ordinal_on_file(three, Color::Red, Ordinal::Front), set(&["e8"]));
        assert_eq!(ordinal_on_file(three, Color::Black, Ordinal::Front), set(&["e6"]));
        assert_eq!(ordinal_on_file(three, Color::Red, Ordinal::Middle), set(&["e7"]));
        assert_eq!(ordinal_on_file(three, Color::Red, Ordinal::Nth(4)), 0);
        let four = set(&["c1", "c2", "c3", "c4"]);
        assert_eq!(ordinal_on_file(four, Color::Black, Ordinal::Middle), 0);
        assert_eq!(middle_pair(four, Color::Black), set(&["c2", "c3"]));
    }
}
