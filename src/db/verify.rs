//! Is a database sound, and are two of them the same?

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::error::{DbError, Result};
use super::fold::{folded, sound};
use super::hash::{content_hash, hex};
use super::index::{PositionTree, Segments, Sum, backlog, visits_of_stored};
use super::lines::LineReader;
use super::originals::unpack_original;
use crate::board::{Color, Move};
use crate::game::{Headers, ecco};

/// Tables of the canonical dump with what they are sorted by. Runs are left
/// out (their times differ), and so is the position index, which is derived.
const TABLES: [(&str, &str); 12] = [
    ("source", "id"),
    ("original", "source_id, part"),
    ("player", "id"),
    ("event", "id"),
    ("site", "id"),
    ("team", "id"),
    ("game", "id"),
    ("variation", "game_id, node"),
    ("comment", "game_id, seq"),
    ("clock", "game_id, seq"),
    ("glyph", "game_id, seq"),
    ("finding", "id"),
];

/// Values from this length on are dumped by their hash.
const LONG: usize = 512;

/// Writes the content of a database as text, one row a line. Two databases
/// have the same content exactly when their dumps are the same.
pub(crate) fn dump(connection: &Connection, out: &mut dyn Write) -> Result<()> {
    for (table, order) in TABLES {
        let mut select = connection.prepare(&format!("SELECT * FROM {table} ORDER BY {order}"))?;
        let columns: Vec<String> = select.column_names().into_iter().map(str::to_owned).collect();
        let mut rows = select.query([])?;
        let mut line = String::new();
        while let Some(row) = rows.next()? {
            line.clear();
            line.push_str(table);
            for (index, column) in columns.iter().enumerate() {
                if column == "run_id" {
                    continue;
                }
                let _ = match row.get_ref(index)? {
                    ValueRef::Null => Ok(()),
                    ValueRef::Integer(number) => write!(line, " {column}={number}"),
                    ValueRef::Real(number) => write!(line, " {column}={number}"),
                    ValueRef::Text(bytes) | ValueRef::Blob(bytes) if bytes.len() > LONG => {
                        write!(line, " {column}=sha256:{}", hex(&Sha256::digest(bytes)))
                    }
                    ValueRef::Text(text) => {
                        write!(line, " {column}={:?}", String::from_utf8_lossy(text))
                    }
                    ValueRef::Blob(bytes) => write!(line, " {column}=x{}", hex(bytes)),
                };
            }
            line.push('\n');
            out.write_all(line.as_bytes()).map_err(DbError::Output)?;
        }
    }
    Ok(())
}

/// Everything that is wrong with a database, in plain sentences.
pub(crate) fn problems(connection: &Connection) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let mut integrity = connection.prepare("PRAGMA integrity_check")?;
    let lines = integrity.query_map([], |row| row.get::<_, String>(0))?;
    for line in lines {
        let line = line?;
        if line != "ok" {
            problems.push(line);
        }
    }
    let mut keys = connection.prepare("PRAGMA foreign_key_check")?;
    let mut rows = keys.query([])?;
    while let Some(row) = rows.next()? {
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        problems
            .push(format!("a row of `{table}` points at a row of `{parent}` that is not there"));
    }
    for check in [check_sources, check_lines, check_names, check_index] {
        match check(connection, &mut problems) {
            // A row that cannot be is a problem to tell; the other checks go on.
            Err(error @ DbError::Corrupt(_)) => problems.push(error.to_string()),
            other => other?,
        }
    }
    super::search::problems(connection, &mut problems)?;
    Ok(problems)
}

