//! People: names that mean one person, as somebody decided.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{immediately, record};
use crate::db::error::{DbError, Result};
use crate::db::fold::{folded, is_latin, sound};

/// A person with all names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Person {
    /// Id of the chosen name (`player.id`).
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

/// Two people who may be one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// The one with more games.
    pub person: (i64, String),
    /// The other one.
    pub other: (i64, String),
    /// `same-name`: alike but for script, blanks, signs and titles; `sound`:
    /// the name in Latin letters sounds like the Chinese one.
    pub reason: &'static str,
}

/// People by their number of games. `name` asks for those with a name like it.
pub(crate) fn people(connection: &Connection, name: Option<&str>) -> Result<Vec<Person>> {
    let wanted: Option<BTreeSet<i64>> = name.map(|name| matching(connection, name)).transpose()?;
    let mut people: BTreeMap<i64, Person> = BTreeMap::new();
    let mut select =
        connection.prepare("SELECT player_id, name, person_id, person FROM person ORDER BY 1")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (player, name): (i64, String) = (row.get(0)?, row.get(1)?);
        let id = row.get(2)?;
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&player)) {
            continue;
        }
        let person = row.get::<_, String>(3)?;
        let person = people.entry(id).or_insert_with(|| Person {
            id,
            name: person,
            aliases: Vec::new(),
            games: 0,
            years: None,
        });
        if player != id {
            person.aliases.push((player, name));
        }
    }
    let mut select = connection.prepare(
        "SELECT person_id, count(*), min(year), max(year) FROM (
             SELECT DISTINCT person.person_id, game.id, game.year FROM game
             JOIN person ON person.player_id = game.red_id OR person.player_id = game.black_id
             WHERE duplicate_of IS NULL)
         GROUP BY person_id",
    )?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(person) = people.get_mut(&row.get(0)?) {
            person.games = row.get::<_, i64>(1)?.unsigned_abs();
            person.years = row.get::<_, Option<u16>>(2)?.zip(row.get(3)?);
        }
    }
    let mut people: Vec<Person> = people.into_values().collect();
    people.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.id.cmp(&b.id)));
    Ok(people)
}

/// Every name of the people who have a name with these words, in any spelling.
pub(crate) fn matching(connection: &Connection, words: &str) -> Result<BTreeSet<i64>> {
    let key = folded(words);
    let sounds = if is_latin(&key) { sound(&key) } else { None };
    let mut select = connection.prepare(
        "WITH found AS (SELECT ifnull(canonical_id, id) FROM player
             WHERE instr(name, ?1) > 0 OR (?2 <> '' AND instr(folded, ?2) > 0)
                OR (?3 <> '' AND instr(pinyin, ?3) > 0))
         SELECT id FROM player WHERE ifnull(canonical_id, id) IN found",
    )?;
    let sounds = sounds.unwrap_or_default();
    let rows = select.query_map(params![words, key, sounds], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The player with this id or exactly this name, else with the only name that
/// compares like it.
pub(crate) fn player_named(connection: &Connection, word: &str) -> Result<i64> {
    let id: Option<i64> = connection
        .query_row(
            "SELECT id FROM player WHERE name = ?1 OR id = CAST(?1 AS INTEGER)
             AND CAST(CAST(?1 AS INTEGER) AS TEXT) = ?1 ORDER BY name = ?1 DESC LIMIT 1",
            [word],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(id) = id {
        return Ok(id);
    }
    let mut select = connection.prepare("SELECT id FROM player WHERE folded = ?")?;
    let rows = select.query_map([folded(word)], |row| row.get(0))?;
    let alike: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
    match alike[..] {
        [one] => Ok(one),
        [] => Err(DbError::Refused(format!("there is no player `{word}`"))),
        _ => Err(DbError::Refused(format!("several players are called `{word}`; give the id"))),
    }
}

/// What a merge did, for the journal.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MergedPlayers {
    /// The person that stays.
    into: i64,
    /// The person that went.
    from: i64,
    /// The names that now are aliases of the one that stays.
    names: Vec<i64>,
}

/// Makes all names of `other` aliases of `person`; gives the journal's step.
pub(crate) fn merge_players(connection: &Connection, person: i64, other: i64) -> Result<i64> {
    immediately(connection, |connection| {
        let root = |player: i64| -> Result<i64> {
            connection
                .query_row(
                    "SELECT ifnull(canonical_id, id) FROM player WHERE id = ?",
                    [player],
                    |row| row.get(0),
                )
                .optional()?
                .ok_or_else(|| DbError::Refused(format!("there is no player {player}")))
        };
        let (into, from) = (root(person)?, root(other)?);
        if into == from {
            return Err(DbError::Refused("they are one person already".to_owned()));
        }
        let mut select =
            connection.prepare("SELECT id FROM player WHERE ifnull(canonical_id, id) = ?")?;
        let names =
            select.query_map([from], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
        let merged = MergedPlayers { into, from, names };
        for name in &merged.names {
            connection
                .execute("UPDATE player SET canonical_id = ? WHERE id = ?", params![into, name])?;
        }
        record(connection, "merge-players", &merged)
    })
}

/// Takes a merge of players back.
pub(super) fn part_players(
    connection: &Connection,
    step: i64,
    merged: &MergedPlayers,
) -> Result<()> {
    for name in &merged.names {
        let now: Option<Option<i64>> = connection
            .query_row("SELECT canonical_id FROM player WHERE id = ?", [name], |row| row.get(0))
            .optional()?;
        match now {
            // The name went with an undone run.
            None => continue,
            Some(Some(person)) if person == merged.into => {}
            Some(_) => {
                return Err(DbError::Refused(format!(
                    "a later step than {step} changed these names; take that back first"
                )));
            }
        }
        let own = (*name != merged.from).then_some(merged.from);
        connection
            .execute("UPDATE player SET canonical_id = ? WHERE id = ?", params![own, name])?;
    }
    Ok(())
}

/// People who may be one, those with the most games first.
pub(crate) fn suggestions(connection: &Connection) -> Result<Vec<Suggestion>> {
    let people = people(connection, None)?;
    let mut by_key: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut by_sound: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, person) in people.iter().enumerate() {
        let names = std::iter::once(&person.name).chain(person.aliases.iter().map(|name| &name.1));
        for name in names {
            let key = folded(name);
            if key.is_empty() {
                continue;
            }
            for sound in sounds(name, &key) {
                by_sound.entry(sound).or_default().push(at);
            }
            by_key.entry(key).or_default().push(at);
        }
    }
    let latin = |at: usize| people.get(at).is_some_and(|person| is_latin(&folded(&person.name)));
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
    let named = |at: usize| people.get(at).map(|person| (person.id, person.name.clone()));
    Ok(pairs
        .into_iter()
        .filter_map(|((first, second), reason)| {
            Some(Suggestion { person: named(first)?, other: named(second)?, reason })
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
