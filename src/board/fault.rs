//! What makes an arrangement of pieces impossible in a game (articles 1 to 3).

use super::attacks::{self, PALACE};
use super::piece::{Color, Piece, PieceKind};
use super::position::Position;
use super::square::Square;

/// A fault of a position. A position with faults can still be kept and
/// replayed: puzzles and handicap files break the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PositionFault {
    /// A side has no king.
    KingMissing(Color),
    /// More pieces of a kind than a set has (1 K, 2 A B N R C, 5 P).
    TooMany(Piece, u32),
    /// King, advisor, elephant or pawn on a point it can never reach.
    Misplaced(Piece, Square),
    /// The kings face each other on an open file (article 3).
    GeneralsFacing,
    /// The side that is *not* to move stands in check: its king could be
    /// captured.
    OpponentInCheck(Color),
}

impl PositionFault {
    /// A stable kebab-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PositionFault::KingMissing(_) => "king-missing",
            PositionFault::TooMany(..) => "too-many-pieces",
            PositionFault::Misplaced(..) => "misplaced-piece",
            PositionFault::GeneralsFacing => "generals-facing",
            PositionFault::OpponentInCheck(_) => "opponent-in-check",
        }
    }
}

/// The points a piece can stand on: the seven points of the elephant, the
/// five of the advisor, the palace, and for a pawn its start points, the
/// points before them and everything beyond the river.
fn possible_squares(piece: Piece) -> u128 {
    const HOME: u128 = (1 << 45) - 1;
    let mine = if piece.color == Color::Red { HOME } else { !HOME };
    match piece.kind {
        PieceKind::King => PALACE & mine,
        PieceKind::Advisor => {
            // The centre of the palace and its neighbours.
            let centre = if piece.color == Color::Red { 9 + 4 } else { 8 * 9 + 4 };
            attacks::advisor(centre) | 1 << centre
        }
        PieceKind::Elephant => {
            // Both middle points of its net together see all seven.
            let (left, right) =
                if piece.color == Color::Red { (2 * 9, 2 * 9 + 8) } else { (7 * 9, 7 * 9 + 8) };
            let middle = left + 4;
            attacks::elephant_geometry(middle) | 1 << left | 1 << middle | 1 << right
        }
        PieceKind::Pawn => {
            let own_files = |rank: usize| {
                [0, 2, 4, 6, 8].into_iter().fold(0u128, |set, f| set | 1 << (rank * 9 + f))
            };
            let (start, next) = if piece.color == Color::Red { (3, 4) } else { (6, 5) };
            (!mine & Bits::BOARD) | own_files(start) | own_files(next)
        }
        PieceKind::Horse | PieceKind::Chariot | PieceKind::Cannon => Bits::BOARD,
    }
}

struct Bits;

impl Bits {
    const BOARD: u128 = (1 << 90) - 1;
}

impl Position {
    /// Everything that makes the position impossible in a game, empty when
    /// nothing does.
    #[must_use]
    pub fn faults(&self) -> Vec<PositionFault> {
        let mut faults = Vec::new();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                let set = self.pieces(color, kind);
                if set.len() > kind.full_count() {
                    faults.push(PositionFault::TooMany(piece, set.len()));
                }
                if kind == PieceKind::King && set.is_empty() {
                    faults.push(PositionFault::KingMissing(color));
                }
                for square in set {
                    if possible_squares(piece) >> square.index() & 1 == 0 {
                        faults.push(PositionFault::Misplaced(piece, square));
                    }
                }
            }
        }
        let waiting = self.side().other();
        let attackers = self.checkers(waiting);
        if !(attackers & self.pieces(self.side(), PieceKind::King)).is_empty() {
            faults.push(PositionFault::GeneralsFacing);
        } else if !attackers.is_empty() {
            faults.push(PositionFault::OpponentInCheck(waiting));
        }
        faults
    }
}
