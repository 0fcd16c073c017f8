//! Builds a segment: the positions of some games, sorted and written at once.

use rusqlite::{Connection, params};

use super::coding::{Offsets, put_moves, put_offsets, put_posting, width_of};
use super::{GameId, NO_MOVE, PositionTree, Visit};
use crate::board::Move;
use crate::db::error::Result;
use crate::game::GameResult;

/// Positions that are sorted in memory at a time: 48 MB, and as much again
/// while they are sorted.
pub(crate) const FULL: usize = 3 << 20;
/// Positions a bucket holds on average.
const PER_BUCKET: usize = 4096;
/// A position with this many games in a segment gets a row of its own, with
/// its moves counted; the moves of others are counted when asked for.
pub(crate) const TREE_FROM: usize = 8;
/// Bits of a row id of `posting` that hold the bucket.
pub(crate) const BUCKET_BITS: u32 = 20;

/// A game at a position.
#[derive(Clone, Copy, Default)]
pub(crate) struct Posting {
    key: [u32; 2],
    /// Its id less the segment's first.
    game: u32,
    mv: u16,
}

impl Posting {
    pub(crate) fn new(visit: Visit, game: u32) -> Posting {
        Posting { key: [(visit.key >> 32) as u32, visit.key as u32], game, mv: visit.mv }
    }

    fn key(self) -> u64 {
        u64::from(self.key[0]) << 32 | u64::from(self.key[1])
    }

    /// Fourteen bytes, for a scratch file.
    pub(crate) fn to_bytes(self) -> [u8; 14] {
        let mut bytes = [0; 14];
        bytes[..4].copy_from_slice(&self.key[0].to_le_bytes());
        bytes[4..8].copy_from_slice(&self.key[1].to_le_bytes());
        bytes[8..12].copy_from_slice(&self.game.to_le_bytes());
        bytes[12..].copy_from_slice(&self.mv.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: [u8; 14]) -> Posting {
        let four = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        Posting {
            key: [four(0), four(4)],
            game: four(8),
            mv: u16::from_le_bytes([bytes[12], bytes[13]]),
        }
    }
}

/// Result and year of a game.
#[derive(Clone, Copy)]
pub(crate) struct GameFacts {
    pub(crate) result: GameResult,
    pub(crate) year: Option<u16>,
}

/// Takes in games in the order of their ids.
#[derive(Default)]
pub(crate) struct SegmentBuilder {
    first_game: GameId,
    games: Vec<GameFacts>,
    postings: Vec<Posting>,
}

impl std::fmt::Debug for SegmentBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SegmentBuilder({} games, {} postings)", self.games.len(), self.postings.len())
    }
}

impl SegmentBuilder {
    /// Whether a game with this id and so many positions needs a new segment.
    pub(crate) fn is_full(&self, game: GameId, visits: usize) -> bool {
        !self.games.is_empty()
            && (self.postings.len() + visits > FULL
                || game.abs_diff(self.first_game) > u64::from(u16::MAX))
    }

    /// Takes in a game. The caller has asked [`SegmentBuilder::is_full`].
    pub(crate) fn add(&mut self, game: GameId, visits: &[Visit], facts: GameFacts) {
        if self.games.is_empty() {
            self.first_game = game;
        }
        let offset = game.abs_diff(self.first_game) as u32;
        // Ids that were left out (copies of other games) keep their place.
        self.games.resize(offset as usize + 1, facts);
        self.postings.extend(visits.iter().map(|visit| Posting::new(*visit, offset)));
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.games.clear();
        self.postings.clear();
    }

    /// Writes the segment, if there is anything to write, and empties it.
    pub(crate) fn flush(&mut self, connection: &Connection) -> Result<()> {
        if !self.postings.is_empty() {
            let total = self.postings.len() as u64;
            let mut writer = SegmentWriter::new(connection, self.first_game, &self.games, total)?;
            writer.write(&mut self.postings)?;
            writer.finish()?;
        }
        self.clear();
        Ok(())
    }
}

