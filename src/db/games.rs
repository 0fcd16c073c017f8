//! Many stored games, one after the other, for `export`.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};

use super::error::Result;
use super::index::GameId;
use super::load;
use crate::game::Game;

/// A stored game and what its row says beside it.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// Its id.
    pub id: GameId,
    /// Path of its file as it was given to `import`.
    pub path: String,
    /// The earlier copy it is linked to.
    pub duplicate_of: Option<GameId>,
    /// Findings of severity `error`.
    pub errors: u32,
    /// The game.
    pub game: Game,
}

/// Reads a game whole; `None` when there is none with this id.
pub(crate) fn stored(connection: &Connection, id: GameId) -> Result<Option<StoredGame>> {
    let beside = connection
        .prepare_cached(
            "SELECT path, duplicate_of, errors FROM game
             JOIN source ON source.id = game.source_id WHERE game.id = ?",
        )?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((path, duplicate_of, errors)) = beside else { return Ok(None) };
    Ok(load::game(connection, id)?.map(|game| StoredGame { id, path, duplicate_of, errors, game }))
}

/// Puts games into groups by the year in which they were played, the unknown
/// year first; in a group they keep their order.
pub(crate) fn by_year(
    connection: &Connection,
    ids: &[GameId],
) -> Result<BTreeMap<Option<u16>, Vec<GameId>>> {
    let mut select = connection.prepare_cached("SELECT year FROM game WHERE id = ?")?;
    let mut groups: BTreeMap<Option<u16>, Vec<GameId>> = BTreeMap::new();
    for id in ids {
        let year = select.query_row([id], |row| row.get(0))?;
        groups.entry(year).or_default().push(*id);
    }
    Ok(groups)
}
