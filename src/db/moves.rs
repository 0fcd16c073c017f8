//! The main line as stored: one byte a half-move, read without a board.
//!
//! Each piece of a side keeps its *slot* from the start position to the end:
//! the pieces are sorted by kind (K A B N R C P) and then by square (a0, b0 …
//! i9), and each takes as many codes as its kind has ways to go. A code is
//! the first code of the slot plus the way (`docs/schema.md` lists both).
//! The ordinary start position takes 127 codes a side. A game that slots
//! cannot express (more than 254 codes, or a move no piece makes) is stored
//! as pairs of squares instead.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use super::lines::ordinary_start;
use crate::board::{Color, Move, PieceKind, Position, Square};
use crate::game::GameNode;

/// A half-move of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HalfMove {
    /// It is known.
    Known(Move),
    /// It is not known, but the line goes on as if this had been played
    /// (`GameNode::assumed`).
    Assumed(Move),
    /// It is not known, and the turn just goes over.
    Unknown,
}

impl HalfMove {
    /// The half-move of a node.
    pub(crate) fn of(node: &GameNode) -> HalfMove {
        match (node.mv, node.assumed) {
            (Some(mv), _) => HalfMove::Known(mv),
            (None, Some(mv)) => HalfMove::Assumed(mv),
            (None, None) => HalfMove::Unknown,
        }
    }

    /// The move, where it is known.
    pub(crate) fn known(self) -> Option<Move> {
        match self {
            HalfMove::Known(mv) => Some(mv),
            _ => None,
        }
    }
}

/// How `moves` of a game are coded (`game.coding`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// One byte a half-move.
    Slots = 0,
    /// Two bytes a half-move, little-endian: `from * 90 + to`.
    Squares = 1,
}

/// Code of a half-move that is not known, in [`Coding::Slots`].
const UNKNOWN: u8 = 255;
/// The same, when the code of the assumed move follows.
const ASSUMED: u8 = 254;
/// Code of a half-move that is not known, in [`Coding::Squares`].
const WIDE_UNKNOWN: u16 = u16::MAX;
/// Added to an assumed move.
const WIDE_ASSUMED: u16 = 8100;
const NO_SLOT: u8 = 255;

/// The bytes do not code moves from the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadMoves;

/// How many ways a kind has.
const fn ways(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Chariot | PieceKind::Cannon => 19,
        _ => steps(kind).len(),
    }
}

/// What the codes of one side mean; fixed by the start position.
struct SideTable {
    kinds: Vec<PieceKind>,
    first_codes: Vec<u8>,
    /// Slot of each code.
    slot_of: [u8; 256],
    /// Row of [`TARGETS`] of each code.
    way_of: [u8; 256],
}

/// What all codes mean, and where the pieces stand at the start.
struct Table {
    sides: [SideTable; 2],
    squares: [[u8; 90]; 2],
    turn: Color,
}

/// Where each way leads from each square, [`NO_SQUARE`] off the board. A row
/// for each way of each kind, pawns by side.
static TARGETS: LazyLock<Vec<[u8; 90]>> = LazyLock::new(|| {
    let mut rows = Vec::new();
    for color in [Color::Red, Color::Black] {
        for kind in PieceKind::ALL {
            for way in 0..ways(kind) {
                let to = |from: usize| {
                    let from = Square::from_index(from as u8);
                    target(kind, color, from, way as u8).map_or(NO_SQUARE, |to| to.index() as u8)
                };
                rows.push(std::array::from_fn(to));
            }
        }
    }
    rows
});

const NO_SQUARE: u8 = 255;

impl Table {
    /// `None` when a side has more than 254 codes.
    fn new(position: &Position) -> Option<Table> {
        let mut squares = [[NO_SQUARE; 90]; 2];
        let mut row = 0;
        let mut side = |color: Color| {
            let mut table = SideTable {
                kinds: Vec::with_capacity(16),
                first_codes: Vec::with_capacity(16),
                slot_of: [NO_SLOT; 256],
                way_of: [0; 256],
            };
            let mut code = 0;
            for kind in PieceKind::ALL {
                for square in position.pieces(color, kind) {
                    let end = code + ways(kind);
                    if end > ASSUMED as usize {
                        return None;
                    }
                    let slot = table.kinds.len();
                    table.slot_of[code..end].fill(slot as u8);
                    for way in 0..ways(kind) {
                        table.way_of[code + way] = (row + way) as u8;
                    }
                    squares[color as usize][slot] = square.index() as u8;
                    table.kinds.push(kind);
                    table.first_codes.push(code as u8);
                    code = end;
                }
                row += ways(kind);
            }
            Some(table)
        };
        let sides = [side(Color::Red)?, side(Color::Black)?];
        Some(Table { sides, squares, turn: position.side() })
    }

