//! Whether a move may be played, and if not, why (articles 2 and 3).

use super::attacks::{self, PALACE};
use super::moves::Move;
use super::near_king;
use super::piece::{Color, Piece, PieceKind};
use super::position::{EMPTY, Position};

/// Why a move is not legal. The names are those of the finding
/// `illegal-move`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalReason {
    /// Nothing stands on the from-square, or no piece of that kind where the
    /// notation says.
    NoSuchPiece,
    /// The piece belongs to the opponent.
    NotYourPiece,
    /// The move is written for the side that is not to move.
    WrongSide,
    /// The piece never moves like that (article 2).
    PieceCannotMoveSo,
    /// A piece of the same side stands on the target.
    OwnPieceOnTarget,
    /// A chariot, or a cannon without capture, would jump.
    PathBlocked,
    /// A cannon would capture with nothing between (article 2.6).
    NoScreen,
    /// A cannon would capture, or move on to an empty point, over more than
    /// the one piece the rule asks for.
    TwoScreens,
    /// The horse's leg is blocked (蹩马腿, article 2.4).
    HorseLeg,
    /// The elephant's eye is blocked (塞象眼, article 2.3).
    ElephantEye,
    /// King or advisor would leave the palace (article 2.1, 2.2).
    OutsidePalace,
    /// The elephant would cross the river (article 2.3).
    AcrossRiver,
    /// A pawn would go back, or sideways before the river (article 2.7).
    PawnBackward,
    /// The own king would be left in check (article 3).
    LeavesKingInCheck,
    /// The generals would face each other (article 3).
    GeneralsFacing,
}

impl IllegalReason {
    /// All reasons.
    pub const ALL: [IllegalReason; 15] = [
        IllegalReason::NoSuchPiece,
        IllegalReason::NotYourPiece,
        IllegalReason::WrongSide,
        IllegalReason::PieceCannotMoveSo,
        IllegalReason::OwnPieceOnTarget,
        IllegalReason::PathBlocked,
        IllegalReason::NoScreen,
        IllegalReason::TwoScreens,
        IllegalReason::HorseLeg,
        IllegalReason::ElephantEye,
        IllegalReason::OutsidePalace,
        IllegalReason::AcrossRiver,
        IllegalReason::PawnBackward,
        IllegalReason::LeavesKingInCheck,
        IllegalReason::GeneralsFacing,
    ];

    /// The stable name, such as `horse-leg`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            IllegalReason::NoSuchPiece => "no-such-piece",
            IllegalReason::NotYourPiece => "not-your-piece",
            IllegalReason::WrongSide => "wrong-side",
            IllegalReason::PieceCannotMoveSo => "piece-cannot-move-so",
            IllegalReason::OwnPieceOnTarget => "own-piece-on-target",
            IllegalReason::PathBlocked => "path-blocked",
            IllegalReason::NoScreen => "no-screen",
            IllegalReason::TwoScreens => "two-screens",
            IllegalReason::HorseLeg => "horse-leg",
            IllegalReason::ElephantEye => "elephant-eye",
            IllegalReason::OutsidePalace => "outside-palace",
            IllegalReason::AcrossRiver => "across-river",
            IllegalReason::PawnBackward => "pawn-backward",
            IllegalReason::LeavesKingInCheck => "leaves-king-in-check",
            IllegalReason::GeneralsFacing => "generals-facing",
        }
    }
}

