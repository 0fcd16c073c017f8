//! A position: pieces, side to move, counters.

use std::fmt;

use super::attacks::{self, Occupancy};
use super::bitboard::Bitboard;
use super::key::{self, PositionKey};
use super::legality::IllegalReason;
use super::moves::Move;
use super::piece::{Color, Piece, PieceKind};
use super::square::Square;

/// Code of an empty square in the mailbox.
pub(crate) const EMPTY: u8 = 14;

/// What stands on the board, and who is to move.
///
/// Any arrangement is allowed, also one the rules forbid (diagrams and
/// handicap games break them); [`Position::faults`] tells what is wrong.
/// Equality compares pieces and side to move, not the counters.
#[derive(Clone)]
pub struct Position {
    pub(crate) mailbox: [u8; 90],
    /// Bit sets by piece code; the last one is never set.
    pub(crate) by_piece: [u128; 14],
    pub(crate) by_color: [u128; 2],
    pub(crate) occupied: Occupancy,
    side: Color,
    key: u64,
    quiet_plies: u32,
    round: u32,
}

/// What [`Position::make`] needs to be taken back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    mv: Move,
    captured: u8,
    key: u64,
    quiet_plies: u32,
}

impl Undo {
    /// The piece that was captured, if any.
    #[must_use]
    pub fn captured(self) -> Option<Piece> {
        Piece::from_code(self.captured)
    }
}

impl Position {
    /// An empty board with Red to move.
    #[must_use]
    pub fn empty() -> Position {
        Position {
            mailbox: [EMPTY; 90],
            by_piece: [0; 14],
            by_color: [0; 2],
            occupied: Occupancy::default(),
            side: Color::Red,
            key: 0,
            quiet_plies: 0,
            round: 1,
        }
    }

    /// The start position (开局) of article 1.
    #[must_use]
    pub fn start() -> Position {
        static START: std::sync::LazyLock<Position> = std::sync::LazyLock::new(Position::set_up);
        START.clone()
    }

    fn set_up() -> Position {
        use PieceKind::{Advisor, Cannon, Chariot, Elephant, Horse, King, Pawn};
        let mut position = Position::empty();
        let home = [Chariot, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Chariot];
        for color in Color::ALL {
            let mut put = |kind: PieceKind, file: usize, rank: usize| {
                let rank = if color == Color::Red { rank } else { 9 - rank };
                let square = Square::from_index((rank * 9 + file) as u8);
                position.put(square, Piece::new(color, kind));
            };
            for (file, kind) in home.into_iter().enumerate() {
                put(kind, file, 0);
            }
            put(Cannon, 1, 2);
            put(Cannon, 7, 2);
            for file in [0, 2, 4, 6, 8] {
                put(Pawn, file, 3);
            }
        }
        position
    }

