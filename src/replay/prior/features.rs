//! What the model of likely moves sees of a move in its position.
//!
//! Every feature is hashed to one slot of the weight table. All are taken
//! from the mover's point of view: Black's board is turned, so that both
//! sides teach the same weights. There is no feature that names the whole
//! position: it would learn openings by heart and take weight from what
//! carries over to games never seen (measured, `docs/accuracy.md`).

use crate::board::{Bitboard, Color, Move, Piece, PieceKind, Position, Square};

/// Number of features of a move.
pub(super) const COUNT: usize = 20;

/// Slots of one move's features in the weight table.
pub(super) type Slots = [u32; COUNT];

/// The moves that led to a position, as far as the model looks back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The last move of the side that is not to move, and whether it
    /// captured.
    pub opponent: Option<(Move, bool)>,
    /// The last move of the side to move.
    pub own: Option<Move>,
}

impl Trail {
    /// The trail after `mv` has been played.
    #[must_use]
    pub fn after(self, mv: Move, captured: bool) -> Trail {
        Trail { opponent: Some((mv, captured)), own: self.opponent.map(|(mv, _)| mv) }
    }

    /// The trail after a half-move that is not known.
    #[must_use]
    pub fn after_unknown(self) -> Trail {
        Trail { opponent: None, own: self.opponent.map(|(mv, _)| mv) }
    }
}

/// Everything about a position that its moves share.
pub(super) struct Scene<'a> {
    position: &'a Position,
    mover: Color,
    trail: Trail,
    in_check: bool,
    phase: u32,
    /// Kinds that attack a square, a bit a kind, by side.
    attacked: [[u8; 90]; 2],
    guards: u32,
    kings: u32,
    quiet: u32,
}

/// Value order for "cheapest attacker": pawn first, king last.
const CHEAP: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Horse,
    PieceKind::Cannon,
    PieceKind::Chariot,
    PieceKind::King,
];

/// 0 for none, 1 to 7 for the cheapest kind of a set.
fn cheapest(kinds: u8) -> u32 {
    for (i, kind) in CHEAP.iter().enumerate() {
        if kinds >> kind.index() & 1 != 0 {
            return i as u32 + 1;
        }
    }
    0
}