/// Files are whole: the stored bytes are those that were hashed, the games
/// are all there.
fn check_sources(connection: &Connection, problems: &mut Vec<String>) -> Result<()> {
    let mut sources = connection.prepare(
        "SELECT id, path, sha256, games, first_game,
             (SELECT count(*) FROM game WHERE source_id = source.id
                 AND game.id BETWEEN first_game AND first_game + games - 1)
         FROM source ORDER BY id",
    )?;
    let mut parts =
        connection.prepare("SELECT size, zstd FROM original WHERE source_id = ? ORDER BY part")?;
    let mut rows = sources.query([])?;
    while let Some(row) = rows.next()? {
        let (id, path): (i64, String) = (row.get(0)?, row.get(1)?);
        let Some(sha256) = row.get::<_, Option<String>>(2)? else {
            problems.push(format!("{path}: was not read to its end"));
            continue;
        };
        let games: i64 = row.get(3)?;
        let first_game: Option<i64> = row.get(4)?;
        if row.get::<_, i64>(5)? != if first_game.is_some() { games } else { 0 } {
            problems.push(format!("{path}: games are missing"));
        }
        let mut hash = Sha256::new();
        let mut any = false;
        let mut stored = parts.query([id])?;
        while let Some(part) = stored.next()? {
            any = true;
            let size: u32 = part.get(0)?;
            let packed = part.get_ref(1)?.as_blob().map_err(DbError::from_sql)?;
            match unpack_original(packed, size) {
                Ok(bytes) => hash.update(bytes),
                Err(error) => problems.push(format!("{path}: {error}")),
            }
        }
        if any && hex(&hash.finalize()) != sha256 {
            problems.push(format!("{path}: the stored bytes have another hash"));
        }
    }
    Ok(())
}

