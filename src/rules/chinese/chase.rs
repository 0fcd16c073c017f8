//! Classifying one move: 将, 杀, 捉 or 闲 (articles 27 to 29).

use std::cell::RefCell;

use crate::board::{Bitboard, Color, Move, PieceKind, Position, Square};

use crate::rules::captures::{captures_on, root_after, valuables, with_turn};
use crate::rules::judgement::{
    Chased, Exemption, How, Means, MoveClass, OpenPoint, PlyJudgement, Root, Why,
};
use crate::rules::mate::{Proof, mate_by_checks};
use crate::rules::{RuleSet, idle, means};

use super::exchange::Memo;
use super::pressure::Goal;
use super::search::{Capture, Search, offers_exchange};

/// A move of the loop, with what the verdict needs beyond the public answer.
#[derive(Clone, Debug)]
pub(crate) struct Classified {
    pub ply: PlyJudgement,
    /// What the pawn that moved, or another pawn, newly attacks by itself:
    /// idle, unless both sides attack on every move (27.2 of 1999).
    pub pawn_chases: Vec<Chased>,
    /// By how many pieces it wins what it chases.
    hand: Hand,
    /// An open point on which the class hangs, with the class by the other
    /// reading.
    pub doubt: Option<(OpenPoint, MoveClass)>,
}

/// Single-handed (单独) or joint (联合) chases (2020, 26.9).
#[derive(Clone, Debug)]
enum Hand {
    /// Several pieces win together, or a piece with too few roots is won.
    Joint,
    /// One capture wins.
    Single,
    /// One piece wins by checks; whether it needs another is tried only where
    /// a verdict hangs on it.
    Checks(Box<Hunt>),
}

/// A piece that wins by checks.
#[derive(Clone, Debug)]
struct Hunt {
    /// The position after the move, as if it were our turn again.
    threat: Position,
    /// Where the piece went that made the move.
    moved: Square,
    /// Where the piece stands that gives the first check.
    hunter: Option<Square>,
    gain: i32,
}

impl Hunt {
    /// Whether the piece wins without any other piece of its side.
    fn needs_no_help(&self) -> bool {
        let side = self.threat.side();
        let memo = RefCell::default();
        self.threat.pieces_of(side).into_iter().all(|helper| {
            if self.threat.king(side) == Some(helper) || self.hunter == Some(helper) {
                return true;
            }
            let mut without = self.threat.clone();
            without.take(helper);
            if without.in_check() || !without.checkers(side.other()).is_empty() {
                return true;
            }
            let goal = Goal { only: None, except: Bitboard::EMPTY, at_least: self.gain };
            Search::new(&without, self.moved, &memo).wins_by_checks(goal)
        })
    }
}

impl Classified {
    /// The move wins something single-handed (2020, 26.9.1).
    pub(super) fn is_alone(&self) -> bool {
        match &self.hand {
            Hand::Joint => false,
            Hand::Single => true,
            Hand::Checks(hunt) => hunt.needs_no_help(),
        }
    }

    /// Whether the move lets its side off, whatever the others of the loop
    /// are and however an open point is read.
    pub(super) fn is_plainly_idle(&self) -> bool {
        self.ply.class == MoveClass::Idle && self.doubt.is_none() && self.pawn_chases.is_empty()
    }
}

