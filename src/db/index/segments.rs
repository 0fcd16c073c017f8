//! Reads the segments.

use rusqlite::{Connection, OptionalExtension, params};

use super::coding::{Offsets, add_moves, each_posting, find_posting, get_ids, width_of};
use super::segment::{BUCKET_BITS, bucket_of, first_key, row_id};
use super::{GameId, PositionIndex, PositionTree};
use crate::board::Position;
use crate::db::error::{DbError, Result, corrupt};
use crate::db::lines::LineReader;
use crate::db::walk::Walk;

/// The position index of a database.
#[derive(Debug)]
pub struct Segments<'c> {
    connection: &'c Connection,
}

struct Segment {
    id: i64,
    first_game: GameId,
    bits: u32,
    /// Bytes of a game in its buckets.
    width: usize,
}

/// A position in one segment.
enum Found {
    /// It has a row of its own: exact, by its 64-bit key.
    Tree { games: u64, moves: Vec<u8>, ids: Vec<u8> },
    /// Games that may have reached it.
    Candidates(Vec<GameId>),
}

impl<'c> Segments<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Segments<'c> {
        Segments { connection }
    }

    fn segments(&self) -> Result<Vec<Segment>> {
        let mut select = self
            .connection
            .prepare_cached("SELECT id, first_game, bits, last_game FROM segment ORDER BY id")?;
        let rows = select.query_map([], |row| {
            let (first_game, last_game): (GameId, GameId) = (row.get(1)?, row.get(3)?);
            Ok(Segment {
                id: row.get(0)?,
                first_game,
                bits: row.get(2)?,
                width: width_of(last_game.abs_diff(first_game)),
            })
        })?;
        let segments = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        if segments.iter().any(|segment| segment.bits > BUCKET_BITS) {
            return Err(corrupt("a segment has too many buckets"));
        }
        Ok(segments)
    }

    fn find(&self, segment: &Segment, position: &Position, with_ids: bool) -> Result<Found> {
        let key = position.key().0;
        // The ids lie behind the moves; SQLite does not read them unless asked.
        let mut tree = self.connection.prepare_cached(if with_ids {
            "SELECT games, moves, ids FROM position_tree WHERE segment_id = ? AND key = ?"
        } else {
            "SELECT games, moves, x'' FROM position_tree WHERE segment_id = ? AND key = ?"
        })?;
        let row = tree
            .query_row(params![segment.id, key as i64], |row| {
                let games: i64 = row.get(0)?;
                Ok(Found::Tree {
                    games: games.unsigned_abs(),
                    moves: row.get(1)?,
                    ids: row.get(2)?,
                })
            })
            .optional()?;
        if let Some(found) = row {
            return Ok(found);
        }
        let short = (key >> 32) as u32;
        let bucket = bucket_of(short, segment.bits);
        let mut posting =
            self.connection.prepare_cached("SELECT blob FROM posting WHERE id = ?")?;
        let offsets = posting
            .query_row([row_id(segment.id, bucket)], |row| {
                let blob = row.get_ref(0)?.as_blob()?;
                Ok(find_posting(blob, segment.width, first_key(bucket, segment.bits), short))
            })
            .optional()?
            .unwrap_or_else(|| Some(Offsets::new()))
            .ok_or_else(|| corrupt(format!("bucket {bucket} of segment {}", segment.id)))?;
        Ok(Found::Candidates(
            offsets.into_iter().map(|offset| segment.first_game + i64::from(offset)).collect(),
        ))
    }
}

impl Segments<'_> {
    /// Everything the index holds: the upper half of a key, and a game. For
    /// verification; it may be large.
    pub(crate) fn all_pairs(&self) -> Result<Vec<(u32, GameId)>> {
        let mut pairs = Vec::new();
        for segment in self.segments()? {
            let mut trees = self
                .connection
                .prepare_cached("SELECT key, ids FROM position_tree WHERE segment_id = ?")?;
            let mut rows = trees.query([segment.id])?;
            while let Some(row) = rows.next()? {
                let key = (row.get::<_, i64>(0)? as u64 >> 32) as u32;
                let ids = row.get_ref(1)?.as_blob().map_err(DbError::from_sql)?;
                let mut list = Vec::new();
                get_ids(ids, segment.first_game, &mut list)
                    .ok_or_else(|| corrupt("the ids of a position"))?;
                pairs.extend(list.into_iter().map(|id| (key, id)));
            }
            let mut postings = self
                .connection
                .prepare_cached("SELECT id, blob FROM posting WHERE id BETWEEN ? AND ?")?;
            let last = row_id(segment.id + 1, 0) - 1;
            let mut rows = postings.query([row_id(segment.id, 0), last])?;
            while let Some(row) = rows.next()? {
                let bucket = (row.get::<_, i64>(0)? - row_id(segment.id, 0)) as u32;
                let blob = row.get_ref(1)?.as_blob().map_err(DbError::from_sql)?;
                let first = first_key(bucket, segment.bits);
                each_posting(blob, segment.width, first, &mut |key, offset| {
                    pairs.push((key, segment.first_game + i64::from(offset)));
                })
                .ok_or_else(|| corrupt(format!("bucket {bucket} of segment {}", segment.id)))?;
            }
        }
        Ok(pairs)
    }
}

impl PositionIndex for Segments<'_> {
    fn games_at(&self, position: &Position) -> Result<Vec<GameId>> {
        let target = Walk::of(position);
        let mut reader = LineReader::new(self.connection)?;
        let mut hits = Vec::new();
        for segment in self.segments()? {
            match self.find(&segment, position, true)? {
                Found::Tree { ids, .. } => get_ids(&ids, segment.first_game, &mut hits)
                    .ok_or_else(|| corrupt("the ids of a position"))?,
                Found::Candidates(ids) => {
                    for game in ids {
                        let Some(stored) = reader.counted(game)? else { continue };
                        if stored.reach(&target)?.is_some() {
                            hits.push(game);
                        }
                    }
                }
            }
        }
        hits.sort_unstable();
        Ok(hits)
    }

    fn tree_at(&self, position: &Position) -> Result<PositionTree> {
        let target = Walk::of(position);
        let mut reader = LineReader::new(self.connection)?;
        let mut sum = PositionTree::default();
        for segment in self.segments()? {
            match self.find(&segment, position, false)? {
                Found::Tree { games, moves, .. } => {
                    add_moves(&moves, games, segment.first_game, &mut sum)
                        .ok_or_else(|| corrupt("the moves of a position"))?;
                }
                Found::Candidates(ids) => {
                    for game in ids {
                        let Some(stored) = reader.counted(game)? else { continue };
                        if let Some(reached) = stored.reach(&target)? {
                            sum.count(game, &reached.moves, stored.result, stored.year);
                        }
                    }
                }
            }
        }
        Ok(sum.sorted())
    }
}
