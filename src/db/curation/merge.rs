//! Putting twins together, and taking them apart again.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::twins::{Twin, TwinKind};
use super::undo::is_within;
use super::{immediately, parsed, record};
use crate::db::error::{DbError, Result, corrupt};
use crate::db::index::{GameId, compact, cores, reindex};

/// What became of twins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Steps of the journal, one for each pair that was put together.
    pub steps: Vec<i64>,
    /// Pairs that were left, because one of them had been put together with
    /// another game before, or because they are not twins.
    pub left: u64,
}

/// Fields that the game that stays takes from the other where it has none.
const FIELDS: [&str; 12] = [
    "event_id",
    "site_id",
    "round",
    "red_id",
    "black_id",
    "red_team_id",
    "black_team_id",
    "red_rating",
    "black_rating",
    "ecco",
    "title",
    "annotator",
];

/// What a merge did, for the journal.
#[derive(Debug, Serialize, Deserialize)]
struct MergedGames {
    kind: String,
    keep: GameId,
    other: GameId,
    /// Fields of the game that stays, as they were and as they became.
    before: BTreeMap<String, Json>,
    after: BTreeMap<String, Json>,
    /// Copies of the other game, which now are copies of the one that stays.
    copies: Vec<GameId>,
}

/// Puts pairs together: the better game stays and takes the fields it lacks,
/// the other becomes its copy. Nothing is deleted.
pub(crate) fn merge_games(connection: &Connection, twins: &[Twin]) -> Result<Merged> {
    immediately(connection, |connection| {
        let mut merged = Merged::default();
        let mut lowest = None;
        for twin in twins {
            if twin.kind == TwinKind::SameMoves || !both_count(connection, twin)? {
                merged.left += 1;
                continue;
            }
            merged.steps.push(merge(connection, twin)?);
            lowest = lowest.into_iter().chain([twin.keep.min(twin.other)]).min();
        }
        if let Some(lowest) = lowest {
            reindex(connection, lowest, cores())?;
            compact(connection, cores())?;
        }
        Ok(merged)
    })
}

fn both_count(connection: &Connection, twin: &Twin) -> Result<bool> {
    let counting: i64 = connection.query_row(
        "SELECT count(*) FROM game WHERE id IN (?, ?) AND duplicate_of IS NULL",
        [twin.keep, twin.other],
        |row| row.get(0),
    )?;
    Ok(counting == 2 && twin.keep != twin.other)
}

/// Some columns of a game.
fn columns(
    connection: &Connection,
    game: GameId,
    names: &[&str],
) -> Result<BTreeMap<String, Json>> {
    let sql = format!("SELECT {} FROM game WHERE id = ?", names.join(", "));
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([game])?;
    let row = rows.next()?.ok_or_else(|| corrupt(format!("game {game} is gone")))?;
    let mut values = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        let value = match row.get_ref(at)? {
            ValueRef::Integer(number) => Json::from(number),
            ValueRef::Text(text) => Json::from(String::from_utf8_lossy(text)),
            _ => Json::Null,
        };
        values.insert((*name).to_owned(), value);
    }
    Ok(values)
}

fn set_columns(
    connection: &Connection,
    game: GameId,
    values: &BTreeMap<String, Json>,
) -> Result<()> {
    if values.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = values.keys().map(|name| format!("{name} = ?")).collect();
    let sql = format!("UPDATE game SET {} WHERE id = ?", names.join(", "));
    let value = |json: &Json| match json {
        Json::Number(number) => number.as_i64().map_or(Value::Null, Value::Integer),
        Json::String(text) => Value::Text(text.clone()),
        _ => Value::Null,
    };
    let all = values.values().map(value).chain([Value::Integer(game)]);
    connection.execute(&sql, params_from_iter(all))?;
    Ok(())
}

