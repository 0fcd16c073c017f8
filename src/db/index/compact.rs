//! Puts segments together, so that the time of a question does not grow with
//! the number of imports.
//!
//! A segment is made anew from the games it holds: their lines are replayed,
//! the positions are parted by their keys into scratch files that each fit into
//! memory, and these are sorted one after the other. Everything happens inside
//! the transaction of the caller.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};

use rusqlite::{Connection, params};

use super::segment::{FULL, GameFacts, Posting, SegmentWriter, row_id};
use super::segments::extents;
use super::{GameId, visits_of_stored};
use crate::db::error::{DbError, Result};
use crate::db::lines::LineReader;
use crate::game::GameResult;

/// So many segments may lie side by side whatever their sizes.
const FREE: usize = 4;
/// With more of them, a segment is put together with the ones after it when
/// it is less than so many times as large as all of them.
const RATIO: i64 = 2;
/// Postings of a scratch file where there are few enough files: what sorts
/// inside a processor's cache.
const PART: usize = 1 << 16;
/// Scratch files at a time.
const MOST_PARTS: usize = 256;

/// Puts segments together where there are too many, and tells whether it did.
pub(crate) fn compact(connection: &Connection) -> Result<bool> {
    let segments = extents(connection)?;
    if segments.len() <= FREE {
        return Ok(false);
    }
    let mut after = 0;
    let mut from = None;
    for segment in segments.iter().rev() {
        if segment.postings < RATIO * after {
            from = Some(segment.first_game);
        }
        after += segment.postings;
    }
    match from {
        Some(from) => reindex(connection, from).map(|()| true),
        None => Ok(false),
    }
}

/// Makes the index of all games from this id on anew, as one segment. A
/// segment that only begins before is made anew as a whole.
pub(crate) fn reindex(connection: &Connection, from: GameId) -> Result<()> {
    let mut first = from;
    for segment in extents(connection)? {
        if segment.last_game < from {
            continue;
        }
        first = first.min(segment.first_game);
        connection.execute(
            "DELETE FROM posting WHERE id BETWEEN ? AND ?",
            params![row_id(segment.id, 0), row_id(segment.id + 1, 0) - 1],
        )?;
        connection.execute("DELETE FROM position_tree WHERE segment_id = ?", [segment.id])?;
        connection.execute("DELETE FROM segment WHERE id = ?", [segment.id])?;
    }
    // The first game that counts is the segment's first.
    let stretch: Option<(GameId, GameId, i64)> = connection.query_row(
        "SELECT min(id), max(id), sum(plies + 1) FROM game
         WHERE id >= ? AND duplicate_of IS NULL",
        [first],
        |row| {
            let (low, high): (Option<i64>, Option<i64>) = (row.get(0)?, row.get(1)?);
            Ok(low.zip(high).zip(row.get(2)?).map(|((low, high), sum)| (low, high, sum)))
        },
    )?;
    let Some((first, last, most)) = stretch else { return Ok(()) };
    let most = most.unsigned_abs() as usize;
    let parts = if most <= FULL { 1 } else { most.div_ceil(PART).next_power_of_two() };
    let mut parts = Parts::new(connection, parts.min(MOST_PARTS))?;
    let unknown = GameFacts { result: GameResult::Unknown, year: None };
    let mut games = vec![unknown; last.abs_diff(first) as usize + 1];
    let mut visits = Vec::new();
    LineReader::each_where(
        connection,
        "id >= ? AND duplicate_of IS NULL",
        &[first.into()],
        &mut |game, stored| {
            let offset = game.abs_diff(first) as u32;
            if let Some(facts) = games.get_mut(offset as usize) {
                *facts = GameFacts { result: stored.result, year: stored.year };
            }
            visits_of_stored(&stored.start, stored.coding, &stored.moves, &mut visits)?;
            for visit in &visits {
                parts.put(Posting::new(*visit, offset), visit.key).map_err(DbError::Scratch)?;
            }
            Ok(())
        },
    )?;
    let mut writer = SegmentWriter::new(connection, first, &games, parts.total)?;
    parts.each(&mut |postings| writer.write(postings))?;
    writer.finish()
}

