//! Sheets printed in columns: rounds 1, 11, 21 on one line.

use crate::formats::movetext::Movetext;
use crate::record::{NodeId, RecordTree};

/// Puts rounds in the order of their numbers when lines run across columns:
/// the numbers are all different, begin with 1, leave none out, and come in
/// another order.
pub(super) fn sort(mut movetext: Movetext) -> Movetext {
    if let Some((tree, places)) = sorted(&movetext.tree) {
        movetext.renumber(tree, &places);
    }
    movetext
}

/// The rounds in order, and the new place of each move; `None` when they are
/// in order already or cannot be brought into one.
fn sorted(tree: &RecordTree) -> Option<(RecordTree, Vec<NodeId>)> {
    let mut rounds: Vec<(u32, Vec<NodeId>)> = Vec::new();
    for node in tree.main_line() {
        let number = tree.node(node).number;
        if number > 0 {
            rounds.push((number, vec![node]));
        } else {
            rounds.last_mut()?.1.push(node);
        }
    }
    let moves: usize = rounds.iter().map(|(_, nodes)| nodes.len()).sum();
    let ascending = rounds.is_sorted_by(|a, b| a.0 < b.0);
    if ascending || rounds.len() < 4 || moves != tree.len() {
        return None;
    }
    rounds.sort_by_key(|(number, _)| *number);
    if !rounds.iter().enumerate().all(|(i, (number, _))| *number as usize == i + 1) {
        return None;
    }
    let mut sorted = RecordTree::with_capacity(tree.len());
    let mut places = vec![NodeId::ROOT; tree.len() + 1];
    let mut cur = NodeId::ROOT;
    for node in rounds.iter().flat_map(|(_, nodes)| nodes) {
        let old = tree.node(*node);
        cur = sorted.add(cur, old.written);
        let new = sorted.node_mut(cur);
        (new.number, new.side) = (old.number, old.side);
        if let Some(place) = places.get_mut(node.index()) {
            *place = cur;
        }
    }
    Some((sorted, places))
}
