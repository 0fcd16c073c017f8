//! Runs a question along a game.

use std::ops::ControlFlow;

use super::Pattern;
use super::condition::{Condition, State};
use super::sequence::{Progress, Steps};
use super::tally::NOBODY;
use crate::board::{Move, Piece, Position};
use crate::db::error::Result;
use crate::db::lines::{StoredLine, bad_moves};
use crate::db::moves::{self, HalfMove};

/// The question as one view has it.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    condition: Option<Condition>,
    steps: Option<Steps>,
}

impl Image {
    pub(crate) fn new(condition: Option<Condition>, steps: Option<Steps>) -> Image {
        Image { condition, steps }
    }

    /// Whether the other one asks the same.
    pub(crate) fn is_same(&self, other: &Image) -> bool {
        self.steps.is_none() && other.steps.is_none() && self.condition == other.condition
    }
}

/// How far an image has come in a game.
#[derive(Clone, Debug)]
struct Run {
    /// It can still be held.
    alive: bool,
    /// What the condition knows of the position.
    state: State,
    /// Positions in a row in which the condition holds.
    row: u32,
    /// Half-moves played when the condition came to hold long enough.
    held: Option<u32>,
    /// Half-moves played before the sequence.
    found: Option<u32>,
    progress: Progress,
}

impl Pattern {
    /// How many half-moves were played when a game first held the question:
    /// before the first of the positions, or before the sequence when nothing
    /// is asked of a position. Of several images the earliest counts.
    pub(crate) fn first_in(&self, stored: &StoredLine) -> Result<Option<u32>> {
        let mut runs: Vec<Run> = self.images.iter().map(|image| Run::new(image, stored)).collect();
        if runs.iter().all(|run| !run.alive) {
            return Ok(None);
        }
        let mut position = stored.start.clone();
        let mut ply = 0;
        let mut answer = None;
        let done = self.see(&mut runs, &position, ply, &mut answer);
        if done.is_continue() {
            let mut each = |half: HalfMove| {
                let Some(mv) = half.known() else { return ControlFlow::Break(()) };
                self.take(&mut runs, &position, mv, ply);
                let code = |piece: Piece| usize::from(piece.code());
                let mover = position.piece_at(mv.from).map_or(NOBODY, code);
                let taken = position.make(mv).captured().map(code);
                ply += 1;
                self.follow(&mut runs, &position, mover, mv, taken);
                self.see(&mut runs, &position, ply, &mut answer)
            };
            moves::decode(&stored.start, stored.coding, &stored.moves, &mut each)
                .map_err(|_| bad_moves())?;
        }
        Ok(answer)
    }

    /// Looks at a position.
    #[inline]
    fn see(
        &self,
        runs: &mut [Run],
        position: &Position,
        ply: u32,
        answer: &mut Option<u32>,
    ) -> ControlFlow<()> {
        let mut alive = false;
        for (image, run) in self.images.iter().zip(runs) {
            if !run.alive {
                continue;
            }
            if let Some(condition) = image.condition.as_ref().filter(|_| run.held.is_none()) {
                run.row = if condition.holds(&run.state, position) { run.row + 1 } else { 0 };
                if run.row >= self.lasting {
                    run.held = Some(ply + 1 - run.row);
                }
            }
            let held = image.condition.is_none() || run.held.is_some();
            if held && (image.steps.is_none() || run.found.is_some()) {
                *answer = (*answer).min(run.held.or(run.found)).or(run.held).or(run.found);
            }
            alive = true;
        }
        if alive && answer.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Takes a half-move.
    #[inline]
    fn take(&self, runs: &mut [Run], position: &Position, mv: Move, ply: u32) {
        for (image, run) in self.images.iter().zip(runs) {
            if let Some(steps) = image.steps.as_ref().filter(|_| run.alive && run.found.is_none()) {
                run.found = steps.take(&mut run.progress, position, mv, ply);
            }
        }
    }

    /// Carries what is known of the position on.
    #[inline]
    fn follow(
        &self,
        runs: &mut [Run],
        position: &Position,
        mover: usize,
        mv: Move,
        taken: Option<usize>,
    ) {
        for (image, run) in self.images.iter().zip(runs) {
            let Some(condition) = &image.condition else { continue };
            if !run.alive || run.held.is_some() {
                continue;
            }
            condition.follow(&mut run.state, mover, mv, taken, position);
            // Pieces do not come back.
            run.alive = taken.is_none_or(|taken| condition.has_enough(position, taken));
        }
    }
}

impl Run {
    fn new(image: &Image, stored: &StoredLine) -> Run {
        let condition = image.condition.as_ref();
        // A half-move takes a byte at least.
        let alive =
            condition.is_none_or(|asked| asked.is_possible(&stored.start, stored.moves.len()));
        let state = condition.filter(|_| alive).map(|asked| asked.state(&stored.start));
        Run {
            alive,
            state: state.unwrap_or_default(),
            row: 0,
            held: None,
            found: None,
            progress: Progress::NONE,
        }
    }
}
