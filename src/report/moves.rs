//! The main line of a game, step by step, and its moves in words.

use crate::board::{Move, Position};
use crate::game::{Game, GameNode};
use crate::notation::{self, Notation, Style};
use crate::record::NodeId;

/// A half-move of the main line and the position in which it was made.
#[derive(Clone, Debug)]
pub struct Step {
    /// Ply from 1 at the start position.
    pub ply: u32,
    /// The node of the game's tree.
    pub node: NodeId,
    /// The move; `None` where it is not known.
    pub mv: Option<Move>,
    played: GameNode,
    /// The position before it.
    pub before: Position,
}

impl Step {
    /// The move in simplified Chinese notation, ASCII digits for Black.
    #[must_use]
    pub fn chinese(&self) -> Option<String> {
        self.mv.map(|mv| chinese(mv, &self.before))
    }

    /// The position after it.
    #[must_use]
    pub fn after(&self) -> Position {
        let mut position = self.before.clone();
        self.played.play_on(&mut position);
        position
    }
}

/// The steps of a game's main line.
#[derive(Debug)]
pub struct MainLine<'a> {
    game: &'a Game,
    next: Option<NodeId>,
    ply: u32,
    position: Position,
}

impl<'a> MainLine<'a> {
    /// From the start position on.
    #[must_use]
    pub fn new(game: &'a Game) -> MainLine<'a> {
        let next = game.tree.continuation(NodeId::ROOT);
        MainLine { game, next, ply: 0, position: game.start.clone() }
    }
}

impl Iterator for MainLine<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let node = self.next?;
        let played = *self.game.tree.node(node);
        self.next = self.game.tree.continuation(node);
        self.ply += 1;
        let before = self.position.clone();
        played.play_on(&mut self.position);
        Some(Step { ply: self.ply, node, mv: played.mv, played, before })
    }
}

/// A move in simplified Chinese notation, ASCII digits for Black: 炮二平五,
/// 马8进7.
#[must_use]
pub fn chinese(mv: Move, position: &Position) -> String {
    notated(Notation::Chinese, mv, position, Style::default())
}

/// A move in a notation; ICCS where the notation has no words for it.
#[must_use]
pub fn notated(notation: Notation, mv: Move, position: &Position, style: Style) -> String {
    notation::render(notation, mv, position, style).unwrap_or_else(|| mv.to_string())
}