impl<'a> Scene<'a> {
    pub(super) fn new(position: &'a Position, trail: Trail) -> Scene<'a> {
        let mover = position.side();
        let mut attacked = [[0u8; 90]; 2];
        for color in Color::ALL {
            let map = &mut attacked[color.index()];
            for kind in PieceKind::ALL {
                for square in position.pieces(color, kind) {
                    for target in position.attacks_from(square) {
                        map[target.index()] |= 1 << kind.index();
                    }
                }
            }
        }
        let count = |color, kind| position.pieces(color, kind).len();
        let mut guards = 0;
        for color in [mover, mover.other()] {
            guards = guards * 9
                + count(color, PieceKind::Advisor).min(2) * 3
                + count(color, PieceKind::Elephant).min(2);
        }
        let king = |color| position.king(color).map_or(90, |s| view(s, mover));
        Scene {
            position,
            mover,
            trail,
            in_check: position.in_check(),
            phase: position.occupied().len() / 4,
            attacked,
            guards,
            kings: king(mover) * 91 + king(mover.other()),
            quiet: match position.quiet_plies() {
                0 => 0,
                1 => 1,
                2..=4 => 2,
                5..=12 => 3,
                _ => 4,
            },
        }
    }

    /// The slots of a legal move in a table of `mask + 1` slots.
    pub(super) fn slots(&self, mv: Move, mask: u32) -> Slots {
        let position = self.position;
        let mover = self.mover;
        let Some(piece) = position.piece_at(mv.from) else { return [0; COUNT] };
        let kind = piece.kind.index() as u32;
        let (from, to) = (view(mv.from, mover), view(mv.to, mover));
        let path = (kind * 90 + from) * 90 + to;
        let place = kind * 90 + to;
        let captured = position.piece_at(mv.to);
        let prize = captured.map_or(0, |p| p.kind.index() as u32 + 1);
        let (own, enemy) = (&self.attacked[mover.index()], &self.attacked[mover.other().index()]);
        let danger_from = enemy[mv.from.index()];
        let danger_to = enemy[mv.to.index()];
        // The piece itself does not guard the square it goes to.
        let guard_to = self.guards_without(mv, own[mv.to.index()], piece.kind);
        let guard_from = own[mv.from.index()];

        let (opponent, opponent_took) = match self.trail.opponent {
            Some((last, took)) => (Some(last), took),
            None => (None, false),
        };
        let takes_mover = opponent.is_some_and(|last| last.to == mv.to);
        let recapture = takes_mover && opponent_took;
        let opponent_code = opponent.map_or(0, |last| {
            let kind = position.piece_at(last.to).map_or(7, |p| p.kind.index() as u32);
            1 + kind * 90 + view(last.to, mover)
        });
        let own_last = self.trail.own;
        let back = own_last.is_some_and(|last| last.from == mv.to && last.to == mv.from);
        let again = own_last.is_some_and(|last| last.to == mv.from);
        let own_code =
            own_last.map_or(0, |last| 1 + view(last.from, mover) * 90 + view(last.to, mover));
        let evades_mover =
            opponent.is_some_and(|last| position.attacks_from(last.to).contains(mv.from));

        let (hits, loose) = self.hits(piece, mv);
        let flags = u32::from(self.in_check)
            | u32::from(takes_mover) << 1
            | u32::from(recapture) << 2
            | u32::from(back) << 3
            | u32::from(again) << 4
            | u32::from(evades_mover) << 5;

        let parts: [u32; COUNT] = [
            path,
            path * 9 + self.phase,
            place * 2 + mover.index() as u32,
            mix(&[prize, kind, cheapest(danger_to), cheapest(danger_from), flags & 7]),
            mix(&[path, opponent_code]),
            mix(&[place, own_code]),
            mix(&[kind, flags, u32::from(prize > 0)]),
            mix(&[kind, hits, loose, u32::from(danger_to != 0), u32::from(guard_to != 0)]),
            mix(&[kind, u32::from(danger_from), u32::from(guard_from != 0), prize]),
            mix(&[kind, u32::from(danger_to), u32::from(guard_to), prize]),
            mix(&[path, self.neighbours(mv.from, mv.from)]),
            mix(&[path, self.neighbours(mv.to, mv.from)]),
            mix(&[kind, self.quiet, prize, u32::from(danger_from != 0)]),
            mix(&[place, self.guards]),
            mix(&[place, self.kings]),
            mix(&[place, u32::from(danger_from), hits]),
            mix(&[path, u32::from(self.in_check), prize]),
            mix(&[kind, hits, loose, self.phase, prize]),
            mix(&[self.line_after(piece, mv), kind, to % 9, self.phase / 3]),
            mix(&[own_code, opponent_code, kind, to]),
        ];
        let mut slots = [0; COUNT];
        for (i, (slot, part)) in slots.iter_mut().zip(parts).enumerate() {
            *slot = scramble(part ^ (i as u32 + 1).wrapping_mul(0x9e37_79b9)) & mask;
        }
        slots
    }

    fn guards_without(&self, mv: Move, kinds: u8, kind: PieceKind) -> u8 {
        let bit = 1 << kind.index();
        if kinds & bit == 0 {
            return kinds;
        }
        let twins = self.position.pieces(self.mover, kind);
        let twin_guards = twins
            .into_iter()
            .any(|s| s != mv.from && self.position.attacks_from(s).contains(mv.to));
        if twin_guards { kinds } else { kinds & !bit }
    }

    /// Kinds of enemy pieces attacked from the target square, and which of
    /// them are unguarded.
    fn hits(&self, piece: Piece, mv: Move) -> (u32, u32) {
        let targets = self.position.attacks_after(piece, mv);
        let enemies = targets & self.position.pieces_of(self.mover.other());
        let guarded = &self.attacked[self.mover.other().index()];
        let (mut hits, mut loose) = (0, 0);
        for square in enemies {
            if let Some(target) = self.position.piece_at(square) {
                let bit = 1 << target.kind.index();
                hits |= bit;
                if guarded[square.index()] == 0 {
                    loose |= bit;
                }
            }
        }
        (hits, loose)
    }

    /// How many squares the piece commands from its target, in steps.
    fn line_after(&self, piece: Piece, mv: Move) -> u32 {
        let reach: Bitboard = self.position.attacks_after(piece, mv);
        reach.len().div_ceil(2)
    }

    /// What stands on the four neighbouring points, `gone` taken as empty.
    fn neighbours(&self, square: Square, gone: Square) -> u32 {
        let (file, rank) = (square.file() as i8, square.rank() as i8);
        let mut code = 0;
        let forward = self.mover.forward();
        for (df, dr) in [(0, forward), (0, -forward), (forward, 0), (-forward, 0)] {
            let digit = match Square::at(file + df, rank + dr) {
                None => 15,
                Some(s) if s == gone => 0,
                Some(s) => match self.position.piece_at(s) {
                    None => 0,
                    Some(p) => 1 + p.kind.index() as u32 + 7 * u32::from(p.color != self.mover),
                },
            };
            code = code * 16 + digit;
        }
        code
    }
}

/// A square as the mover sees it.
fn view(square: Square, mover: Color) -> u32 {
    match mover {
        Color::Red => square.index() as u32,
        Color::Black => square.rotated().index() as u32,
    }
}

/// Combines numbers to one.
fn mix(parts: &[u32]) -> u32 {
    let mut hash = 0x811c_9dc5u32;
    for part in parts {
        hash = scramble(hash ^ *part).wrapping_add(0x9e37_79b9);
    }
    hash
}

/// A bijective mixer of 32 bits (two multiplications, three shifts).
fn scramble(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x21f0_aaad);
    x ^= x >> 15;
    x = x.wrapping_mul(0x735a_2d97);
    x ^ x >> 15
}