fn merge(connection: &Connection, twin: &Twin) -> Result<i64> {
    let all: Vec<&str> =
        FIELDS.iter().copied().chain(["date", "year", "result", "result_token"]).collect();
    let keep = columns(connection, twin.keep, &all)?;
    let other = columns(connection, twin.other, &all)?;
    let mut after: BTreeMap<String, Json> = BTreeMap::new();
    let of = |values: &BTreeMap<String, Json>, name: &str| {
        values.get(name).cloned().unwrap_or(Json::Null)
    };
    for name in FIELDS {
        if of(&keep, name).is_null() && !of(&other, name).is_null() {
            after.insert(name.to_owned(), of(&other, name));
        }
    }
    // A date that says more of the same.
    let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
    let (own, its) = (text(&of(&keep, "date")), text(&of(&other, "date")));
    if its.len() > own.len() && its.starts_with(&own) {
        after.insert("date".to_owned(), of(&other, "date"));
        after.insert("year".to_owned(), of(&other, "year"));
    }
    if text(&of(&keep, "result")) == "*" && text(&of(&other, "result")) != "*" {
        after.insert("result".to_owned(), of(&other, "result"));
        // The token after the moves stays what it was (docs/schema.md).
        if of(&keep, "result_token").is_null() {
            after.insert("result_token".to_owned(), Json::from("*"));
        }
    }
    let before = after.keys().map(|name| (name.clone(), of(&keep, name))).collect();
    set_columns(connection, twin.keep, &after)?;
    let mut select =
        connection.prepare_cached("SELECT id FROM game WHERE duplicate_of = ? ORDER BY id")?;
    let copies = select
        .query_map([twin.other], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<GameId>>>()?;
    for copy in copies.iter().chain([&twin.other]) {
        connection
            .execute("UPDATE game SET duplicate_of = ? WHERE id = ?", params![twin.keep, copy])?;
    }
    let merged = MergedGames {
        kind: twin.kind.name().to_owned(),
        keep: twin.keep,
        other: twin.other,
        before,
        after,
        copies,
    };
    record(connection, "merge-games", &merged)
}

/// Takes a merge of games back but for the index; gives the lower of the games.
pub(super) fn part_games(connection: &Connection, step: i64, detail: &Json) -> Result<GameId> {
    let merged: MergedGames =
        serde_json::from_value(detail.clone()).map_err(|error| corrupt(error.to_string()))?;
    part(connection, step, &merged)?;
    Ok(merged.keep.min(merged.other))
}

fn part(connection: &Connection, step: i64, merged: &MergedGames) -> Result<()> {
    let later = || {
        DbError::Refused(format!(
            "a later step than {step} changed these games; take that back first"
        ))
    };
    let link: Option<Option<GameId>> = connection
        .query_row("SELECT duplicate_of FROM game WHERE id = ?", [merged.other], |row| row.get(0))
        .optional()?;
    if link != Some(Some(merged.keep)) {
        return Err(later());
    }
    let names: Vec<&str> = merged.after.keys().map(String::as_str).collect();
    if !names.is_empty() && columns(connection, merged.keep, &names)? != merged.after {
        return Err(later());
    }
    set_columns(connection, merged.keep, &merged.before)?;
    connection.execute("UPDATE game SET duplicate_of = NULL WHERE id = ?", [merged.other])?;
    for copy in &merged.copies {
        connection.execute(
            "UPDATE game SET duplicate_of = ? WHERE id = ? AND duplicate_of = ?",
            params![merged.other, copy, merged.keep],
        )?;
    }
    Ok(())
}

/// Takes back every merge that touches games which are about to go, and those
/// that built upon them. Gives the lowest game that changed.
pub(super) fn part_all_within(
    connection: &Connection,
    ranges: &[(GameId, GameId)],
) -> Result<Option<GameId>> {
    let mut select = connection.prepare(
        "SELECT id, detail FROM journal WHERE action = 'merge-games' AND undone IS NULL
         ORDER BY id",
    )?;
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let rows: Vec<(i64, String)> = rows.collect::<rusqlite::Result<_>>()?;
    let mut steps: Vec<(i64, MergedGames)> = Vec::new();
    for (step, detail) in rows {
        steps.push((step, parsed(&detail)?));
    }
    let mut touched: BTreeSet<GameId> = BTreeSet::new();
    let mut affected = Vec::new();
    for (step, merged) in &steps {
        let games = [merged.keep, merged.other];
        if games.iter().any(|game| is_within(*game, ranges) || touched.contains(game)) {
            touched.extend(games);
            affected.push((*step, merged));
        }
    }
    for (step, merged) in affected.iter().rev() {
        part(connection, *step, merged)?;
        connection.execute(
            "UPDATE journal SET undone = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?",
            [step],
        )?;
    }
    Ok(touched.first().copied())
}
