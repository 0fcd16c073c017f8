//! The tree of written moves. Nodes lie in one vector and point at each other
//! by index, so a tree of any depth needs no recursion.

use super::Span;
use crate::board::{Color, Move};

/// Index of a node; [`NodeId::ROOT`] is the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The start position, before any move.
    pub const ROOT: NodeId = NodeId(0);
    const NONE: NodeId = NodeId(u32::MAX);

    /// The index; 0 is the root.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The node of an index.
    #[must_use]
    pub const fn from_index(index: usize) -> NodeId {
        NodeId(index as u32)
    }

    fn some(self) -> Option<NodeId> {
        (self != NodeId::NONE).then_some(self)
    }
}

/// How a move was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Text in some notation.
    Text(Span),
    /// A pair of squares in a format that stores coordinates.
    Squares {
        /// The squares.
        mv: Move,
        /// Byte offset in the file.
        offset: u64,
    },
    /// Two numbers that are not both squares, kept as they are.
    OffBoard {
        /// The raw from and to values.
        raw: (u8, u8),
        /// Byte offset in the file.
        offset: u64,
    },
    /// A sign for a move that was made but is not known (`--`, `？？？？`); the
    /// span is empty where a column is simply blank.
    Placeholder(Span),
}

/// A written move and its place in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The move as written; meaningless at the root.
    pub written: Written,
    /// Move number that stands before it; 0 when there is none.
    pub number: u32,
    /// The side whose move the layout says it is (dots after the number, a
    /// column of a table); `None` where it says nothing.
    pub side: Option<Color>,
    parent: NodeId,
    first_child: NodeId,
    last_child: NodeId,
    next_sibling: NodeId,
}

/// A remark, and the move to which it belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The move; [`NodeId::ROOT`] for one before the first move.
    pub node: NodeId,
    /// Whether it stands before the move and not after it (as before the
    /// first move of a variation).
    pub before: bool,
    /// The words, without brackets, otherwise as written.
    pub text: String,
}

/// Clock reading or time used that a sheet notes beside a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The move.
    pub node: NodeId,
    /// As written, such as `0:07`.
    pub text: String,
}

/// Written moves with variations at any depth, comments, clocks and glyphs.
/// The first child of a node continues its line; the others are variations.
#[derive(Clone, Debug)]
pub struct RecordTree {
    nodes: Vec<Node>,
    /// Comments in the order in which they were written.
    pub comments: Vec<Comment>,
    /// Clock readings.
    pub clocks: Vec<Clock>,
    /// Glyphs (`!`, `?`, `$1`) by move, as written.
    pub glyphs: Vec<(NodeId, String)>,
}

impl Default for RecordTree {
    fn default() -> RecordTree {
        RecordTree::new()
    }
}

impl RecordTree {
    /// A tree with the root alone.
    #[must_use]
    pub fn new() -> RecordTree {
        RecordTree::with_capacity(0)
    }

    /// As [`RecordTree::new`], with room for `moves` moves.
    #[must_use]
    pub fn with_capacity(moves: usize) -> RecordTree {
        let mut nodes = Vec::with_capacity(moves + 1);
        nodes.push(Node {
            written: Written::Placeholder(Span::default()),
            number: 0,
            side: None,
            parent: NodeId::NONE,
            first_child: NodeId::NONE,
            last_child: NodeId::NONE,
            next_sibling: NodeId::NONE,
        });
        RecordTree { nodes, comments: Vec::new(), clocks: Vec::new(), glyphs: Vec::new() }
    }

    /// Adds a move after `parent`, behind the moves that are there already.
    #[inline]
    pub fn add(&mut self, parent: NodeId, written: Written) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let last = std::mem::replace(&mut self.nodes[parent.index()].last_child, id);
        match last.some() {
            Some(last) => self.nodes[last.index()].next_sibling = id,
            None => self.nodes[parent.index()].first_child = id,
        }
        self.nodes.push(Node {
            written,
            number: 0,
            side: None,
            parent,
            first_child: NodeId::NONE,
            last_child: NodeId::NONE,
            next_sibling: NodeId::NONE,
        });
        id
    }

    /// Adds a comment.
    pub fn comment(&mut self, node: NodeId, before: bool, text: impl Into<String>) {
        self.comments.push(Comment { node, before, text: text.into() });
    }

    /// Number of moves, variations included; the root does not count.
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
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A node to be changed.
    ///
    /// # Panics
    /// When the id comes from another tree.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// The move before; `None` at the root.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent.some()
    }

    /// The move that continues the line.
    #[must_use]
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first_child.some()
    }

    /// The next alternative to this move.
    #[must_use]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next_sibling.some()
    }

    /// The moves that follow a move: the continuation, then the variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    /// The main line: the moves from the start on by first children.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(NodeId::ROOT), |node| self.first_child(*node))
    }

    /// All moves in the order in which they were added.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (1..self.nodes.len() as u32).map(NodeId)
    }
}
