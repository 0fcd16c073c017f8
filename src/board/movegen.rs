//! All legal moves, and their number.

use super::attacks;
use super::bitboard::Bitboard;
use super::moves::Move;
use super::piece::{Color, Piece, PieceKind};
use super::position::{Position, is_one};
use super::square::Square;

/// A list of moves on the stack. No position has more than 128 legal moves
/// with the pieces of one set; lists of stranger diagrams go to the heap.
pub type MoveList = smallvec::SmallVec<[Move; 128]>;

/// A short list of moves on the stack.
pub(crate) type FewMoves = smallvec::SmallVec<[Move; 32]>;

/// Which moves of the side to move need a test of the king's safety.
struct Risk {
    king: usize,
    /// Leaving one of these squares may open a line or free a horse's leg.
    from: u128,
    /// Stepping on one of these may become a cannon's screen.
    to: u128,
}

impl Position {
    /// All legal moves of the side to move, in no particular order.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.each_target_set::<true>(!0, |from, safe, tested| {
            let from_square = Square::from_index(from as u8);
            let mut push = |mut set: u128| {
                while set != 0 {
                    let to = Square::from_index(set.trailing_zeros() as u8);
                    moves.push(Move::new(from_square, to));
                    set &= set - 1;
                }
            };
            push(safe);
            push(tested);
            false
        });
        moves
    }

    /// Number of legal moves of the side to move, counted without listing
    /// them.
    #[must_use]
    pub fn count_legal_moves(&self) -> u32 {
        let mut count = 0;
        self.each_target_set::<true>(!0, |_, safe, tested| {
            count += safe.count_ones() + tested.count_ones();
            false
        });
        count
    }

    /// Whether the side to move has a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        let mut found = false;
        self.each_target_set::<true>(!0, |_, safe, tested| {
            found = safe | tested != 0;
            found
        });
        found
    }

    /// Where a piece other than the king must go, or from where it must go,
    /// to answer the check of `checkers` on `king`: a superset.
    #[inline]
    fn answers(&self, king: usize, checkers: u128) -> Risk {
        let mut answers = Risk { king, from: 0, to: !0 };
        let mut rest = checkers;
        while rest != 0 {
            let checker = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            // Take it, stand between, or block the leg; or stop being the
            // cannon's screen.
            let between = attacks::between_bits(king, checker);
            let leg = match attacks::horse_geometry(king) >> checker & 1 {
                0 => 0,
                _ => 1 << attacks::leg(checker, king),
            };
            answers.to &= 1 << checker | between | leg;
            answers.from |= between & self.occupied.by_rank;
        }
        answers
    }

    /// The legal moves of the side to move onto one of `targets`, in no
    /// particular order.
    pub(crate) fn legal_moves_onto(&self, targets: Bitboard) -> FewMoves {
        let mut moves = FewMoves::new();
        self.each_target_set::<false>(targets.0, |from, safe, tested| {
            let mut set = safe | tested;
            while set != 0 {
                let to = Square::from_index(set.trailing_zeros() as u8);
                moves.push(Move::new(Square::from_index(from as u8), to));
                set &= set - 1;
            }
            false
        });
        moves
    }

    /// Calls `visit(from, targets that need no test, targets that passed it)`
    /// for every piece of the side to move until it returns true. Only targets
    /// in `within` are looked at; these are `ALL` when everything is wanted,
    /// which saves counting from asking each piece whether it has any.
    #[inline]
    fn each_target_set<const ALL: bool>(
        &self,
        within: u128,
        mut visit: impl FnMut(usize, u128, u128) -> bool,
    ) {
        let side = self.side();
        let king = self.king(side).map(Square::index);
        let checkers = self.checkers(side).0;
        let risk = match king {
            Some(king) if checkers == 0 => self.risk(king, side),
            Some(king) => self.answers(king, checkers),
            None => Risk { king: 0, from: 0, to: 0 },
        };
        for kind in PieceKind::ALL {
            let piece = Piece::new(side, kind);
            let mut set = self.bits(side, kind);
            while set != 0 {
                let from = set.trailing_zeros() as usize;
                set &= set - 1;
                let mut targets = self.target_bits(piece, from);
                if !ALL {
                    targets &= within;
                    if targets == 0 {
                        continue;
                    }
                }
                if checkers != 0 && king != Some(from) && risk.from >> from & 1 == 0 {
                    targets &= risk.to;
                }
                let must_test = if checkers != 0 || king == Some(from) || risk.from >> from & 1 != 0
                {
                    targets
                } else {
                    targets & risk.to
                };
                let passed = self.passing(from, must_test, risk.king);
                if visit(from, targets & !must_test, passed) {
                    return;
                }
            }
        }
    }

    /// Those of `targets` that leave the king safe.
    #[inline]
    fn passing(&self, from: usize, targets: u128, king: usize) -> u128 {
        let mut passed = targets;
        let mut set = targets;
        let from_square = Square::from_index(from as u8);
        while set != 0 {
            let to = set.trailing_zeros() as u8;
            set &= set - 1;
            let mv = Move::new(from_square, Square::from_index(to));
            if self.king_attacked_after(mv, king) {
                passed &= !(1 << to);
            }
        }
        passed
    }

    /// The squares that matter to a king that is not in check now.
    #[inline]
    fn risk(&self, king: usize, side: Color) -> Risk {
        let enemy = side.other();
        let mut risk = Risk { king, from: 0, to: 0 };
        if attacks::horse_geometry(king) & self.bits(enemy, PieceKind::Horse) != 0 {
            risk.from |= attacks::diagonal(king);
        }
        let lines = attacks::lines(king);
        let mut straight =
            lines & (self.bits(enemy, PieceKind::Chariot) | self.bits(enemy, PieceKind::King));
        while straight != 0 {
            let slider = straight.trailing_zeros() as usize;
            straight &= straight - 1;
            let blockers = attacks::between_bits(king, slider) & self.occupied.by_rank;
            if is_one(blockers) {
                risk.from |= blockers;
            }
        }
        let mut cannons = lines & self.bits(enemy, PieceKind::Cannon);
        while cannons != 0 {
            let cannon = cannons.trailing_zeros() as usize;
            cannons &= cannons - 1;
            let between = attacks::between_bits(king, cannon);
            let screens = between & self.occupied.by_rank;
            match screens.count_ones() {
                0 => risk.to |= between,
                2 => risk.from |= screens,
                _ => {}
            }
        }
        risk
    }
}