    /// The table of the ordinary start is made once.
    fn of_start() -> Option<&'static Table> {
        static START: LazyLock<Option<Table>> = LazyLock::new(|| Table::new(&Position::start()));
        START.as_ref()
    }
}

/// Calls `with` with the table of a start position, `None` when it has none.
fn with_table<T>(start: &Position, with: impl FnOnce(Option<&Table>) -> T) -> T {
    if start == ordinary_start() {
        with(Table::of_start())
    } else {
        with(Table::new(start).as_ref())
    }
}

/// Where the pieces of both sides stand now.
struct Slots<'t> {
    table: &'t Table,
    squares: [[u8; 90]; 2],
    turn: Color,
}

impl<'t> Slots<'t> {
    fn new(table: &'t Table) -> Slots<'t> {
        Slots { table, squares: table.squares, turn: table.turn }
    }

    #[inline]
    fn decode(&mut self, bytes: &mut &[u8]) -> Result<HalfMove, BadMoves> {
        let mut take = || {
            let (&code, rest) = bytes.split_first().ok_or(BadMoves)?;
            *bytes = rest;
            Ok(code)
        };
        let half = match take()? {
            UNKNOWN => HalfMove::Unknown,
            ASSUMED => HalfMove::Assumed(self.decode_move(take()?)?),
            code => HalfMove::Known(self.decode_move(code)?),
        };
        self.turn = self.turn.other();
        Ok(half)
    }

    #[inline]
    fn decode_move(&mut self, code: u8) -> Result<Move, BadMoves> {
        let side = &self.table.sides[self.turn as usize];
        let slot = side.slot_of[code as usize];
        let square = self.squares[self.turn as usize].get_mut(slot as usize).ok_or(BadMoves)?;
        let row = &TARGETS[side.way_of[code as usize] as usize];
        let to = *row.get(*square as usize).ok_or(BadMoves)?;
        if to == NO_SQUARE {
            return Err(BadMoves);
        }
        let mv = Move::new(Square::from_index(*square), Square::from_index(to));
        *square = to;
        Ok(mv)
    }
}

/// Codes half-moves one after the other.
struct Encoder<'t> {
    slots: Slots<'t>,
    /// Slot on each square, of whichever side stands there.
    board: [u8; 90],
}

impl<'t> Encoder<'t> {
    fn new(table: &'t Table) -> Encoder<'t> {
        let mut board = [NO_SLOT; 90];
        for squares in &table.squares {
            for (slot, square) in squares.iter().enumerate() {
                if let Some(place) = board.get_mut(*square as usize) {
                    *place = slot as u8;
                }
            }
        }
        Encoder { slots: Slots::new(table), board }
    }

    fn encode(&mut self, half: HalfMove, out: &mut Vec<u8>) -> Option<()> {
        let code = match half {
            HalfMove::Known(mv) => self.encode_move(mv)?,
            HalfMove::Assumed(mv) => {
                out.push(ASSUMED);
                self.encode_move(mv)?
            }
            HalfMove::Unknown => UNKNOWN,
        };
        out.push(code);
        self.slots.turn = self.slots.turn.other();
        Some(())
    }

    fn encode_move(&mut self, mv: Move) -> Option<u8> {
        let color = self.slots.turn;
        let slot = self.board[mv.from.index()];
        let square = self.slots.squares[color as usize].get_mut(slot as usize)?;
        if *square as usize != mv.from.index() {
            return None; // the other side's piece
        }
        let side = &self.slots.table.sides[color as usize];
        let way = way_of(*side.kinds.get(slot as usize)?, color, mv)?;
        *square = mv.to.index() as u8;
        self.board[mv.to.index()] = slot;
        self.board[mv.from.index()] = NO_SLOT;
        Some(*side.first_codes.get(slot as usize)? + way)
    }
}

/// The ways of a kind that does not go along lines, as steps over files and
/// ranks, a pawn's as Red sees them; none of the others.
const fn steps(kind: PieceKind) -> &'static [(i8, i8)] {
    match kind {
        PieceKind::King => &[(0, 1), (1, 0), (0, -1), (-1, 0)],
        PieceKind::Advisor => &[(1, 1), (1, -1), (-1, -1), (-1, 1)],
        PieceKind::Elephant => &[(2, 2), (2, -2), (-2, -2), (-2, 2)],
        PieceKind::Horse => {
            &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
        }
        PieceKind::Pawn => &[(0, 1), (-1, 0), (1, 0)],
        PieceKind::Chariot | PieceKind::Cannon => &[],
    }
}

