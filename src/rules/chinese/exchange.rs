//! What an exchange is worth: captures in turn until both sides have had
//! enough (article 29.1, third form).
//!
//! Only captures, answers to checks and a few checks of the side that lost
//! the piece are looked at. A side that is not in check may always stop, so
//! nobody is made to lose material by the search itself.
//!
//! The search asks for values alone and keeps what it found out in a
//! [`Memo`], so moves may be tried in whatever order ends it soonest. The
//! line of play is read off afterwards ([`Search::best_line`]), in an order
//! of its own.

use rustc_hash::FxHashMap;

use crate::board::{Bitboard, Color, FewMoves, Move, PieceKind, PositionKey, Square};

use crate::rules::captures::valuables;
use crate::rules::material::{self, Balance};

use super::search::{Line, MATE, Search};

/// How far the answer to a capture is looked at: so many plies, and so many
/// checks of the side that answers.
const ANSWER: Left = Left { plies: 8, checks: 2 };

/// What is left of the bounds of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Left {
    plies: u8,
    checks: u8,
}

/// What an exchange is about, as far as it does not stand on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Terms {
    us: Color,
    /// Where it began.
    point: Square,
    /// What we and they could win anyhow.
    loose: [Bitboard; 2],
}

/// A position in which an exchange begins, with everything its value hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    key: PositionKey,
    balance: Balance,
    /// Place of the [`Terms`].
    terms: u16,
}

/// A value lies between these.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: i32,
    high: i32,
}

/// What was found out about exchanges in the judgement of one loop. The moves
/// of a loop ask the same of the same positions: what hangs after one is what
/// hung before the next.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    terms: Vec<Terms>,
    known: FxHashMap<State, Bounds>,
}

impl Memo {
    /// The place of `terms`; `None` when there are too many to number.
    fn number(&mut self, terms: Terms) -> Option<u16> {
        let at = self.terms.iter().rposition(|known| *known == terms).unwrap_or_else(|| {
            self.terms.push(terms);
            self.terms.len() - 1
        });
        u16::try_from(at).ok()
    }
}

/// The exchange under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    point: Square,
    /// Place of its terms in the memo.
    terms: Option<u16>,
}

/// The last refutations, by side (ours first) and plies left.
pub(super) type Refutations = [[Option<Move>; ANSWER.plies as usize + 1]; 2];

