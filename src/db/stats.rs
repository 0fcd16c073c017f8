//! What is in a database, and the runs that brought it.

use rusqlite::{Connection, Row};

use super::error::Result;

/// Counts over the whole database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Runs of `import`.
    pub runs: u64,
    /// Files.
    pub sources: u64,
    /// Games, copies included.
    pub games: u64,
    /// Games that are linked to an earlier copy.
    pub duplicates: u64,
    /// Games with a finding of severity `error`.
    pub with_errors: u64,
    /// Half-moves of the main lines.
    pub plies: u64,
    /// Variations.
    pub variations: u64,
    /// Comments.
    pub comments: u64,
    /// Names of players.
    pub players: u64,
    /// Names of events.
    pub events: u64,
    /// First and last year, where any is known.
    pub years: Option<(u16, u16)>,
    /// Games by recorded result.
    pub results: Vec<(String, u64)>,
    /// Files and games by format; a file that no format knew has none.
    pub formats: Vec<(Option<String>, u64, u64)>,
    /// Findings by code.
    pub findings: Vec<(String, u64)>,
    /// Places of the main lines that the position index holds.
    pub positions: u64,
}

/// Counts everything.
pub(crate) fn stats(connection: &Connection) -> Result<Stats> {
    let count = |sql: &str| connection.query_row(sql, [], |row| unsigned(row, 0));
    let mut stats = Stats {
        runs: count("SELECT count(*) FROM run")?,
        sources: count("SELECT count(*) FROM source")?,
        comments: count("SELECT count(*) FROM comment")?,
        players: count("SELECT count(*) FROM player")?,
        events: count("SELECT count(*) FROM event")?,
        positions: count("SELECT ifnull(sum(postings), 0) FROM segment")?,
        ..Stats::default()
    };
    connection.query_row(
        "SELECT count(*), count(duplicate_of), ifnull(sum(errors > 0), 0), ifnull(sum(plies), 0),
             ifnull(sum(variations), 0), min(year), max(year) FROM game",
        [],
        |row| {
            stats.games = unsigned(row, 0)?;
            stats.duplicates = unsigned(row, 1)?;
            stats.with_errors = unsigned(row, 2)?;
            stats.plies = unsigned(row, 3)?;
            stats.variations = unsigned(row, 4)?;
            stats.years = row.get::<_, Option<u16>>(5)?.zip(row.get(6)?);
            Ok(())
        },
    )?;
    let pairs = |sql: &str| -> Result<Vec<(String, u64)>> {
        let mut select = connection.prepare(sql)?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, unsigned(row, 1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    };
    stats.results =
        pairs("SELECT result, count(*) FROM game GROUP BY result ORDER BY count(*) DESC, result")?;
    stats.findings =
        pairs("SELECT code, count(*) FROM finding GROUP BY code ORDER BY count(*) DESC, code")?;
    let mut select = connection.prepare(
        "SELECT format, count(*), sum(games) FROM source GROUP BY format
         ORDER BY sum(games) DESC, format",
    )?;
    let rows =
        select.query_map([], |row| Ok((row.get(0)?, unsigned(row, 1)?, unsigned(row, 2)?)))?;
    stats.formats = rows.collect::<rusqlite::Result<_>>()?;
    Ok(stats)
}

fn unsigned(row: &Row<'_>, index: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(index).map(i64::unsigned_abs)
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It is at work, or its program was killed.
    Running,
    /// It saw every file.
    Finished,
    /// A person stopped it; what it had committed stays.
    Interrupted,
    /// The database or the disk failed.
    Failed,
}

impl RunState {
    /// `running`, `finished`, `interrupted` or `failed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Finished => "finished",
            RunState::Interrupted => "interrupted",
            RunState::Failed => "failed",
        }
    }
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Files that were offered.
    pub files: u64,
    /// Files that were there already.
    pub files_skipped: u64,
    /// Files that could not be read.
    pub files_failed: u64,
    /// Games read.
    pub games: u64,
    /// Games that were new.
    pub new: u64,
    /// Games linked to an earlier copy.
    pub duplicates: u64,
    /// Games with a finding of severity `error`.
    pub with_errors: u64,
    /// Half-moves of the main lines.
    pub plies: u64,
}

/// A run of `import`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Its number.
    pub id: i64,
    /// When it began, UTC, ISO 8601.
    pub started: String,
    /// When it ended.
    pub finished: Option<String>,
    /// The version of qipu.
    pub version: String,
    /// Its options, as a JSON object.
    pub options: String,
    /// How it ended.
    pub state: String,
    /// When it was taken back.
    pub undone: Option<String>,
    /// What it did.
    pub counts: RunCounts,
}

/// All runs, the first one first.
pub(crate) fn runs(connection: &Connection) -> Result<Vec<RunRow>> {
    let mut select = connection.prepare(
        "SELECT id, started, finished, version, options, state, files, files_skipped,
             files_failed, games, new, duplicates, with_errors, plies, undone FROM run ORDER BY id",
    )?;
    let rows = select.query_map([], |row| {
        Ok(RunRow {
            id: row.get(0)?,
            started: row.get(1)?,
            finished: row.get(2)?,
            version: row.get(3)?,
            options: row.get(4)?,
            state: row.get(5)?,
            undone: row.get(14)?,
            counts: RunCounts {
                files: unsigned(row, 6)?,
                files_skipped: unsigned(row, 7)?,
                files_failed: unsigned(row, 8)?,
                games: unsigned(row, 9)?,
                new: unsigned(row, 10)?,
                duplicates: unsigned(row, 11)?,
                with_errors: unsigned(row, 12)?,
                plies: unsigned(row, 13)?,
            },
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
