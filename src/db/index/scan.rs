//! The plain way: replay every game. It needs no index, and is what the index
//! is tested against.

use rusqlite::Connection;

use super::{GameId, PositionIndex, PositionTree, visits_of};
use crate::board::Position;
use crate::db::error::Result;
use crate::db::lines::LineReader;

/// Answers by replaying all games.
#[derive(Debug)]
pub struct Scan<'c> {
    connection: &'c Connection,
}

impl<'c> Scan<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Scan<'c> {
        Scan { connection }
    }
}

impl PositionIndex for Scan<'_> {
    fn games_at(&self, position: &Position) -> Result<Vec<GameId>> {
        let mut hits = Vec::new();
        LineReader::each_counted(self.connection, &mut |game, stored| {
            if visits_of(&stored.start, &stored.line, position).is_some() {
                hits.push(game);
            }
        })?;
        Ok(hits)
    }

    fn tree_at(&self, position: &Position) -> Result<PositionTree> {
        let mut sum = PositionTree::default();
        LineReader::each_counted(self.connection, &mut |game, stored| {
            if let Some((_, moves)) = visits_of(&stored.start, &stored.line, position) {
                sum.count(game, &moves, stored.result, stored.year);
            }
        })?;
        Ok(sum.sorted())
    }
}
