//! What a side can win by one capture and the exchange that follows it
//! (article 29.1, first and third form). `pressure` adds checks before it.
//!
//! What either side could win anyhow before the first capture is left out of its
//! later captures: a piece that hangs elsewhere is another matter than the one
//! that is taken.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::board::{Bitboard, Color, Move, Position, Square};

use crate::rules::captures::{Moves, Threatener, captures_on, root_after, valuables, with_turn};
use crate::rules::judgement::Root;
use crate::rules::mate::mates_at_once;
use crate::rules::material::{self, Balance};

use super::exchange::{Memo, Refutations};
use super::pressure::{MAX_CHECKS, State};

/// Positions one search may look at.
pub(super) const BUDGET: u32 = 6_000;
/// Better than any gain.
pub(super) const MATE: i32 = 100_000;

/// A line of play.
pub(super) type Line = SmallVec<[Move; 12]>;

/// One capture, and what it wins.
#[derive(Clone, Debug)]
pub(super) struct Capture {
    pub mv: Move,
    /// What the whole line wins, and one more when nothing retakes on the
    /// point: then an even trade elsewhere still leaves a threat. Not
    /// positive when it is no threat.
    pub gain: i32,
    pub root: Root,
    /// One capture wins: nothing retakes, or what retakes gets less.
    pub single: bool,
    /// The capture would be answered by mate (29.4).
    pub mated: bool,
    /// What the answers leave of the balance.
    value: i32,
}

impl Capture {
    fn nothing(mv: Move) -> Capture {
        Capture { mv, gain: 0, value: 0, root: Root::True, single: false, mated: false }
    }
}

/// A position in which one side asks what it can win.
pub(super) struct Search<'m> {
    pub(super) memo: &'m RefCell<Memo>,
    pub(super) position: Position,
    pub(super) us: Color,
    /// The piece of ours that moves, or has moved.
    moved: Square,
    threatener: Threatener,
    /// Where the piece on each square stood at the start.
    pub(super) origin: [u8; 90],
    /// What we and they could win anyhow, once that was asked.
    pub(super) loose: Option<[Bitboard; 2]>,
    /// The other side may answer a capture also by taking what it could have
    /// taken anyhow.
    pub free_hand: bool,
    pub(super) budget: u32,
    /// States of the search by checks with the most that can be won there.
    pub(super) futile: FxHashMap<State, i32>,
    /// A win by checks of so much is not bettered.
    pub(super) enough: i32,
    /// The reply that refuted a check last, by checks left and the square to
    /// which the checking piece went.
    pub(super) refuted_by: [[Option<Move>; 90]; MAX_CHECKS],
    /// The moves that ended the search of an exchange last.
    pub(super) refutations: Refutations,
    /// Whether a bound was met.
    pub bounded: bool,
}

/// 兑: the capture `mv` of the side to move takes a piece of the same value
/// that could as well take the piece which attacks it, and would be retaken
/// (1999: 28.5). 献: the piece that attacks has just moved to `moved`, and the
/// target, of its kind, may take it for nothing (28.6).
pub(super) fn offers_exchange(position: &Position, mv: Move, moved: Square) -> bool {
    let (Some(hunter), Some(prey)) = (position.piece_at(mv.from), position.piece_at(mv.to)) else {
        return false;
    };
    let points = material::points(hunter, mv.from);
    if points == 0 || points != material::points(prey, mv.to) {
        return false;
    }
    let mut theirs = with_turn(position, position.side().other());
    let back = Move::new(mv.to, mv.from);
    if !theirs.is_legal(back) {
        return false;
    }
    if root_after(&mut theirs, back) == Root::True {
        return true;
    }
    theirs.make(back);
    hunter.kind == prey.kind && mv.from == moved && !mates_at_once(&mut theirs)
}