    /// Puts a piece on a square, in place of what stood there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.take(square);
        self.add(square.index(), piece.code());
    }

    /// Takes the piece off a square.
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        let code = self.mailbox[square.index()];
        let piece = Piece::from_code(code)?;
        self.remove(square.index(), code);
        self.occupied.clear(square.index());
        Some(piece)
    }

    #[inline]
    fn add(&mut self, square: usize, code: u8) {
        let bit = 1u128 << square;
        self.mailbox[square] = code;
        self.by_piece[code as usize] |= bit;
        self.by_color[(code >= 7) as usize] |= bit;
        self.occupied.set(square);
        self.key ^= key::of_piece(code, square);
    }

    /// Removes a piece from everything but the occupancy.
    #[inline]
    fn remove(&mut self, square: usize, code: u8) {
        let bit = 1u128 << square;
        self.mailbox[square] = EMPTY;
        self.by_piece[code as usize] ^= bit;
        self.by_color[(code >= 7) as usize] ^= bit;
        self.key ^= key::of_piece(code, square);
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_code(self.mailbox[square.index()])
    }

    /// Whose turn it is.
    #[inline]
    #[must_use]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Gives the turn to `side`.
    pub fn set_side(&mut self, side: Color) {
        if side != self.side {
            self.side = side;
            self.key ^= key::of_black_to_move();
        }
    }

    /// Plies since the last capture (FEN field 5).
    #[must_use]
    pub fn quiet_plies(&self) -> u32 {
        self.quiet_plies
    }

    /// Round number (回合, FEN field 6), 1 at the start.
    #[must_use]
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Sets the two counters of a FEN.
    pub fn set_counters(&mut self, quiet_plies: u32, round: u32) {
        self.quiet_plies = quiet_plies;
        self.round = round;
    }

    /// The key of pieces and side to move; see [`PositionKey`].
    #[inline]
    #[must_use]
    pub fn key(&self) -> PositionKey {
        PositionKey(self.key)
    }

    /// The squares of one side's pieces of a kind.
    #[inline]
    #[must_use]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        Bitboard(self.bits(color, kind))
    }

    #[inline]
    pub(crate) fn bits(&self, color: Color, kind: PieceKind) -> u128 {
        self.by_piece[Piece::new(color, kind).code() as usize]
    }

    /// The squares of all of one side's pieces.
    #[inline]
    #[must_use]
    pub fn pieces_of(&self, color: Color) -> Bitboard {
        Bitboard(self.by_color[color.index()])
    }

    /// All occupied squares.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        Bitboard(self.occupied.by_rank)
    }

    /// Where a side's king stands; `None` in a diagram without one.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, PieceKind::King).first()
    }

    /// The squares a piece on `square` would reach by its own way of moving:
    /// geometry, blocks and screens, but neither whose turn it is nor whether
    /// the king stays safe. Squares held by its own side are left out.
    #[must_use]
    pub fn targets(&self, square: Square) -> Bitboard {
        let code = self.mailbox[square.index()];
        match Piece::from_code(code) {
            Some(piece) => Bitboard(self.target_bits(piece, square.index())),
            None => Bitboard::EMPTY,
        }
    }

    /// The squares on which a piece on `square` attacks or protects: as
    /// [`Position::targets`], with its own side's pieces among them; a cannon
    /// only over a screen.
    #[must_use]
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        let at = square.index();
        let Some(piece) = self.piece_at(square) else { return Bitboard::EMPTY };
        Bitboard(match piece.kind {
            PieceKind::Cannon => attacks::cannon(at, self.occupied),
            _ => self.reach(piece, at),
        })
    }

    /// What `piece` would attack or protect from `mv.to` after leaving
    /// `mv.from`; see [`Position::attacks_from`].
    #[must_use]
    pub fn attacks_after(&self, piece: Piece, mv: Move) -> Bitboard {
        let mut occupied = self.occupied;
        occupied.clear(mv.from.index());
        occupied.set(mv.to.index());
        let at = mv.to.index();
        Bitboard(match piece.kind {
            PieceKind::King => attacks::king(at),
            PieceKind::Advisor => attacks::advisor(at),
            PieceKind::Elephant => attacks::elephant(at, occupied.by_rank),
            PieceKind::Horse => attacks::horse(at, occupied.by_rank),
            PieceKind::Chariot => attacks::chariot(at, occupied),
            PieceKind::Cannon => attacks::cannon(at, occupied),
            PieceKind::Pawn => attacks::pawn(piece.color, at),
        })
    }

    #[inline]
    fn reach(&self, piece: Piece, at: usize) -> u128 {
        match piece.kind {
            PieceKind::King => attacks::king(at),
            PieceKind::Advisor => attacks::advisor(at),
            PieceKind::Elephant => attacks::elephant(at, self.occupied.by_rank),
            PieceKind::Horse => attacks::horse(at, self.occupied.by_rank),
            PieceKind::Chariot => attacks::chariot(at, self.occupied),
            PieceKind::Cannon => {
                (attacks::chariot(at, self.occupied) & !self.occupied.by_rank)
                    | attacks::cannon(at, self.occupied)
            }
            PieceKind::Pawn => attacks::pawn(piece.color, at),
        }
    }

    #[inline]
    pub(crate) fn target_bits(&self, piece: Piece, at: usize) -> u128 {
        self.reach(piece, at) & !self.by_color[piece.color.index()]
    }

    /// The pieces of `by` that attack (or protect) `square` as the board
    /// stands, kings and facing generals not included in the latter sense:
    /// a king counts only on its neighbouring palace points.
    #[must_use]
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let at = square.index();
        let mut set = attacks::pawn_to(by, at) & self.bits(by, PieceKind::Pawn);
        let lines = attacks::lines(at);
        let chariots = self.bits(by, PieceKind::Chariot);
        if chariots & lines != 0 {
            set |= attacks::chariot(at, self.occupied) & chariots;
        }
        let cannons = self.bits(by, PieceKind::Cannon);
        if cannons & lines != 0 {
            set |= attacks::cannon(at, self.occupied) & cannons;
        }
        let horses = self.bits(by, PieceKind::Horse);
        if horses & attacks::horse_geometry(at) != 0 {
            set |= attacks::horse_to(at, self.occupied.by_rank) & horses;
        }
        set |= attacks::elephant(at, self.occupied.by_rank) & self.bits(by, PieceKind::Elephant);
        set |= attacks::advisor(at) & self.bits(by, PieceKind::Advisor);
        set |= attacks::king(at) & self.bits(by, PieceKind::King);
        Bitboard(set)
    }

    /// The pieces that give check to `color`'s king. When the generals face
    /// each other on an open file the other king is among them.
    #[must_use]
    pub fn checkers(&self, color: Color) -> Bitboard {
        match self.king(color) {
            Some(king) => {
                Bitboard(self.king_attackers(king.index(), color.other(), self.occupied, !0))
            }
            None => Bitboard::EMPTY,
        }
    }

    /// Whether the side to move is in check (将军).
    #[must_use]
    pub fn in_check(&self) -> bool {
        !self.checkers(self.side).is_empty()
    }

    /// Enemy pieces among `alive` that attack a king on `at`, with the given
    /// occupancy. Advisors and elephants never reach the other palace.
    #[inline]
    pub(crate) fn king_attackers(
        &self,
        at: usize,
        by: Color,
        occupied: Occupancy,
        alive: u128,
    ) -> u128 {
        let enemy = |kind| self.bits(by, kind) & alive;
        let mut set = attacks::pawn_to(by, at) & enemy(PieceKind::Pawn);
        let horses = enemy(PieceKind::Horse) & attacks::horse_geometry(at);
        if horses != 0 {
            set |= attacks::horse_to(at, occupied.by_rank) & horses;
        }
        let kings = enemy(PieceKind::King) & attacks::file(at);
        let cannons = enemy(PieceKind::Cannon);
        let mut straight = (enemy(PieceKind::Chariot) | cannons) & attacks::lines(at) | kings;
        // Few pieces stand on the lines of a king: to look between is cheaper
        // than to read the line tables.
        while straight != 0 {
            let bit = straight & straight.wrapping_neg();
            straight ^= bit;
            let from = bit.trailing_zeros() as usize;
            let screens = attacks::between_bits(at, from) & occupied.by_rank;
            let attacks = if cannons & bit == 0 { screens == 0 } else { is_one(screens) };
            if attacks {
                set |= bit;
            }
        }
        set
    }

    /// Plays a move after testing it.
    ///
    /// # Errors
    /// The reason why the move is not legal; the position is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<Undo, IllegalReason> {
        self.legality(mv)?;
        Ok(self.make(mv))
    }

    /// Plays a move without testing it. What stands on the target square is
    /// captured; a move from an empty square only passes the turn.
    #[inline]
    pub fn make(&mut self, mv: Move) -> Undo {
        let (from, to) = (mv.from.index(), mv.to.index());
        let code = self.mailbox[from];
        let captured = if from == to { EMPTY } else { self.mailbox[to] };
        let undo = Undo { mv, captured, key: self.key, quiet_plies: self.quiet_plies };
        if captured == EMPTY {
            self.quiet_plies = self.quiet_plies.saturating_add(1);
        } else {
            self.remove(to, captured);
            self.quiet_plies = 0;
        }
        if code != EMPTY {
            let both = (1u128 << from) ^ (1u128 << to);
            self.mailbox[from] = EMPTY;
            self.mailbox[to] = code;
            self.by_piece[code as usize] ^= both;
            self.by_color[(code >= 7) as usize] ^= both;
            self.occupied.clear(from);
            self.occupied.set(to);
            self.key ^= key::of_piece(code, from) ^ key::of_piece(code, to);
        }
        self.round = self.round.wrapping_add(u32::from(self.side == Color::Black));
        self.side = self.side.other();
        self.key ^= key::of_black_to_move();
        undo
    }

    /// The key of the position after a move, without playing it. As
    /// [`Position::make`], it does not test the move.
    #[must_use]
    pub fn key_after(&self, mv: Move) -> PositionKey {
        let (from, to) = (mv.from.index(), mv.to.index());
        let (code, captured) = (self.mailbox[from], self.mailbox[to]);
        let mut key = self.key ^ key::of_black_to_move();
        if from != to && code != EMPTY {
            key ^= key::of_piece(code, from) ^ key::of_piece(code, to);
        }
        if from != to && captured != EMPTY {
            key ^= key::of_piece(captured, to);
        }
        PositionKey(key)
    }

    /// Lets the turn go over without a move, as for a half-move that is not
    /// known.
    pub fn pass(&mut self) {
        self.quiet_plies = self.quiet_plies.saturating_add(1);
        if self.side == Color::Black {
            self.round = self.round.wrapping_add(1);
        }
        self.set_side(self.side.other());
    }

    /// Takes back the last [`Position::make`] or [`Position::play`].
    #[inline]
    pub fn unmake(&mut self, undo: Undo) {
        let (from, to) = (undo.mv.from.index(), undo.mv.to.index());
        self.side = self.side.other();
        if self.side == Color::Black {
            self.round = self.round.wrapping_sub(1);
        }
        let code = self.mailbox[to];
        if code != EMPTY {
            self.remove(to, code);
            self.occupied.clear(to);
            self.add(from, code);
        }
        if undo.captured != EMPTY {
            self.add(to, undo.captured);
        }
        self.key = undo.key;
        self.quiet_plies = undo.quiet_plies;
    }

    /// The left-right mirror image.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        self.mapped(Square::mirrored, |color| color, self.side)
    }

    /// The same position with the sides exchanged: the board turned by 180
    /// degrees, colours and turn swapped.
    #[must_use]
    pub fn color_swapped(&self) -> Position {
        self.mapped(Square::rotated, Color::other, self.side.other())
    }

    fn mapped(
        &self,
        square: impl Fn(Square) -> Square,
        color: impl Fn(Color) -> Color,
        side: Color,
    ) -> Position {
        let mut image = Position::empty();
        for from in self.occupied() {
            if let Some(piece) = self.piece_at(from) {
                image.put(square(from), Piece::new(color(piece.color), piece.kind));
            }
        }
        image.set_side(side);
        image.set_counters(self.quiet_plies, self.round);
        image
    }
}

/// Whether exactly one bit is set.
#[inline]
pub(crate) const fn is_one(bits: u128) -> bool {
    bits != 0 && bits & bits.wrapping_sub(1) == 0
}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.side == other.side && self.mailbox == other.mailbox
    }
}

impl Eq for Position {}

/// The canonical FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}