/// Classifies `mv`, played from `before`; `ply` counts from 1. An idle move
/// gets its kind from [`name_idle`].
pub(crate) fn classify(
    set: RuleSet,
    ply: u32,
    before: &Position,
    mv: Move,
    memo: &RefCell<Memo>,
) -> Classified {
    let side = before.side();
    let articles = set.articles();
    let mut after = before.clone();
    after.make(mv);
    let mut answer = Classified {
        ply: PlyJudgement {
            ply,
            mv,
            side,
            class: MoveClass::Idle,
            idle: None,
            chased: Vec::new(),
            why: Why::Nothing,
            article: articles.idle,
            bounded: false,
        },
        pawn_chases: Vec::new(),
        hand: Hand::Joint,
        doubt: None,
    };
    let checkers = after.checkers(side.other());
    if !checkers.is_empty() {
        answer.ply.class = MoveClass::Check;
        answer.ply.article = articles.check;
        answer.ply.why = Why::Checks(with_pieces(&after, checkers));
        return answer;
    }
    let threat = with_turn(&after, side);
    match new_mate_threat(before, &threat, |_| false) {
        Proof::Mates(line) => {
            // 24.4 of 2020: where the mate needs an exchange that the other
            // side could make as well, the move offers that exchange. Figure
            // 29 says so, and its variation says the contrary.
            let exchange = |capture| offers_exchange(&threat, capture, mv.to);
            let any = valuables(&threat, side.other())
                .into_iter()
                .any(|target| captures_on(&threat, target).into_iter().any(exchange));
            if !any || matches!(new_mate_threat(before, &threat, exchange), Proof::Mates(_)) {
                answer.ply.class = MoveClass::MateThreat;
                answer.ply.article = articles.mate_threat;
                answer.ply.why = Why::Mates(line);
                return answer;
            }
            answer.doubt = Some((OpenPoint::ExchangeMate, MoveClass::MateThreat));
        }
        Proof::Bounded => answer.ply.bounded = true,
        Proof::No => {}
    }
    let mut finder = Finder {
        set,
        before,
        after: &after,
        mv,
        now: Search::new(&threat, mv.to, memo),
        then: Search::new(before, mv.from, memo),
        answer,
    };
    // 26.5 of 2020: played out, even or better is a chase, worse is idle. In
    // 1999 a piece that has other duties chases all the same (detail rule 4).
    finder.now.free_hand = set == RuleSet::Cn2020;
    finder.direct();
    if finder.answer.ply.chased.is_empty() {
        finder.by_checks();
    }
    finder.answer.ply.bounded |= finder.now.bounded || finder.then.bounded;
    let mut answer = finder.answer;
    if !answer.ply.chased.is_empty() {
        answer.ply.class = MoveClass::Chase;
        answer.ply.article = articles.chase;
        answer.ply.why = Why::Chases;
        if fortress(&after, side, &answer.ply.chased) {
            answer.doubt = Some((OpenPoint::Fortress, MoveClass::Idle));
        }
    }
    answer
}

/// Tells which kind of idle move it is; no verdict hangs on that.
pub(crate) fn name_idle(set: RuleSet, before: &Position, answer: &mut Classified) {
    if answer.ply.class == MoveClass::Idle {
        let mv = answer.ply.mv;
        let mut after = before.clone();
        after.make(mv);
        let kind = idle::kind(&after, mv, before, set);
        answer.ply.idle = Some(kind);
        answer.ply.article = idle::article(kind, set.articles());
    }
}

/// 27.3 (2020: 26.2): a side that holds a drawn fortress with its last
/// attacking piece may attack advisors and elephants on the way. Whether the
/// fortress is drawn, no rule tells; where one may stand, the point is open.
fn fortress(position: &Position, side: Color, chased: &[Chased]) -> bool {
    let attackers = |side: Color| {
        valuables(position, side)
            .into_iter()
            .filter_map(|square| position.piece_at(square))
            .filter(|p| !matches!(p.kind, PieceKind::Advisor | PieceKind::Elephant))
            .count()
    };
    attackers(side) == 1
        && attackers(side.other()) > 1
        && chased.iter().all(|c| matches!(c.piece.kind, PieceKind::Advisor | PieceKind::Elephant))
}

/// A mate by checks that the side to move of `threat` could not have played
/// in `before`: who could have mated before the move threatens nothing new.
fn new_mate_threat(before: &Position, threat: &Position, skip: impl Fn(Move) -> bool) -> Proof {
    match mate_by_checks(threat, skip) {
        Proof::Mates(_) if matches!(mate_by_checks(before, |_| false), Proof::Mates(_)) => {
            Proof::No
        }
        proof => proof,
    }
}

fn with_pieces(position: &Position, set: Bitboard) -> Vec<(crate::board::Piece, Square)> {
    set.into_iter().filter_map(|s| Some((position.piece_at(s)?, s))).collect()
}

struct Finder<'a> {
    set: RuleSet,
    before: &'a Position,
    after: &'a Position,
    mv: Move,
    /// The position after the move, as if it were our turn again.
    now: Search<'a>,
    /// The position before it.
    then: Search<'a>,
    answer: Classified,
}

