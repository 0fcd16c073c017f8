//! Takes in games until their segment is written.

use std::path::Path;

use rusqlite::Connection;

use super::posting::{Posting, Postings};
use super::segment::write_segment;
use super::{GameFacts, GameId, Visit};
use crate::db::error::{DbError, Result};

/// The games of a segment that is not written yet.
pub(crate) struct SegmentBuilder {
    first_game: GameId,
    games: Vec<GameFacts>,
    postings: Postings,
    /// How many games were there at the last [`SegmentBuilder::keep`].
    kept: usize,
}

impl std::fmt::Debug for SegmentBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SegmentBuilder({} games from {})", self.games.len(), self.first_game)
    }
}

impl SegmentBuilder {
    /// A builder without games. What it cannot hold in memory goes to a
    /// scratch file beside the database.
    pub(crate) fn new(connection: &Connection) -> SegmentBuilder {
        let folder = connection.path().map(Path::new).and_then(Path::parent);
        SegmentBuilder {
            first_game: 0,
            games: Vec::new(),
            postings: Postings::new(folder.filter(|folder| !folder.as_os_str().is_empty())),
            kept: 0,
        }
    }

    /// Takes in a game. They come in the order of their ids.
    ///
    /// # Errors
    /// When the scratch file cannot be written.
    pub(crate) fn add(&mut self, game: GameId, visits: &[Visit], facts: GameFacts) -> Result<()> {
        if self.games.is_empty() {
            self.first_game = game;
        }
        let offset = game.abs_diff(self.first_game) as u32;
        // Ids that were left out (copies of other games) keep their place.
        self.games.resize(offset as usize + 1, facts);
        let postings = visits.iter().map(|visit| Posting::new(*visit, offset));
        self.postings.extend(postings).map_err(DbError::Scratch)
    }

    /// The first game; `None` when there is none.
    pub(crate) fn first_game(&self) -> Option<GameId> {
        (!self.games.is_empty()).then_some(self.first_game)
    }

    /// The games that are there now have been committed.
    pub(crate) fn keep(&mut self) {
        self.kept = self.games.len();
        self.postings.keep();
    }

    /// Takes back what came since the last [`SegmentBuilder::keep`].
    pub(crate) fn take_back(&mut self) {
        self.games.truncate(self.kept);
        self.postings.take_back();
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.games.clear();
        self.postings.clear();
        self.kept = 0;
    }

    /// Writes the segment, if there is anything to write, and empties itself.
    pub(crate) fn write(&mut self, connection: &Connection, threads: usize) -> Result<()> {
        if self.postings.len() > 0 {
            write_segment(connection, self.first_game, &self.games, &self.postings, threads)?;
        }
        self.clear();
        Ok(())
    }
}
