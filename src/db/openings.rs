//! The opening tree.

use std::collections::BTreeMap;

use rusqlite::Connection;
use rusqlite::types::Value;

use super::error::Result;
use super::index::{GameId, MoveStats, PositionIndex, PositionTree};
use super::lines::{LineReader, StoredLine, result_of};
use super::query::{FEW, Query, conditions, find_ids};
use super::walk::Walk;
use crate::board::Position;
use crate::game::GameResult;

/// What was played at a position, in all games or in those that match.
pub(crate) fn openings(
    connection: &Connection,
    index: &dyn PositionIndex,
    position: &Position,
    query: &Query,
) -> Result<PositionTree> {
    let mut tree = tree_of(connection, index, position, query)?;
    if query.mirror {
        let image = position.mirrored();
        if image == *position {
            tree = folded(&tree);
        } else {
            let other = tree_of(connection, index, &image, query)?;
            tree.games -= both(connection, index, position, query)?;
            tree.absorb(&mirrored(&other));
        }
    }
    Ok(tree.sorted())
}

/// How the games of an opening code ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningStats {
    /// The code, `A00` to `E48`.
    pub code: String,
    /// Games.
    pub games: u64,
    /// Of these, won by Red.
    pub red_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black_wins: u64,
    /// The latest year.
    pub last_year: Option<u16>,
}

impl OpeningStats {
    /// Red's share of the points in games with a known result.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let known = self.red_wins + self.draws + self.black_wins;
        (known > 0).then(|| (self.red_wins as f64 + self.draws as f64 / 2.0) / known as f64)
    }
}

/// The games that match, by opening code.
pub(crate) fn by_code(
    connection: &Connection,
    index: &dyn PositionIndex,
    query: &Query,
) -> Result<Vec<OpeningStats>> {
    let mut codes: BTreeMap<String, OpeningStats> = BTreeMap::new();
    let mut select =
        connection.prepare_cached("SELECT opening, result, year FROM game WHERE id = ?")?;
    for id in find_ids(connection, index, query)? {
        let (code, result, year): (Option<String>, String, Option<u16>) =
            select.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let code = code.unwrap_or_default();
        let stats = codes
            .entry(code)
            .or_insert_with_key(|code| OpeningStats { code: code.clone(), ..Default::default() });
        stats.games += 1;
        match result_of(&result)? {
            GameResult::RedWins => stats.red_wins += 1,
            GameResult::Draw => stats.draws += 1,
            GameResult::BlackWins => stats.black_wins += 1,
            GameResult::Unknown => {}
        }
        stats.last_year = stats.last_year.max(year);
    }
    Ok(codes.into_values().collect())
}

fn tree_of(
    connection: &Connection,
    index: &dyn PositionIndex,
    position: &Position,
    query: &Query,
) -> Result<PositionTree> {
    if !query.has_filters() && query.pattern.is_none() {
        return index.tree_at(position);
    }
    let reached = index.games_at(position)?;
    let target = Walk::of(position);
    let mut tree = PositionTree::default();
    let mut count = |id: GameId, stored: &StoredLine| {
        if let Some(pattern) = &query.pattern
            && pattern.first_in(stored)?.is_none()
        {
            return Ok(());
        }
        if let Some(reached) = stored.reach(&target)? {
            tree.count(id, &reached.moves, stored.facts);
        }
        Ok(())
    };
    let (condition, mut values) = conditions(connection, query)?;
    if reached.len() <= FEW {
        values.push(Value::Null);
        let condition = format!("duplicate_of IS NULL AND {condition} AND id = ?");
        for id in reached {
            if let Some(last) = values.last_mut() {
                *last = Value::from(id);
            }
            LineReader::each_where(connection, &condition, &values, &mut count)?;
        }
    } else {
        let condition = format!("duplicate_of IS NULL AND {condition}");
        LineReader::each_where(connection, &condition, &values, &mut |id, stored| {
            if reached.binary_search(&id).is_ok() { count(id, stored) } else { Ok(()) }
        })?;
    }
    Ok(tree)
}

fn ids_at(
    connection: &Connection,
    index: &dyn PositionIndex,
    position: &Position,
    query: &Query,
) -> Result<Vec<GameId>> {
    let exact = Query {
        position: Some(position.clone()),
        mirror: false,
        any_side: false,
        variations: false,
        ..query.clone()
    };
    find_ids(connection, index, &exact)
}

/// Number of games that reached both the position and its mirror image.
fn both(
    connection: &Connection,
    index: &dyn PositionIndex,
    position: &Position,
    query: &Query,
) -> Result<u64> {
    let one = ids_at(connection, index, position, query)?;
    let other = ids_at(connection, index, &position.mirrored(), query)?;
    Ok(one.iter().filter(|id| other.binary_search(id).is_ok()).count() as u64)
}

fn mirrored(tree: &PositionTree) -> PositionTree {
    let mirror = |stats: &MoveStats| MoveStats { mv: stats.mv.mirrored(), ..*stats };
    PositionTree { games: tree.games, moves: tree.moves.iter().map(mirror).collect() }
}

/// Puts each move together with its mirror image, under the one that was
/// played more often.
fn folded(tree: &PositionTree) -> PositionTree {
    let mut fold = PositionTree { games: tree.games, moves: Vec::new() };
    for stats in &tree.moves {
        let image = stats.mv.mirrored();
        match fold.moves.iter_mut().find(|kept| kept.mv == image) {
            Some(kept) => kept.absorb(stats),
            None => fold.moves.push(*stats),
        }
    }
    fold
}
