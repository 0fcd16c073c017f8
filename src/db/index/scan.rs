//! The plain way: replay every game. It needs no index, and is what the index
//! is tested against.

use rusqlite::Connection;

use super::{GameId, PositionIndex, PositionTree};
use crate::board::Position;
use crate::db::error::Result;
use crate::db::lines::LineReader;
use crate::db::walk::Walk;

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
        let target = Walk::of(position);
        LineReader::each_counted(self.connection, &mut |game, stored| {
            if stored.reach(&target)?.is_some() {
                hits.push(game);
            }
            Ok(())
        })?;
        Ok(hits)
    }

    fn tree_at(&self, position: &Position) -> Result<PositionTree> {
        let mut sum = PositionTree::default();
        let target = Walk::of(position);
        LineReader::each_counted(self.connection, &mut |game, stored| {
            if let Some(reached) = stored.reach(&target)? {
                sum.count(game, &reached.moves, stored.facts);
            }
            Ok(())
        })?;
        Ok(sum.sorted())
    }
}
