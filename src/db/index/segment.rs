//! Writes a segment: the positions of some games, sorted by their keys.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rusqlite::{CachedStatement, Connection, params};

use super::coding::{put_moves, put_offsets, put_posting, width_of};
use super::posting::{PART_BITS, PARTS, Posting, Postings};
use super::{GameFacts, GameId, NO_MOVE, PositionTree};
use crate::board::Move;
use crate::db::error::{DbError, Result};

/// Positions a bucket holds on average.
const PER_BUCKET: usize = 128;
/// A position with this many games in a segment gets a row of its own, with
/// its moves counted; the moves of others are counted when asked for.
pub(crate) const TREE_FROM: usize = 8;
/// Bits of a row id of `posting` that hold the bucket.
pub(crate) const BUCKET_BITS: u32 = 20;
/// With more postings than this in a part, one thread sorts alone: two would
/// take too much memory.
const LARGE_PART: usize = 1 << 20;

/// Writes the segment of these postings. `games` are the facts of every id
/// from `first_game` on. The threads do not change what is written.
pub(crate) fn write_segment(
    connection: &Connection,
    first_game: GameId,
    games: &[GameFacts],
    postings: &Postings,
    threads: usize,
) -> Result<()> {
    let total = postings.len();
    let buckets = (total / PER_BUCKET).next_power_of_two();
    let bits = buckets.ilog2().min(BUCKET_BITS);
    let highest = games.len().saturating_sub(1);
    connection.execute(
        "INSERT INTO segment (first_game, last_game, bits, postings) VALUES (?, ?, ?, ?)",
        params![first_game, first_game + highest as i64, bits, total as i64],
    )?;
    let mut sink = RowSink {
        segment: connection.last_insert_rowid(),
        insert_tree: connection.prepare_cached(
            "INSERT INTO position_tree (segment_id, key, games, moves, ids)
             VALUES (?, ?, ?, ?, ?)",
        )?,
        insert_bucket: connection.prepare_cached("INSERT INTO posting (id, blob) VALUES (?, ?)")?,
    };
    let encoder = Encoder { first_game, games, bits, width: width_of(highest as u64) };
    if bits < PART_BITS {
        // A bucket has several parts.
        let mut all = Vec::with_capacity(total);
        for part in 0..PARTS {
            all.append(&mut postings.part(part).map_err(DbError::Scratch)?);
        }
        return sink.put(&encoder.rows(&all));
    }
    let threads = if postings.largest_part() > LARGE_PART { 1 } else { threads.clamp(1, PARTS) };
    if threads == 1 {
        for part in 0..PARTS {
            sink.put(&encoder.rows(&postings.part(part).map_err(DbError::Scratch)?))?;
        }
        return Ok(());
    }
    let make = |nth: usize, out: SyncSender<io::Result<Rows>>| {
        for part in (nth..PARTS).step_by(threads) {
            let rows = postings.part(part).map(|postings| encoder.rows(&postings));
            if out.send(rows).is_err() {
                // The writer has given up.
                return;
            }
        }
    };
    let make = &make;
    thread::scope(|scope| {
        let made: Vec<Receiver<io::Result<Rows>>> = (0..threads)
            .map(|nth| {
                let (out, made) = sync_channel(1);
                scope.spawn(move || make(nth, out));
                made
            })
            .collect();
        for made in made.iter().cycle().take(PARTS) {
            // A thread that is gone has panicked, and the scope panics, too.
            let Ok(rows) = made.recv() else { break };
            sink.put(&rows.map_err(DbError::Scratch)?)?;
        }
        Ok(())
    })
}

/// Rows of a stretch of keys, ascending.
#[derive(Debug, Default)]
struct Rows {
    trees: Vec<TreeRow>,
    /// Numbers of buckets with their postings.
    buckets: Vec<(u32, Vec<u8>)>,
}

/// A position with many games.
#[derive(Debug)]
struct TreeRow {
    key: u64,
    games: usize,
    moves: Vec<u8>,
    ids: Vec<u8>,
}

/// Makes rows of postings.
struct Encoder<'g> {
    first_game: GameId,
    games: &'g [GameFacts],
    bits: u32,
    /// Bytes of a game in a bucket.
    width: usize,
}

