//! Is a database sound, and are two of them the same?

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};

use super::error::{DbError, Result};
use super::hash::{content_hash, hex};
use super::index::{Segments, visits};
use super::lines::LineReader;
use super::unpack_original;

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
    check_sources(connection, &mut problems)?;
    check_lines(connection, &mut problems)?;
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

/// Moves are legal, hashes right, and the index holds exactly the positions
/// of the games.
fn check_lines(connection: &Connection, problems: &mut Vec<String>) -> Result<()> {
    let mut hashes = connection.prepare("SELECT content_hash FROM game WHERE id = ?")?;
    let indexed = Segments::new(connection).all_pairs()?;
    let mut expected = BTreeSet::new();
    LineReader::each_counted(connection, &mut |game, stored| {
        let line = stored.line()?;
        let hash: i64 = hashes.query_row([game], |row| row.get(0))?;
        if hash != content_hash(&stored.start, line.iter().copied()) {
            problems.push(format!("game {game}: the content hash is wrong"));
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
        for visit in visits(&stored.start, line.iter().copied()) {
            expected.insert((visit.key, game));
        }
        Ok(())
    })?;
    // The postings know the upper half of a key only.
    let short: BTreeSet<(u32, i64)> =
        expected.iter().map(|(key, game)| ((key >> 32) as u32, *game)).collect();
    let found: BTreeSet<(u32, i64)> = indexed.into_iter().collect();
    for (key, game) in short.difference(&found).take(10) {
        problems.push(format!("the index misses game {game} at key {key:08x}"));
    }
    for (key, game) in found.difference(&short).take(10) {
        problems.push(format!("the index wrongly has game {game} at key {key:08x}"));
    }
    Ok(())
}
