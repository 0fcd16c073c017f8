//! The schema and how a database comes up to it.

use std::sync::LazyLock;

use rusqlite::{Connection, Transaction, params};
use rusqlite_migration::{HookResult, M, Migrations};

use super::error::Result;
use super::fold::{folded, sound};
use super::lines::LineReader;
use crate::game::ecco;

/// The newest version: the number of migrations.
pub(crate) const VERSION: i64 = 7;

static MIGRATIONS: LazyLock<Migrations<'static>> = LazyLock::new(|| {
    Migrations::new(vec![
        M::up(include_str!("migrations/001-initial.sql")),
        M::up_with_hook(include_str!("migrations/002-openings.sql"), classify_old_games),
        M::up_with_hook(include_str!("migrations/003-curation.sql"), fold_old_names),
        M::up(include_str!("migrations/004-search.sql")),
        M::up(include_str!("migrations/005-search-at-commit.sql")),
        M::up(include_str!("migrations/006-events.sql")),
        M::up(include_str!("migrations/007-backlog.sql")),
    ])
});

/// Brings a database up to the newest schema; one that is there already is
/// left alone.
pub(crate) fn migrate(connection: &mut Connection) -> Result<()> {
    Ok(MIGRATIONS.to_latest(connection)?)
}

/// Gives the games of an older schema their opening codes.
fn classify_old_games(transaction: &Transaction<'_>) -> HookResult {
    let mut codes = Vec::new();
    let mut update = transaction.prepare("UPDATE game SET opening = ? WHERE id = ?")?;
    let read = LineReader::each_where(transaction, "1", &[], &mut |game, stored| {
        let code = ecco::classify(&stored.start, stored.line()?.into_iter());
        codes.push((game, code));
        Ok(())
    });
    read.map_err(|error| rusqlite_migration::HookError::Hook(error.to_string()))?;
    for (game, code) in codes {
        update.execute(params![code, game])?;
    }
    Ok(())
}

/// Gives the names of an older schema their keys.
fn fold_old_names(transaction: &Transaction<'_>) -> HookResult {
    let names = |table: &str| -> rusqlite::Result<Vec<(i64, String)>> {
        let mut select = transaction.prepare(&format!("SELECT id, name FROM {table}"))?;
        select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    for (id, name) in names("player")? {
        let key = folded(&name);
        transaction.execute(
            "UPDATE player SET folded = ?, pinyin = ? WHERE id = ?",
            params![key, sound(&key), id],
        )?;
    }
    for (id, name) in names("event")? {
        transaction
            .execute("UPDATE event SET folded = ? WHERE id = ?", params![folded(&name), id])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_migrations_fit_together() {
        MIGRATIONS.validate().unwrap();
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        let version: i64 =
            connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        assert_eq!(version, VERSION);
    }

    #[test]
    fn games_and_names_of_the_first_schema_get_what_is_new() {
        let mut connection = Connection::open_in_memory().unwrap();
        MIGRATIONS.to_version(&mut connection, 1).unwrap();
        connection
            .execute_batch(
                "INSERT INTO player VALUES (1, '胡榮華');
                 INSERT INTO run VALUES (1, '', NULL, '', '{}', 'finished', 0,0,0,0,0,0,0,0);
                 INSERT INTO source (id, run_id, path) VALUES (1, 1, 'a');
                 INSERT INTO game (id, source_id, number, offset, result, plies, coding, moves,
                     variations, errors, content_hash)
                 VALUES (1, 1, 1, 0, '*', 2, 0, x'6120', 0, 0, 0);",
            )
            .unwrap();
        migrate(&mut connection).unwrap();
        let opening: String =
            connection.query_row("SELECT opening FROM game", [], |row| row.get(0)).unwrap();
        // h2e2 h9g7, docs/schema.md and ecco.md: the left horse against a
        // central cannon.
        assert_eq!(opening, "B05");
        let keys: (String, String) = connection
            .query_row("SELECT folded, pinyin FROM player", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .unwrap();
        assert_eq!(keys, ("胡荣华".to_owned(), "huronghua".to_owned()));
    }
}
