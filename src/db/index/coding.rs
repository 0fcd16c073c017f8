//! How postings and trees are packed into blobs (`docs/schema.md`).

use smallvec::SmallVec;

use super::{GameId, MoveStats, PositionTree, RatingSum};
use crate::board::Move;

/// Offsets of games in their segment.
pub(crate) type Offsets = SmallVec<[u32; 8]>;

/// Bytes of an offset in a segment whose highest offset is `highest`.
pub(crate) fn width_of(highest: u64) -> usize {
    match highest {
        0..0x1_0000 => 2,
        0x1_0000..0x100_0000 => 3,
        _ => 4,
    }
}

/// Appends a number, seven bits a byte, the lowest first.
pub(crate) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front; `None` when the bytes end or it is too long.
pub(crate) fn get(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    let mut shift = 0;
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

fn get_u16(bytes: &mut &[u8]) -> Option<u16> {
    let (pair, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u16::from_le_bytes(*pair))
}

fn get_offset(bytes: &mut &[u8], width: usize) -> Option<u32> {
    let (own, rest) = bytes.split_at_checked(width)?;
    *bytes = rest;
    Some(own.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// Appends the games of one 32-bit key to a bucket, `width` bytes each. `step`
/// is the distance from the key before.
pub(crate) fn put_posting(out: &mut Vec<u8>, step: u32, offsets: &[u32], width: usize) {
    if offsets.len() == 1 {
        put(out, u64::from(step) << 1);
    } else {
        put(out, u64::from(step) << 1 | 1);
        put(out, offsets.len() as u64);
    }
    for offset in offsets {
        out.extend_from_slice(offset.to_le_bytes().split_at(width).0);
    }
}

/// The games of a key in a bucket that begins at key `first`; `None` when the
/// bucket is damaged.
pub(crate) fn find_posting(
    mut bytes: &[u8],
    width: usize,
    first: u32,
    wanted: u32,
) -> Option<Offsets> {
    let mut key = u64::from(first);
    while !bytes.is_empty() {
        let head = get(&mut bytes)?;
        key = key.checked_add(head >> 1)?;
        let count = if head & 1 == 0 { 1 } else { usize::try_from(get(&mut bytes)?).ok()? };
        let (mut mine, rest) = bytes.split_at_checked(count.checked_mul(width)?)?;
        if key == u64::from(wanted) {
            let mut offsets = Offsets::new();
            while !mine.is_empty() {
                offsets.push(get_offset(&mut mine, width)?);
            }
            return Some(offsets);
        }
        if key > u64::from(wanted) {
            break;
        }
        bytes = rest;
    }
    Some(Offsets::new())
}

/// All keys of a bucket with their games; `None` when it is damaged.
pub(crate) fn each_posting(
    mut bytes: &[u8],
    width: usize,
    first: u32,
    each: &mut dyn FnMut(u32, u32),
) -> Option<()> {
    let mut key = u64::from(first);
    while !bytes.is_empty() {
        let head = get(&mut bytes)?;
        key = key.checked_add(head >> 1)?;
        let count = if head & 1 == 0 { 1 } else { get(&mut bytes)? };
        for _ in 0..count {
            each(u32::try_from(key).ok()?, get_offset(&mut bytes, width)?);
        }
    }
    Some(())
}

/// Packs ascending offsets.
pub(crate) fn put_offsets(out: &mut Vec<u8>, offsets: impl Iterator<Item = u32>) {
    let mut last = 0;
    for offset in offsets {
        put(out, u64::from(offset.saturating_sub(last)));
        last = offset;
    }
}

/// Unpacks what [`put_offsets`] packed, as ids.
pub(crate) fn get_ids(mut bytes: &[u8], first_game: GameId, ids: &mut Vec<GameId>) -> Option<()> {
    let mut id = first_game;
    while !bytes.is_empty() {
        id = id.checked_add_unsigned(get(&mut bytes)?)?;
        ids.push(id);
    }
    Some(())
}

/// Packs the moves of a tree. Ids count from `first_game`.
pub(crate) fn put_moves(out: &mut Vec<u8>, moves: &[MoveStats], first_game: GameId) {
    for stats in moves {
        out.extend_from_slice(&stats.mv.to_u16().to_le_bytes());
        for number in [
            stats.games,
            stats.red_wins,
            stats.draws,
            stats.black_wins,
            stats.dated,
            stats.year_sum,
            u64::from(stats.last_year.unwrap_or(0)),
            stats.last_game.abs_diff(first_game),
        ] {
            put(out, number);
        }
        // Mostly nobody's rating is known: a byte says so.
        let known = stats.ratings.iter().any(|sum| sum.games > 0);
        put(out, u64::from(known));
        if known {
            for sum in stats.ratings {
                put(out, sum.games);
                put(out, sum.sum);
            }
        }
    }
}

/// Adds to a tree the moves that [`put_moves`] packed.
pub(crate) fn add_moves(
    mut bytes: &[u8],
    games: u64,
    first_game: GameId,
    tree: &mut PositionTree,
) -> Option<()> {
    tree.games += games;
    while !bytes.is_empty() {
        let mut stats = MoveStats::new(Move::from_u16(get_u16(&mut bytes)?)?);
        for number in [
            &mut stats.games,
            &mut stats.red_wins,
            &mut stats.draws,
            &mut stats.black_wins,
            &mut stats.dated,
            &mut stats.year_sum,
        ] {
            *number = get(&mut bytes)?;
        }
        let last_year = u16::try_from(get(&mut bytes)?).ok()?;
        stats.last_year = (last_year > 0).then_some(last_year);
        stats.last_game = first_game.checked_add_unsigned(get(&mut bytes)?)?;
        if get(&mut bytes)? != 0 {
            for sum in &mut stats.ratings {
                *sum = RatingSum { games: get(&mut bytes)?, sum: get(&mut bytes)? };
            }
        }
        tree.stats(stats.mv).absorb(&stats);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers: Vec<u64>) {
            let mut bytes = Vec::new();
            for number in &numbers {
                put(&mut bytes, *number);
            }
            let mut rest = &bytes[..];
            for number in numbers {
                prop_assert_eq!(get(&mut rest), Some(number));
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn postings_come_back(
            postings in prop::collection::btree_map(
                any::<u32>(), prop::collection::vec(0u32..0x1_0000, 1..9), 0..50),
            other: u32,
            width in 2usize..5,
        ) {
            let mut bytes = Vec::new();
            let mut last = 0;
            for (key, offsets) in &postings {
                put_posting(&mut bytes, key - last, offsets, width);
                last = *key;
            }
            for (key, offsets) in &postings {
                prop_assert_eq!(&find_posting(&bytes, width, 0, *key).unwrap()[..], &offsets[..]);
            }
            if !postings.contains_key(&other) {
                prop_assert!(find_posting(&bytes, width, 0, other).unwrap().is_empty());
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>, wanted: u32) {
            let _ = find_posting(&bytes, 3, 0, wanted);
            let _ = get_ids(&bytes, 1, &mut Vec::new());
            let _ = add_moves(&bytes, 1, 1, &mut PositionTree::default());
        }
    }
}
