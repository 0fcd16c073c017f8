//! The one writer: games go in by whole files.
//!
//! A transaction holds one or more whole files. The caller says where a file
//! begins and ends; [`Writer::commit`] makes everything since the last commit
//! durable, and [`Writer::rollback`] takes it back. [`Writer::finish`] writes
//! the segment of the position index of all the games together; until then
//! they are on the backlog, and readers replay them. A kill at any moment
//! leaves the database as it was at the last commit.

use std::num::NonZeroUsize;

use rusqlite::{
    CachedStatement, Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior,
    params,
};

use super::error::Result;
use super::game_indexes;
use super::hanging::HangingRows;
use super::index::{GameFacts, GameId, SegmentBuilder, backlog, compact};
use super::names::{Keys, Names};
use super::pack::PackedGame;
use super::search::Unindexed;
use super::seen::Seen;
use crate::board::Color;
use crate::finding::{Code, Finding, Place};
use crate::game::{OutcomeKind, Winner};
use crate::notation::Notation;

/// Id of a source (`source.id`).
pub type SourceId = i64;

/// A line of fewer half-moves has to agree in event and round, too, before it
/// counts as the same game: many games begin alike.
const SHORT_LINE: u32 = 20;
/// Copies that are looked at before a game counts as new.
const COPIES_SEEN: i64 = 64;

/// How often an import that has written before waits for the database, as long
/// each time as any program does.
const PATIENCE: u32 = 60;

/// Does what needs the database for itself, once or with patience: another
/// program may be at work on the index, and what was imported is not to be told
/// as failed because of that.
pub(crate) fn with_patience<T>(
    patient: bool,
    mut work: impl FnMut() -> rusqlite::Result<T>,
) -> Result<T> {
    let mut turns = if patient { PATIENCE } else { 1 };
    loop {
        turns -= 1;
        match work() {
            Err(error)
                if turns > 0 && error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {}
            done => return Ok(done?),
        }
    }
}

/// What is known of a file at its end.
#[derive(Clone, Debug)]
pub struct SourceEnd<'a> {
    /// SHA-256 of the file in hexadecimal digits.
    pub sha256: &'a str,
    /// Length in bytes.
    pub bytes: u64,
    /// Name of its format; `None` when no format knows it.
    pub format: Option<&'a str>,
    /// Findings of the file as a whole.
    pub findings: &'a [Finding],
}

/// What became of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its id.
    pub game: GameId,
    /// The earlier copy it is linked to.
    pub duplicate_of: Option<GameId>,
}

/// The open file.
#[derive(Debug)]
struct OpenSource {
    id: SourceId,
    games: u32,
    first_game: Option<GameId>,
    version: Option<String>,
    encoding: Option<&'static str>,
    notation: Option<Notation>,
    parts: u32,
}

/// Writes games into a database.
pub struct Writer<'c> {
    connection: &'c Connection,
    run: i64,
    in_transaction: bool,
    source: Option<OpenSource>,
    next_game: GameId,
    /// The next game as it was at the last commit.
    committed: GameId,
    /// What SQLite calls the version of the data, at the last transaction.
    version: i64,
    /// The texts of the open transaction, for the search.
    unindexed: Unindexed,
    segment: SegmentBuilder,
    /// What was stored, while this writer knows of every game.
    seen: Option<Seen>,
    /// Threads that sort the positions; what is written does not depend on it.
    threads: usize,
    players: Names<'c>,
    events: Names<'c>,
    sites: Names<'c>,
    teams: Names<'c>,
    insert_game: CachedStatement<'c>,
    find_copies: CachedStatement<'c>,
    hanging: HangingRows<'c>,
    insert_original: CachedStatement<'c>,
}

impl std::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer")
            .field("run", &self.run)
            .field("next_game", &self.next_game)
            .finish_non_exhaustive()
    }
}