/// Writes the rows of a segment, in ascending order of the keys.
pub(crate) struct SegmentWriter<'c, 'g> {
    insert_tree: rusqlite::CachedStatement<'c>,
    buckets: Buckets<'c>,
    segment: i64,
    first_game: GameId,
    games: &'g [GameFacts],
}

impl<'c, 'g> SegmentWriter<'c, 'g> {
    /// Begins a segment of `total` positions. `games` are the facts of every
    /// id from `first_game` on.
    pub(crate) fn new(
        connection: &'c Connection,
        first_game: GameId,
        games: &'g [GameFacts],
        total: u64,
    ) -> Result<SegmentWriter<'c, 'g>> {
        let buckets = (total / PER_BUCKET as u64).next_power_of_two();
        let bits = buckets.ilog2().min(BUCKET_BITS);
        let highest = (games.len() as i64 - 1).max(0);
        connection.execute(
            "INSERT INTO segment (first_game, last_game, bits, postings) VALUES (?, ?, ?, ?)",
            params![first_game, first_game + highest, bits, total as i64],
        )?;
        let segment = connection.last_insert_rowid();
        Ok(SegmentWriter {
            insert_tree: connection.prepare_cached(
                "INSERT INTO position_tree (segment_id, key, games, moves, ids)
                 VALUES (?, ?, ?, ?, ?)",
            )?,
            buckets: Buckets::new(connection, segment, bits, width_of(highest.unsigned_abs()))?,
            segment,
            first_game,
            games,
        })
    }

    /// Sorts and writes postings. All postings of a key come in one call, and
    /// all keys of a call lie above those of the calls before.
    pub(crate) fn write(&mut self, postings: &mut Vec<Posting>) -> Result<()> {
        sort_by_key(postings);
        let mut offsets = Vec::new();
        let (mut moves, mut ids) = (Vec::new(), Vec::new());
        for group in postings.chunk_by(|a, b| a.key == b.key) {
            offsets.clear();
            offsets.extend(group.iter().map(|posting| posting.game));
            offsets.dedup();
            if offsets.len() < TREE_FROM {
                self.buckets.add(group[0].key[0], &offsets)?;
                continue;
            }
            let tree = self.tree(group);
            moves.clear();
            ids.clear();
            put_moves(&mut moves, &tree.moves, self.first_game);
            put_offsets(&mut ids, offsets.iter().copied());
            self.insert_tree.execute(params![
                self.segment,
                group[0].key() as i64,
                offsets.len() as i64,
                moves,
                ids
            ])?;
        }
        Ok(())
    }

    /// Writes what is left.
    pub(crate) fn finish(self) -> Result<()> {
        self.buckets.finish()
    }

    /// The moves of a position from its sorted postings.
    fn tree(&self, group: &[Posting]) -> PositionTree {
        let mut tree = PositionTree::default();
        for (i, posting) in group.iter().enumerate() {
            // A game that came back to the position counts each move once.
            let again = |before: &&Posting| before.game == posting.game;
            let mut earlier = group[..i].iter().rev().take_while(again);
            if posting.mv == NO_MOVE || earlier.any(|before| before.mv == posting.mv) {
                continue;
            }
            let (Some(facts), Some(mv)) =
                (self.games.get(posting.game as usize), Move::from_u16(posting.mv))
            else {
                continue;
            };
            let game = self.first_game + i64::from(posting.game);
            tree.stats(mv).count(game, facts.result, facts.year);
        }
        tree.sorted()
    }
}

/// Sorts by key and keeps the order of postings with the same key, which is
/// that of their games: by the upper half of the key digit by digit, 11 bits
/// each, and then the few places where only the lower half differs.
fn sort_by_key(postings: &mut Vec<Posting>) {
    const DIGIT: u32 = 11;
    const DIGITS: usize = 1 << DIGIT;
    let mut counts = vec![[0usize; DIGITS]; 3];
    let digit = |posting: &Posting, pass: usize| {
        (posting.key[0] >> (pass as u32 * DIGIT)) as usize & (DIGITS - 1)
    };
    for posting in postings.iter() {
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(posting, pass)] += 1;
        }
    }
    let mut other = vec![Posting::default(); postings.len()];
    for (pass, counts) in counts.iter_mut().enumerate() {
        let mut next = 0;
        for count in counts.iter_mut() {
            next += std::mem::replace(count, next);
        }
        for posting in postings.iter() {
            let place = &mut counts[digit(posting, pass)];
            other[*place] = *posting;
            *place += 1;
        }
        std::mem::swap(postings, &mut other);
    }
    for group in postings.chunk_by_mut(|a, b| a.key[0] == b.key[0]) {
        if !group.is_sorted_by_key(|posting| posting.key[1]) {
            group.sort_by_key(|posting| posting.key[1]);
        }
    }
}

