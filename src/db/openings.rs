//! The opening tree.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::error::Result;
use super::index::{GameId, MoveStats, PositionIndex, PositionTree};
use super::lines::{LineReader, StoredLine};
use super::query::{FEW, Query, conditions, find_ids};
use super::walk::Walk;
use crate::board::Position;

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

fn tree_of(
    connection: &Connection,
    index: &dyn PositionIndex,
    position: &Position,
    query: &Query,
) -> Result<PositionTree> {
    if !query.has_filters() {
        return index.tree_at(position);
    }
    let reached = index.games_at(position)?;
    let target = Walk::of(position);
    let mut tree = PositionTree::default();
    let mut count = |id: GameId, stored: &StoredLine| {
        if let Some(reached) = stored.reach(&target)? {
            tree.count(id, &reached.moves, stored.result, stored.year);
        }
        Ok(())
    };
    let (condition, mut values) = conditions(query);
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