/// No step of the kind.
const NO_WAY: u8 = 255;

/// The way of each step of up to two files and two ranks, by kind.
static WAYS: [[u8; 25]; 7] = {
    let mut ways = [[NO_WAY; 25]; 7];
    let mut kind = 0;
    while kind < 7 {
        let steps = steps(PieceKind::ALL[kind]);
        let mut way = 0;
        while way < steps.len() {
            let (df, dr) = steps[way];
            ways[kind][((df + 2) * 5 + dr + 2) as usize] = way as u8;
            way += 1;
        }
        kind += 1;
    }
    ways
};

fn way_of(kind: PieceKind, color: Color, mv: Move) -> Option<u8> {
    let df = mv.to.file() as i8 - mv.from.file() as i8;
    let dr = mv.to.rank() as i8 - mv.from.rank() as i8;
    if matches!(kind, PieceKind::Chariot | PieceKind::Cannon) {
        return match (df, dr) {
            (0, 0) => None,
            (_, 0) => Some(mv.to.file()),
            (0, _) => Some(9 + mv.to.rank()),
            _ => None,
        };
    }
    let dr = if kind == PieceKind::Pawn { dr * color.forward() } else { dr };
    if df.abs() > 2 || dr.abs() > 2 {
        return None;
    }
    let way = WAYS[kind as usize][((df + 2) * 5 + dr + 2) as usize];
    (way != NO_WAY).then_some(way)
}

fn target(kind: PieceKind, color: Color, from: Square, way: u8) -> Option<Square> {
    let (file, rank) = (from.file() as i8, from.rank() as i8);
    if matches!(kind, PieceKind::Chariot | PieceKind::Cannon) {
        return match way {
            0..9 => Square::at(way as i8, rank),
            _ => Square::at(file, way as i8 - 9),
        };
    }
    let (df, dr) = *steps(kind).get(way as usize)?;
    let dr = if kind == PieceKind::Pawn { dr * color.forward() } else { dr };
    Square::at(file + df, rank + dr)
}

/// Codes a main line.
pub(crate) fn encode(start: &Position, line: &[HalfMove]) -> (Coding, Vec<u8>) {
    let mut bytes = Vec::with_capacity(line.len());
    let slots = with_table(start, |table| {
        let mut encoder = Encoder::new(table?);
        line.iter().try_for_each(|half| encoder.encode(*half, &mut bytes))
    });
    if slots.is_some() {
        return (Coding::Slots, bytes);
    }
    let pack = |half: &HalfMove| match half {
        HalfMove::Known(mv) => mv.to_u16().to_le_bytes(),
        HalfMove::Assumed(mv) => (WIDE_ASSUMED + mv.to_u16()).to_le_bytes(),
        HalfMove::Unknown => WIDE_UNKNOWN.to_le_bytes(),
    };
    (Coding::Squares, line.iter().flat_map(pack).collect())
}

