//! Names that mean one person or one event, as somebody decided.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{immediately, record};
use crate::db::error::{DbError, Result};
use crate::db::fold::{folded, is_latin, sound};

/// What is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A player (棋手).
    Player,
    /// An event (赛事).
    Event,
}

impl Named {
    /// The table of the names.
    const fn table(self) -> &'static str {
        match self {
            Named::Player => "player",
            Named::Event => "event",
        }
    }

    /// Which games have a name, as a condition on `game` and `name`.
    const fn in_game(self) -> &'static str {
        match self {
            Named::Player => "name.id = game.red_id OR name.id = game.black_id",
            Named::Event => "name.id = game.event_id",
        }
    }

    /// How a merge is called in the journal.
    const fn merge(self) -> &'static str {
        match self {
            Named::Player => "merge-players",
            Named::Event => "merge-events",
        }
    }
}

/// A person or an event with all names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// Id of the chosen name (`player.id`, `event.id`).
    pub id: i64,
    /// The chosen name.
    pub name: String,
    /// The other names, with the ids of each.
    pub aliases: Vec<(i64, String)>,
    /// Games, copies left out.
    pub games: u64,
    /// First and last year of a game, where any is known.
    pub years: Option<(u16, u16)>,
}

/// Two that may be one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// The one with more games.
    pub one: (i64, String),
    /// The other one.
    pub other: (i64, String),
    /// `same-name`: alike but for script, blanks, signs and titles; `sound`:
    /// the name in Latin letters sounds like the Chinese one.
    pub reason: &'static str,
}

/// All of a kind by their number of games. `name` asks for those with a name
/// like it.
pub(crate) fn identities(
    connection: &Connection,
    named: Named,
    name: Option<&str>,
) -> Result<Vec<Identity>> {
    let wanted: Option<BTreeSet<i64>> =
        name.map(|name| matching(connection, named, name)).transpose()?;
    let mut identities: BTreeMap<i64, Identity> = BTreeMap::new();
    let table = named.table();
    let mut select = connection.prepare(&format!(
        "SELECT name.id, name.name, ifnull(chosen.id, name.id), ifnull(chosen.name, name.name)
         FROM {table} AS name LEFT JOIN {table} AS chosen ON chosen.id = name.canonical_id
         ORDER BY 1"
    ))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (alias, name): (i64, String) = (row.get(0)?, row.get(1)?);
        let id = row.get(2)?;
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&alias)) {
            continue;
        }
        let chosen = row.get::<_, String>(3)?;
        let identity = identities.entry(id).or_insert_with(|| Identity {
            id,
            name: chosen,
            aliases: Vec::new(),
            games: 0,
            years: None,
        });
        if alias != id {
            identity.aliases.push((alias, name));
        }
    }
    let mut select = connection.prepare(&format!(
        "SELECT id, count(*), min(year), max(year) FROM (
             SELECT DISTINCT ifnull(name.canonical_id, name.id) AS id, game.id AS game, game.year
             FROM game JOIN {table} AS name ON {} WHERE duplicate_of IS NULL)
         GROUP BY id",
        named.in_game()
    ))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(identity) = identities.get_mut(&row.get(0)?) {
            identity.games = row.get::<_, i64>(1)?.unsigned_abs();
            identity.years = row.get::<_, Option<u16>>(2)?.zip(row.get(3)?);
        }
    }
    let mut identities: Vec<Identity> = identities.into_values().collect();
    identities.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.id.cmp(&b.id)));
    Ok(identities)
}

