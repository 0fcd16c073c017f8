//! What is decided by hand, and taken back: undone runs, names put together,
//! twins put together. Every step is a row of the journal; a step is made or
//! taken back whole or not at all.

mod identity;
mod merge;
mod twins;
mod undo;

use std::ops::RangeInclusive;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{DbError, Result, corrupt};
use super::game_indexes;
use super::index::{GameId, compact, cores, reindex};

pub use identity::{Identity, Named, Suggestion};
pub use merge::Merged;
pub use twins::{Twin, TwinKind};
pub use undo::Undone;

pub(crate) use identity::{id_of, identities, matching, merge_names, suggestions};
pub(crate) use merge::merge_games;
pub(crate) use twins::twins;
pub(crate) use undo::undo_run;

/// A step of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number.
    pub id: i64,
    /// When, UTC, ISO 8601.
    pub at: String,
    /// `undo-run`, `merge-players`, `merge-events` or `merge-games`.
    pub action: String,
    /// What was done, a JSON object.
    pub detail: String,
    /// When it was taken back.
    pub undone: Option<String>,
}

/// The steps, the first one first.
pub(crate) fn steps(connection: &Connection) -> Result<Vec<Step>> {
    let mut select =
        connection.prepare("SELECT id, at, action, detail, undone FROM journal ORDER BY id")?;
    let rows = select.query_map([], |row| {
        Ok(Step {
            id: row.get(0)?,
            at: row.get(1)?,
            action: row.get(2)?,
            detail: row.get(3)?,
            undone: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Takes a step back.
pub(crate) fn revert(connection: &Connection, step: i64) -> Result<()> {
    immediately(connection, |connection| {
        let changed = revert_one(connection, step)?;
        make_up(connection, changed)
    })
}

/// Takes all steps of a range back that were not yet, the last one first, and
/// gives their number. All of them or none.
pub(crate) fn revert_all(connection: &Connection, steps: RangeInclusive<i64>) -> Result<u64> {
    immediately(connection, |connection| {
        let mut select = connection.prepare(
            "SELECT id FROM journal WHERE id BETWEEN ? AND ? AND undone IS NULL ORDER BY id DESC",
        )?;
        let open = select
            .query_map([*steps.start(), *steps.end()], |row| row.get(0))?
            .collect::<rusqlite::Result<Vec<i64>>>()?;
        let mut lowest: Option<GameId> = None;
        for step in &open {
            let changed = revert_one(connection, *step)?;
            lowest = lowest.into_iter().chain(changed).min();
        }
        if open.is_empty() {
            return Err(DbError::Refused(format!(
                "there is nothing to take back in steps {} to {}",
                steps.start(),
                steps.end()
            )));
        }
        make_up(connection, lowest)?;
        Ok(open.len() as u64)
    })
}

/// Makes the index anew from the first game that counts or does not as before.
fn make_up(connection: &Connection, changed: Option<GameId>) -> Result<()> {
    if let Some(first) = changed {
        reindex(connection, first, cores())?;
        compact(connection, cores())?;
    }
    Ok(())
}

/// Takes a step back but for the index; gives the first game that it changed.
fn revert_one(connection: &Connection, step: i64) -> Result<Option<GameId>> {
    let mut changed = None;
    let row: Option<(String, String, Option<String>)> = connection
        .query_row("SELECT action, detail, undone FROM journal WHERE id = ?", [step], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    let Some((action, detail, undone)) = row else {
        return Err(DbError::Refused(format!("there is no step {step}")));
    };
    if undone.is_some() {
        return Err(DbError::Refused(format!("step {step} was taken back already")));
    }
    match action.as_str() {
        "merge-players" => {
            identity::part_names(connection, Named::Player, step, &parsed(&detail)?)?;
        }
        "merge-events" => {
            identity::part_names(connection, Named::Event, step, &parsed(&detail)?)?;
        }
        "merge-games" => {
            changed = Some(merge::part_games(connection, step, &parsed(&detail)?)?);
        }
        _ => {
            return Err(DbError::Refused(format!(
                "step {step} undid a run, which comes back when its files are imported again"
            )));
        }
    }
    connection.execute(
        "UPDATE journal SET undone = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?",
        [step],
    )?;
    Ok(changed)
}

/// Writes a step down; gives its number.
fn record(connection: &Connection, action: &str, detail: &impl Serialize) -> Result<i64> {
    connection.execute(
        "INSERT INTO journal (at, action, detail)
         VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?, ?)",
        params![action, json(detail)?],
    )?;
    Ok(connection.last_insert_rowid())
}

fn json(detail: &impl Serialize) -> Result<String> {
    serde_json::to_string(detail).map_err(|error| corrupt(error.to_string()))
}

fn parsed<T: DeserializeOwned>(detail: &str) -> Result<T> {
    serde_json::from_str(detail).map_err(|error| corrupt(format!("the journal: {error}")))
}

/// Does all of it or nothing. Nobody else writes meanwhile. Foreign keys are
/// kept by the steps themselves: SQLite would search whole tables for each row
/// that goes.
fn immediately<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T>,
) -> Result<T> {
    connection.pragma_update(None, "foreign_keys", false)?;
    let done = (|| {
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        game_indexes::make_up(&transaction)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    })();
    connection.pragma_update(None, "foreign_keys", true)?;
    done
}
