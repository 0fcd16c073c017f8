//! Mate threats (杀): is there a mate in which every move checks
//! (连续照将将死, article 28.2)?

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::board::{Bitboard, Move, Position, PositionKey};

/// The longest mate that is looked for, in checks.
pub(crate) const MAX_CHECKS: u32 = 5;

/// How many positions one search looks at before it gives up.
const BUDGET: u32 = 6_000;

/// What the search for a mate found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// This line mates; the replies in it are the longest resistance.
    Mates(Vec<Move>),
    /// There is none within the bound, and the bound was not met.
    No,
    /// The bound in checks or positions was met first.
    Bounded,
}

struct Search {
    position: Position,
    budget: u32,
    bounded: bool,
    /// Positions with the number of checks that do not mate there, and
    /// whether more might: the same checks in another order lead to them
    /// again.
    futile: FxHashMap<PositionKey, (u32, bool)>,
    /// The reply that refuted the last check, by checks left: it mostly
    /// refutes the next one too.
    refuted_by: [Option<Move>; MAX_CHECKS as usize],
}

/// Whether the side to move can mate at once.
pub(crate) fn mates_at_once(position: &mut Position) -> bool {
    position.checking_moves().into_iter().any(|mv| {
        let undo = position.make(mv);
        let mate = !position.has_legal_move();
        position.unmake(undo);
        mate
    })
}

/// Looks for a mate by checks alone for the side to move, without the moves
/// that `skip` names.
pub(crate) fn mate_by_checks(position: &Position, skip: impl Fn(Move) -> bool) -> Proof {
    let mut search = Search {
        position: position.clone(),
        budget: BUDGET,
        bounded: false,
        futile: FxHashMap::default(),
        refuted_by: [None; MAX_CHECKS as usize],
    };
    for depth in 1..=MAX_CHECKS {
        search.bounded = false;
        if let Some(mut line) = search.attack(depth, &skip) {
            line.reverse();
            return Proof::Mates(line.into_vec());
        }
        if !search.bounded {
            return Proof::No;
        }
        if search.budget == 0 {
            break;
        }
    }
    Proof::Bounded
}

/// A line, last move first.
type Line = SmallVec<[Move; 12]>;

impl Search {
    /// The side to move has `checks` checks left.
    fn attack(&mut self, checks: u32, skip: &dyn Fn(Move) -> bool) -> Option<Line> {
        let key = self.position.key();
        if let Some((tried, more)) = self.futile.get(&key)
            && (*tried >= checks || !more)
        {
            self.bounded |= more;
            return None;
        }
        let bounded = std::mem::take(&mut self.bounded);
        let line = self.attack_anew(checks, skip);
        if line.is_none() && self.budget > 0 {
            self.futile.insert(key, (checks, self.bounded));
        }
        self.bounded |= bounded;
        line
    }

    fn attack_anew(&mut self, checks: u32, skip: &dyn Fn(Move) -> bool) -> Option<Line> {
        for mv in self.position.checking_moves() {
            if skip(mv) {
                continue;
            }
            if self.budget == 0 {
                self.bounded = true;
                return None;
            }
            self.budget -= 1;
            let undo = self.position.make(mv);
            let line = self.defend(checks - 1, skip);
            self.position.unmake(undo);
            if let Some(mut line) = line {
                line.push(mv);
                return Some(line);
            }
        }
        None
    }

    /// The side in check tries every reply. Of lines that resist equally long
    /// the first is kept.
    fn defend(&mut self, checks: u32, skip: &dyn Fn(Move) -> bool) -> Option<Line> {
        if checks == 0 {
            if self.position.has_legal_move() {
                self.bounded = true;
                return None;
            }
            return Some(Line::new());
        }
        let at = checks as usize % self.refuted_by.len();
        let refuted_by = self.refuted_by[at].filter(|mv| self.position.is_legal(*mv));
        let mut tried = None;
        if let Some(mv) = refuted_by {
            tried = Some(self.reply(mv, checks, skip)?);
        }
        let mut longest: Option<Line> = None;
        for mv in self.position.legal_moves_onto(Bitboard::FULL) {
            let line = match &mut tried {
                Some(line) if refuted_by == Some(mv) => std::mem::take(line),
                _ => {
                    let Some(line) = self.reply(mv, checks, skip) else {
                        self.refuted_by[at] = Some(mv);
                        return None;
                    };
                    line
                }
            };
            if longest.as_ref().is_none_or(|resisted| line.len() > resisted.len()) {
                longest = Some(line);
            }
        }
        Some(longest.unwrap_or_default())
    }

    /// The line that mates after the reply `mv`.
    fn reply(&mut self, mv: Move, checks: u32, skip: &dyn Fn(Move) -> bool) -> Option<Line> {
        let undo = self.position.make(mv);
        let line = self.attack(checks, skip);
        self.position.unmake(undo);
        let mut line = line?;
        line.push(mv);
        Some(line)
    }
}
