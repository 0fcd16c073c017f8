//! What a side can win from a position: by one capture and the exchange that
//! follows it, or by checks first (article 29.1).
//!
//! Both searches look at captures, checks and the answers to checks only. A
//! side that is not in check may always stop, so nobody is made to lose
//! material by the search itself. What either side could win anyhow
//! before the first capture is left out of its later captures: a piece that
//! hangs elsewhere is another matter than the one that is taken.

use smallvec::SmallVec;

use crate::board::{Bitboard, Color, Move, Position, Square};

use crate::rules::captures::{Moves, Threatener, captures_on, root_after, valuables, with_turn};
use crate::rules::judgement::Root;
use crate::rules::mate::{checking_moves, mates_at_once};
use crate::rules::material::{self, Balance};

/// Longest series of captures, in plies, after the first.
const MAX_EXCHANGE: u32 = 8;
/// Longest series of checks before a capture.
pub(super) const MAX_CHECKS: u32 = 4;
/// Positions one search may look at.
const BUDGET: u32 = 12_000;
/// Better than any gain.
const MATE: i32 = 100_000;

/// A line of play.
pub(super) type Line = SmallVec<[Move; 12]>;

/// A capture that wins something, or would.
#[derive(Clone, Debug)]
pub(super) struct Win {
    /// What is taken first, where it stood in the position of the search.
    pub target: Square,
    /// By article 25.3; positive.
    pub gain: i32,
    /// The line from the first move on.
    pub line: Line,
}

