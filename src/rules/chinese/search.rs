//! What a side can win by one capture and the exchange that follows it
//! (article 29.1, first and third form). `pressure` adds checks before it.
//!
//! Only captures, answers to checks and a few checks of the side that lost
//! the piece are looked at. A side that is not in check may always stop, so
//! nobody is made to lose material by the search itself. What either side
//! could win anyhow before the first capture is left out of its later
//! captures: a piece that hangs elsewhere is another matter than the one that
//! is taken.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::board::{Bitboard, Color, FewMoves, Move, PieceKind, Position, Square};

use crate::rules::captures::{Moves, Threatener, captures_on, root_after, valuables, with_turn};
use crate::rules::judgement::Root;
use crate::rules::mate::mates_at_once;
use crate::rules::material::{self, Balance};

use super::pressure::{MAX_CHECKS, State};

/// How far the answer to a capture is looked at: so many plies, and so many
/// checks of the side that answers.
const ANSWER: Left = Left { plies: 8, checks: 2 };
/// Positions one search may look at.
pub(super) const BUDGET: u32 = 6_000;
/// Better than any gain.
pub(super) const MATE: i32 = 100_000;
/// Everything that is no loss: how great a loss is does not matter.
const OPEN: (i32, i32) = (-1, MATE);

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
    pub line: Line,
}

/// What is left of the bounds of a search.
#[derive(Clone, Copy, Debug)]
struct Left {
    plies: u32,
    checks: u32,
}

impl Capture {
    fn nothing(mv: Move) -> Capture {
        let line = Line::new();
        Capture { mv, gain: 0, root: Root::True, single: false, mated: false, line }
    }
}

/// A position in which one side asks what it can win.
pub(super) struct Search {
    pub(super) position: Position,
    pub(super) us: Color,
    /// The piece of ours that moves, or has moved.
    moved: Square,
    threatener: Threatener,
    /// Where the piece on each square stood at the start.
    pub(super) origin: [u8; 90],
    /// What we and they could win anyhow, once that was asked.
    loose: Option<[Bitboard; 2]>,
    /// The other side may answer a capture also by taking what it could have
    /// taken anyhow.
    pub free_hand: bool,
    pub(super) budget: u32,
    /// States of the search by checks with the most that can be won there.
    pub(super) futile: FxHashMap<State, i32>,
    /// A win by checks of so much is not bettered.
    pub(super) enough: i32,
    /// The reply that refuted the last check, by checks left.
    pub(super) refuted_by: [Option<Move>; MAX_CHECKS],
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

impl Search {
    /// What the side to move of `position` can win; a check against it is
    /// overlooked ([`Threatener`]).
    ///
    /// `moved`: the piece with which our move is, or will be, made.
    pub(super) fn new(position: &Position, moved: Square) -> Search {
        let us = position.side();
        let threatener = Threatener::new(position);
        let mut origin = [0; 90];
        for (at, square) in origin.iter_mut().enumerate() {
            *square = at as u8;
        }
        Search {
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
            refuted_by: [None; MAX_CHECKS],
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
            let mut theirs = Search::new(&theirs, self.moved);
            theirs.loose = Some([theirs.hanging(theirs.us), theirs.hanging(self.us)]);
            let winnable = theirs.winnable();
            self.set_loose(self.us.other(), winnable);
        }
        let winnable = self.winnable();
        self.set_loose(self.us, winnable);
        self.free_hand = free_hand;
    }

