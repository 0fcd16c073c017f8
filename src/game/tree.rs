//! The tree of believed moves.

use crate::board::{Move, Position};
use crate::record::{Clock, Comment, NodeId};

/// A believed move and its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameNode {
    /// The move; `None` for a half-move that is missing, unreadable or not
    /// legal although the line goes on after it.
    pub mv: Option<Move>,
    /// Where `mv` is `None`: what has to be played on the board so that the
    /// rest of the line can follow: the only move that fits, or the squares
    /// of an illegal move. It is no claim about the game. Without it the turn
    /// just goes over.
    pub assumed: Option<Move>,
    /// Whether the move is a variation although nothing before it continues
    /// the line: the move it varies could not be played.
    variation: bool,
    parent: NodeId,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

impl GameNode {
    /// Plays the move, or what stands for it, on the position before it.
    pub fn play_on(&self, position: &mut Position) {
        match self.mv.or(self.assumed) {
            Some(mv) => {
                position.make(mv);
            }
            None => position.pass(),
        }
    }
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
            assumed: None,
            variation: false,
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
            assumed: None,
            variation: false,
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
        });
        id
    }

    /// Adds a half-move that is not known; see [`GameNode::assumed`].
    pub fn add_unknown(&mut self, parent: NodeId, assumed: Option<Move>) -> NodeId {
        let id = self.add(parent, None);
        self.nodes[id.index()].assumed = assumed;
        id
    }

    /// Says that a move is a variation even if it is the first child: the
    /// move it varies could not be played.
    ///
    /// # Panics
    /// When the id comes from another tree.
    pub fn mark_variation(&mut self, id: NodeId) {
        self.nodes[id.index()].variation = true;
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

    /// The move that continues the line after a move. It is the first child,
    /// unless that is a variation of a move that could not be played.
    #[must_use]
    pub fn continuation(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first_child.filter(|child| !self.node(*child).variation)
    }

    /// The main line: from the start on by continuations.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.continuation(NodeId::ROOT), |node| self.continuation(*node))
    }

    /// All moves in the order in which they were added; a parent comes before
    /// its children.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (1..self.nodes.len()).map(NodeId::from_index)
    }

    /// Number of variations: moves that do not continue the line of their
    /// parent.
    #[must_use]
    pub fn variations(&self) -> usize {
        let branches = |node: &&GameNode| node.next_sibling.is_some();
        let first = |node: &&GameNode| {
            node.variation
                && self.nodes[node.parent.index()].first_child.is_some_and(|child| {
                    std::ptr::eq(&raw const self.nodes[child.index()], &raw const **node)
                })
        };
        self.nodes.iter().filter(branches).count() + self.nodes.iter().filter(first).count()
    }
}