impl Encoder<'_> {
    /// The rows of all postings of some buckets, sorted by key.
    fn rows(&self, postings: &[Posting]) -> Rows {
        let mut rows = Rows::default();
        let mut buckets = Buckets { bits: self.bits, width: self.width, ..Buckets::default() };
        let mut offsets = Vec::new();
        for group in postings.chunk_by(|a, b| a.key() == b.key()) {
            if let [only] = group {
                buckets.add(only.short_key(), &[only.game]);
                continue;
            }
            offsets.clear();
            offsets.extend(group.iter().map(|posting| posting.game));
            offsets.dedup();
            if offsets.len() < TREE_FROM {
                buckets.add(group[0].short_key(), &offsets);
                continue;
            }
            let mut row = TreeRow {
                key: group[0].key(),
                games: offsets.len(),
                moves: Vec::new(),
                ids: Vec::new(),
            };
            put_moves(&mut row.moves, &self.tree(group).moves, self.first_game);
            put_offsets(&mut row.ids, offsets.iter().copied());
            rows.trees.push(row);
        }
        rows.buckets = buckets.finish();
        rows
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
            tree.stats(mv).count(game, *facts);
        }
        tree.sorted()
    }
}

/// Puts postings into buckets in ascending order of the keys.
#[derive(Default)]
struct Buckets {
    bits: u32,
    /// Bytes of a game.
    width: usize,
    done: Vec<(u32, Vec<u8>)>,
    /// Key before the pending one.
    last: u32,
    /// The key at hand, and its games: none when there is no such key.
    key: u32,
    offsets: Vec<u32>,
}

impl Buckets {
    fn add(&mut self, key: u32, offsets: &[u32]) {
        if key != self.key {
            self.put_pending();
            self.key = key;
        }
        let other = !self.offsets.is_empty();
        self.offsets.extend_from_slice(offsets);
        if other {
            // Another position with the same 32 bits: one list of candidates.
            self.offsets.sort_unstable();
            self.offsets.dedup();
        }
    }

    fn put_pending(&mut self) {
        if self.offsets.is_empty() {
            return;
        }
        let bucket = bucket_of(self.key, self.bits);
        if self.done.last().is_none_or(|(last, _)| *last != bucket) {
            let size = PER_BUCKET * (self.width + 4);
            self.done.push((bucket, Vec::with_capacity(size)));
            self.last = first_key(bucket, self.bits);
        }
        if let Some((_, blob)) = self.done.last_mut() {
            put_posting(blob, self.key - self.last, &self.offsets, self.width);
        }
        self.last = self.key;
        self.offsets.clear();
    }

    fn finish(mut self) -> Vec<(u32, Vec<u8>)> {
        self.put_pending();
        self.done
    }
}

/// Inserts rows.
struct RowSink<'c> {
    segment: i64,
    insert_tree: CachedStatement<'c>,
    insert_bucket: CachedStatement<'c>,
}

impl RowSink<'_> {
    fn put(&mut self, rows: &Rows) -> Result<()> {
        for row in &rows.trees {
            self.insert_tree.execute(params![
                self.segment,
                row.key as i64,
                row.games as i64,
                row.moves,
                row.ids
            ])?;
        }
        for (bucket, blob) in &rows.buckets {
            self.insert_bucket.execute(params![row_id(self.segment, *bucket), blob])?;
        }
        Ok(())
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
    use super::*;
    use crate::db::Database;
    use crate::db::index::segments::Segments;
    use crate::db::index::{Sum, Visit};

    /// Enough postings for buckets that are smaller than a part.
    const MANY: usize = (PER_BUCKET << PART_BITS) + 1000;

    #[test]
    fn threads_do_not_change_a_large_segment() {
        let mut postings = Postings::new(None);
        let mut expected = Sum::default();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let games = 4000;
        for game in 0..games {
            let visits = (0..=MANY / games as usize).map(|_| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                Visit { key: random, mv: NO_MOVE }
            });
            let visits: Vec<Visit> = visits.collect();
            for visit in &visits {
                expected.add(visit.key >> 32, 100 + i64::from(game));
            }
            postings.extend(visits.iter().map(|visit| Posting::new(*visit, game))).unwrap();
        }
        let facts = vec![GameFacts::default(); games as usize];
        let mut written = Vec::new();
        for threads in [1, 3] {
            let db = Database::in_memory().unwrap();
            write_segment(db.connection(), 100, &facts, &postings, threads).unwrap();
            let contents = Segments::new(db.connection()).contents(1).unwrap();
            assert_eq!(contents.postings, expected);
            let mut select =
                db.connection().prepare("SELECT id, blob FROM posting ORDER BY id").unwrap();
            let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            written.push(rows.map(|row| row.unwrap()).collect::<Vec<(i64, Vec<u8>)>>());
        }
        assert!(written[0].len() >= PARTS);
        assert!(written[0] == written[1]);
    }
}
