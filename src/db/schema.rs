//! The schema and how a database comes up to it.

use std::sync::LazyLock;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use rusqlite_migration::{HookError, HookResult, M, Migrations};

use super::error::{DbError, Result};
use super::fold::{folded, sound};
use super::index::{cores, reindex};
use super::lines::{decode_line, start_of};
use crate::board::Color;
use crate::game::{Headers, ecco};

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
        M::up_with_hook(include_str!("migrations/007-backlog-and-ratings.sql"), rate_old_games),
    ])
});

/// Brings a database up to the newest schema; one that is there already is
/// left alone.
pub(crate) fn migrate(connection: &mut Connection) -> Result<()> {
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    let done = MIGRATIONS.to_latest(connection);
    connection.set_transaction_behavior(TransactionBehavior::Deferred);
    // The version was read before the transaction began: another program may
    // have done it all meanwhile, and no step can be done twice.
    if done.is_err() && version(connection)? == VERSION {
        return Ok(());
    }
    Ok(done?)
}

fn version(connection: &Connection) -> Result<i64> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Gives the games of an older schema their opening codes.
fn classify_old_games(transaction: &Transaction<'_>) -> HookResult {
    let mut codes = Vec::new();
    let mut update = transaction.prepare("UPDATE game SET opening = ? WHERE id = ?")?;
    // Not by `LineReader`: that asks for columns of the newest schema.
    let mut select = transaction.prepare("SELECT id, start_fen, coding, moves FROM game")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (fen, moves): (Option<String>, Vec<u8>) = (row.get(1)?, row.get(3)?);
        codes.push((
            row.get::<_, i64>(0)?,
            opening(fen.as_deref(), row.get(2)?, &moves).map_err(told)?,
        ));
    }
    for (game, code) in codes {
        update.execute(params![code, game])?;
    }
    Ok(())
}

/// The opening code of a stored line.
fn opening(fen: Option<&str>, coding: i64, moves: &[u8]) -> Result<&'static str> {
    let start = start_of(fen)?;
    let mut line = Vec::new();
    decode_line(&start, coding, moves, |half| line.push(half.known()))?;
    Ok(ecco::classify(&start, line.into_iter()))
}

fn told(error: DbError) -> HookError {
    HookError::Hook(error.to_string())
}

/// Gives the games of an older schema the ratings of their players, and makes
/// the index anew, which counts them in a table of another build. `reindex` asks
/// for the columns of the newest schema: a migration that adds one it reads has
/// to make the index anew itself, in the place of this one.
fn rate_old_games(transaction: &Transaction<'_>) -> HookResult {
    let mut ratings = Vec::new();
    let mut select = transaction.prepare("SELECT id, other FROM game WHERE other IS NOT NULL")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let other: String = row.get(1)?;
        let other = serde_json::from_str(&other).unwrap_or_default();
        let headers = Headers { other, ..Headers::default() };
        let [red, black] = [Color::Red, Color::Black].map(|side| headers.rating(side));
        if red.is_some() || black.is_some() {
            ratings.push((row.get::<_, i64>(0)?, red, black));
        }
    }
    let mut update =
        transaction.prepare("UPDATE game SET red_rating = ?, black_rating = ? WHERE id = ?")?;
    for (game, red, black) in ratings {
        update.execute(params![red, black, game])?;
    }
    reindex(transaction, 1, cores()).map_err(told)
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
    use crate::board::Position;
    use crate::db::index::{PositionIndex as _, RatingSum, Segments};

    #[test]
    fn the_migrations_fit_together() {
        MIGRATIONS.validate().unwrap();
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(version(&connection).unwrap(), VERSION);
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
                 INSERT INTO game (id, source_id, number, offset, result, other, plies, coding,
                     moves, variations, errors, content_hash)
                 VALUES (1, 1, 1, 0, '*', '{\"RedElo\":\"2422\"}', 2, 0, x'6120', 0, 0, 0);",
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
        let tree = Segments::new(&connection).tree_at(&Position::start()).unwrap();
        assert_eq!(tree.moves[0].ratings.map(RatingSum::mean), [Some(2422.0), None]);
    }
}