impl<'c> Writer<'c> {
    /// A writer for a run.
    pub(crate) fn new(connection: &'c Connection, run: i64) -> Result<Writer<'c>> {
        let writer = Writer {
            connection,
            run,
            in_transaction: false,
            source: None,
            next_game: 1,
            committed: 1,
            version: 0,
            unindexed: Unindexed::default(),
            segment: SegmentBuilder::new(connection),
            seen: None,
            threads: 1,
            players: Names::new(connection, "player", Keys::FoldedAndSound)?,
            events: Names::new(connection, "event", Keys::Folded)?,
            sites: Names::new(connection, "site", Keys::None)?,
            teams: Names::new(connection, "team", Keys::None)?,
            insert_game: connection.prepare_cached(
                "INSERT INTO game (id, source_id, number, line, offset, version, encoding, notation,
                     event_id, site_id, date, year, round, red_id, black_id, red_team_id,
                     black_team_id, result, ecco, title, annotator, other, start_fen, plies,
                     coding, moves, variations, outcome, winner, article, unplayed, result_token,
                     trailer, errors, content_hash, duplicate_of, opening,
                     red_rating, black_rating)
                 VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,
                     ?,?,?)",
            )?,
            find_copies: connection.prepare_cached(
                "SELECT id, event_id, round, moves, start_fen FROM game
                 WHERE content_hash = ?1 AND red_id IS ?2 AND black_id IS ?3 AND date IS ?4
                   AND duplicate_of IS NULL
                 LIMIT ?5",
            )?,
            hanging: HangingRows::new(connection)?,
            insert_original: connection.prepare_cached(
                "INSERT INTO original (source_id, part, size, zstd) VALUES (?,?,?,?)",
            )?,
        };
        // Every id that is written was read or made in the same transaction, so
        // SQLite need not look up seven of them for each game. When the writer
        // goes it is as before.
        connection.pragma_update(None, "foreign_keys", false)?;
        Ok(writer)
    }

    /// The same with so many threads to sort the positions.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Writer<'c> {
        self.threads = threads.get();
        self
    }

    /// Begins a transaction, unless one is open.
    fn begin(&mut self) -> Result<()> {
        if self.in_transaction {
            return Ok(());
        }
        self.take_database(|| self.connection.execute_batch("BEGIN IMMEDIATE"))?;
        self.in_transaction = true;
        // Another program may have written since.
        self.forget_names();
        let next_game =
            self.connection
                .query_row("SELECT ifnull(max(id), 0) + 1 FROM game", [], |row| row.get(0))?;
        let waiting = backlog::first(self.connection)?;
        // It changes when another connection writes, and never else.
        let version = self.connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
        if waiting != self.segment.first_game()
            || next_game != self.next_game
            || version != self.version
        {
            // These may not be the games that this writer knows: another run
            // was killed, or another program wrote, if only as many games in
            // the place of others. `finish` makes up for it.
            self.segment.clear();
            self.seen = None;
        }
        (self.next_game, self.committed, self.version) = (next_game, next_game, version);
        if next_game == 1 {
            game_indexes::put_off(self.connection)?;
            self.seen = Some(Seen::nothing());
        }
        self.unindexed = Unindexed::from_here(self.connection, self.next_game)?;
        Ok(())
    }

    /// Takes the database, in the middle of an import with patience.
    fn take_database<T>(&self, begin: impl FnMut() -> rusqlite::Result<T>) -> Result<T> {
        with_patience(self.committed > 1, begin)
    }

    /// Begins a file, in the open transaction or a new one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn begin_source(&mut self, path: &str) -> Result<SourceId> {
        self.begin()?;
        self.connection
            .prepare_cached("INSERT INTO source (run_id, path) VALUES (?, ?)")?
            .execute(params![self.run, path])?;
        let id = self.connection.last_insert_rowid();
        self.source = Some(OpenSource {
            id,
            games: 0,
            first_game: None,
            version: None,
            encoding: None,
            notation: None,
            parts: 0,
        });
        Ok(id)
    }

    /// The source of a file with this hash: its id, and whether a format knew
    /// it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn known_source(&self, sha256: &str) -> Result<Option<(SourceId, bool)>> {
        Ok(self
            .connection
            .prepare_cached("SELECT id, format IS NOT NULL FROM source WHERE sha256 = ?")?
            .query_row([sha256], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?)
    }

    /// Stores a game of the open file.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn add_game(&mut self, packed: &PackedGame) -> Result<Stored> {
        let game = &packed.game;
        let headers = &game.headers;
        let id = self.next_game;
        let Some(source) = &mut self.source else { return Err(no_source()) };
        let source_id = source.id;
        source.games += 1;
        if source.first_game.is_none() {
            source.first_game = Some(id);
            source.version.clone_from(&game.origin.version);
            source.encoding = game.origin.encoding;
            source.notation = game.notation;
        }
        // Rows repeat version, encoding and notation only where they differ
        // from the first game's; an empty text then stands for none.
        let version = (game.origin.version != source.version)
            .then(|| game.origin.version.as_deref().unwrap_or(""));
        let encoding =
            (game.origin.encoding != source.encoding).then(|| game.origin.encoding.unwrap_or(""));
        let notation =
            (game.notation != source.notation).then(|| game.notation.map_or("", Notation::name));
        let number = source.games;
        let event = self.events.id(headers.event.as_deref())?;
        let site = self.sites.id(headers.site.as_deref())?;
        let red = self.players.id(headers.red.as_deref())?;
        let black = self.players.id(headers.black.as_deref())?;
        let red_team = self.teams.id(headers.red_team.as_deref())?;
        let black_team = self.teams.id(headers.black_team.as_deref())?;
        let date = headers.date.map(|date| date.to_string());
        let duplicate_of = self.copy_of(packed, red, black, date.as_deref(), event)?;
        let winner = game.outcome.winner.map(|winner| match winner {
            Winner::Side(Color::Red) => "red",
            Winner::Side(Color::Black) => "black",
            Winner::Draw => "draw",
        });
        let outcome = (game.outcome.kind != OutcomeKind::None).then(|| game.outcome.kind.name());
        // Left out where the token is the result's own; empty where there is
        // none.
        let token = game.result_token.as_deref();
        let result_token = (token != Some(headers.result.code())).then(|| token.unwrap_or(""));
        self.insert_game.execute(params![
            id,
            source_id,
            number,
            game.origin.line,
            game.origin.offset as i64,
            version,
            encoding,
            notation,
            event,
            site,
            date,
            headers.date.map(|date| date.year),
            headers.round,
            red,
            black,
            red_team,
            black_team,
            headers.result.code(),
            headers.ecco,
            headers.title,
            headers.annotator,
            packed.other,
            packed.start_fen,
            packed.plies,
            packed.coding as i64,
            packed.moves,
            game.tree.variations() as i64,
            outcome,
            winner,
            game.outcome.article,
            packed.unplayed,
            result_token,
            game.trailer,
            packed.errors,
            packed.content_hash,
            duplicate_of,
            packed.opening,
            packed.ratings[0],
            packed.ratings[1],
        ])?;
        self.next_game += 1;
        self.hanging.add_tree(id, packed)?;
        for finding in &game.findings {
            self.hanging.add_finding(source_id, Some(id), finding)?;
        }
        if let Some(first) = duplicate_of {
            let finding = duplicate_finding(first);
            self.hanging.add_finding(source_id, Some(id), &finding)?;
        } else {
            let year = headers.date.map(|date| date.year);
            let facts = GameFacts { result: headers.result, year, ratings: packed.ratings };
            self.segment.add(id, &packed.visits, facts)?;
        }
        Ok(Stored { game: id, duplicate_of })
    }

    /// The earliest copy of a game: same start and moves, same players, same
    /// date.
    fn copy_of(
        &mut self,
        packed: &PackedGame,
        red: Option<i64>,
        black: Option<i64>,
        date: Option<&str>,
        event: Option<i64>,
    ) -> Result<Option<GameId>> {
        if packed.plies == 0 {
            return Ok(None);
        }
        if self.seen.as_mut().is_some_and(|seen| !seen.note(packed.content_hash)) {
            return Ok(None);
        }
        // Asking SQLite for an order would cost a temporary table each time.
        let mut earliest = None;
        let mut rows =
            self.find_copies.query(params![packed.content_hash, red, black, date, COPIES_SEEN])?;
        while let Some(row) = rows.next()? {
            let same_moves = row.get_ref(3)?.as_blob().is_ok_and(|moves| moves == packed.moves)
                && row.get_ref(4)?.as_str_or_null().ok() == Some(packed.start_fen.as_deref());
            let same_event = row.get::<_, Option<i64>>(1)? == event
                && row.get_ref(2)?.as_str_or_null().ok()
                    == Some(packed.game.headers.round.as_deref());
            if same_moves && (same_event || packed.plies >= SHORT_LINE) {
                let id: GameId = row.get(0)?;
                earliest = Some(earliest.map_or(id, |other: GameId| other.min(id)));
            }
        }
        Ok(earliest)
    }

    /// Stores the next stretch of the open file's own bytes, packed by
    /// [`super::pack_original`].
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn add_original(&mut self, size: usize, zstd: &[u8]) -> Result<()> {
        let Some(source) = &mut self.source else { return Err(no_source()) };
        self.insert_original.execute(params![source.id, source.parts, size as i64, zstd])?;
        source.parts += 1;
        Ok(())
    }

    /// Ends the open file.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn end_source(&mut self, end: &SourceEnd<'_>) -> Result<()> {
        let Some(source) = self.source.take() else { return Err(no_source()) };
        self.connection
            .prepare_cached(
                "UPDATE source SET sha256 = ?, bytes = ?, format = ?, version = ?, encoding = ?,
                     notation = ?, games = ?, first_game = ? WHERE id = ?",
            )?
            .execute(params![
                end.sha256,
                end.bytes as i64,
                end.format,
                source.version,
                source.encoding,
                source.notation.map(Notation::name),
                source.games,
                source.first_game,
                source.id
            ])?;
        for finding in end.findings {
            self.hanging.add_finding(source.id, None, finding)?;
        }
        Ok(())
    }

    /// Takes out a source that no format knew, because one knows it now.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn remove_unknown_source(&mut self, source: SourceId) -> Result<()> {
        for sql in [
            "DELETE FROM finding WHERE source_id = ? AND game_id IS NULL",
            "DELETE FROM original WHERE source_id = ?",
            "DELETE FROM source WHERE id = ?",
        ] {
            self.connection.execute(sql, [source])?;
        }
        Ok(())
    }

    /// The highest id of a game so far, of the open transaction, too; about as
    /// many games as there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.next_game.unsigned_abs().saturating_sub(1)
    }

    /// Whether anything waits for the next commit.
    #[must_use]
    pub fn has_uncommitted(&self) -> bool {
        self.in_transaction
    }

    /// Makes everything durable since the last commit. The games stay on the
    /// backlog of the position index until [`Writer::finish`].
    ///
    /// # Errors
    /// When the database cannot be written; nothing has been committed then.
    pub fn commit(&mut self) -> Result<()> {
        if self.in_transaction {
            if let Some(first) = self.segment.first_game() {
                backlog::put(self.connection, first)?;
            }
            self.end_transaction()?;
            self.segment.keep();
        }
        Ok(())
    }

    fn end_transaction(&mut self) -> Result<()> {
        self.unindexed.index(self.connection)?;
        self.connection.execute_batch("COMMIT")?;
        self.in_transaction = false;
        self.committed = self.next_game;
        Ok(())
    }

    /// Makes everything durable together with its segment of the position
    /// index, and puts segments together where there are many, so that
    /// questions stay as quick as after one import.
    ///
    /// # Errors
    /// When the database cannot be written; what was committed stays.
    pub fn finish(&mut self) -> Result<()> {
        if self.in_transaction || self.segment.first_game().is_some() {
            self.begin()?;
            if let Some(first) = self.segment.first_game() {
                let waiting = backlog::first(self.connection)?;
                if waiting.is_none_or(|waiting| waiting == first) {
                    backlog::take(self.connection)?;
                    self.segment.write(self.connection, self.threads)?;
                } else {
                    // Earlier games wait, too: one segment for all, below.
                    self.segment.clear();
                }
            }
            game_indexes::make_up(self.connection)?;
            self.end_transaction()?;
        }
        let transaction = self.take_database(|| {
            Transaction::new_unchecked(self.connection, TransactionBehavior::Immediate)
        })?;
        if game_indexes::make_up(&transaction)? | compact(&transaction, self.threads)? {
            transaction.commit()?;
        }
        Ok(())
    }

    /// Takes back everything since the last commit.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn rollback(&mut self) -> Result<()> {
        self.source = None;
        self.segment.take_back();
        self.next_game = self.committed;
        self.forget_names();
        if self.in_transaction {
            self.in_transaction = false;
            self.connection.execute_batch("ROLLBACK")?;
        }
        Ok(())
    }

    fn forget_names(&mut self) {
        for names in [&mut self.players, &mut self.events, &mut self.sites, &mut self.teams] {
            names.clear();
        }
    }
}

/// What is left uncommitted when the writer goes is taken back.
impl Drop for Writer<'_> {
    fn drop(&mut self) {
        // Nobody is left to tell, and SQLite takes it back anyway on closing.
        let _ = self.rollback();
        let _ = self.connection.pragma_update(None, "foreign_keys", true);
    }
}

fn no_source() -> super::DbError {
    super::error::corrupt("a game was written outside a file")
}

/// The finding of a copy.
pub(crate) fn duplicate_finding(first: GameId) -> Finding {
    Finding::new(Code::DuplicateGame, Place::WHOLE).reason("same-game").param("game", first)
}
