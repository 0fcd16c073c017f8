//! Counting move paths, to verify and to time the move generator.

use super::moves::Move;
use super::position::Position;

/// Number of legal move paths of `depth` plies; the last ply is counted in
/// bulk, not played.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    count(&mut position.clone(), depth, true)
}

/// As [`perft`], but every move is made and unmade: the yardstick for the
/// bulk count.
#[must_use]
pub fn perft_by_making(position: &Position, depth: u32) -> u64 {
    count(&mut position.clone(), depth, false)
}

/// [`perft`] for every legal move on its own, in ICCS order. `depth` counts
/// the move itself; at 0 the list is empty.
#[must_use]
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut position = position.clone();
    let mut moves = position.legal_moves();
    moves.sort_by_key(|mv| (mv.from.file(), mv.from.rank(), mv.to.file(), mv.to.rank()));
    moves
        .into_iter()
        .map(|mv| {
            let undo = position.make(mv);
            let nodes = count(&mut position, depth - 1, true);
            position.unmake(undo);
            (mv, nodes)
        })
        .collect()
}

// Recursion is bounded by the depth a person asks for, not by input data.
fn count(position: &mut Position, depth: u32, bulk: bool) -> u64 {
    match depth {
        0 => 1,
        1 if bulk => u64::from(position.count_legal_moves()),
        _ => {
            let mut nodes = 0;
            for mv in position.legal_moves() {
                let undo = position.make(mv);
                nodes += count(position, depth - 1, bulk);
                position.unmake(undo);
            }
            nodes
        }
    }
}