/// Writes postings to their buckets in ascending order of the keys.
struct Buckets<'c> {
    insert: rusqlite::CachedStatement<'c>,
    segment: i64,
    bits: u32,
    /// Bytes of a game.
    width: usize,
    /// Bucket that `blob` belongs to.
    bucket: u32,
    /// Key before the pending one.
    last: u32,
    blob: Vec<u8>,
    pending: Option<(u32, Offsets)>,
}

impl<'c> Buckets<'c> {
    fn new(
        connection: &'c Connection,
        segment: i64,
        bits: u32,
        width: usize,
    ) -> Result<Buckets<'c>> {
        Ok(Buckets {
            insert: connection.prepare_cached("INSERT INTO posting (id, blob) VALUES (?, ?)")?,
            segment,
            bits,
            width,
            bucket: 0,
            last: 0,
            blob: Vec::new(),
            pending: None,
        })
    }

    fn add(&mut self, key: u32, offsets: &[u32]) -> Result<()> {
        match &mut self.pending {
            // Another position with the same 32 bits: one list of candidates.
            Some((pending, list)) if *pending == key => {
                list.extend_from_slice(offsets);
                list.sort_unstable();
                list.dedup();
                Ok(())
            }
            _ => {
                self.put_pending()?;
                self.pending = Some((key, offsets.into()));
                Ok(())
            }
        }
    }

    fn put_pending(&mut self) -> Result<()> {
        let Some((key, offsets)) = self.pending.take() else { return Ok(()) };
        let bucket = bucket_of(key, self.bits);
        if bucket != self.bucket {
            self.put_blob()?;
            self.bucket = bucket;
            self.last = first_key(bucket, self.bits);
        }
        put_posting(&mut self.blob, key - self.last, &offsets, self.width);
        self.last = key;
        Ok(())
    }

    fn put_blob(&mut self) -> Result<()> {
        if !self.blob.is_empty() {
            self.insert.execute(params![row_id(self.segment, self.bucket), self.blob])?;
            self.blob.clear();
        }
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        self.put_pending()?;
        self.put_blob()
    }
}

/// The bucket of a 32-bit key.
pub(crate) fn bucket_of(key: u32, bits: u32) -> u32 {
    key.checked_shr(32 - bits).unwrap_or(0)
}

/// The lowest key of a bucket.
pub(crate) fn first_key(bucket: u32, bits: u32) -> u32 {
    bucket.checked_shl(32 - bits).unwrap_or(0)
}

/// Row id of a bucket in `posting`.
pub(crate) fn row_id(segment: i64, bucket: u32) -> i64 {
    segment << BUCKET_BITS | i64::from(bucket)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_sort_is_stable_and_right(
            keys in prop::collection::vec((0u32..4, 0u32..3, any::<u32>()), 0..300)
        ) {
            let posting = |(i, (high, low, far)): (usize, &(u32, u32, u32))| Posting {
                key: [high << 30 | far % 5, *low],
                game: i as u32,
                mv: 0,
            };
            let mut postings: Vec<Posting> = keys.iter().enumerate().map(posting).collect();
            let mut expected = postings.clone();
            expected.sort_by_key(|posting| posting.key());
            sort_by_key(&mut postings);
            let facts = |list: &[Posting]| -> Vec<(u64, u32)> {
                list.iter().map(|posting| (posting.key(), posting.game)).collect()
            };
            prop_assert_eq!(facts(&postings), facts(&expected));
        }
    }
}
