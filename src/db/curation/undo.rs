//! Undoing a run of `import`: everything it brought goes, as if it had never
//! been.

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

use super::{immediately, merge, record};
use crate::db::error::{DbError, Result};
use crate::db::index::{GameId, compact, cores, reindex};

/// What went with a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Undone {
    /// The run.
    pub run: i64,
    /// Files.
    pub files: u64,
    /// Games.
    pub games: u64,
    /// Games of other runs that were copies of games that went, and now count
    /// themselves.
    pub promoted: u64,
}

/// Takes a run back. Its row stays, marked as undone.
pub(crate) fn undo_run(connection: &Connection, run: i64) -> Result<Undone> {
    immediately(connection, |connection| {
        let state: Option<Option<String>> = connection
            .query_row("SELECT undone FROM run WHERE id = ?", [run], |row| row.get(0))
            .optional()?;
        match state {
            None => return Err(DbError::Refused(format!("there is no run {run}"))),
            Some(Some(at)) => {
                return Err(DbError::Refused(format!("run {run} was undone already, {at}")));
            }
            Some(None) => {}
        }
        let mut undone = Undone { run, ..Undone::default() };
        let ranges = game_ranges(connection, run)?;
        let parted = merge::part_all_within(connection, &ranges)?;
        let mut first = ranges.iter().map(|range| range.0).chain(parted).min();
        for range in &ranges {
            let (promoted, lowest) = promote_copies(connection, *range, &ranges)?;
            undone.promoted += promoted;
            first = first.into_iter().chain(lowest).min();
            undone.games += range.1.abs_diff(range.0) + 1;
        }
        for (low, high) in &ranges {
            for table in ["variation", "comment", "clock", "glyph", "finding"] {
                connection.execute(
                    &format!("DELETE FROM {table} WHERE game_id BETWEEN ? AND ?"),
                    [low, high],
                )?;
            }
            connection.execute("DELETE FROM game WHERE id BETWEEN ? AND ?", [low, high])?;
        }
        let of_run = "source_id IN (SELECT id FROM source WHERE run_id = ?)";
        connection
            .execute(&format!("DELETE FROM finding WHERE game_id IS NULL AND {of_run}"), [run])?;
        connection.execute(&format!("DELETE FROM original WHERE {of_run}"), [run])?;
        undone.files = connection.execute("DELETE FROM source WHERE run_id = ?", [run])? as u64;
        forget_unused_names(connection)?;
        if let Some(first) = first {
            reindex(connection, first, cores())?;
            compact(connection, cores())?;
        }
        connection.execute(
            "UPDATE run SET undone = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?",
            [run],
        )?;
        record(connection, "undo-run", &undone)?;
        Ok(undone)
    })
}

/// The ids of a run's games as ranges, ascending.
fn game_ranges(connection: &Connection, run: i64) -> Result<Vec<(GameId, GameId)>> {
    let mut select = connection.prepare(
        "SELECT first_game, first_game + games - 1 FROM source
         WHERE run_id = ? AND first_game IS NOT NULL ORDER BY first_game",
    )?;
    let mut rows = select.query([run])?;
    let mut ranges: Vec<(GameId, GameId)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (low, high) = (row.get(0)?, row.get(1)?);
        match ranges.last_mut() {
            Some(last) if last.1 + 1 == low => last.1 = high,
            _ => ranges.push((low, high)),
        }
    }
    Ok(ranges)
}

/// Whether a game is in one of the ranges.
pub(super) fn is_within(game: GameId, ranges: &[(GameId, GameId)]) -> bool {
    let after = ranges.partition_point(|range| range.0 <= game);
    after > 0 && ranges.get(after - 1).is_some_and(|range| game <= range.1)
}

/// Copies of games that go: the earliest takes the place of its original.
/// Gives how many did, and the lowest of them.
fn promote_copies(
    connection: &Connection,
    (low, high): (GameId, GameId),
    ranges: &[(GameId, GameId)],
) -> Result<(u64, Option<GameId>)> {
    let mut select = connection.prepare(
        "SELECT id, duplicate_of FROM game WHERE duplicate_of BETWEEN ? AND ?
         ORDER BY duplicate_of, id",
    )?;
    let rows = select.query_map([low, high], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let copies: Vec<(GameId, GameId)> = rows.collect::<rusqlite::Result<_>>()?;
    let mut promoted = 0;
    let mut lowest = None;
    let mut heir: Option<(GameId, GameId)> = None;
    for (copy, original) in copies {
        if is_within(copy, ranges) {
            continue;
        }
        match heir {
            Some((of, heir)) if of == original => {
                connection.execute(
                    "UPDATE game SET duplicate_of = ? WHERE id = ?",
                    params![heir, copy],
                )?;
                connection.execute(
                    "UPDATE finding SET params = json_object('game', CAST(? AS TEXT))
                     WHERE game_id = ? AND code = 'duplicate-game'",
                    params![heir, copy],
                )?;
            }
            _ => {
                connection.execute("UPDATE game SET duplicate_of = NULL WHERE id = ?", [copy])?;
                connection.execute(
                    "DELETE FROM finding WHERE game_id = ? AND code = 'duplicate-game'",
                    [copy],
                )?;
                heir = Some((original, copy));
                lowest = lowest.into_iter().chain([copy]).min();
                promoted += 1;
            }
        }
    }
    Ok((promoted, lowest))
}

fn forget_unused_names(connection: &Connection) -> Result<()> {
    let unused = |table: &str, columns: &[&str]| {
        let used: Vec<String> = columns
            .iter()
            .map(|column| format!("SELECT {column} FROM game WHERE {column} IS NOT NULL"))
            .collect();
        format!("DELETE FROM {table} WHERE id NOT IN ({})", used.join(" UNION "))
    };
    // First the aliases, then those whose last alias has gone.
    for (table, columns) in [("player", &["red_id", "black_id"][..]), ("event", &["event_id"])] {
        let sql = unused(table, columns)
            + &format!(
                " AND id NOT IN (SELECT canonical_id FROM {table} WHERE canonical_id IS NOT NULL)"
            );
        connection.execute(&sql, [])?;
        connection.execute(&sql, [])?;
    }
    connection.execute(&unused("site", &["site_id"]), [])?;
    connection.execute(&unused("team", &["red_team_id", "black_team_id"]), [])?;
    Ok(())
}
