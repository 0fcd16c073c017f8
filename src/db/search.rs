//! Text in names, headers and comments, by trigrams.
//!
//! The table `search` (`migrations/004-search.sql`, filled by [`Unindexed`]) is asked for the trigrams
//! of the text. What it gives are candidates: each is compared with the text
//! before it counts. Texts of one or two characters have no trigram, so all
//! names, headers and comments are gone through for them.

use std::collections::{BTreeSet, HashSet};

use rusqlite::{CachedStatement, Connection, params};

use super::error::Result;
use super::fold::scripts;
use super::index::GameId;

/// Other headers that are not in `search`, because nearly every PGN has them.
const COMMON_HEADERS: [&str; 4] = [
    r#"{"Game":"Chinese Chess"}"#,
    r#"{"Format":"Chinese","Game":"Chinese Chess"}"#,
    r#"{"Format":"ICCS","Game":"Chinese Chess"}"#,
    r#"{"Format":"WXF","Game":"Chinese Chess"}"#,
];

/// Tables of names in the order of their kinds.
const NAMES: [&str; 4] = ["player", "event", "site", "team"];
const GAME: i64 = 4;
const COMMENT: i64 = 5;
/// Bits of a comment's number in the id of its row.
const SEQ_BITS: u32 = 24;

/// What holds the text.
#[derive(Default)]
struct Holders {
    /// Ids of names by kind.
    names: [Vec<i64>; 4],
    games: BTreeSet<GameId>,
}

/// Where the texts begin that a transaction adds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unindexed {
    /// The highest ids of the tables of names before it.
    names: [i64; NAMES.len()],
    /// Its first game.
    first_game: GameId,
}

impl Unindexed {
    /// At the beginning of a transaction whose games are numbered from
    /// `first_game` on.
    pub(crate) fn from_here(connection: &Connection, first_game: GameId) -> Result<Unindexed> {
        let mut names = [0; NAMES.len()];
        for (highest, table) in names.iter_mut().zip(NAMES) {
            let sql = format!("SELECT ifnull(max(id), 0) FROM {table}");
            *highest = connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))?;
        }
        Ok(Unindexed { names, first_game })
    }

    /// Makes everything that was added since searchable. In ascending order of
    /// the rows of `search`, within each kind, as FTS5 likes it best.
    pub(crate) fn index(self, connection: &Connection) -> Result<()> {
        for ((kind, table), highest) in NAMES.iter().enumerate().zip(self.names) {
            let sql = format!(
                "INSERT INTO search (rowid, text)
                 SELECT id * 8 + {kind}, name FROM {table} WHERE id > ? ORDER BY id"
            );
            connection.prepare_cached(&sql)?.execute([highest])?;
        }
        let of_games = format!(
            "INSERT INTO search (rowid, text)
             SELECT id * 8 + {GAME}, text FROM search_game WHERE id >= ? ORDER BY id"
        );
        let of_comments = format!(
            "INSERT INTO search (rowid, text)
             SELECT ((game_id << {SEQ_BITS}) + seq) * 8 + {COMMENT}, text FROM comment
             WHERE game_id >= ? ORDER BY game_id, seq"
        );
        for sql in [of_games, of_comments] {
            connection.prepare_cached(&sql)?.execute([self.first_game])?;
        }
        Ok(())
    }
}

/// The games that have the text in a comment, a name or another header, in
/// simplified or traditional characters; ASCII letters count alike in either
/// case.
pub(crate) fn games(connection: &Connection, text: &str) -> Result<Vec<GameId>> {
    let mut games = BTreeSet::new();
    for written in scripts(text) {
        games.append(&mut written_so(connection, &written)?);
    }
    Ok(games.into_iter().collect())
}

/// The games that have the text as it is written.
fn written_so(connection: &Connection, text: &str) -> Result<BTreeSet<GameId>> {
    let pattern = format!("%{}%", super::query::escaped(text));
    let holders = match trigrams(text) {
        Some(asked) => by_trigrams(connection, &asked, &pattern)?,
        None => by_reading(connection, &pattern)?,
    };
    let Holders { names, mut games } = holders;
    let [players, events, sites, teams] = names;
    for (ids, columns) in [(players, &["red_id", "black_id"][..]), (events, &["event_id"])] {
        for column in columns {
            let mut select =
                connection.prepare_cached(&format!("SELECT id FROM game WHERE {column} = ?"))?;
            for id in &ids {
                for game in select.query_map([id], |row| row.get(0))? {
                    games.insert(game?);
                }
            }
        }
    }
    at_sites_and_of_teams(connection, &sites, &teams, &mut games)?;
    Ok(games)
}

/// Sites and teams have no index: all games are gone through, once.
fn at_sites_and_of_teams(
    connection: &Connection,
    sites: &[i64],
    teams: &[i64],
    games: &mut BTreeSet<GameId>,
) -> Result<()> {
    if sites.is_empty() && teams.is_empty() {
        return Ok(());
    }
    let sites: HashSet<i64> = sites.iter().copied().collect();
    let teams: HashSet<i64> = teams.iter().copied().collect();
    let mut select = connection.prepare_cached(
        "SELECT id, site_id, red_team_id, black_team_id FROM game
         WHERE site_id IS NOT NULL OR red_team_id IS NOT NULL OR black_team_id IS NOT NULL",
    )?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let among = |column: usize, ids: &HashSet<i64>| -> Result<bool> {
            Ok(row.get::<_, Option<i64>>(column)?.is_some_and(|id| ids.contains(&id)))
        };
        if among(1, &sites)? || among(2, &teams)? || among(3, &teams)? {
            games.insert(row.get(0)?);
        }
    }
    Ok(())
}

