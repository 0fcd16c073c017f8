//! Looking ahead: how far a line can be played from a position. It decides
//! between readings, and finds what a missing half-move can have been.

use std::cmp::Reverse;

use super::dialect::skips_black;
use super::token::{Heard, Script};
use super::work::Work;
use crate::board::{Color, IllegalReason, Move, Position};
use crate::record::NodeId;

/// Plies that are looked ahead at most.
const HORIZON: u32 = 80;

/// How deep ambiguous moves inside a look ahead are followed.
const DEPTH: u32 = 3;

/// What it costs to find that a word is no move, in plies.
const UNREADABLE: u32 = 8;

/// Fillers that lead less far than to the end are believed from here on.
const FAR: u32 = 6;

/// How far a line can be played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// Plies that could be played.
    pub(super) plies: u32,
    /// Whether nothing stopped it before the end of the line, the next gap
    /// of the record or the horizon.
    pub(super) complete: bool,
    /// How many of them had to be understood in a sloppy way.
    slips: u32,
    /// Sum over the moves, to tell lines apart.
    moves: u64,
}

impl Reach {
    fn rank(self) -> (bool, u32, Reverse<u32>) {
        (self.complete, self.plies, Reverse(self.slips))
    }

    /// Whether the line could be played to its end.
    pub(super) fn is_complete(self) -> bool {
        self.complete
    }

    /// Whether this line holds better than the other.
    pub(super) fn beats(self, other: Reach) -> bool {
        self.rank() > other.rank()
    }
}

/// What a missing half-move can have been.
#[derive(Clone, Debug, Default)]
pub(super) struct Fill {
    /// Legal moves of the side whose move is missing.
    pub(super) legal: u32,
    /// How many of them let the rest of the line be played; `None` when that
    /// was not looked at.
    pub(super) fits: Option<u32>,
    /// The only one that does.
    pub(super) only: Option<Move>,
    /// Those that do, weighed, where they are worth proposing.
    pub(super) ranked: Vec<(Move, f32)>,
    /// What to play so that the rest can follow, when just passing the turn
    /// will not do.
    pub(super) assumed: Option<Move>,
    /// How far the line goes on after the gap as it will be played.
    pub(super) reach: Reach,
    /// How far it could go on with the best move in the gap.
    pub(super) best: Reach,
}

impl Script<'_> {
    /// How far the line that begins with `from` can be played.
    pub(super) fn reach(
        &self,
        position: &Position,
        from: Option<NodeId>,
        work: &mut Work,
    ) -> Reach {
        self.reach_within(position.clone(), from, HORIZON, DEPTH, true, work)
    }

    /// As [`Script::reach`], with no regard to what the layout says about the
    /// sides: move after move.
    pub(super) fn reach_freely(
        &self,
        position: &Position,
        from: Option<NodeId>,
        work: &mut Work,
    ) -> Reach {
        self.reach_within(position.clone(), from, HORIZON, DEPTH, false, work)
    }

    fn reach_within(
        &self,
        mut position: Position,
        mut next: Option<NodeId>,
        horizon: u32,
        depth: u32,
        layout: bool,
        work: &mut Work,
    ) -> Reach {
        let mut reach = Reach::default();
        let mut in_check = position.in_check();
        while let Some(id) = next {
            if reach.plies >= horizon || !work.spend(1) {
                reach.complete = reach.plies >= horizon;
                return reach;
            }
            if layout && reach.plies > 0 && self.gap_is_written(id, position.side()) {
                reach.complete = true;
                return reach;
            }
            match self.hear(id, &position, in_check) {
                Heard::Legal { mv, slips, .. } => {
                    reach.slips += u32::from(!slips.without_style().is_empty());
                    position.make(mv);
                    in_check = position.in_check();
                    reach.plies += 1;
                    reach.moves = reach.moves.rotate_left(7) ^ u64::from(mv.to_u16());
                    next = self.record.tree.first_child(id);
                }
                Heard::Ambiguous(candidates) if depth > 0 => {
                    let rest = self.record.tree.first_child(id);
                    let mut best = Reach::default();
                    for candidate in candidates {
                        let mut after = position.clone();
                        after.make(candidate.mv);
                        let left = horizon.saturating_sub(reach.plies + 1);
                        let ahead = self.reach_within(after, rest, left, depth - 1, layout, work);
                        if ahead.beats(best) {
                            best = ahead;
                        }
                    }
                    reach.plies += 1 + best.plies;
                    reach.slips += best.slips;
                    reach.complete = best.complete;
                    reach.moves = reach.moves.rotate_left(7) ^ best.moves;
                    return reach;
                }
                Heard::Unreadable => {
                    // It was tried in all notations.
                    work.pay(UNREADABLE);
                    reach.complete = reach.plies > 0;
                    return reach;
                }
                Heard::Missing | Heard::Placeholder => {
                    reach.complete = reach.plies > 0;
                    return reach;
                }
                _ => return reach,
            }
        }
        reach.complete = true;
        reach
    }

    /// Whether the layout says that `id` is not the move of `side`.
    pub(super) fn gap_is_written(&self, id: NodeId, side: Color) -> bool {
        match self.record.tree.node(id).side {
            Some(written) => written != side,
            None => self.numbers_tell && side == Color::Black && skips_black(self.record, id),
        }
    }

    /// What a half-move that is missing in `position` before `rest` can have
    /// been.
    pub(super) fn fill(&self, position: &Position, rest: Option<NodeId>, work: &mut Work) -> Fill {
        let fillers = position.legal_moves();
        let mut fill = Fill { legal: fillers.len() as u32, ..Fill::default() };
        let mut passed = position.clone();
        passed.pass();
        let pass = self.reach(&passed, rest, work);
        fill.reach = pass;
        fill.best = pass;
        if rest.is_none() {
            return fill;
        }
        let mut best = Reach::default();
        let (mut fits, mut first, mut agree) = (0, None, true);
        for filler in fillers {
            if work.left() == 0 {
                work.note_cut();
                return fill;
            }
            let mut after = position.clone();
            after.make(filler);
            let ahead = self.reach(&after, rest, work);
            if ahead.beats(best) {
                (best, fits, first, agree) = (ahead, 1, Some(filler), true);
            } else if ahead.rank() == best.rank() && ahead.plies > 0 {
                fits += 1;
                agree &= ahead.moves == best.moves;
            }
        }
        if best.beats(pass) {
            fill.best = best;
        }
        let holds = best.complete || best.plies >= FAR;
        fill.fits = holds.then_some(fits);
        if holds && fits == 1 {
            fill.only = first;
            fill.assumed = first;
        } else if holds && agree && best.beats(pass) {
            fill.assumed = first;
        }
        if fill.assumed.is_some() {
            fill.reach = best;
        }
        fill
    }

    /// Whether a move that reads as one of the other side can be explained by
    /// a missing half-move of `side`: nothing in the layout says otherwise.
    pub(super) fn gap_is_possible(&self, id: NodeId, side: Color, numbered: bool) -> bool {
        if !numbered || self.gap_is_written(id, side) {
            return true;
        }
        let node = self.record.tree.node(id);
        if side == Color::Black {
            // Red's move begins a round and has its number.
            return node.number != 0 && node.side.is_none();
        }
        // Black's move stands alone after the number of its round.
        let next = self.record.tree.first_child(id).map(|next| self.record.tree.node(next).number);
        node.number != 0 && next != Some(0)
    }
}

/// Whether a move could be one of the other side.
pub(super) fn belongs_to_other(reason: IllegalReason) -> bool {
    matches!(reason, IllegalReason::WrongSide | IllegalReason::NotYourPiece)
}
