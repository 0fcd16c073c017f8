//! Finding the loops of a line of positions.
//!
//! A position counts as the same when pieces and turn are the same
//! (repetition-rules.md, 1). A position cannot come back over a capture, so
//! no loop holds one.

use rustc_hash::FxHashMap;

use crate::board::PositionKey;

use super::judgement::Cycle;

/// Bits of the filter that [`stands_thrice`] asks first.
const FILTER: usize = 4096;

/// Lines up to this length are searched back where the filter says that a
/// position may have stood before; in a longer one, which is made up, that
/// would take too long, and the positions are counted.
const SHORT: usize = 1024;

/// A loop in which a position comes back more often than this before it is
/// played over again is not looked for: none is known from play.
const ROUNDS: usize = 1024;

/// Whether some position of a line stands for the third time. `keys` are
/// those of all positions, the start included. Meant to be asked of every
/// game: a game without a repeated position costs one look a ply.
#[must_use]
pub fn stands_thrice(keys: &[PositionKey]) -> bool {
    if keys.len() > SHORT {
        return times(keys).contains(&3);
    }
    let mut filter = [0u64; FILTER / 64];
    keys.iter().enumerate().any(|(at, key)| {
        let bit = key.0 as usize % FILTER;
        let seen = filter[bit / 64] >> (bit % 64) & 1 != 0;
        filter[bit / 64] |= 1 << (bit % 64);
        seen && keys[..at].iter().filter(|earlier| *earlier == key).count() >= 2
    })
}

/// How often the position at each place has stood so far, with this time.
fn times(keys: &[PositionKey]) -> Vec<u32> {
    let mut seen: FxHashMap<PositionKey, u32> = FxHashMap::default();
    keys.iter()
        .map(|key| {
            let times = seen.entry(*key).or_insert(0);
            *times += 1;
            *times
        })
        .collect()
}

/// All loops in which a position stands for the third time or more often, in
/// the order of play. `keys` are those of all positions, the start included.
pub(crate) fn find_cycles(keys: &[PositionKey]) -> Vec<Cycle> {
    let mut cycles = Vec::new();
    if !stands_thrice(keys) {
        return cycles;
    }
    let times = times(keys);
    let mut places: FxHashMap<PositionKey, Vec<u32>> = FxHashMap::default();
    for (at, key) in (0..).zip(keys) {
        places.entry(*key).or_default().push(at);
    }
    let mut at = 0;
    while at < keys.len() {
        if times[at] < 3 {
            at += 1;
            continue;
        }
        let begin = at;
        while at < keys.len() && times[at] >= 3 {
            at += 1;
        }
        let most = times[begin..at].iter().copied().max().unwrap_or(3);
        let end = (begin..at).rev().find(|i| times[*i] == most).unwrap_or(begin);
        // It stands there for the `most`th time.
        let earlier = places.get(&keys[end]).map_or(&[][..], |all| &all[..most as usize - 1]);
        let mut cycle = cycle_that_ends(keys, earlier, end, most);
        cycle.third_ply = begin as u32;
        cycles.push(cycle);
    }
    cycles
}

/// The loop whose last round ends with position `end`, which stands there for
/// the `times`th time, three or more.
///
/// The stretch that is ruled on is the shortest one that was played twice in
/// a row just before; when the rounds differ (two ways back to the position
/// in turn), it is everything since the position stood there two times ago.
/// `earlier` are the places where it stood before, in order.
fn cycle_that_ends(keys: &[PositionKey], earlier: &[u32], end: usize, times: u32) -> Cycle {
    let repeats = |at: &usize| {
        let length = end - at;
        length <= *at && (end - length..=end).all(|i| keys[i] == keys[i - length])
    };
    let mut latest = earlier.iter().rev().map(|at| *at as usize);
    let (from, length) = if let Some(at) = latest.clone().take(ROUNDS).find(repeats) {
        let length = end - at;
        let mut from = end - 2 * length;
        while from > 0 && keys[from - 1] == keys[from - 1 + length] {
            from -= 1;
        }
        (from, length)
    } else {
        let from = latest.nth(1).unwrap_or(0);
        (from, end - from)
    };
    Cycle {
        from_ply: from as u32 + 1,
        to_ply: (from + length) as u32,
        third_ply: end as u32,
        until_ply: end as u32,
        times,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<PositionKey> {
        text.bytes().map(|b| PositionKey(u64::from(b))).collect()
    }

    #[test]
    fn a_simple_loop_is_found_where_it_begins() {
        let cycles = find_cycles(&keys("xabcdabcdabcd"));
        let loop_of = |from_ply, to_ply, third_ply, until_ply, times| Cycle {
            from_ply,
            to_ply,
            third_ply,
            until_ply,
            times,
        };
        assert_eq!(cycles, [loop_of(2, 5, 9, 12, 3)]);
        assert_eq!(find_cycles(&keys("abcdabcdabcdabx")), [loop_of(1, 4, 8, 13, 4)]);
    }

    #[test]
    fn two_occurrences_are_no_loop() {
        assert!(!stands_thrice(&keys("abcdab")));
        assert_eq!(find_cycles(&keys("abcdab")), []);
    }

    #[test]
    fn two_ways_back_make_one_loop() {
        // a b c back to a, a d e back to a, in turn.
        let cycles = find_cycles(&keys("abcadeabcadea"));
        let last = cycles.last().copied().unwrap();
        assert_eq!((last.length(), last.times), (6, 5));
        // Played once each only: all since the first time counts.
        let cycles = find_cycles(&keys("abcadea"));
        assert_eq!((cycles[0].from_ply, cycles[0].to_ply, cycles[0].times), (1, 6, 3));
        assert_eq!((cycles[0].third_ply, cycles.len()), (6, 1));
    }

    #[test]
    fn long_lines_are_searched_as_short_ones_are() {
        let mut long: Vec<PositionKey> = (1000..61_000).map(PositionKey).collect();
        assert!(!stands_thrice(&long));
        assert_eq!(find_cycles(&long), []);
        long.extend(keys("abcdabcdabcdxyxyxy"));
        assert!(stands_thrice(&long));
        let cycles = find_cycles(&long);
        let plies: Vec<_> = cycles.iter().map(|c| (c.from_ply, c.third_ply, c.until_ply)).collect();
        assert_eq!(plies, [(60_001, 60_008, 60_011), (60_013, 60_016, 60_017)]);
        // One position over and over again, and a loop without end.
        let wood: Vec<PositionKey> = (0..60_000).map(|at| PositionKey(at % 4)).collect();
        let cycles = find_cycles(&wood);
        assert_eq!(cycles.len(), 1);
        assert_eq!((cycles[0].length(), cycles[0].times), (4, 15_000));
        // Never twice the same way.
        let wild: Vec<PositionKey> = (0..60_000u64)
            .map(|at| PositionKey(if at % 2 == 0 { 1 } else { at * at % 9973 }))
            .collect();
        assert!(!find_cycles(&wild).is_empty());
    }

    #[test]
    fn loops_that_stand_apart_are_told_apart() {
        let cycles = find_cycles(&keys("ababab-xyxyxyz"));
        assert_eq!(cycles.len(), 2);
        assert_eq!((cycles[0].from_ply, cycles[0].until_ply), (1, 5));
        assert_eq!((cycles[1].from_ply, cycles[1].until_ply), (8, 12));
    }
}
