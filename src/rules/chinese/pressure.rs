//! What a side can win by checks and then a capture (article 29.1, second
//! form): it plays checks only, the other side tries every reply.

use smallvec::SmallVec;

use crate::board::{Bitboard, Move, PieceKind, PositionKey, Square, Undo};

use crate::rules::captures::valuables;
use crate::rules::judgement::Exemption;
use crate::rules::mate::mates_at_once;
use crate::rules::material::{self, Balance};

use super::search::{BUDGET, Line, MATE, Search};

/// Longest series of checks before a capture.
pub(super) const MAX_CHECKS: usize = 4;

/// A line of checks and a capture that wins something.
#[derive(Clone, Debug)]
pub(super) struct Win {
    /// What is taken first, where it stood in the position of the search.
    pub target: Square,
    /// By article 25.3; positive.
    pub gain: i32,
    /// What is taken first in answer to one or another reply, by where it
    /// stood.
    pub targets: Bitboard,
    /// The line from the first move on, the other side resisting best.
    pub line: Line,
    /// The general or a pawn takes it.
    pub exemption: Option<Exemption>,
    /// How many of our pieces move in the line up to the capture.
    pub pieces: usize,
}

/// A line under way, with everything that it may take first.
#[derive(Clone, Debug, Default)]
struct Plan {
    line: Line,
    targets: Bitboard,
}

impl Plan {
    fn begin(&mut self, mv: Move, rest: &Plan) {
        self.line.clear();
        self.line.push(mv);
        self.line.extend(rest.line.iter().copied());
        self.targets = rest.targets;
    }
}

/// A position of the search where we are to move, as far as it matters to
/// what can still be won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    key: PositionKey,
    /// Checks left.
    checks: u32,
    balance: Balance,
    /// Where the pieces stand that the goal names.
    named: Bitboard,
}

/// What [`Search::by_checks`] looks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Only this piece, by where it stands at the start of the search.
    pub only: Option<Square>,
    /// Not these.
    pub except: Bitboard,
    /// At least this much.
    pub at_least: i32,
}