/// Decodes a main line; `each` may stop.
pub(crate) fn decode(
    start: &Position,
    coding: Coding,
    mut bytes: &[u8],
    each: &mut impl FnMut(HalfMove) -> ControlFlow<()>,
) -> Result<(), BadMoves> {
    match coding {
        Coding::Slots => with_table(start, |table| {
            let mut slots = Slots::new(table.ok_or(BadMoves)?);
            while !bytes.is_empty() {
                if each(slots.decode(&mut bytes)?).is_break() {
                    break;
                }
            }
            Ok(())
        }),
        Coding::Squares => {
            let (pairs, rest) = bytes.as_chunks();
            if !rest.is_empty() {
                return Err(BadMoves);
            }
            for pair in pairs {
                let packed = u16::from_le_bytes(*pair);
                let half = if packed == WIDE_UNKNOWN {
                    HalfMove::Unknown
                } else if let Some(mv) = Move::from_u16(packed) {
                    HalfMove::Known(mv)
                } else {
                    HalfMove::Assumed(Move::from_u16(packed - WIDE_ASSUMED).ok_or(BadMoves)?)
                };
                if each(half).is_break() {
                    break;
                }
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn there_and_back(start: &Position, line: &[HalfMove]) -> Coding {
        let (coding, bytes) = encode(start, line);
        let mut back = Vec::new();
        let mut each = |half| {
            back.push(half);
            ControlFlow::Continue(())
        };
        assert_eq!(decode(start, coding, &bytes, &mut each), Ok(()));
        assert_eq!(back, line);
        coding
    }

    /// `?` before a move says that it is assumed.
    fn moves(text: &str) -> Vec<HalfMove> {
        let half = |word: &str| match word.strip_prefix('?') {
            Some(rest) => rest.parse().ok().map(HalfMove::Assumed),
            None => word.parse().ok().map(HalfMove::Known),
        };
        text.split(' ').map(|word| half(word).unwrap_or(HalfMove::Unknown)).collect()
    }

    #[test]
    fn the_start_position_takes_127_codes() {
        let table = Table::of_start().unwrap();
        for side in &table.sides {
            assert_eq!(side.slot_of.iter().filter(|slot| **slot != NO_SLOT).count(), 127);
        }
        // docs/schema.md: the right-hand cannon is slot 10, codes 93 to 111;
        // to file e is way 4.
        let line = moves("h2e2 h9g7 -- h7e7 ?b2d2 --");
        let (coding, bytes) = encode(&Position::start(), &line);
        assert_eq!(coding, Coding::Slots);
        assert_eq!(bytes, [93 + 4, 28 + 4, 255, 93 + 4, 254, 74 + 3, 255]);
        assert_eq!(there_and_back(&Position::start(), &line), Coding::Slots);
    }

    #[test]
    fn what_slots_cannot_say_is_stored_as_squares() {
        let diagonal_chariot = moves("a0b1 ?a9b8");
        assert_eq!(there_and_back(&Position::start(), &diagonal_chariot), Coding::Squares);
        // Fourteen chariots a side are 266 codes.
        let fen = "rrrrkrrrr/rrrrrr3/9/9/9/9/9/9/RRRRRR3/RRRRKRRRR w - - 0 1";
        let crowded: Position = fen.parse().unwrap();
        assert_eq!(there_and_back(&crowded, &moves("g1g2 -- h0h1")), Coding::Squares);
        let read = |coding, bytes: &[u8]| {
            decode(&Position::start(), coding, bytes, &mut |_| ControlFlow::Continue(()))
        };
        assert_eq!(read(Coding::Squares, &[1]), Err(BadMoves));
        assert_eq!(read(Coding::Slots, &[200]), Err(BadMoves));
        assert_eq!(read(Coding::Slots, &[254]), Err(BadMoves));
    }

    proptest! {
        #[test]
        fn any_legal_line_comes_back(choices in prop::collection::vec(any::<u16>(), 0..120)) {
            let start = Position::start();
            let mut position = start.clone();
            let mut line = Vec::new();
            for choice in choices {
                if choice % 50 == 0 {
                    position.pass();
                    line.push(HalfMove::Unknown);
                    continue;
                }
                let legal = position.legal_moves();
                if legal.is_empty() { break }
                let mv = legal[choice as usize % legal.len()];
                position.make(mv);
                let assumed = choice % 50 == 1;
                line.push(if assumed { HalfMove::Assumed(mv) } else { HalfMove::Known(mv) });
            }
            prop_assert_eq!(there_and_back(&start, &line), Coding::Slots);
        }

        #[test]
        fn no_bytes_make_it_panic(wide: bool, bytes: Vec<u8>) {
            let coding = if wide { Coding::Squares } else { Coding::Slots };
            let _ = decode(
                &Position::start(), coding, &bytes, &mut |_| ControlFlow::Continue(()));
        }
    }
}
