//! The tree of believed moves.

use crate::board::Move;
use crate::record::{Clock, Comment, NodeId};

/// A believed move and its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameNode {
    /// The move; `None` for a half-move that is missing or unreadable.
    pub mv: Option<Move>,
    parent: NodeId,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

/// Moves with variations at any depth, comments, clocks and glyphs; node 0 is
/// the start position. The first child of a node continues its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTree {
    nodes: Vec<GameNode>,
    /// Comments in the order in which they were written.
    pub comments: Vec<Comment>,
    /// Clock readings.
    pub clocks: Vec<Clock>,
    /// Glyphs (`!`, `?`, `$1`) by move, as written.
    pub glyphs: Vec<(NodeId, String)>,
}

impl Default for GameTree {
    fn default() -> GameTree {
        GameTree::with_capacity(0)
    }
}

impl GameTree {
    /// A tree with the root alone and room for `moves` moves.
    #[must_use]
    pub fn with_capacity(moves: usize) -> GameTree {
        let mut nodes = Vec::with_capacity(moves + 1);
        nodes.push(GameNode {
            mv: None,
            parent: NodeId::ROOT,
            first_child: None,
            last_child: None,
            next_sibling: None,
        });
        GameTree { nodes, comments: Vec::new(), clocks: Vec::new(), glyphs: Vec::new() }
    }

    /// Adds a move after `parent`, behind the moves that are there already.
    pub fn add(&mut self, parent: NodeId, mv: Option<Move>) -> NodeId {
        let id = NodeId::from_index(self.nodes.len());
        match self.nodes[parent.index()].last_child.replace(id) {
            Some(last) => self.nodes[last.index()].next_sibling = Some(id),
            None => self.nodes[parent.index()].first_child = Some(id),
        }
        self.nodes.push(GameNode {
            mv,
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
        });
        id
    }

    /// Adds a comment.
    pub fn comment(&mut self, node: NodeId, before: bool, text: impl Into<String>) {
        self.comments.push(Comment { node, before, text: text.into() });
    }

    /// Number of moves, variations included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A node.
    ///
    /// # Panics
    /// When the id comes from another tree.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &GameNode {
        &self.nodes[id.index()]
    }

    /// The move before; `None` at the root.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::ROOT).then(|| self.node(id).parent)
    }

    /// The moves that follow a move: the continuation, then the variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(id).first_child, |child| self.node(*child).next_sibling)
    }

    /// The main line: the moves from the start on by first children.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(NodeId::ROOT).first_child, |node| {
            self.node(*node).first_child
        })
    }

    /// All moves in the order in which they were added; a parent comes before
    /// its children.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (1..self.nodes.len()).map(NodeId::from_index)
    }

    /// Number of variations: moves that are not the first child of their
    /// parent.
    #[must_use]
    pub fn variations(&self) -> usize {
        self.nodes.iter().filter(|node| node.next_sibling.is_some()).count()
    }
}