    /// What `side` could win anyhow.
    fn loose(&self, side: Color) -> Bitboard {
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
                if captures.any(|mv| self.play_out(mv).gain > 0) {
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
        let (Some(piece), Some(taken)) =
            (self.position.piece_at(mv.from), self.position.piece_at(mv.to))
        else {
            return Capture::nothing(mv);
        };
        self.budget = BUDGET;
        let mut root = root_after(&mut self.position, mv);
        let won = Balance::default().with_won(piece, taken, mv.to);
        let cheap = material::points(piece, mv.to) < material::points(taken, mv.to);
        let mut line = Line::new();
        line.push(mv);
        let undo = self.position.make(mv);
        let mut rest = Line::new();
        let mut gain = self.settle(won, mv.to, OPEN, ANSWER, &mut rest);
        line.extend(rest.iter().copied());
        if root == Root::True && gain > 0 {
            root = if self.retaking_is_suicide(mv.to) { Root::False } else { Root::TooFew };
        }
        let even = i32::from(matches!(root, Root::None | Root::False));
        gain += even;
        if gain > 0 && self.free_hand {
            let loose = self.set_loose(self.us.other(), Bitboard::EMPTY);
            let free = even + self.settle(won, mv.to, OPEN, ANSWER, &mut rest);
            self.set_loose(self.us.other(), loose);
            gain = if free > 0 { gain } else { free };
        }
        let mated = gain > 0 && mates_at_once(&mut self.position);
        self.position.unmake(undo);
        Capture { mv, gain, root, single: root != Root::TooFew || cheap, mated, line }
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

    /// What the answers to our capture on `point` leave of the balance; what
    /// lies beyond `bounds` need not be exact. `line` becomes the line of play.
    pub(super) fn answered(
        &mut self,
        balance: Balance,
        point: Square,
        bounds: (i32, i32),
        line: &mut Line,
    ) -> i32 {
        self.settle(balance, point, bounds, ANSWER, line)
    }

    /// Captures in turn until both sides have had enough: alpha-beta search
    /// from our point of view. `line` becomes the best line.
    fn settle(
        &mut self,
        balance: Balance,
        point: Square,
        (mut alpha, mut beta): (i32, i32),
        left: Left,
        line: &mut Line,
    ) -> i32 {
        line.clear();
        let ours = self.position.side() == self.us;
        let in_check = self.position.in_check();
        let mut best = balance.gain();
        if left.plies == 0 || self.budget == 0 {
            self.bounded |= self.budget == 0;
            return best;
        }
        self.budget -= 1;
        let moves: FewMoves = if in_check {
            best = if ours { -MATE } else { MATE };
            self.position.legal_moves().into_iter().collect()
        } else {
            if ours {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                return best;
            }
            let mut moves = self.worthwhile_captures(point);
            if !ours && left.checks > 0 {
                let mut more = self.position.checking_moves();
                more.retain(|mv| !moves.contains(mv));
                moves.extend(more);
            }
            moves
        };
        let mut rest = Line::new();
        for mv in moves {
            let after = self.balance_after(balance, mv, Some(point));
            let quiet_check = !ours && !in_check && self.position.piece_at(mv.to).is_none();
            let left = Left { plies: left.plies - 1, checks: left.checks - u32::from(quiet_check) };
            let undo = self.position.make(mv);
            let value = self.settle(after, point, (alpha, beta), left, &mut rest);
            self.position.unmake(undo);
            let better = if ours { value > best } else { value < best };
            if better || (in_check && line.is_empty()) {
                best = value;
                line.clear();
                line.push(mv);
                line.extend(rest.iter().copied());
            }
            if ours {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The balance after `mv` of the side to move. In an exchange on `point`,
    /// what hung from the start counts for nothing.
    pub(super) fn balance_after(
        &self,
        balance: Balance,
        mv: Move,
        point: Option<Square>,
    ) -> Balance {
        let ours = self.position.side() == self.us;
        if point.is_some_and(|p| p != mv.to) && self.loose(self.position.side()).contains(mv.to) {
            return balance.with_nothing();
        }
        match (self.position.piece_at(mv.from), self.position.piece_at(mv.to)) {
            (Some(by), Some(taken)) if ours => balance.with_won(by, taken, mv.to),
            (Some(by), Some(taken)) => balance.with_lost(by, taken, mv.to),
            _ => balance.with_nothing(),
        }
    }

    /// The captures of the side to move on the point of the exchange and of
    /// pieces that did not hang from the start, dearest first, with the
    /// cheapest piece first.
    fn worthwhile_captures(&self, point: Square) -> FewMoves {
        let side = self.position.side();
        let mut loose = self.loose(side);
        loose.remove(point);
        let targets = valuables(&self.position, side.other()) & !loose;
        let mut moves = self.position.legal_moves_onto(targets);
        if side == self.us {
            // What general and pawn take elsewhere is no chase (27.1, 27.2).
            moves.retain(|mv| {
                let kind = self.position.piece_at(mv.from).map(|p| p.kind);
                mv.to == point || !matches!(kind, Some(PieceKind::King | PieceKind::Pawn))
            });
        }
        let points =
            |square| self.position.piece_at(square).map_or(0, |p| material::points(p, square));
        moves.sort_unstable_by_key(|mv| {
            (-points(mv.to), mv.to != point, mv.to, points(mv.from), mv.from)
        });
        moves
    }
}
