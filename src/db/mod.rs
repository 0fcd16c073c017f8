//! Games, their sources and everything found in them, in one SQLite file.
//!
//! `docs/schema.md` describes every table. One [`Writer`] puts whole files in;
//! any number of readers ask. The position index stands behind
//! [`PositionIndex`].

mod connection;
mod curation;
mod error;
mod fold;
mod functions;
mod game_indexes;
mod games;
mod hanging;
mod hash;
mod index;
mod lines;
mod load;
mod moves;
mod names;
mod novelty;
mod openings;
mod originals;
mod pack;
mod params;
mod pattern;
mod query;
mod schema;
mod search;
mod seen;
mod side_lines;
mod sources;
mod stats;
mod text;
mod verify;
mod walk;
mod writer;

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use crate::board::Position;
use crate::finding::Finding;
use crate::game::Game;

pub use curation::{Identity, Merged, Named, Step, Suggestion, Twin, TwinKind, Undone};
pub use error::{DbError, Result};
pub use games::StoredGame;
pub use hash::content_hash;
pub use index::{GameId, MoveStats, PositionIndex, PositionTree, RatingSum, Scan, Segments};
pub use load::SourceRow;
pub use novelty::Novelty;
pub use openings::OpeningStats;
pub use originals::pack_original;
pub use pack::PackedGame;
pub use pattern::{Pattern, PatternError, PatternText};
pub use query::{GameRow, Query};
pub use side_lines::SideLines;
pub use sources::SourceQuery;
pub use stats::{RunCounts, RunRow, RunState, Stats};
pub use writer::{SourceEnd, SourceId, Stored, Writer};

pub(crate) use connection::at_once;

/// A qipu database.
pub struct Database {
    connection: Connection,
    path: PathBuf,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Database {
    /// Path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Enters a run of `import`. `options` is a JSON object.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn begin_run(&self, options: &str) -> Result<i64> {
        // A run that still says `running` was killed, unless another program
        // is at work; that one sets its state again when it ends.
        self.connection
            .execute("UPDATE run SET state = 'interrupted' WHERE state = 'running'", [])?;
        self.connection.execute(
            "INSERT INTO run (started, version, options, state)
             VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?, ?, 'running')",
            params![env!("CARGO_PKG_VERSION"), options],
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Writes down how a run ended.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn end_run(&self, run: i64, state: RunState, counts: &RunCounts) -> Result<()> {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let mut update = self.connection.prepare_cached(
            "UPDATE run SET finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), state = ?,
                 files = ?, files_skipped = ?, files_failed = ?, games = ?, new = ?,
                 duplicates = ?, with_errors = ?, plies = ? WHERE id = ?",
        )?;
        // Of a run that failed the error is told at once.
        writer::with_patience(state != RunState::Failed, || {
            update.execute(params![
                state.name(),
                number(counts.files),
                number(counts.files_skipped),
                number(counts.files_failed),
                number(counts.games),
                number(counts.new),
                number(counts.duplicates),
                number(counts.with_errors),
                number(counts.plies),
                run
            ])
        })?;
        Ok(())
    }

    /// The writer of a run.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn writer(&self, run: i64) -> Result<Writer<'_>> {
        Writer::new(&self.connection, run)
    }

