//! Moves that give check, found without playing every move.

use smallvec::SmallVec;

use super::attacks;
use super::moves::Move;
use super::piece::{Color, Piece, PieceKind};
use super::position::{Position, is_one};
use super::square::Square;

/// Moves that give check; no more than a few in all but made-up positions.
type Checks = SmallVec<[Move; 16]>;

/// What a move must do to uncover a check on a king.
#[derive(Clone, Copy, Debug, Default)]
struct Uncovered {
    /// Leaving one of these squares may open a line or free a horse's leg.
    from: u128,
    /// Stepping on one of these may become a cannon's screen.
    to: u128,
}

impl Position {
    /// The legal moves of the side to move that give check, by kind and
    /// square of the piece.
    #[must_use]
    pub(crate) fn checking_moves(&self) -> Checks {
        let mut checks = Checks::new();
        let side = self.side();
        let Some(king) = self.king(side.other()).map(Square::index) else { return checks };
        let uncovered = self.uncovered(king, side);
        // Asked only when there is a candidate.
        let mut in_check = None;
        for kind in PieceKind::ALL {
            let near = match kind {
                PieceKind::Chariot | PieceKind::Cannon => attacks::lines(king),
                PieceKind::Horse => attacks::horse_geometry(king),
                PieceKind::Pawn => attacks::pawn_to(side, king),
                PieceKind::King | PieceKind::Advisor | PieceKind::Elephant => 0,
            };
            let piece = Piece::new(side, kind);
            let mut pieces = self.bits(side, kind);
            while pieces != 0 {
                let from = pieces.trailing_zeros() as usize;
                pieces &= pieces - 1;
                let may = if uncovered.from >> from & 1 != 0 { !0 } else { near | uncovered.to };
                if may == 0 {
                    continue;
                }
                let mut targets = self.target_bits(piece, from) & may;
                while targets != 0 {
                    let to = targets.trailing_zeros() as usize;
                    targets &= targets - 1;
                    if !self.attacks_king(piece, from, to, king)
                        && !self.uncovers(side, from, to, king, uncovered)
                    {
                        continue;
                    }
                    let square = |index: usize| Square::from_index(index as u8);
                    let mv = Move::new(square(from), square(to));
                    let in_check = *in_check.get_or_insert_with(|| self.in_check());
                    if !self.exposes_king(mv, in_check) {
                        checks.push(mv);
                    }
                }
            }
        }
        checks
    }

    /// Whether a piece that goes from `from` to `to` attacks `king` itself.
    #[inline]
    fn attacks_king(&self, piece: Piece, from: usize, to: usize, king: usize) -> bool {
        let occupied = self.occupied.by_rank & !(1 << from);
        let aligned = attacks::lines(king) >> to & 1 != 0;
        match piece.kind {
            PieceKind::Chariot => aligned && attacks::between_bits(king, to) & occupied == 0,
            PieceKind::Cannon => aligned && is_one(attacks::between_bits(king, to) & occupied),
            PieceKind::Horse => {
                attacks::horse_geometry(king) >> to & 1 != 0
                    && attacks::horse_to(king, occupied) >> to & 1 != 0
            }
            PieceKind::Pawn => attacks::pawn_to(piece.color, king) >> to & 1 != 0,
            PieceKind::King | PieceKind::Advisor | PieceKind::Elephant => false,
        }
    }

    /// Whether a move lets another piece attack `king`.
    #[inline]
    fn uncovers(
        &self,
        side: Color,
        from: usize,
        to: usize,
        king: usize,
        uncovered: Uncovered,
    ) -> bool {
        if uncovered.from >> from & 1 == 0 && uncovered.to >> to & 1 == 0 {
            return false;
        }
        let mut occupied = self.occupied;
        occupied.clear(from);
        occupied.set(to);
        self.king_attackers(king, side, occupied, !(1 << from)) != 0
    }

    /// The squares that matter when no piece of `side` attacks `king` yet; a
    /// piece that does already goes on in any case.
    fn uncovered(&self, king: usize, side: Color) -> Uncovered {
        let own = self.by_color[side.index()];
        if self.king_attackers(king, side, self.occupied, !0) != 0 {
            return Uncovered { from: !0, to: !0 };
        }
        let mut squares = Uncovered::default();
        if attacks::horse_geometry(king) & self.bits(side, PieceKind::Horse) != 0 {
            squares.from |= attacks::diagonal(king) & own;
        }
        let lines = attacks::lines(king);
        let mut chariots = lines & self.bits(side, PieceKind::Chariot);
        while chariots != 0 {
            let screens = self.screens_between(king, chariots.trailing_zeros() as usize);
            chariots &= chariots - 1;
            if is_one(screens) {
                squares.from |= screens & own;
            }
        }
        let mut cannons = lines & self.bits(side, PieceKind::Cannon);
        while cannons != 0 {
            let cannon = cannons.trailing_zeros() as usize;
            cannons &= cannons - 1;
            let screens = self.screens_between(king, cannon);
            if screens == 0 {
                squares.to |= attacks::between_bits(king, cannon);
            } else if is_one(screens & screens.wrapping_sub(1)) {
                squares.from |= screens & own;
            }
        }
        squares
    }

    fn screens_between(&self, a: usize, b: usize) -> u128 {
        attacks::between_bits(a, b) & self.occupied.by_rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by playing every move.
    fn by_playing(position: &Position) -> Vec<Move> {
        let mut checks: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| {
                let mut after = position.clone();
                after.make(*mv);
                after.in_check()
            })
            .collect();
        checks.sort_unstable();
        checks
    }

    #[test]
    fn the_same_moves_as_by_playing_each() {
        let starts = [
            super::super::START_FEN,
            // Screens, legs, a king on an open file.
            "3akab2/5r3/4b1cCn/p3p3p/2p6/6N2/PrP1N3P/4BC3/9/2BAKA1R1 w - - 0 1",
            "2b1ka3/4a4/4b4/2N6/4C1n2/9/4r4/4B4/4A4/2BAK1c1R w - - 0 1",
            "5k3/4P4/3aN4/9/4C4/9/9/4B4/3R5/3AK1B2 w - - 0 1",
            // Nobody need have a king.
            "3r5/4a4/9/4C4/9/9/9/4R4/9/9 w - - 0 1",
        ];
        let mut asked = 0;
        for start in starts {
            let mut position: Position = start.parse().unwrap();
            let mut seed = 7u64;
            for _ in 0..400 {
                let mut found = position.checking_moves().into_vec();
                found.sort_unstable();
                assert_eq!(found, by_playing(&position), "{}", position.fen());
                asked += found.len();
                let moves = position.legal_moves();
                if moves.is_empty() {
                    position = start.parse().unwrap();
                    continue;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.make(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
        assert!(asked > 1000, "{asked} checks");
    }

    #[test]
    fn a_check_that_stands_already_is_kept() {
        // Red to move although Black's king is in check: a diagram.
        let position: Position = "4k4/9/9/9/4R4/9/9/9/9/3K4N w - - 0 1".parse().unwrap();
        let mut found = position.checking_moves().into_vec();
        found.sort_unstable();
        assert_eq!(found, by_playing(&position));
        assert!(found.len() > 3);
    }
}