/// Every name of those who have a name with these words, in any spelling.
pub(crate) fn matching(
    connection: &Connection,
    named: Named,
    words: &str,
) -> Result<BTreeSet<i64>> {
    let key = folded(words);
    let table = named.table();
    // Only people are known by sound.
    let (sounds, by_sound) = match named {
        Named::Player if is_latin(&key) => (
            sounds(words, &key),
            "OR EXISTS (SELECT 1 FROM json_each(?3) WHERE instr(pinyin, value) > 0)",
        ),
        _ => (BTreeSet::new(), "OR ?3 <> '[]'"),
    };
    let mut select = connection.prepare(&format!(
        "WITH found AS (SELECT ifnull(canonical_id, id) FROM {table}
             WHERE instr(name, ?1) > 0 OR (?2 <> '' AND instr(folded, ?2) > 0) {by_sound})
         SELECT id FROM {table} WHERE ifnull(canonical_id, id) IN found"
    ))?;
    let sounds = serde_json::to_string(&sounds).unwrap_or_default();
    let rows = select.query_map(params![words, key, sounds], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The one with this id or exactly this name, else with the only name that
/// compares like it.
pub(crate) fn id_of(connection: &Connection, named: Named, word: &str) -> Result<i64> {
    let table = named.table();
    let id: Option<i64> = connection
        .query_row(
            &format!(
                "SELECT id FROM {table} WHERE name = ?1 OR id = CAST(?1 AS INTEGER)
                 AND CAST(CAST(?1 AS INTEGER) AS TEXT) = ?1 ORDER BY name = ?1 DESC LIMIT 1"
            ),
            [word],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(id) = id {
        return Ok(id);
    }
    let mut select = connection.prepare(&format!("SELECT id FROM {table} WHERE folded = ?"))?;
    let rows = select.query_map([folded(word)], |row| row.get(0))?;
    let alike: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
    match alike[..] {
        [one] => Ok(one),
        [] => Err(DbError::Refused(format!("there is no {table} `{word}`"))),
        _ => Err(DbError::Refused(format!("several {table}s are called `{word}`; give the id"))),
    }
}

/// What a merge did, for the journal.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MergedNames {
    /// The one that stays.
    into: i64,
    /// The one that went.
    from: i64,
    /// The names that now are aliases of the one that stays.
    names: Vec<i64>,
}

/// Makes all names of `other` aliases of `one`; gives the journal's step.
pub(crate) fn merge_names(
    connection: &Connection,
    named: Named,
    one: i64,
    other: i64,
) -> Result<i64> {
    let table = named.table();
    immediately(connection, |connection| {
        let root = |id: i64| -> Result<i64> {
            connection
                .query_row(
                    &format!("SELECT ifnull(canonical_id, id) FROM {table} WHERE id = ?"),
                    [id],
                    |row| row.get(0),
                )
                .optional()?
                .ok_or_else(|| DbError::Refused(format!("there is no {table} {id}")))
        };
        let (into, from) = (root(one)?, root(other)?);
        if into == from {
            return Err(DbError::Refused("they are one already".to_owned()));
        }
        let mut select = connection
            .prepare(&format!("SELECT id FROM {table} WHERE ifnull(canonical_id, id) = ?"))?;
        let names =
            select.query_map([from], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
        let merged = MergedNames { into, from, names };
        let mut update =
            connection.prepare(&format!("UPDATE {table} SET canonical_id = ? WHERE id = ?"))?;
        for name in &merged.names {
            update.execute(params![into, name])?;
        }
        record(connection, named.merge(), &merged)
    })
}

/// Takes a merge back.
pub(super) fn part_names(
    connection: &Connection,
    named: Named,
    step: i64,
    merged: &MergedNames,
) -> Result<()> {
    let table = named.table();
    for name in &merged.names {
        let now: Option<Option<i64>> = connection
            .query_row(&format!("SELECT canonical_id FROM {table} WHERE id = ?"), [name], |row| {
                row.get(0)
            })
            .optional()?;
        match now {
            // The name went with an undone run.
            None => continue,
            Some(Some(one)) if one == merged.into => {}
            Some(_) => {
                return Err(DbError::Refused(format!(
                    "a later step than {step} changed these names; take that back first"
                )));
            }
        }
        let own = (*name != merged.from).then_some(merged.from);
        connection.execute(
            &format!("UPDATE {table} SET canonical_id = ? WHERE id = ?"),
            params![own, name],
        )?;
    }
    Ok(())
}

/// Those who may be one, the ones with the most games first. Events are not
/// known by sound.
pub(crate) fn suggestions(connection: &Connection, named: Named) -> Result<Vec<Suggestion>> {
    let known = identities(connection, named, None)?;
    let mut by_key: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut by_sound: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, identity) in known.iter().enumerate() {
        let aliases = identity.aliases.iter().map(|name| &name.1);
        let names = std::iter::once(&identity.name).chain(aliases);
        for name in names {
            let key = folded(name);
            if key.is_empty() {
                continue;
            }
            if named == Named::Player {
                for sound in sounds(name, &key) {
                    by_sound.entry(sound).or_default().push(at);
                }
            }
            by_key.entry(key).or_default().push(at);
        }
    }
    let latin = |at: usize| known.get(at).is_some_and(|one| is_latin(&folded(&one.name)));
    let mut pairs: BTreeMap<(usize, usize), &'static str> = BTreeMap::new();
    for (groups, reason) in [(&by_sound, "sound"), (&by_key, "same-name")] {
        for group in groups.values() {
            // Groups are ordered by games: the first one is the best known.
            for (i, first) in group.iter().enumerate() {
                for second in group.get(i + 1..).unwrap_or_default() {
                    let plausible = reason == "same-name" || latin(*first) != latin(*second);
                    if first != second && plausible {
                        pairs.insert((*first.min(second), *first.max(second)), reason);
                    }
                }
            }
        }
    }
    let name_of = |at: usize| known.get(at).map(|one| (one.id, one.name.clone()));
    Ok(pairs
        .into_iter()
        .filter_map(|((first, second), reason)| {
            Some(Suggestion { one: name_of(first)?, other: name_of(second)?, reason })
        })
        .collect())
}

/// How a name may sound: in Latin letters the surname stands first or last.
fn sounds(name: &str, key: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    all.extend(sound(key));
    if is_latin(key) {
        let words: Vec<String> = name.split(|c: char| !c.is_alphanumeric()).map(folded).collect();
        for turn in 0..words.len() {
            let turned: String =
                words.iter().cycle().skip(turn).take(words.len()).map(String::as_str).collect();
            all.extend(sound(&turned));
        }
    }
    all
}