    /// The position index.
    #[must_use]
    pub fn index(&self) -> Segments<'_> {
        Segments::new(&self.connection)
    }

    /// The same answers without the index, by replaying every game.
    #[must_use]
    pub fn scan(&self) -> Scan<'_> {
        Scan::new(&self.connection)
    }

    fn position_index(&self, query: &Query) -> Box<dyn PositionIndex + '_> {
        if query.no_index { Box::new(self.scan()) } else { Box::new(self.index()) }
    }

    /// Finds games in the order of their ids; `each` may stop.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find(
        &self,
        query: &Query,
        each: &mut dyn FnMut(GameRow) -> ControlFlow<()>,
    ) -> Result<()> {
        at_once(&self.connection, || {
            query::find(&self.connection, &*self.position_index(query), query, each)
        })
    }

    /// What was played at a position, in all games or in those that match the
    /// rest of the query. `mirror` also counts the left-right mirror image:
    /// its moves are turned over and put together with those of the position.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn openings(&self, position: &Position, query: &Query) -> Result<PositionTree> {
        at_once(&self.connection, || {
            openings::openings(&self.connection, &*self.position_index(query), position, query)
        })
    }

    /// How the games that match the query ended, by opening code.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn opening_codes(&self, query: &Query) -> Result<Vec<OpeningStats>> {
        at_once(&self.connection, || {
            openings::by_code(&self.connection, &*self.position_index(query), query)
        })
    }

    /// Where a game left what earlier games had played: the first half-move
    /// after which the board was new. Earlier is by date as far as both are
    /// known, else by import.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn novelty(&self, game: GameId) -> Result<Option<Novelty>> {
        at_once(&self.connection, || novelty::novelty(&self.connection, &self.index(), None, game))
    }

    /// The same where a position on a variation of an earlier game was known,
    /// too. The variations are read once, by [`Database::side_lines`].
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn novelty_beside(&self, game: GameId, lines: &SideLines) -> Result<Option<Novelty>> {
        at_once(&self.connection, || {
            novelty::novelty(&self.connection, &self.index(), Some(lines), game)
        })
    }

    /// The positions on all variations.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn side_lines(&self) -> Result<SideLines> {
        at_once(&self.connection, || SideLines::read(&self.connection))
    }

    /// How many games, at most, are in no segment of the position index yet.
    /// They are replayed for each question, until the next import, undo or
    /// merge puts them into one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn unindexed_games(&self) -> Result<u64> {
        let Some(first) = index::backlog::first(&self.connection)? else { return Ok(0) };
        let last: Option<GameId> =
            self.connection.query_row("SELECT max(id) FROM game", [], |row| row.get(0))?;
        Ok(last.map_or(0, |last| (last - first + 1).max(0).unsigned_abs()))
    }

    /// A game as it was stored.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn game(&self, id: GameId) -> Result<Option<Game>> {
        at_once(&self.connection, || load::game(&self.connection, id))
    }

    /// The ids of the games that match, ascending.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn matching(&self, query: &Query) -> Result<Vec<GameId>> {
        at_once(&self.connection, || {
            query::find_ids(&self.connection, &*self.position_index(query), query)
        })
    }

    /// A game with what its row says beside it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn stored_game(&self, id: GameId) -> Result<Option<StoredGame>> {
        games::stored(&self.connection, id)
    }

    /// Puts games into groups by their year, the unknown year first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn by_year(&self, ids: &[GameId]) -> Result<BTreeMap<Option<u16>, Vec<GameId>>> {
        games::by_year(&self.connection, ids)
    }

    /// The file a game came from.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn source_of(&self, game: GameId) -> Result<Option<SourceRow>> {
        let sql = format!(
            "SELECT {} FROM source WHERE id = (SELECT source_id FROM game WHERE game.id = ?)",
            sources::COLUMNS
        );
        Ok(self.connection.prepare_cached(&sql)?.query_row([game], sources::read).optional()?)
    }

    /// Shows the files that match, in the order in which they were imported;
    /// `each` may stop.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn sources(
        &self,
        query: &SourceQuery,
        each: &mut dyn FnMut(SourceRow) -> ControlFlow<()>,
    ) -> Result<()> {
        sources::find(&self.connection, query, each)
    }

    /// The ids of the games of a file, in their order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn games_of(&self, source: SourceId) -> Result<Range<GameId>> {
        let mut select = self
            .connection
            .prepare_cached("SELECT first_game, first_game + games FROM source WHERE id = ?")?;
        let range = select.query_row([source], |row| {
            Ok(row.get::<_, Option<GameId>>(0)?.zip(row.get(1)?).map(|(from, to)| from..to))
        });
        Ok(range.optional()?.flatten().unwrap_or(0..0))
    }

    /// Shows every file that was read to its end: SHA-256, length, and whether
    /// a format knew it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn each_source(&self, each: &mut dyn FnMut([u8; 32], u64, bool)) -> Result<()> {
        let mut select = self.connection.prepare(
            "SELECT unhex(sha256), bytes, format IS NOT NULL FROM source
             WHERE sha256 IS NOT NULL",
        )?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let hash = row.get::<_, Option<Vec<u8>>>(0)?.and_then(|hash| hash.try_into().ok());
            let hash = hash.ok_or_else(|| error::corrupt("the hash of a source"))?;
            each(hash, row.get::<_, i64>(1)?.unsigned_abs(), row.get(2)?);
        }
        Ok(())
    }

    /// The findings of a file as a whole.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn source_findings(&self, source: SourceId) -> Result<Vec<Finding>> {
        load::findings(&self.connection, "source_id = ? AND game_id IS NULL", source)
    }

    /// What is in the database.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn stats(&self) -> Result<Stats> {
        at_once(&self.connection, || stats::stats(&self.connection))
    }

    /// The runs of `import`, the first one first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn runs(&self) -> Result<Vec<RunRow>> {
        stats::runs(&self.connection)
    }

    /// Takes a run of `import` back: its files, games and findings go, and
    /// names that nothing else uses. Copies of its games in other runs count
    /// themselves from then on. All of it happens or nothing.
    ///
    /// # Errors
    /// When there is no such run, when it was undone already, or when the
    /// database cannot be written.
    pub fn undo_run(&self, run: i64) -> Result<Undone> {
        curation::undo_run(&self.connection, run)
    }

    /// The journal: what was undone and put together, the first step first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn journal(&self) -> Result<Vec<Step>> {
        curation::steps(&self.connection)
    }

    /// Takes a step of the journal back: names or games that were put
    /// together are as before.
    ///
    /// # Errors
    /// When there is no such step, when a later one has to be taken back
    /// first, or when the database cannot be written.
    pub fn revert(&self, step: i64) -> Result<()> {
        curation::revert(&self.connection, step)
    }

    /// Takes back all steps of a range that were not yet, the last one first:
    /// all of them or none. Gives their number.
    ///
    /// # Errors
    /// As [`Database::revert`], and when there is none.
    pub fn revert_all(&self, steps: RangeInclusive<i64>) -> Result<u64> {
        curation::revert_all(&self.connection, steps)
    }

    /// People or events with their other names, those with the most games
    /// first; with `name`, those who have a name like it in any script or
    /// spelling.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn identities(&self, named: Named, name: Option<&str>) -> Result<Vec<Identity>> {
        at_once(&self.connection, || curation::identities(&self.connection, named, name))
    }

    /// The id of whom or what a word means: an id, a name, or the only name
    /// like it.
    ///
    /// # Errors
    /// When it means nothing or several, or the database cannot be read.
    pub fn id_of(&self, named: Named, word: &str) -> Result<i64> {
        curation::id_of(&self.connection, named, word)
    }

    /// Makes all names of `other` names of `one`; gives the step of the
    /// journal.
    ///
    /// # Errors
    /// When they are one already, or the database cannot be written.
    pub fn merge_names(&self, named: Named, one: i64, other: i64) -> Result<i64> {
        curation::merge_names(&self.connection, named, one, other)
    }

    /// People or events who may be one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn suggestions(&self, named: Named) -> Result<Vec<Suggestion>> {
        at_once(&self.connection, || curation::suggestions(&self.connection, named))
    }

    /// Records that may be of one game; exact twins first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn twins(&self) -> Result<Vec<Twin>> {
        at_once(&self.connection, || curation::twins(&self.connection))
    }

    /// Puts twins together: the better record stays and takes the fields it
    /// lacks from the other, which becomes its copy.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn merge_games(&self, twins: &[Twin]) -> Result<Merged> {
        curation::merge_games(&self.connection, twins)
    }

    /// Writes the content as text. Two databases hold the same exactly when
    /// their dumps are the same; runs and the derived index are left out.
    ///
    /// # Errors
    /// When the database cannot be read or `out` not be written.
    pub fn dump(&self, out: &mut dyn Write) -> Result<()> {
        at_once(&self.connection, || verify::dump(&self.connection, out))
    }

    /// Checks the database against itself and the stored originals, and says
    /// in plain sentences what is wrong.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn problems(&self) -> Result<Vec<String>> {
        at_once(&self.connection, || verify::problems(&self.connection))
    }

    /// The connection, for questions in SQL.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }
}