/// Postings parted by the upper bits of their keys.
struct Parts {
    total: u64,
    shift: u32,
    store: Store,
}

enum Store {
    Memory(Vec<Posting>),
    Files(Vec<BufWriter<File>>),
}

impl Parts {
    /// `count` is a power of two; one part stays in memory.
    fn new(connection: &Connection, count: usize) -> Result<Parts> {
        let store = if count <= 1 {
            Store::Memory(Vec::new())
        } else {
            // Beside the database: elsewhere there may be less room.
            let folder = connection.path().map(std::path::Path::new).and_then(|path| path.parent());
            let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
            let file = || match folder {
                Some(folder) => tempfile::tempfile_in(folder),
                None => tempfile::tempfile(),
            };
            let files = (0..count).map(|_| Ok(BufWriter::with_capacity(1 << 16, file()?)));
            Store::Files(files.collect::<io::Result<_>>().map_err(DbError::Scratch)?)
        };
        Ok(Parts { total: 0, shift: 64 - count.max(2).ilog2(), store })
    }

    fn put(&mut self, posting: Posting, key: u64) -> io::Result<()> {
        self.total += 1;
        match &mut self.store {
            Store::Memory(postings) => {
                postings.push(posting);
                Ok(())
            }
            Store::Files(files) => match files.get_mut((key >> self.shift) as usize) {
                Some(file) => file.write_all(&posting.to_bytes()),
                None => Ok(()),
            },
        }
    }

    /// Hands over the parts in the order of their keys.
    fn each(self, each: &mut dyn FnMut(&mut Vec<Posting>) -> Result<()>) -> Result<()> {
        let files = match self.store {
            Store::Memory(mut postings) => return each(&mut postings),
            Store::Files(files) => files,
        };
        let mut postings = Vec::new();
        for file in files {
            postings.clear();
            read_part(file, &mut postings).map_err(DbError::Scratch)?;
            each(&mut postings)?;
        }
        Ok(())
    }
}

fn read_part(file: BufWriter<File>, postings: &mut Vec<Posting>) -> io::Result<()> {
    let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    let bytes = file.stream_position()?;
    file.rewind()?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let count = bytes as usize / size_of::<[u8; 14]>();
    postings.reserve(count);
    let mut record = [0; 14];
    for _ in 0..count {
        reader.read_exact(&mut record)?;
        postings.push(Posting::from_bytes(record));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::db::index::Visit;

    proptest! {
        #[test]
        fn scratch_files_keep_every_posting(
            visits in prop::collection::vec((any::<u64>(), any::<u32>(), any::<u16>()), 0..200),
            bits in 1u32..6,
        ) {
            let connection = Connection::open_in_memory().unwrap();
            let mut parts = Parts::new(&connection, 1 << bits).unwrap();
            let mut expected: Vec<[u8; 14]> = Vec::new();
            for (key, game, mv) in visits {
                let posting = Posting::new(Visit { key, mv }, game);
                prop_assert_eq!(Posting::from_bytes(posting.to_bytes()).to_bytes(), posting.to_bytes());
                expected.push(posting.to_bytes());
                parts.put(posting, key).unwrap();
            }
            let mut found: Vec<[u8; 14]> = Vec::new();
            let mut upper = 0;
            parts.each(&mut |postings| {
                let top = |posting: &Posting| {
                    u32::from_le_bytes(posting.to_bytes()[..4].try_into().unwrap()) >> (32 - bits)
                };
                for posting in postings.iter() {
                    assert!(top(posting) >= upper);
                }
                upper = postings.iter().map(top).max().unwrap_or(upper);
                found.extend(postings.iter().map(|posting| posting.to_bytes()));
                Ok(())
            }).unwrap();
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
