//! Novelties: where a game left what had been played before.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};

use super::error::Result;
use super::index::{GameId, PositionIndex};
use super::lines::LineReader;
use super::side_lines::SideLines;
use crate::board::Move;

/// The first half-move of a game after which the board was new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Novelty {
    /// Its number, from 1.
    pub ply: u32,
    /// The move.
    pub mv: Move,
}

/// What decides which of two games was earlier: the dates as far as both are
/// known, then the order in which they were imported.
struct Dates<'c> {
    select: rusqlite::CachedStatement<'c>,
    known: HashMap<GameId, Option<String>>,
}

impl Dates<'_> {
    fn of(&mut self, game: GameId) -> Result<Option<String>> {
        if let Some(date) = self.known.get(&game) {
            return Ok(date.clone());
        }
        let date: Option<Option<String>> =
            self.select.query_row([game], |row| row.get(0)).optional()?;
        Ok(self.known.entry(game).or_insert(date.flatten()).clone())
    }

    fn is_earlier(&mut self, game: GameId, than: GameId) -> Result<bool> {
        if let (Some(own), Some(its)) = (self.of(game)?, self.of(than)?) {
            // `1956` says nothing against `1956-12-15`.
            if !own.starts_with(&its) && !its.starts_with(&own) {
                return Ok(own < its);
            }
        }
        Ok(game < than)
    }
}

/// The novelty of a game that counts; `None` when every position of its main
/// line had been there before. With `side_lines`, what an earlier game has on a
/// variation was known, too.
pub(crate) fn novelty(
    connection: &Connection,
    index: &dyn PositionIndex,
    side_lines: Option<&SideLines>,
    game: GameId,
) -> Result<Option<Novelty>> {
    let (mut position, line) = {
        let mut lines = LineReader::new(connection)?;
        let Some(stored) = lines.counted(game)? else { return Ok(None) };
        (stored.start.clone(), stored.line()?)
    };
    let mut dates = Dates {
        select: connection.prepare_cached("SELECT date FROM game WHERE id = ?")?,
        known: HashMap::new(),
    };
    for (ply, mv) in (1..).zip(line.into_iter().map_while(|mv| mv)) {
        position.make(mv);
        let mut seen = false;
        let on_variations =
            side_lines.map_or(&[][..], |lines| lines.games_at(position.key().0)).iter().copied();
        for other in on_variations.chain(index.games_at(&position)?) {
            if other != game && dates.is_earlier(other, game)? {
                seen = true;
                break;
            }
        }
        if !seen {
            return Ok(Some(Novelty { ply, mv }));
        }
    }
    Ok(None)
}
