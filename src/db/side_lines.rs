//! The positions on variations. No index holds them: all games that have
//! variations are gone through.

use std::collections::HashMap;

use rusqlite::Connection;

use super::error::{Result, corrupt};
use super::index::GameId;
use super::lines::{LineReader, StoredLine};
use super::walk::Walk;
use crate::board::Move;

/// A move on a variation, as it is stored: its node, the node before it, the
/// move.
type Row = (u32, u32, Option<Move>);

/// Shows every position on a variation of a game that counts, with the number
/// of half-moves before it; games by id.
pub(crate) fn each(
    connection: &Connection,
    visit: &mut dyn FnMut(GameId, u32, &Walk),
) -> Result<()> {
    let mut select = connection.prepare_cached(
        "SELECT node, parent, move FROM variation WHERE game_id = ? ORDER BY node",
    )?;
    let mut rows: Vec<Row> = Vec::new();
    LineReader::each_where(
        connection,
        "variations > 0 AND duplicate_of IS NULL",
        &[],
        &mut |game, stored| {
            rows.clear();
            let mut read = select.query([game])?;
            while let Some(row) = read.next()? {
                let written: String = row.get(2)?;
                rows.push((row.get(0)?, row.get(1)?, written.parse().ok()));
            }
            of_game(stored, &rows, &mut |depth, board| visit(game, depth, board))
        },
    )
}

/// The nodes without a row are the main line, in order (`docs/schema.md`).
fn of_game(stored: &StoredLine, rows: &[Row], visit: &mut dyn FnMut(u32, &Walk)) -> Result<()> {
    let mut main_line = stored.line()?.into_iter();
    let mut rows = rows.iter().peekable();
    // Each node with its depth; no board after a half-move that is not known.
    let mut nodes: Vec<(u32, Option<Walk>)> = vec![(0, Some(Walk::of(&stored.start)))];
    let mut last = 0;
    loop {
        let row = rows.next_if(|row| row.0 as usize == nodes.len());
        let (parent, mv) = match (row, row.is_none().then(|| main_line.next()).flatten()) {
            (Some((_, parent, mv)), _) => (*parent as usize, *mv),
            (None, Some(mv)) => (last, mv),
            (None, None) => break,
        };
        let (depth, board) =
            nodes.get(parent).ok_or_else(|| corrupt("a variation before its beginning"))?;
        let (depth, mut board) = (depth + 1, board.clone());
        match (board.as_mut(), mv) {
            (Some(board), Some(mv)) => {
                board.make(mv);
                if row.is_some() {
                    visit(depth, board);
                }
            }
            _ => board = None,
        }
        if row.is_none() {
            last = nodes.len();
        }
        nodes.push((depth, board));
    }
    if rows.next().is_some() { Err(corrupt("a variation behind the end")) } else { Ok(()) }
}

/// Positions on variations, with the games that have them there.
#[derive(Clone, Debug, Default)]
pub struct SideLines {
    games: HashMap<u64, Vec<GameId>>,
}

impl SideLines {
    pub(crate) fn read(connection: &Connection) -> Result<SideLines> {
        let mut lines = SideLines::default();
        each(connection, &mut |game, _, board| {
            let games = lines.games.entry(board.key).or_default();
            if games.last() != Some(&game) {
                games.push(game);
            }
        })?;
        Ok(lines)
    }

    /// The games that have the position with this key on a variation.
    pub(crate) fn games_at(&self, key: u64) -> &[GameId] {
        self.games.get(&key).map_or(&[], Vec::as_slice)
    }
}