impl<'m> Search<'m> {
    /// What the side to move of `position` can win; a check against it is
    /// overlooked ([`Threatener`]).
    ///
    /// `moved`: the piece with which our move is, or will be, made.
    pub(super) fn new(position: &Position, moved: Square, memo: &'m RefCell<Memo>) -> Search<'m> {
        let us = position.side();
        let threatener = Threatener::new(position);
        let mut origin = [0; 90];
        for (at, square) in origin.iter_mut().enumerate() {
            *square = at as u8;
        }
        Search {
            memo,
            position: threatener.board.clone(),
            us,
            moved,
            threatener,
            origin,
            loose: None,
            free_hand: false,
            budget: BUDGET,
            futile: FxHashMap::default(),
            enough: MATE,
            refuted_by: [[None; 90]; MAX_CHECKS],
            refutations: Refutations::default(),
            bounded: false,
        }
    }

    /// Finds out, once and only when something can be won at all, what hangs
    /// anyhow.
    pub(super) fn look_for_loose(&mut self) {
        if self.loose.is_some() {
            return;
        }
        let free_hand = std::mem::take(&mut self.free_hand);
        self.loose = Some([self.hanging(self.us), self.hanging(self.us.other())]);
        let theirs = with_turn(&self.position, self.us.other());
        if theirs.checkers(self.us).is_empty() {
            let mut theirs = Search::new(&theirs, self.moved, self.memo);
            theirs.loose = Some([theirs.hanging(theirs.us), theirs.hanging(self.us)]);
            let winnable = theirs.winnable();
            self.set_loose(self.us.other(), winnable);
        }
        let winnable = self.winnable();
        self.set_loose(self.us, winnable);
        self.free_hand = free_hand;
    }

    /// What `side` could win anyhow.
    pub(super) fn loose(&self, side: Color) -> Bitboard {
        self.loose.map_or(Bitboard::EMPTY, |loose| loose[usize::from(side != self.us)])
    }

    /// Gives `side` other loose pieces to take, and returns those before.
    pub(super) fn set_loose(&mut self, side: Color, set: Bitboard) -> Bitboard {
        let side = usize::from(side != self.us);
        self.loose.as_mut().map_or(set, |loose| std::mem::replace(&mut loose[side], set))
    }

    /// The enemy pieces that one of our captures wins.
    fn winnable(&mut self) -> Bitboard {
        let mut set = self.loose(self.us);
        for target in self.targets() {
            if !set.contains(target) {
                let mut captures = self.captures(target).into_iter();
                if captures.any(|mv| self.wins(mv, 1).is_some()) {
                    set.insert(target);
                }
            }
        }
        set
    }

    /// The enemy pieces that `side` could take at once with profit.
    fn hanging(&self, side: Color) -> Bitboard {
        let mut board = with_turn(&self.position, side);
        if board.checkers(side.other()).into_iter().next().is_some() {
            // The other side is in check: it would not be `side`'s turn.
            return Bitboard::EMPTY;
        }
        let mut set = Bitboard::EMPTY;
        for target in valuables(&board, side.other()) {
            let worth = board.piece_at(target).map_or(0, |p| material::points(p, target));
            let profitable = captures_on(&board, target).into_iter().any(|mv| {
                let own = board.piece_at(mv.from).map_or(0, |p| material::points(p, mv.from));
                own < worth || root_after(&mut board, mv) != Root::True
            });
            if profitable {
                set.insert(target);
            }
        }
        set
    }

    /// Our captures on `target`; see [`Threatener::captures`].
    pub(super) fn captures(&self, target: Square) -> Moves {
        self.threatener.captures(target)
    }

    /// See [`offers_exchange`].
    pub(super) fn offers_exchange(&self, mv: Move) -> bool {
        offers_exchange(&self.position, mv, self.moved)
    }

    /// The enemy pieces that have value.
    pub(super) fn targets(&self) -> Bitboard {
        valuables(&self.position, self.us.other())
    }

    /// What `mv`, one of our captures, wins; nothing when it only offers an
    /// exchange.
    pub(super) fn capture(&mut self, mv: Move) -> Capture {
        if self.offers_exchange(mv) {
            return Capture::nothing(mv);
        }
        self.look_for_loose();
        self.play_out(mv)
    }

    fn play_out(&mut self, mv: Move) -> Capture {
        let Some((won, cheap)) = self.won_by(mv) else { return Capture::nothing(mv) };
        self.budget = BUDGET;
        let mut root = root_after(&mut self.position, mv);
        let undo = self.position.make(mv);
        // How great a loss is does not matter.
        let least = i32::from(root == Root::True);
        let mut value = self.answered(won, mv.to, (least - 1, least));
        if value >= least {
            value = self.answered(won, mv.to, (least - 1, MATE));
        }
        if root == Root::True && value > 0 {
            root = if self.retaking_is_suicide(mv.to) { Root::False } else { Root::TooFew };
        }
        let even = i32::from(matches!(root, Root::None | Root::False));
        let mut gain = value + even;
        if gain > 0 && self.free_hand {
            let loose = self.set_loose(self.us.other(), Bitboard::EMPTY);
            let least = 1 - even;
            let free = even + self.answered(won, mv.to, (least - 1, least));
            self.set_loose(self.us.other(), loose);
            gain = if free > 0 { gain } else { free };
        }
        let mated = gain > 0 && mates_at_once(&mut self.position);
        self.position.unmake(undo);
        Capture { mv, gain, value, root, single: root != Root::TooFew || cheap, mated }
    }

    /// The balance after our capture `mv`, and whether the piece that takes is
    /// cheaper than what it takes.
    fn won_by(&self, mv: Move) -> Option<(Balance, bool)> {
        let piece = self.position.piece_at(mv.from)?;
        let taken = self.position.piece_at(mv.to)?;
        let won = Balance::default().with_won(piece, taken, mv.to);
        Some((won, material::points(piece, mv.to) < material::points(taken, mv.to)))
    }

    /// Whether `mv`, one of our captures, wins at least `gain`, which is
    /// positive, as [`Search::play_out`] would tell with our hands bound; and
    /// how the piece is protected.
    fn wins(&mut self, mv: Move, gain: i32) -> Option<Root> {
        let (won, _) = self.won_by(mv)?;
        self.budget = BUDGET;
        let mut root = root_after(&mut self.position, mv);
        let undo = self.position.make(mv);
        let mut least = gain - i32::from(root != Root::True);
        let mut wins = self.answered(won, mv.to, (least - 1, least)) >= least;
        if root == Root::True && (wins || gain > 1) {
            let suicide = self.retaking_is_suicide(mv.to);
            root = if suicide { Root::False } else { Root::TooFew };
            if suicide && !wins {
                least -= 1;
                wins = self.answered(won, mv.to, (least - 1, least)) >= least;
            }
        }
        self.position.unmake(undo);
        wins.then_some(root)
    }

    /// Whether `mv`, one of our captures, wins at least `gain`, which is
    /// positive, by more than an offer to exchange, and is not answered by
    /// mate; and how the piece is protected. Never asked with a free hand.
    pub(super) fn wins_safely(&mut self, mv: Move, gain: i32) -> Option<Root> {
        if self.offers_exchange(mv) {
            return None;
        }
        self.look_for_loose();
        let root = self.wins(mv, gain)?;
        let undo = self.position.make(mv);
        let mated = mates_at_once(&mut self.position);
        self.position.unmake(undo);
        (!mated).then_some(root)
    }

    /// The line of play that `capture` begins.
    pub(super) fn line_of(&mut self, capture: &Capture) -> Line {
        let mut line = Line::new();
        line.push(capture.mv);
        if let Some((won, _)) = self.won_by(capture.mv) {
            self.budget = BUDGET;
            let undo = self.position.make(capture.mv);
            line.extend(self.best_line(won, capture.mv.to, capture.value));
            self.position.unmake(undo);
        }
        line
    }

    /// Whether every recapture on `point` lets us mate at once.
    fn retaking_is_suicide(&mut self, point: Square) -> bool {
        captures_on(&self.position, point).into_iter().all(|mv| {
            let undo = self.position.make(mv);
            let mate = mates_at_once(&mut self.position);
            self.position.unmake(undo);
            mate
        })
    }
}