impl Position {
    /// Whether the side to move may play `mv`.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_knowing(mv, self.in_check())
    }

    /// As [`Position::is_legal`] for a caller that carries along whether the
    /// side to move is in check; `in_check` must be right.
    #[inline]
    #[must_use]
    pub fn is_legal_knowing(&self, mv: Move, in_check: bool) -> bool {
        self.is_pseudo_legal(mv) && !self.exposes_king(mv, in_check)
    }

    /// Whether the piece of the side to move reaches the target by its own
    /// way of moving; the king's safety is not looked at.
    #[inline]
    #[must_use]
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from.index(), mv.to.index());
        match Piece::from_code(self.mailbox[from]) {
            Some(piece) if piece.color == self.side() => self.goes(piece, from, to),
            _ => false,
        }
    }

    /// Whether `piece` on `from` reaches `to` by its own way of moving: one bit
    /// of what [`Position::targets`] gives, for much less work.
    #[inline]
    fn goes(&self, piece: Piece, from: usize, to: usize) -> bool {
        let target = self.mailbox[to];
        if Piece::from_code(target).is_some_and(|held| held.color == piece.color) {
            return false;
        }
        let free = |square: usize| self.mailbox.get(square) == Some(&EMPTY);
        match piece.kind {
            PieceKind::Chariot => attacks::on_chariot_line(from, to, self.occupied),
            PieceKind::Cannon if target == EMPTY => {
                attacks::on_chariot_line(from, to, self.occupied)
            }
            PieceKind::Cannon => attacks::on_cannon_line(from, to, self.occupied),
            PieceKind::Horse => {
                attacks::horse_geometry(from) >> to & 1 != 0 && free(attacks::leg(from, to))
            }
            PieceKind::Pawn => attacks::pawn(piece.color, from) >> to & 1 != 0,
            PieceKind::King => attacks::king(from) >> to & 1 != 0,
            PieceKind::Advisor => attacks::advisor(from) >> to & 1 != 0,
            // The eye lies half-way.
            PieceKind::Elephant => {
                attacks::elephant_geometry(from) >> to & 1 != 0 && free(usize::midpoint(from, to))
            }
        }
    }

    /// Whether a pseudo-legal move leaves the mover's king attacked or facing
    /// the other king.
    #[inline]
    pub(crate) fn exposes_king(&self, mv: Move, in_check: bool) -> bool {
        let side = self.side();
        let Some(king) = self.king(side) else { return false };
        let king = king.index();
        let (from, to) = (mv.from.index(), mv.to.index());
        if !in_check && from != king && !near_king::can_expose(king, from, to) {
            // Not on a line of the king and no horse's leg: nothing opens,
            // and no cannon gets its screen.
            return false;
        }
        self.king_attacked_after(mv, king)
    }

    /// Whether the side to move is in check after `mv`, the move that was
    /// played last, when it was not before.
    #[inline]
    pub(crate) fn in_check_after(&self, mv: Move) -> bool {
        let Some(king) = self.king(self.side()) else { return false };
        let king = king.index();
        near_king::can_check(king, mv.from.index(), mv.to.index())
            && self.king_attackers(king, self.side().other(), self.occupied, !0) != 0
    }

    /// Whether `mv` of the side to move might give check. It surely does not
    /// where this is false and the other side is not in check already.
    #[inline]
    pub(crate) fn may_check(&self, mv: Move) -> bool {
        self.king(self.side().other())
            .is_some_and(|king| near_king::can_check(king.index(), mv.from.index(), mv.to.index()))
    }

    /// Tests the king on the board as it would be after the move.
    #[inline]
    pub(crate) fn king_attacked_after(&self, mv: Move, king: usize) -> bool {
        let (from, to) = (mv.from.index(), mv.to.index());
        let mut occupied = self.occupied;
        occupied.clear(from);
        occupied.set(to);
        let king = if from == king { to } else { king };
        self.king_attackers(king, self.side().other(), occupied, !(1 << to)) != 0
    }

    /// Tests a move of the side to move.
    ///
    /// # Errors
    /// The first reason, in the order of article 2 (how the piece moves) and
    /// then article 3 (the king's safety), why the move is not legal.
    pub fn legality(&self, mv: Move) -> Result<(), IllegalReason> {
        let (from, to) = (mv.from.index(), mv.to.index());
        let piece = self.piece_at(mv.from).ok_or(IllegalReason::NoSuchPiece)?;
        if piece.color != self.side() {
            return Err(IllegalReason::NotYourPiece);
        }
        if self.target_bits(piece, from) >> to & 1 == 0 {
            return Err(self.why_unreachable(piece, mv));
        }
        let Some(king) = self.king(piece.color) else { return Ok(()) };
        if !self.king_attacked_after(mv, king.index()) {
            return Ok(());
        }
        Err(self.why_king_exposed(piece, mv))
    }

    fn why_king_exposed(&self, piece: Piece, mv: Move) -> IllegalReason {
        let mut after = self.clone();
        after.make(mv);
        let other_king = after.pieces(piece.color.other(), PieceKind::King);
        if after.checkers(piece.color) == other_king {
            IllegalReason::GeneralsFacing
        } else {
            IllegalReason::LeavesKingInCheck
        }
    }

    fn why_unreachable(&self, piece: Piece, mv: Move) -> IllegalReason {
        let (from, to) = (mv.from.index(), mv.to.index());
        let df = mv.to.file().abs_diff(mv.from.file());
        let dr = mv.to.rank().abs_diff(mv.from.rank());
        let own_target = from != to && self.by_color[piece.color.index()] >> to & 1 != 0;
        let target_is = |set: u128| set >> to & 1 != 0;
        let straight = (df == 0) != (dr == 0);
        // Would the piece go there on an empty board?
        match piece.kind {
            PieceKind::King if df + dr == 1 && !target_is(PALACE) => IllegalReason::OutsidePalace,
            PieceKind::Advisor if df == 1 && dr == 1 && !target_is(attacks::advisor(from)) => {
                IllegalReason::OutsidePalace
            }
            PieceKind::Elephant if df == 2 && dr == 2 => {
                if target_is(attacks::elephant_geometry(from)) {
                    if own_target {
                        IllegalReason::OwnPieceOnTarget
                    } else {
                        IllegalReason::ElephantEye
                    }
                } else {
                    IllegalReason::AcrossRiver
                }
            }
            PieceKind::Horse if target_is(attacks::horse_geometry(from)) => {
                if own_target {
                    IllegalReason::OwnPieceOnTarget
                } else {
                    IllegalReason::HorseLeg
                }
            }
            PieceKind::Chariot if straight => {
                if self.screens(mv) > 0 {
                    IllegalReason::PathBlocked
                } else {
                    IllegalReason::OwnPieceOnTarget
                }
            }
            PieceKind::Cannon if straight => self.why_cannon_fails(mv, own_target),
            PieceKind::Pawn => why_pawn_fails(piece.color, mv, own_target),
            PieceKind::King | PieceKind::Advisor if own_target && neighbours(piece, mv) => {
                IllegalReason::OwnPieceOnTarget
            }
            _ => IllegalReason::PieceCannotMoveSo,
        }
    }

    /// Number of pieces strictly between the two squares of a straight move.
    fn screens(&self, mv: Move) -> u32 {
        (attacks::between_bits(mv.from.index(), mv.to.index()) & self.occupied.by_rank).count_ones()
    }

    fn why_cannon_fails(&self, mv: Move, own_target: bool) -> IllegalReason {
        let captures = self.mailbox[mv.to.index()] != EMPTY && !own_target;
        match (self.screens(mv), captures) {
            (_, false) if own_target => IllegalReason::OwnPieceOnTarget,
            (0, _) => IllegalReason::NoScreen,
            (_, true) => IllegalReason::TwoScreens,
            (_, false) => IllegalReason::PathBlocked,
        }
    }
}