impl Finder<'_> {
    /// Threats to take at once, with the exchange that follows (29.1, first
    /// and third form).
    fn direct(&mut self) {
        for target in self.now.targets() {
            self.direct_on(target);
        }
    }

    fn direct_on(&mut self, target: Square) {
        let mut by = Vec::new();
        let mut best: Option<Capture> = None;
        let mut pawn: Option<Capture> = None;
        let captures = self.now.captures(target);
        let exchange = captures.iter().any(|mv| self.now.offers_exchange(*mv));
        for capture in captures {
            let Some(piece) = self.after.piece_at(capture.from) else { continue };
            let found = self.now.capture(capture);
            // 兑 stays 兑 when other pieces join in on a piece with a root.
            if found.gain <= 0 || (exchange && found.root == Root::TooFew) {
                continue;
            }
            if found.mated {
                self.exempt(target, Exemption::Mated);
                continue;
            }
            match piece.kind {
                PieceKind::King => {
                    self.exempt(target, Exemption::King);
                    continue;
                }
                PieceKind::Pawn if !self.uncovers_check(capture) => {
                    self.exempt(target, Exemption::Pawn);
                    if pawn.as_ref().is_none_or(|best| best.gain < found.gain) {
                        pawn = Some(found);
                    }
                    continue;
                }
                _ => {}
            }
            by.push((piece, capture.from));
            if best.as_ref().is_none_or(|best| best.gain < found.gain) {
                best = Some(found);
            }
        }
        if let Some(best) = best {
            if self.was_there(target, best.gain) {
                if self.takes_part(&best) {
                    self.push(target, by, &best, false);
                } else {
                    self.not_new(target);
                }
            } else if self.side_kind(Exemption::Evasion) {
                self.exempt(target, Exemption::Evasion);
            } else {
                if best.single {
                    self.answer.hand = Hand::Single;
                }
                self.push(target, by, &best, false);
            }
        } else if let Some(pawn) = pawn
            && !self.was_there_by_pawn(target)
        {
            let by = self.after.piece_at(pawn.mv.from).map(|p| (p, pawn.mv.from));
            self.push(target, by.into_iter().collect(), &pawn, true);
        }
    }

    /// Article 26.8 of 2020: a pawn's capture that lets another piece check
    /// is that piece's.
    fn uncovers_check(&self, capture: Move) -> bool {
        if self.set != RuleSet::Cn2020 {
            return false;
        }
        let mut board = self.after.clone();
        let side = self.mv_side();
        board.set_side(side);
        board.make(capture);
        board.checkers(side.other()).into_iter().any(|from| from != capture.to)
    }

    fn mv_side(&self) -> Color {
        self.before.side()
    }

    /// Whether the move is one of the king that an exemption names.
    fn side_kind(&self, exemption: Exemption) -> bool {
        match exemption {
            // 26.1.2 and 26.1.3 of 2020.
            Exemption::Evasion => {
                self.set == RuleSet::Cn2020
                    && self.before.in_check()
                    && self.before.piece_at(self.mv.from).is_some_and(|p| p.kind == PieceKind::King)
            }
            _ => false,
        }
    }

    /// Whether as much could be won of `target` before the move (29.2).
    fn was_there(&mut self, target: Square, gain: i32) -> bool {
        let captures = self.then.captures(target);
        for &capture in &captures {
            if self
                .before
                .piece_at(capture.from)
                .is_some_and(|p| matches!(p.kind, PieceKind::King | PieceKind::Pawn))
            {
                continue;
            }
            let Some(root) = self.then.wins_safely(capture, gain) else { continue };
            let offers = |mv: &Move| self.then.offers_exchange(*mv);
            if root != Root::TooFew || !captures.iter().any(offers) {
                return true;
            }
        }
        let goal =
            Goal { only: Some(target), except: Bitboard::EMPTY, at_least: (gain - 1).max(1) };
        self.then.wins_by_checks(goal)
    }

    fn was_there_by_pawn(&mut self, target: Square) -> bool {
        let captures = self.then.captures(target);
        captures.into_iter().any(|capture| self.then.wins_safely(capture, 1).is_some())
    }

    /// As [`Finder::was_there`], by any piece at all.
    fn was_there_at_all(&mut self, target: Square, gain: i32) -> bool {
        let mut captures = self.then.captures(target).into_iter();
        captures.any(|capture| self.then.wins_safely(capture, gain).is_some())
            || self.was_there(target, gain)
    }

    /// Threats to win by checks (29.1, second form).
    fn by_checks(&mut self) {
        let mut except = Bitboard::EMPTY;
        for _ in 0..4 {
            let goal = Goal { only: None, except, at_least: 1 };
            let Some(win) = self.now.by_checks(goal) else { return };
            except |= win.targets;
            let mut targets = win.targets.into_iter();
            if targets.any(|target| self.was_there_at_all(target, win.gain)) {
                self.not_new(win.target);
                continue;
            }
            if let Some(exemption) = win.exemption {
                self.exempt(win.target, exemption);
                continue;
            }
            if self.side_kind(Exemption::Evasion) {
                self.exempt(win.target, Exemption::Evasion);
                continue;
            }
            let Some(piece) = self.after.piece_at(win.target) else { continue };
            let by = win.line.first().and_then(|mv| Some((self.after.piece_at(mv.from)?, mv.from)));
            if self.set == RuleSet::Cn2020 && win.pieces == 1 {
                self.answer.hand = Hand::Checks(Box::new(Hunt {
                    threat: with_turn(self.after, self.before.side()),
                    moved: self.mv.to,
                    hunter: win.line.first().map(|mv| mv.from),
                    gain: win.gain,
                }));
            }
            self.answer.ply.chased.push(Chased {
                piece,
                square: win.target,
                by: by.into_iter().collect(),
                how: How::ByChecks,
                means: None,
                root: Root::None,
                line: win.line.to_vec(),
            });
            return;
        }
    }

    /// 2020: a piece that already attacked moves and takes part in the same
    /// attack: a joint chase (figures 11 and 27). In 1999 that is idle, "from
    /// chase to chase" (detail rule 6).
    fn takes_part(&self, capture: &Capture) -> bool {
        if self.set != RuleSet::Cn2020 {
            return false;
        }
        let side = self.before.side();
        if capture.mv.from == self.mv.to || self.after.king(side) == Some(self.mv.to) {
            return false;
        }
        // As a second attacker, as a mount, or by binding the root.
        if self.after.attacks_from(self.mv.to).contains(capture.mv.to) {
            return true;
        }
        let mut without = with_turn(self.after, side);
        without.take(self.mv.to);
        if without.in_check() || !without.checkers(side.other()).is_empty() {
            return false;
        }
        !without.is_pseudo_legal(capture.mv)
            || (capture.root == Root::False && root_after(&mut without, capture.mv) == Root::True)
    }

    fn not_new(&mut self, target: Square) {
        if self.answer.ply.why == Why::Nothing {
            self.answer.ply.why = Why::NotNew(target);
        }
    }

    fn exempt(&mut self, target: Square, exemption: Exemption) {
        if !matches!(self.answer.ply.why, Why::Exempt(..)) {
            self.answer.ply.why = Why::Exempt(target, exemption);
        }
    }

    fn push(
        &mut self,
        target: Square,
        by: Vec<(crate::board::Piece, Square)>,
        capture: &Capture,
        pawn: bool,
    ) {
        let Some(piece) = self.after.piece_at(target) else { return };
        let moved = by.iter().any(|(_, from)| *from == self.mv.to);
        let how = if !capture.single {
            How::ByExchange
        } else if moved {
            How::Direct
        } else {
            How::Discovered
        };
        let means: Option<Means> = if moved {
            None
        } else {
            by.first().map(|(_, from)| means::of(self.before, Move::new(*from, target)))
        };
        let chased = Chased {
            piece,
            square: target,
            by,
            how,
            means,
            root: capture.root,
            line: self.now.line_of(capture).to_vec(),
        };
        if pawn {
            self.answer.pawn_chases.push(chased);
        } else {
            self.answer.ply.chased.push(chased);
        }
    }
}
