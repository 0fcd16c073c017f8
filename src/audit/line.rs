//! The main line of a game as the arbiter goes through it.

use crate::board::{Color, Move, Position};
use crate::game::Game;
use crate::notation::{Notation, Style, render};

/// One half-move.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The position before it.
    pub before: Position,
    /// The move; `None` where it is not known.
    pub mv: Option<Move>,
    /// What stands for an unknown move on the board.
    pub assumed: Option<Move>,
}

impl Ply {
    /// Who moves.
    #[must_use]
    pub fn side(&self) -> Color {
        self.before.side()
    }

    /// The position after it.
    #[must_use]
    pub fn after(&self) -> Position {
        let mut position = self.before.clone();
        match self.mv.or(self.assumed) {
            Some(mv) => {
                position.make(mv);
            }
            None => position.pass(),
        }
        position
    }
}

/// The half-moves of a game, from the start position.
#[derive(Clone, Debug)]
pub struct Line {
    /// The start position.
    pub start: Position,
    /// The half-moves; ply 1 is the first.
    pub plies: Vec<Ply>,
}

impl Line {
    /// The main line of a game.
    #[must_use]
    pub fn of(game: &Game) -> Line {
        let mut position = game.start.clone();
        let plies = game.tree.main_line().map(|node| {
            let node = game.tree.node(node);
            let ply = Ply { before: position.clone(), mv: node.mv, assumed: node.assumed };
            node.play_on(&mut position);
            ply
        });
        Line { start: game.start.clone(), plies: plies.collect() }
    }

    /// The number of half-moves.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.plies.len() as u32
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// A half-move by its ply, from 1.
    #[must_use]
    pub fn ply(&self, ply: u32) -> Option<&Ply> {
        self.plies.get(ply.checked_sub(1)? as usize)
    }

    /// The position before a ply; the last one for a ply behind the end.
    #[must_use]
    pub fn before(&self, ply: u32) -> Position {
        self.ply(ply).map_or_else(|| self.last(), |ply| ply.before.clone())
    }

    /// The position at the end.
    #[must_use]
    pub fn last(&self) -> Position {
        self.plies.last().map_or_else(|| self.start.clone(), Ply::after)
    }

    /// The stretch of known moves that ends with ply `until`: the position
    /// before it, its moves, and how many plies come before it.
    #[must_use]
    pub fn known(&self, until: u32) -> (Position, Vec<Move>, u32) {
        let plies = self.plies.get(..until as usize).unwrap_or(&self.plies);
        let from = plies.iter().rposition(|ply| ply.mv.is_none()).map_or(0, |gap| gap + 1);
        let known = plies.get(from..).unwrap_or(&[]);
        let start = known.first().map_or_else(|| self.before(until + 1), |ply| ply.before.clone());
        (start, known.iter().filter_map(|ply| ply.mv).collect(), from as u32)
    }

    /// The number of moves that a side has made with ply `ply`, gaps included.
    #[must_use]
    pub fn made(&self, side: Color, ply: u32) -> u32 {
        let plies = self.plies.get(..ply as usize).unwrap_or(&self.plies);
        plies.iter().filter(|ply| ply.side() == side).count() as u32
    }
}

/// A move in Chinese and as squares: `炮二平五 (h2e2)`.
#[must_use]
pub fn named(mv: Move, before: &Position) -> String {
    match render(Notation::Chinese, mv, before, Style::default()) {
        Some(chinese) => format!("{chinese} ({mv})"),
        None => mv.to_string(),
    }
}