impl Search<'_> {
    /// What the answers to our capture on `point` leave of the balance; what
    /// lies beyond `bounds` need not be exact.
    pub(super) fn answered(&mut self, balance: Balance, point: Square, bounds: (i32, i32)) -> i32 {
        let exchange = self.exchange(point);
        self.settle_once(exchange, balance, bounds)
    }

    /// The line of play of [`Search::answered`] where that is `value` exactly.
    pub(super) fn best_line(&mut self, balance: Balance, point: Square, value: i32) -> Line {
        let exchange = self.exchange(point);
        let mut line = Line::new();
        let mut undone = smallvec::SmallVec::<[_; 12]>::new();
        let (mut balance, mut left) = (balance, ANSWER);
        while left.plies > 0 {
            let ours = self.position.side() == self.us;
            let in_check = self.position.in_check();
            if !in_check && balance.gain() == value {
                break;
            }
            let mut moves = if in_check {
                self.position.legal_moves_onto(Bitboard::FULL)
            } else {
                self.worthwhile_captures(exchange.point)
            };
            if !in_check && !ours && left.checks > 0 {
                moves.extend(self.further_checks(exchange.point));
            }
            // The first of the moves that are worth as much.
            let bounds = if ours { (value - 1, value) } else { (value, value + 1) };
            let found = moves.into_iter().find_map(|mv| {
                let after = self.balance_after(balance, mv, Some(point));
                let rest = self.left_after(left, mv, in_check);
                let undo = self.position.make(mv);
                let worth = self.settle(exchange, after, bounds, rest);
                if if ours { worth >= value } else { worth <= value } {
                    return Some((mv, undo, after, rest));
                }
                self.position.unmake(undo);
                None
            });
            let Some((mv, undo, after, rest)) = found else { break };
            line.push(mv);
            undone.push(undo);
            (balance, left) = (after, rest);
        }
        while let Some(undo) = undone.pop() {
            self.position.unmake(undo);
        }
        line
    }

    fn exchange(&mut self, point: Square) -> Exchange {
        let terms = Terms { us: self.us, point, loose: self.loose.unwrap_or_default() };
        Exchange { point, terms: self.memo.borrow_mut().number(terms) }
    }

    /// What is left after `mv` of the side to move.
    fn left_after(&self, left: Left, mv: Move, in_check: bool) -> Left {
        let ours = self.position.side() == self.us;
        let quiet_check = !ours && !in_check && self.position.piece_at(mv.to).is_none();
        Left { plies: left.plies - 1, checks: left.checks - u8::from(quiet_check) }
    }

    /// As [`Search::settle`], but not again where as much is known.
    fn settle_once(
        &mut self,
        exchange: Exchange,
        balance: Balance,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let key = self.position.key();
        let Some(state) = exchange.terms.map(|terms| State { key, balance, terms }) else {
            return self.settle(exchange, balance, (alpha, beta), ANSWER);
        };
        if let Some(known) = self.memo.borrow().known.get(&state) {
            if known.low >= beta || known.low == known.high {
                return known.low;
            }
            if known.high <= alpha {
                return known.high;
            }
        }
        let value = self.settle(exchange, balance, (alpha, beta), ANSWER);
        if self.budget > 0 {
            let mut memo = self.memo.borrow_mut();
            let known = memo.known.entry(state).or_insert(Bounds { low: i32::MIN, high: i32::MAX });
            if value > alpha {
                known.low = known.low.max(value);
            }
            if value < beta {
                known.high = known.high.min(value);
            }
        }
        value
    }

    /// The value of the position under way, from our point of view: alpha-beta
    /// search.
    fn settle(
        &mut self,
        exchange: Exchange,
        balance: Balance,
        (mut alpha, mut beta): (i32, i32),
        left: Left,
    ) -> i32 {
        let stand = balance.gain();
        if left.plies == 0 {
            return stand;
        }
        if self.budget == 0 {
            self.bounded = true;
            return stand;
        }
        let ours = self.position.side() == self.us;
        let in_check = self.position.in_check();
        let mut best = match (in_check, ours) {
            (true, true) => -MATE,
            (true, false) => MATE,
            (false, true) => {
                alpha = alpha.max(stand);
                stand
            }
            (false, false) => {
                beta = beta.min(stand);
                stand
            }
        };
        if alpha >= beta {
            return best;
        }
        self.budget -= 1;
        let place = (usize::from(!ours), usize::from(left.plies));
        let refuted_by = self.refutations[place.0][place.1].filter(|mv| {
            (in_check || self.is_worthwhile(*mv, exchange.point))
                && self.position.is_legal_knowing(*mv, in_check)
        });
        for stage in 0..4 {
            let moves = match stage {
                0 => refuted_by.into_iter().collect(),
                1 if in_check => self.replies(),
                1 => self.captures_on_point(exchange.point),
                2 if !in_check => {
                    self.captures_in_exchange(!Bitboard::of(exchange.point), exchange.point)
                }
                // With the last ply a check changes nothing.
                3 if !in_check && !ours && left.checks > 0 && left.plies > 1 => {
                    self.further_checks(exchange.point)
                }
                _ => continue,
            };
            for mv in moves {
                if stage > 0 && Some(mv) == refuted_by {
                    continue;
                }
                let after = self.balance_after(balance, mv, Some(exchange.point));
                let rest = self.left_after(left, mv, in_check);
                let gain = after.gain();
                let enough = if ours { gain <= alpha } else { gain >= beta };
                let value = if enough && !self.position.may_check(mv) {
                    // The side that is then to move may leave it at that.
                    gain
                } else {
                    let undo = self.position.make(mv);
                    let value = self.settle(exchange, after, (alpha, beta), rest);
                    self.position.unmake(undo);
                    value
                };
                if ours {
                    best = best.max(value);
                    alpha = alpha.max(best);
                } else {
                    best = best.min(value);
                    beta = beta.min(best);
                }
                if alpha >= beta {
                    self.refutations[place.0][place.1] = Some(mv);
                    return best;
                }
            }
        }
        best
    }

    /// The replies to a check, those first that take something.
    fn replies(&self) -> FewMoves {
        let mut moves = self.position.legal_moves_onto(Bitboard::FULL);
        moves.sort_by_key(|mv| self.position.piece_at(mv.to).is_none());
        moves
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
        let Some(taken) = self.position.piece_at(mv.to) else { return balance.with_nothing() };
        if point.is_some_and(|p| p != mv.to) && self.loose(self.position.side()).contains(mv.to) {
            return balance.with_nothing();
        }
        match self.position.piece_at(mv.from) {
            Some(by) if ours => balance.with_won(by, taken, mv.to),
            Some(by) => balance.with_lost(by, taken, mv.to),
            None => balance.with_nothing(),
        }
    }

    /// The captures of the side to move on the point of the exchange and of
    /// pieces that did not hang from the start, dearest first, with the
    /// cheapest piece first.
    fn worthwhile_captures(&self, point: Square) -> FewMoves {
        self.captures_in_exchange(Bitboard::FULL, point)
    }

    /// Those of [`Search::worthwhile_captures`] that end in `within`.
    fn captures_in_exchange(&self, within: Bitboard, point: Square) -> FewMoves {
        let side = self.position.side();
        let mut loose = self.loose(side);
        loose.remove(point);
        let targets = valuables(&self.position, side.other()) & !loose & within;
        if targets.is_empty() {
            return FewMoves::new();
        }
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

    /// Those of [`Search::worthwhile_captures`] that end on the point of the
    /// exchange, for a side that is not in check.
    fn captures_on_point(&self, point: Square) -> FewMoves {
        let mut moves = FewMoves::new();
        if !self.position.piece_at(point).is_some_and(|p| material::has_value(p, point)) {
            return moves;
        }
        for from in self.position.attackers(point, self.position.side()) {
            let mv = Move::new(from, point);
            if self.position.is_legal_knowing(mv, false) {
                moves.push(mv);
            }
        }
        let points = |from| self.position.piece_at(from).map_or(0, |p| material::points(p, from));
        moves.sort_by_key(|mv| points(mv.from));
        moves
    }

    /// Whether `mv`, a legal move, is among [`Search::worthwhile_captures`].
    fn is_worthwhile(&self, mv: Move, point: Square) -> bool {
        let side = self.position.side();
        let Some(taken) = self.position.piece_at(mv.to) else { return false };
        if mv.to == point {
            return material::has_value(taken, point);
        }
        let kind = self.position.piece_at(mv.from).map(|p| p.kind);
        material::has_value(taken, mv.to)
            && !self.loose(side).contains(mv.to)
            && (side != self.us || !matches!(kind, Some(PieceKind::King | PieceKind::Pawn)))
    }

    /// The checks of the side to move that are not among
    /// [`Search::worthwhile_captures`].
    fn further_checks(&self, point: Square) -> FewMoves {
        let checks = self.position.checking_moves();
        checks.into_iter().filter(|mv| !self.is_worthwhile(*mv, point)).collect()
    }
}