/// Moves are legal, hashes, openings and links right.
fn check_lines(connection: &Connection, problems: &mut Vec<String>) -> Result<()> {
    let mut facts =
        connection.prepare("SELECT content_hash, opening, other FROM game WHERE id = ?")?;
    LineReader::each_where(connection, "1", &[], &mut |game, stored| {
        let line = stored.line()?;
        let (hash, opening, other): (i64, Option<String>, Option<String>) =
            facts.query_row([game], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        check_ratings(connection, game, other.as_deref(), stored.facts.ratings, problems)?;
        if hash != content_hash(&stored.start, line.iter().copied()) {
            problems.push(format!("game {game}: the content hash is wrong"));
        }
        if opening.as_deref() != Some(ecco::classify(&stored.start, line.iter().copied())) {
            problems.push(format!("game {game}: the opening code is wrong"));
        }
        let mut position = stored.start.clone();
        // After a half-move that is not known the board is not known.
        for mv in line.iter().map_while(|mv| *mv) {
            if !position.is_legal(mv) {
                problems.push(format!("game {game}: {mv} is not legal"));
                break;
            }
            position.make(mv);
        }
        Ok(())
    })?;
    Ok(())
}

/// The ratings are those of the headers. A game without them may have those of
/// a record that was put together with it.
fn check_ratings(
    connection: &Connection,
    game: i64,
    other: Option<&str>,
    stored: [Option<u16>; 2],
    problems: &mut Vec<String>,
) -> Result<()> {
    let other = match other.map_or_else(|| Ok(BTreeMap::new()), serde_json::from_str) {
        Ok(other) => other,
        Err(error) => {
            problems.push(format!("game {game}: the other headers are not JSON: {error}"));
            return Ok(());
        }
    };
    let headers = Headers { other, ..Headers::default() };
    for (side, stored) in Color::ALL.into_iter().zip(stored) {
        let written = headers.rating(side);
        let right = match (written, stored) {
            (None, Some(rating)) => connection
                .prepare_cached(&format!(
                    "SELECT 1 FROM game WHERE duplicate_of = ? AND {}_rating = ?",
                    side.name()
                ))?
                .exists(params![game, rating])?,
            _ => written == stored,
        };
        if !right {
            problems.push(format!(
                "game {game}: the rating of {} is not that of the headers",
                side.name()
            ));
        }
    }
    Ok(())
}

/// Copies and aliases point at what they are of, and names have their keys.
fn check_names(connection: &Connection, problems: &mut Vec<String>) -> Result<()> {
    let mut chains = connection.prepare(
        "SELECT copy.id FROM game AS copy JOIN game AS original ON original.id = copy.duplicate_of
         WHERE original.duplicate_of IS NOT NULL OR original.id = copy.id",
    )?;
    for game in chains.query_map([], |row| row.get::<_, i64>(0))? {
        problems.push(format!("game {}: the copy of a copy", game?));
    }
    for table in ["player", "event"] {
        let mut aliases = connection.prepare(&format!(
            "SELECT alias.name FROM {table} AS alias JOIN {table} AS chosen
                 ON chosen.id = alias.canonical_id
             WHERE chosen.canonical_id IS NOT NULL OR chosen.id = alias.id",
        ))?;
        for name in aliases.query_map([], |row| row.get::<_, String>(0))? {
            problems.push(format!("{table} {}: the alias of an alias", name?));
        }
    }
    for (table, pinyin) in [("player", "pinyin"), ("event", "NULL")] {
        let mut names =
            connection.prepare(&format!("SELECT name, folded, {pinyin} FROM {table}"))?;
        let mut rows = names.query([])?;
        while let Some(row) = rows.next()? {
            let name: String = row.get(0)?;
            let key = folded(&name);
            let sounds = if table == "player" { sound(&key) } else { None };
            let stored: (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
            if stored != (Some(key), sounds) {
                problems.push(format!("{table} {name}: the key is wrong"));
            }
        }
    }
    Ok(())
}

/// The index holds exactly the positions of the games: each segment is
/// compared with its games by sums that do not depend on an order, so that the
/// memory is bounded by the rows of the trees.
fn check_index(connection: &Connection, problems: &mut Vec<String>) -> Result<()> {
    let index = Segments::new(connection);
    let mut last = 0;
    for extent in index.extents()? {
        if extent.first_game <= last {
            problems.push(format!("segment {} overlaps another", extent.id));
        }
        uncovered(connection, last + 1, extent.first_game - 1, problems)?;
        last = extent.last_game;
        let mut stored = index.contents(extent.id)?;
        let mut seen: HashMap<u64, PositionTree> = HashMap::new();
        let mut postings = Sum::default();
        let mut listed = Sum::default();
        let mut visits = Vec::new();
        LineReader::each_where(
            connection,
            "id BETWEEN ? AND ? AND duplicate_of IS NULL",
            &[extent.first_game.into(), extent.last_game.into()],
            &mut |game, line| {
                visits_of_stored(&line.start, line.coding, &line.moves, &mut visits)?;
                visits.sort_unstable_by_key(|visit| (visit.key, visit.mv));
                let mut short = None;
                for group in visits.chunk_by(|a, b| a.key == b.key) {
                    let key = group[0].key;
                    if stored.trees.contains_key(&key) {
                        listed.add(key, game);
                        let mut moves: Vec<Move> =
                            group.iter().filter_map(|visit| Move::from_u16(visit.mv)).collect();
                        moves.dedup();
                        seen.entry(key).or_default().count(game, &moves, line.facts);
                    } else if short.replace(key >> 32) != Some(key >> 32) {
                        postings.add(key >> 32, game);
                    }
                }
                Ok(())
            },
        )?;
        if (postings, listed) != (stored.postings, stored.listed) {
            problems.push(format!(
                "segment {} does not list the positions of games {} to {}",
                extent.id, extent.first_game, extent.last_game
            ));
        }
        for (key, tree) in seen {
            if stored.trees.remove(&key) != Some(tree.sorted()) {
                problems.push(format!("segment {}: the tree of {key:016x} is wrong", extent.id));
            }
        }
        for key in stored.trees.keys() {
            problems.push(format!("segment {}: nothing reaches {key:016x}", extent.id));
        }
    }
    // Games of a run that is not over, or was killed, wait for their segment.
    let waiting = backlog::first(connection)?;
    if waiting.is_some_and(|first| first <= last) {
        problems.push(format!("games wait for a segment, though one ends at {last}"));
    }
    uncovered(connection, last + 1, waiting.map_or(i64::MAX, |first| first - 1), problems)
}

/// Games that count and lie in no segment.
fn uncovered(
    connection: &Connection,
    low: i64,
    high: i64,
    problems: &mut Vec<String>,
) -> Result<()> {
    let games: i64 = connection.query_row(
        "SELECT count(*) FROM game WHERE id BETWEEN ? AND ? AND duplicate_of IS NULL",
        [low, high],
        |row| row.get(0),
    )?;
    if games > 0 {
        problems.push(format!("the index misses {games} games from {low} on"));
    }
    Ok(())
}
