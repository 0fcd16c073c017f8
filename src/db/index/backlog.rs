//! Games that no segment covers yet.
//!
//! A long import commits games many times, and writes their segment once, at
//! its end. Until then the table `backlog` holds the id of the first of them.
//! Readers replay the games from there on, so their answers stay right; after a
//! kill the next import, undo or merge makes up for the missing segment.

use rusqlite::{Connection, OptionalExtension};

use super::GameId;
use crate::db::error::Result;

/// The first game that waits; `None` when every game is in a segment.
pub(crate) fn first(connection: &Connection) -> Result<Option<GameId>> {
    let mut select = connection.prepare_cached("SELECT first_game FROM backlog")?;
    Ok(select.query_row([], |row| row.get(0)).optional()?)
}

/// From this game on, games wait; an earlier one that waits already stays the
/// first.
pub(crate) fn put(connection: &Connection, game: GameId) -> Result<()> {
    connection
        .prepare_cached("INSERT INTO backlog SELECT ? WHERE NOT EXISTS (SELECT 1 FROM backlog)")?
        .execute([game])?;
    Ok(())
}

/// No game waits any more; gives the first that did.
pub(crate) fn take(connection: &Connection) -> Result<Option<GameId>> {
    let waiting = first(connection)?;
    if waiting.is_some() {
        connection.execute("DELETE FROM backlog", [])?;
    }
    Ok(waiting)
}