fn why_pawn_fails(color: Color, mv: Move, own_target: bool) -> IllegalReason {
    let ahead = (mv.to.rank() as i8 - mv.from.rank() as i8) * color.forward();
    let df = mv.to.file().abs_diff(mv.from.file());
    match (ahead, df) {
        (1, 0) => IllegalReason::OwnPieceOnTarget,
        (0, 1) if own_target && mv.from.advance(color) >= 5 => IllegalReason::OwnPieceOnTarget,
        (..0, _) => IllegalReason::PawnBackward,
        _ => IllegalReason::PieceCannotMoveSo,
    }
}

/// Whether a king or advisor of an empty board would go there.
fn neighbours(piece: Piece, mv: Move) -> bool {
    let reach = match piece.kind {
        PieceKind::King => attacks::king(mv.from.index()),
        _ => attacks::advisor(mv.from.index()),
    };
    reach >> mv.to.index() & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    /// Positions of games in which each move is drawn by lot.
    fn each_position(games: u64, mut see: impl FnMut(&Position, Option<Move>)) {
        for game in 1..=games {
            let mut state = game;
            let mut position = Position::start();
            let mut last = None;
            for _ in 0..200 {
                see(&position, last);
                let moves = position.legal_moves();
                // Marsaglia's xorshift.
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let Some(mv) = moves.get(state as usize % moves.len().max(1)) else { break };
                position.make(*mv);
                last = Some(*mv);
            }
        }
    }

    #[test]
    fn a_single_move_is_tested_as_all_targets_are() {
        each_position(8, |position, _| {
            for from in (0..90).map(Square::from_index) {
                let own = position.piece_at(from).is_some_and(|p| p.color == position.side());
                let targets = position.targets(from).0;
                for to in (0..90).map(Square::from_index) {
                    let expected = own && targets >> to.index() & 1 != 0;
                    let mv = Move::new(from, to);
                    assert_eq!(position.is_pseudo_legal(mv), expected, "{mv} in {position:?}");
                    if expected {
                        let known = position.is_legal_knowing(mv, position.in_check());
                        assert_eq!(known, position.legality(mv).is_ok(), "{mv} in {position:?}");
                    }
                }
            }
        });
    }

    #[test]
    fn a_check_comes_from_the_last_move() {
        let mut checks = 0;
        each_position(300, |position, last| {
            let Some(last) = last else { return };
            assert_eq!(position.in_check_after(last), position.in_check(), "{last} {position:?}");
            checks += u32::from(position.in_check());
        });
        assert!(checks > 500, "{checks} positions with a check are too few to prove anything");
    }
}