/// What to ask `search` for; `None` when the text is too short, or has a
/// character that the tokenizer passes over.
fn trigrams(text: &str) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() < 3 || characters.contains(&'\0') {
        return None;
    }
    let mut all: Vec<String> = characters
        .windows(3)
        .map(|three| format!("\"{}\"", three.iter().collect::<String>().replace('"', "\"\"")))
        .collect();
    all.sort_unstable();
    all.dedup();
    Some(all.join(" AND "))
}

fn by_trigrams(connection: &Connection, asked: &str, pattern: &str) -> Result<Holders> {
    let mut holders = Holders::default();
    let mut names: Vec<CachedStatement<'_>> = Vec::new();
    for table in NAMES {
        names.push(connection.prepare_cached(&format!(
            "SELECT 1 FROM {table} WHERE id = ? AND name LIKE ? ESCAPE '\\'"
        ))?);
    }
    let mut headers = connection.prepare_cached(
        "SELECT 1 FROM game WHERE id = ?1 AND (title LIKE ?2 ESCAPE '\\'
             OR annotator LIKE ?2 ESCAPE '\\' OR other LIKE ?2 ESCAPE '\\')",
    )?;
    let mut comment = connection.prepare_cached(
        "SELECT 1 FROM comment WHERE game_id = ? AND seq = ? AND text LIKE ? ESCAPE '\\'",
    )?;
    let mut select = connection.prepare_cached("SELECT rowid FROM search WHERE search MATCH ?")?;
    let mut rows = select.query([asked])?;
    while let Some(row) = rows.next()? {
        let row: i64 = row.get(0)?;
        let (kind, id) = (row & 7, row >> 3);
        match kind {
            GAME => {
                if headers.exists(params![id, pattern])? {
                    holders.games.insert(id);
                }
            }
            COMMENT => {
                let (game, seq) = (id >> SEQ_BITS, id & ((1 << SEQ_BITS) - 1));
                // One comment of a game is enough.
                if !holders.games.contains(&game) && comment.exists(params![game, seq, pattern])? {
                    holders.games.insert(game);
                }
            }
            kind => {
                if let (Some(name), Some(ids)) =
                    (names.get_mut(kind as usize), holders.names.get_mut(kind as usize))
                    && name.exists(params![id, pattern])?
                {
                    ids.push(id);
                }
            }
        }
    }
    let mut common = connection
        .prepare_cached("SELECT id FROM game WHERE other = ? AND other LIKE ? ESCAPE '\\'")?;
    let mut like = connection.prepare_cached("SELECT ? LIKE ? ESCAPE '\\'")?;
    for header in COMMON_HEADERS {
        if like.query_row([header, pattern], |row| row.get(0))? {
            for game in common.query_map([header, pattern], |row| row.get(0))? {
                holders.games.insert(game?);
            }
        }
    }
    Ok(holders)
}

fn by_reading(connection: &Connection, pattern: &str) -> Result<Holders> {
    let mut holders = Holders::default();
    for (table, ids) in NAMES.iter().zip(&mut holders.names) {
        let sql = format!("SELECT id FROM {table} WHERE name LIKE ? ESCAPE '\\'");
        for id in connection.prepare_cached(&sql)?.query_map([pattern], |row| row.get(0))? {
            ids.push(id?);
        }
    }
    for sql in [
        "SELECT DISTINCT game_id FROM comment WHERE text LIKE ?1 ESCAPE '\\'",
        "SELECT id FROM game WHERE title LIKE ?1 ESCAPE '\\' OR annotator LIKE ?1 ESCAPE '\\'
             OR other LIKE ?1 ESCAPE '\\'",
    ] {
        for game in connection.prepare_cached(sql)?.query_map([pattern], |row| row.get(0))? {
            holders.games.insert(game?);
        }
    }
    Ok(holders)
}

/// Whether `search` has a row for everything that it should have, and no
/// other.
pub(crate) fn problems(connection: &Connection, problems: &mut Vec<String>) -> Result<()> {
    let wanted = "SELECT id * 8 AS id FROM player UNION ALL SELECT id * 8 + 1 FROM event
         UNION ALL SELECT id * 8 + 2 FROM site UNION ALL SELECT id * 8 + 3 FROM team
         UNION ALL SELECT id * 8 + 4 FROM search_game
         UNION ALL SELECT (game_id * 16777216 + seq) * 8 + 5 FROM comment";
    for (what, sql) in [
        ("lacks", format!("SELECT id FROM ({wanted}) EXCEPT SELECT id FROM search_docsize")),
        (
            "has too much of",
            format!("SELECT id FROM search_docsize EXCEPT SELECT id FROM ({wanted})"),
        ),
    ] {
        let number: i64 =
            connection.query_row(&format!("SELECT count(*) FROM ({sql})"), [], |row| row.get(0))?;
        if number > 0 {
            problems.push(format!("the text search {what} {number} texts"));
        }
    }
    Ok(())
}
