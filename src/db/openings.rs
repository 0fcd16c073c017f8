//! The opening tree.

use rusqlite::Connection;

use super::error::Result;
use super::index::{GameId, MoveStats, PositionIndex, PositionTree, visits_of};
use super::lines::LineReader;
use super::query::{Query, find_ids};
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
    let mut lines = LineReader::new(connection)?;
    let mut tree = PositionTree::default();
    for id in ids_at(connection, index, position, query)? {
        let Some(stored) = lines.counted(id)? else { continue };
        if let Some((_, moves)) = visits_of(&stored.start, &stored.line, position) {
            tree.count(id, &moves, stored.result, stored.year);
        }
    }
    Ok(tree)
}

fn ids_at(
    connection: &Connection,
    index: &dyn PositionIndex,
    position: &Position,
    query: &Query,
) -> Result<Vec<GameId>> {
    let exact =
        Query { position: Some(position.clone()), mirror: false, any_side: false, ..query.clone() };
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