impl Search<'_> {
    /// Whether checks, and then a capture, win what `goal` asks for against
    /// every defence.
    pub(super) fn by_checks(&mut self, goal: Goal) -> Option<Win> {
        // Mostly there is nothing, which is sooner found out than how much.
        self.wins_by_checks(goal).then(|| self.seek(goal, MATE, Search::describe))??
    }

    /// Whether [`Search::by_checks`] would find something: the first win that
    /// is enough ends the search.
    pub(super) fn wins_by_checks(&mut self, goal: Goal) -> bool {
        self.futile.clear();
        self.seek(goal, goal.at_least, |_, _, _| ()).is_some()
    }

    /// What `tell` says of the gain and the plan, where something is won.
    fn seek<T>(
        &mut self,
        goal: Goal,
        enough: i32,
        tell: impl FnOnce(&mut Self, i32, Plan) -> T,
    ) -> Option<T> {
        if self.position.checking_moves().is_empty() {
            return None;
        }
        self.look_for_loose();
        self.budget = BUDGET;
        let them = self.us.other();
        let loose = self.free_hand.then(|| self.set_loose(them, Bitboard::EMPTY));
        let mut plan = Plan::default();
        let floor = goal.at_least - 1;
        self.enough = enough;
        let gain =
            self.press_on(Balance::default(), goal, MAX_CHECKS as u32, true, floor, &mut plan);
        let found = (gain > floor && gain < MATE).then(|| tell(self, gain, plan));
        if let Some(loose) = loose {
            self.set_loose(them, loose);
        }
        found
    }

    /// What a winning line takes first, and with what; the exchange that
    /// follows is added to the line.
    fn describe(&mut self, gain: i32, plan: Plan) -> Option<Win> {
        let Plan { mut line, targets } = plan;
        let capture = *line.last()?;
        let mut origin = self.origin;
        let mut movers = Bitboard::EMPTY;
        let mut balance = Balance::default();
        let mut by = None;
        let mut undone = SmallVec::<[Undo; 12]>::new();
        for (ply, mv) in line.iter().enumerate() {
            if ply % 2 == 0 {
                movers.insert(Square::from_index(origin[mv.from.index()]));
            } else {
                balance = self.balance_after(balance, *mv, None);
            }
            if ply + 1 == line.len() {
                by = self.position.piece_at(mv.from).map(|piece| piece.kind);
                balance = self.balance_after(balance.as_price(), *mv, Some(mv.to));
            } else {
                // What a check takes on the way has no value.
                origin[mv.to.index()] = origin[mv.from.index()];
            }
            undone.push(self.position.make(*mv));
        }
        let target = Square::from_index(origin[capture.to.index()]);
        self.budget = BUDGET;
        line.extend(self.best_line(balance, capture.to, gain));
        while let Some(undo) = undone.pop() {
            self.position.unmake(undo);
        }
        let exemption = match by {
            Some(PieceKind::King) => Some(Exemption::King),
            Some(PieceKind::Pawn) => Some(Exemption::Pawn),
            _ => None,
        };
        let pieces = movers.len() as usize;
        Some(Win { target, gain, targets, line, exemption, pieces })
    }

    /// As [`Search::press_on`], but not again where as much was sought in
    /// vain: the same checks in another order lead to the same position.
    fn press(
        &mut self,
        balance: Balance,
        goal: Goal,
        checks: u32,
        alpha: i32,
        plan: &mut Plan,
    ) -> i32 {
        let named = self.named(goal);
        let state = State { key: self.position.key(), checks, balance, named };
        if let Some(most) = self.futile.get(&state).filter(|most| **most <= alpha) {
            return *most;
        }
        let value = self.press_on(balance, goal, checks, false, alpha, plan);
        if value <= alpha && self.budget > 0 {
            let most = self.futile.entry(state).or_insert(alpha);
            *most = alpha.min(*most);
        }
        value
    }

    /// We are to move, with `checks` checks left.
    fn press_on(
        &mut self,
        balance: Balance,
        goal: Goal,
        checks: u32,
        first: bool,
        mut alpha: i32,
        plan: &mut Plan,
    ) -> i32 {
        *plan = Plan::default();
        let mut best = -MATE;
        if self.budget == 0 {
            self.bounded = true;
            return best;
        }
        self.budget -= 1;
        let mut rest = Plan::default();
        if !first {
            best = balance.gain().min(goal.at_least - 1);
            let named = self.named(goal);
            let targets = match goal.only {
                Some(_) => named,
                None => valuables(&self.position, self.us.other()) & !named,
            };
            let mut captures = self.position.legal_moves_onto(targets);
            captures.sort_unstable_by_key(|mv| (mv.to, mv.from));
            for mv in captures {
                let value = self.finish(mv, balance, alpha);
                if value > best {
                    best = value;
                    rest.line.clear();
                    rest.targets = Bitboard::of(self.origin_of(mv.to));
                    plan.begin(mv, &rest);
                }
                alpha = alpha.max(best);
                if best >= self.enough {
                    return best;
                }
            }
        }
        if checks == 0 {
            return best;
        }
        for mv in self.position.checking_moves() {
            // What has value is taken above.
            if self.position.piece_at(mv.to).is_some_and(|p| material::has_value(p, mv.to)) {
                continue;
            }
            let undo = self.position.make(mv);
            let kept = self.follow(mv);
            let value = self.parry(mv, balance, goal, checks - 1, alpha, &mut rest);
            self.unfollow(mv, kept);
            self.position.unmake(undo);
            if value > best {
                best = value;
                plan.begin(mv, &rest);
            }
            alpha = alpha.max(best);
            if best >= self.enough {
                break;
            }
        }
        best
    }

    /// Where the pieces of value stand that the goal names by where they stood
    /// at the start.
    fn named(&self, goal: Goal) -> Bitboard {
        if goal.only.is_none() && goal.except.is_empty() {
            return Bitboard::EMPTY;
        }
        let is_named = |square: &Square| {
            let origin = self.origin_of(*square);
            goal.only.map_or(goal.except.contains(origin), |only| only == origin)
        };
        valuables(&self.position, self.us.other()).into_iter().filter(is_named).collect()
    }

    /// Our answer to the reply `mv` to a check.
    fn reply(
        &mut self,
        mv: Move,
        balance: Balance,
        goal: Goal,
        checks: u32,
        alpha: i32,
        plan: &mut Plan,
    ) -> i32 {
        let after = self.balance_after(balance, mv, None);
        let undo = self.position.make(mv);
        let kept = self.follow(mv);
        let value = self.press(after, goal, checks, alpha, plan);
        self.unfollow(mv, kept);
        self.position.unmake(undo);
        value
    }

    /// The other side is in check by `check` and tries every reply.
    fn parry(
        &mut self,
        check: Move,
        balance: Balance,
        goal: Goal,
        checks: u32,
        alpha: i32,
        plan: &mut Plan,
    ) -> i32 {
        *plan = Plan::default();
        let mut worst = (MATE, 0);
        let mut rest = Plan::default();
        let mut targets = Bitboard::EMPTY;
        let place = (checks as usize % MAX_CHECKS, check.to.index());
        let hint = self.refuted_by[place.0][place.1].filter(|mv| self.position.is_legal(*mv));
        let mut tried = None;
        if let Some(mv) = hint {
            let value = self.reply(mv, balance, goal, checks, alpha, &mut rest);
            if value <= alpha {
                return value;
            }
            tried = Some((value, std::mem::take(&mut rest)));
        }
        for (at, mv) in self.position.legal_moves_onto(Bitboard::FULL).into_iter().enumerate() {
            let value = match &mut tried {
                Some((value, line)) if hint == Some(mv) => {
                    rest = std::mem::take(line);
                    *value
                }
                _ => self.reply(mv, balance, goal, checks, alpha, &mut rest),
            };
            if value <= alpha {
                self.refuted_by[place.0][place.1] = Some(mv);
                return value;
            }
            targets |= rest.targets;
            // Of replies that lose equally much the first is kept.
            if (value, at) < worst {
                worst = (value, at);
                plan.begin(mv, &rest);
            }
        }
        let worst = worst.0;
        plan.targets = targets;
        worst
    }

    /// Our capture after checks, and what comes of it.
    fn finish(&mut self, mv: Move, balance: Balance, alpha: i32) -> i32 {
        let after = self.balance_after(balance.as_price(), mv, Some(mv.to));
        if after.gain() <= alpha && !self.position.may_check(mv) {
            // The other side may leave it at that.
            return after.gain();
        }
        let undo = self.position.make(mv);
        let mut value = self.answered(after, mv.to, (alpha, self.enough));
        if value > alpha && mates_at_once(&mut self.position) {
            value = -MATE;
        }
        self.position.unmake(undo);
        value
    }

    /// Where the piece on a square stood at the start of the search.
    fn origin_of(&self, square: Square) -> Square {
        Square::new(self.origin[square.index()]).unwrap_or(square)
    }

    fn follow(&mut self, mv: Move) -> u8 {
        let kept = self.origin[mv.to.index()];
        self.origin[mv.to.index()] = self.origin[mv.from.index()];
        kept
    }

    fn unfollow(&mut self, mv: Move, kept: u8) {
        self.origin[mv.from.index()] = self.origin[mv.to.index()];
        self.origin[mv.to.index()] = kept;
    }
}