/// The question whether one capture wins.
#[derive(Clone, Debug)]
pub(super) struct Capture {
    pub mv: Move,
    /// What the whole line wins; not positive when it wins nothing.
    pub gain: i32,
    pub root: Root,
    /// The capturing piece is worth less than the target, or nothing retakes:
    /// one capture wins, without help.
    pub alone: bool,
    /// The capture would be answered by mate (29.4).
    pub mated: bool,
    pub line: Line,
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

/// A position in which one side asks what it can win.
pub(super) struct Search {
    position: Position,
    us: Color,
    threatener: Threatener,
    /// Where the piece on each square stood at the start.
    origin: [u8; 90],
    /// What each side could win anyhow.
    loose: [Bitboard; 2],
    budget: u32,
    /// Whether a bound was met.
    pub bounded: bool,
}

impl Search {
    /// What the side to move of `position` can win; a check against it is
    /// overlooked ([`Threatener`]).
    pub(super) fn new(position: &Position) -> Search {
        let us = position.side();
        let threatener = Threatener::new(position);
        let mut origin = [0; 90];
        for (at, square) in origin.iter_mut().enumerate() {
            *square = at as u8;
        }
        let mut search = Search {
            position: threatener.board.clone(),
            us,
            threatener,
            origin,
            loose: [Bitboard::EMPTY; 2],
            budget: BUDGET,
            bounded: false,
        };
        search.loose = [search.hanging(us), search.hanging(us.other())];
        search
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

    /// The enemy pieces that have value.
    pub(super) fn targets(&self) -> Bitboard {
        valuables(&self.position, self.us.other())
    }

    /// What `mv`, one of our captures, wins. `whole` asks for the whole
    /// exchange also when nothing retakes on the point: the piece that
    /// captures may have had other duties.
    pub(super) fn capture(&mut self, mv: Move, whole: bool) -> Capture {
        let none = Capture {
            mv,
            gain: 0,
            root: Root::True,
            alone: false,
            mated: false,
            line: Line::new(),
        };
        let (Some(piece), Some(taken)) =
            (self.position.piece_at(mv.from), self.position.piece_at(mv.to))
        else {
            return none;
        };
        let root = root_after(&mut self.position, mv);
        let won = Balance::default().with_won(taken, mv.to);
        let mut line = Line::new();
        line.push(mv);
        let undo = self.position.make(mv);
        let cheap = material::points(piece, mv.to) < material::points(taken, mv.to);
        let (gain, root) = if root == Root::True || whole {
            let mut rest = Line::new();
            let gain = self.settle(won, mv.to, -MATE, MATE, MAX_EXCHANGE, &mut rest);
            line.extend(rest);
            if root == Root::True {
                (gain, if gain > 0 { Root::TooFew } else { Root::True })
            } else if gain >= 0 {
                // 26.5 of 2020: played out, equal or better is a chase.
                (won.gain(), root)
            } else {
                (gain, root)
            }
        } else {
            (won.gain(), root)
        };
        let mated = gain > 0 && mates_at_once(&mut self.position);
        self.position.unmake(undo);
        Capture { mv, gain, root, alone: root != Root::TooFew || cheap, mated, line }
    }

    /// Captures in turn until both sides have had enough. From our point of
    /// view; `line` becomes the best line.
    fn settle(
        &mut self,
        balance: Balance,
        point: Square,
        mut alpha: i32,
        mut beta: i32,
        depth: u32,
        line: &mut Line,
    ) -> i32 {
        line.clear();
        let ours = self.position.side() == self.us;
        let in_check = self.position.in_check();
        let mut best = balance.gain();
        if depth == 0 || self.budget == 0 {
            self.bounded |= self.budget == 0;
            return best;
        }
        self.budget -= 1;
        let moves: SmallVec<[Move; 32]> = if in_check {
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
            self.worthwhile_captures(point)
        };
        let mut rest = Line::new();
        for mv in moves {
            let after = match self.position.piece_at(mv.to) {
                Some(piece) if ours => balance.with_won(piece, mv.to),
                Some(piece) => balance.with_lost(piece, mv.to),
                None => balance,
            };
            let undo = self.position.make(mv);
            let value = self.settle(after, point, alpha, beta, depth - 1, &mut rest);
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

    /// The captures of the side to move on the point of the exchange and of
    /// pieces that did not hang from the start, dearest first.
    fn worthwhile_captures(&self, point: Square) -> SmallVec<[Move; 32]> {
        let side = self.position.side();
        let loose = self.loose[usize::from(side != self.us)];
        let mut targets: SmallVec<[(i16, Square); 16]> = valuables(&self.position, side.other())
            .into_iter()
            .filter(|square| *square == point || !loose.contains(*square))
            .map(|square| {
                let points =
                    self.position.piece_at(square).map_or(0, |p| material::points(p, square));
                (points, square)
            })
            .collect();
        targets.sort_by_key(|(points, square)| (-points, *square != point));
        let mut moves = SmallVec::new();
        for (_, target) in targets {
            let mut captures = captures_on(&self.position, target);
            captures.sort_by_key(|mv| {
                self.position.piece_at(mv.from).map_or(0, |p| material::points(p, mv.from))
            });
            moves.extend(captures);
        }
        moves
    }

    /// Whether checks, and then a capture, win what `goal` asks for against
    /// every defence.
    pub(super) fn by_checks(&mut self, goal: Goal) -> Option<Win> {
        self.budget = BUDGET;
        let mut line = Line::new();
        let floor = goal.at_least - 1;
        let gain = self.press(Balance::default(), goal, MAX_CHECKS, true, floor, &mut line);
        if gain <= floor || gain >= MATE {
            return None;
        }
        let target = self.first_capture(&line)?;
        Some(Win { target, gain, line })
    }

    /// Where the first piece that we take in `line` stood at the start.
    fn first_capture(&self, line: &Line) -> Option<Square> {
        let mut board = self.position.clone();
        let mut origin = self.origin;
        for (ply, mv) in line.iter().enumerate() {
            if ply % 2 == 0 && board.piece_at(mv.to).is_some() {
                return Square::new(origin[mv.to.index()]);
            }
            origin[mv.to.index()] = origin[mv.from.index()];
            board.make(*mv);
        }
        None
    }

    /// We are to move, with `checks` checks left.
    fn press(
        &mut self,
        balance: Balance,
        goal: Goal,
        checks: u32,
        first: bool,
        mut alpha: i32,
        line: &mut Line,
    ) -> i32 {
        line.clear();
        let mut best = -MATE;
        if self.budget == 0 {
            self.bounded = true;
            return best;
        }
        self.budget -= 1;
        let mut rest = Line::new();
        if !first {
            best = balance.gain().min(goal.at_least - 1);
            for target in valuables(&self.position, self.us.other()) {
                let origin = Square::new(self.origin[target.index()]).unwrap_or(target);
                if goal.only.is_some_and(|only| only != origin) || goal.except.contains(origin) {
                    continue;
                }
                for mv in captures_on(&self.position, target) {
                    let value = self.finish(mv, balance, alpha, &mut rest);
                    if value > best {
                        best = value;
                        line.clear();
                        line.push(mv);
                        line.extend(rest.iter().copied());
                    }
                    alpha = alpha.max(best);
                }
            }
        }
        if checks == 0 {
            return best;
        }
        for mv in checking_moves(&mut self.position) {
            if self.position.piece_at(mv.to).is_some() {
                continue;
            }
            let undo = self.position.make(mv);
            let kept = self.follow(mv);
            let value = self.parry(balance, goal, checks - 1, alpha, &mut rest);
            self.unfollow(mv, kept);
            self.position.unmake(undo);
            if value > best {
                best = value;
                line.clear();
                line.push(mv);
                line.extend(rest.iter().copied());
            }
            alpha = alpha.max(best);
        }
        best
    }

    /// The other side is in check and tries every reply.
    fn parry(
        &mut self,
        balance: Balance,
        goal: Goal,
        checks: u32,
        alpha: i32,
        line: &mut Line,
    ) -> i32 {
        line.clear();
        let mut worst = MATE;
        let mut rest = Line::new();
        for mv in self.position.legal_moves() {
            let after = match self.position.piece_at(mv.to) {
                Some(piece) => balance.with_lost(piece, mv.to),
                None => balance,
            };
            let undo = self.position.make(mv);
            let kept = self.follow(mv);
            let value = self.press(after, goal, checks, false, alpha, &mut rest);
            self.unfollow(mv, kept);
            self.position.unmake(undo);
            if value < worst {
                worst = value;
                line.clear();
                line.push(mv);
                line.extend(rest.iter().copied());
            }
            if worst <= alpha {
                break;
            }
        }
        worst
    }

    /// Our capture after checks, and what comes of it.
    fn finish(&mut self, mv: Move, balance: Balance, alpha: i32, line: &mut Line) -> i32 {
        let Some(taken) = self.position.piece_at(mv.to) else { return -MATE };
        let after = balance.with_won(taken, mv.to);
        let undo = self.position.make(mv);
        let mut value = self.settle(after, mv.to, alpha, MATE, MAX_EXCHANGE, line);
        if value > alpha && mates_at_once(&mut self.position) {
            value = -MATE;
        }
        self.position.unmake(undo);
        value
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
