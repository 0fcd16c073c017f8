//! Reads the segments.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::coding::{Offsets, add_moves, each_posting, find_posting, get_ids, width_of};
use super::segment::{BUCKET_BITS, bucket_of, first_key, row_id};
use super::{GameId, PositionIndex, PositionTree, backlog};
use crate::board::Position;
use crate::db::at_once;
use crate::db::error::{DbError, Result, corrupt};
use crate::db::lines::{LineReader, StoredLine};
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

/// A sum over pairs of a key and a game that does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    count: u64,
    sum: u64,
}

impl Sum {
    pub(crate) fn add(&mut self, key: u64, game: GameId) {
        let mut mixed = key ^ (game as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.count += 1;
        self.sum = self.sum.wrapping_add(mixed ^ (mixed >> 31));
    }
}

/// What a segment holds.
pub(crate) struct Contents {
    /// Upper halves of keys with games.
    pub(crate) postings: Sum,
    /// Keys that have a row of their own, with games.
    pub(crate) listed: Sum,
    /// These rows.
    pub(crate) trees: HashMap<u64, PositionTree>,
}

/// Which games a segment covers.
pub(crate) struct Extent {
    pub(crate) id: i64,
    pub(crate) first_game: GameId,
    pub(crate) last_game: GameId,
    /// Positions that it holds.
    pub(crate) postings: i64,
}

/// All segments, by their games.
pub(crate) fn extents(connection: &Connection) -> Result<Vec<Extent>> {
    let mut select = connection.prepare_cached(
        "SELECT id, first_game, last_game, postings FROM segment ORDER BY first_game",
    )?;
    let rows = select.query_map([], |row| {
        Ok(Extent {
            id: row.get(0)?,
            first_game: row.get(1)?,
            last_game: row.get(2)?,
            postings: row.get(3)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// For verification.
impl Segments<'_> {
    pub(crate) fn extents(&self) -> Result<Vec<Extent>> {
        extents(self.connection)
    }

    /// Reads a whole segment.
    pub(crate) fn contents(&self, id: i64) -> Result<Contents> {
        let segment = self.segments()?.into_iter().find(|segment| segment.id == id);
        let segment = segment.ok_or_else(|| corrupt("a segment is gone"))?;
        let mut contents =
            Contents { postings: Sum::default(), listed: Sum::default(), trees: HashMap::new() };
        let mut trees = self.connection.prepare_cached(
            "SELECT key, ids, moves, games FROM position_tree WHERE segment_id = ?",
        )?;
        let mut rows = trees.query([id])?;
        while let Some(row) = rows.next()? {
            let key = row.get::<_, i64>(0)? as u64;
            let ids = row.get_ref(1)?.as_blob().map_err(DbError::from_sql)?;
            let moves = row.get_ref(2)?.as_blob().map_err(DbError::from_sql)?;
            let games = row.get::<_, i64>(3)?.unsigned_abs();
            let mut list = Vec::new();
            get_ids(ids, segment.first_game, &mut list)
                .ok_or_else(|| corrupt("the ids of a position"))?;
            for game in &list {
                contents.listed.add(key, *game);
            }
            let mut tree = PositionTree::default();
            add_moves(moves, games, segment.first_game, &mut tree)
                .ok_or_else(|| corrupt("the moves of a position"))?;
            contents.trees.insert(key, tree.sorted());
        }
        let mut postings = self
            .connection
            .prepare_cached("SELECT id, blob FROM posting WHERE id BETWEEN ? AND ?")?;
        let mut rows = postings.query([row_id(id, 0), row_id(id + 1, 0) - 1])?;
        while let Some(row) = rows.next()? {
            let bucket = (row.get::<_, i64>(0)? - row_id(id, 0)) as u32;
            let blob = row.get_ref(1)?.as_blob().map_err(DbError::from_sql)?;
            let first = first_key(bucket, segment.bits);
            each_posting(blob, segment.width, first, &mut |key, offset| {
                contents.postings.add(u64::from(key), segment.first_game + i64::from(offset));
            })
            .ok_or_else(|| corrupt(format!("bucket {bucket} of segment {id}")))?;
        }
        Ok(contents)
    }
}

impl PositionIndex for Segments<'_> {
    fn games_at(&self, position: &Position) -> Result<Vec<GameId>> {
        at_once(self.connection, || self.games(position))
    }

    fn tree_at(&self, position: &Position) -> Result<PositionTree> {
        at_once(self.connection, || self.tree(position))
    }
}

impl Segments<'_> {
    fn games(&self, position: &Position) -> Result<Vec<GameId>> {
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
        self.each_waiting(&mut |game, stored| {
            if stored.reach(&target)?.is_some() {
                hits.push(game);
            }
            Ok(())
        })?;
        hits.sort_unstable();
        Ok(hits)
    }

    /// The games that no segment covers yet.
    fn each_waiting(&self, each: &mut dyn FnMut(GameId, &StoredLine) -> Result<()>) -> Result<()> {
        match backlog::first(self.connection)? {
            None => Ok(()),
            Some(first) => LineReader::each_where(
                self.connection,
                "id >= ? AND duplicate_of IS NULL",
                &[first.into()],
                each,
            ),
        }
    }

    fn tree(&self, position: &Position) -> Result<PositionTree> {
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
                            sum.count(game, &reached.moves, stored.facts);
                        }
                    }
                }
            }
        }
        self.each_waiting(&mut |game, stored| {
            if let Some(reached) = stored.reach(&target)? {
                sum.count(game, &reached.moves, stored.facts);
            }
            Ok(())
        })?;
        Ok(sum.sorted())
    }
}
