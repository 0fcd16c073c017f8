//! Puts segments together, so that the time of a question does not grow with
//! the number of imports.
//!
//! A segment is made anew from the games it holds: their lines are replayed
//! and taken in as those of an import are. Everything happens inside the
//! transaction of the caller.

use rusqlite::{Connection, params};

use super::builder::SegmentBuilder;
use super::segment::row_id;
use super::segments::extents;
use super::{GameId, backlog, visits_of_stored};
use crate::db::error::Result;
use crate::db::lines::LineReader;

/// So many segments may lie side by side whatever their sizes.
const FREE: usize = 3;
/// With more of them, a segment is put together with the ones after it when
/// it is less than so many times as large as all of them.
const RATIO: i64 = 2;

/// Puts segments together where there are too many, and makes up for those
/// that a killed import left out. Tells whether anything changed.
pub(crate) fn compact(connection: &Connection, threads: usize) -> Result<bool> {
    let waiting = backlog::first(connection)?;
    if let Some(first) = waiting {
        reindex(connection, first, threads)?;
    }
    let segments = extents(connection)?;
    let mut after = 0;
    let mut from = None;
    if segments.len() > FREE {
        for segment in segments.iter().rev() {
            if segment.postings < RATIO * after {
                from = Some(segment.first_game);
            }
            after += segment.postings;
        }
    }
    if let Some(from) = from {
        reindex(connection, from, threads)?;
    }
    Ok(waiting.is_some() || from.is_some())
}

/// Makes the index of all games from this id on anew, as one segment, and of
/// those that wait for theirs. A segment that only begins before is made anew
/// as a whole.
pub(crate) fn reindex(connection: &Connection, from: GameId, threads: usize) -> Result<()> {
    let mut first = backlog::take(connection)?.map_or(from, |waiting| waiting.min(from));
    for segment in extents(connection)? {
        if segment.last_game < first {
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
    let mut builder = SegmentBuilder::new(connection);
    let mut visits = Vec::new();
    LineReader::each_where(
        connection,
        "id >= ? AND duplicate_of IS NULL",
        &[first.into()],
        &mut |game, stored| {
            visits_of_stored(&stored.start, stored.coding, &stored.moves, &mut visits)?;
            builder.add(game, &visits, stored.facts)
        },
    )?;
    builder.write(connection, threads)
}
