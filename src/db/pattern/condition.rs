//! A condition on one position, made ready for one way of looking at it.

use super::View;
use super::syntax::{Clause, Contents, Material, Range};
use super::tally::{NOBODY, Numbers, Tally};
use crate::board::{Bitboard, Color, Move, Piece, PieceKind, Position, Square};

/// Number of piece codes.
pub(crate) const PIECES: usize = 14;
/// Counts that cost something, at most: what a question may cost is bounded.
pub(crate) const MAX_COUNTS: usize = 32;

/// What must hold in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    /// Points on which a thing must not be, for the things that are kept off
    /// some point: the code of a piece, or 14 for nothing.
    forbidden: Vec<(usize, u128)>,
    counts: Vec<Count>,
    tally: Tally,
    turn: Option<Color>,
    /// Both turns were asked for at once.
    never: bool,
    material: [[Range; 7]; 2],
    has_material: bool,
    balance: Option<[Range; 7]>,
    /// Pieces of each code that must be there at least.
    least: [i16; PIECES],
    /// Pieces of each code that may be there at most.
    most: [i16; PIECES],
    /// Pieces that may be there at most, in all.
    points: i16,
}

/// How many of some pieces stand in a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) codes: Vec<usize>,
    pub(crate) region: u128,
    pub(crate) number: Range,
}

/// What is known of a position, and carried from one to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    numbers: Numbers,
    /// The material is as it is asked to be.
    material: bool,
}

impl Condition {
    pub(crate) fn new(clauses: &[Clause], material: Option<&Material>, view: View) -> Condition {
        let mut condition = Condition {
            forbidden: Vec::new(),
            counts: Vec::new(),
            tally: Tally::default(),
            turn: None,
            never: false,
            material: [[Range::ANY; 7]; 2],
            has_material: false,
            balance: None,
            least: [0; PIECES],
            most: [Range::MANY; PIECES],
            points: 90,
        };
        let mut allowed = [Contents::ALL; 90];
        for clause in clauses {
            match clause {
                Clause::Board(cells) => {
                    for (square, cell) in Square::all().zip(cells.iter()) {
                        let here = &mut allowed[view.square(square).index()];
                        here.0 &= seen(*cell, view).0;
                    }
                }
                Clause::Count(count) => {
                    let region = count.region.into_iter().map(|square| view.square(square));
                    let codes = (0..PIECES).filter(|code| seen(count.pieces, view).has(*code));
                    condition.count(
                        &mut allowed,
                        Count {
                            codes: codes.collect(),
                            region: region.collect::<Bitboard>().0,
                            number: count.number,
                        },
                    );
                }
                Clause::Turn(color) => {
                    let color = view.color(*color);
                    condition.never |= condition.turn.is_some_and(|other| other != color);
                    condition.turn = Some(color);
                }
            }
        }
        match material {
            Some(Material::Count(ranges)) => {
                condition.has_material = true;
                for color in Color::ALL {
                    condition.material[view.color(color).index()] = ranges[color.index()];
                }
            }
            Some(Material::Balance(more)) => {
                condition.balance = Some(if view.swap { more.map(Range::negated) } else { *more });
            }
            None => {}
        }
        condition.forbid(&allowed);
        condition.bound(&allowed);
        condition.tally = Tally::new(&condition.counts);
        condition
    }

    /// Whether it asks for more counts than are allowed.
    pub(crate) fn is_too_long(&self) -> bool {
        self.counts.len() > MAX_COUNTS
    }

    /// Takes a count in: what is always so is left out, what is about a single
    /// point says what may stand there, and counts of the same are one.
    fn count(&mut self, allowed: &mut [Contents; 90], count: Count) {
        let points = Bitboard(count.region).len() as i16;
        let most = if count.codes.is_empty() { 0 } else { points };
        let number = Range { low: count.number.low.max(0), high: count.number.high.min(most) };
        if number.low > number.high {
            self.never = true;
            return;
        }
        if number == (Range { low: 0, high: most }) {
            return;
        }
        if points == 1 {
            let pieces = count.codes.iter().fold(0, |set, code| set | 1 << code);
            let here = &mut allowed[count.region.trailing_zeros() as usize];
            here.0 &= if number.low == 1 { pieces } else { Contents::ALL.0 & !pieces };
            return;
        }
        let same = |other: &&mut Count| other.region == count.region && other.codes == count.codes;
        if let Some(other) = self.counts.iter_mut().find(same) {
            other.number = Range {
                low: other.number.low.max(number.low),
                high: other.number.high.min(number.high),
            };
            self.never |= other.number.low > other.number.high;
            return;
        }
        self.counts.push(Count { number, ..count });
    }

    fn forbid(&mut self, allowed: &[Contents; 90]) {
        self.never |= allowed.iter().any(|contents| contents.0 == 0);
        for code in 0..Contents::KINDS {
            let points = allowed.iter().enumerate().filter(|(_, contents)| !contents.has(code));
            let mask = points.fold(0u128, |mask, (square, _)| mask | 1 << square);
            if mask != 0 {
                self.forbidden.push((code, mask));
            }
        }
    }

    /// What the condition says about the number of pieces, which only falls
    /// in a game.
    fn bound(&mut self, allowed: &[Contents; 90]) {
        for contents in allowed {
            if let Some(code) = contents.only().filter(|code| *code < PIECES) {
                self.least[code] += 1;
            }
        }
        let empty = |contents: &&Contents| **contents == Contents::NOTHING;
        self.points -= allowed.iter().filter(empty).count() as i16;
        for count in &self.counts {
            if let [code] = count.codes.as_slice() {
                self.least[*code] = self.least[*code].max(count.number.low);
            }
            if count.region == Bitboard::FULL.0 {
                for code in &count.codes {
                    self.most[*code] = self.most[*code].min(count.number.high);
                }
            }
        }
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let range = self.material[color.index()][kind.index()];
                let code = usize::from(Piece::new(color, kind).code());
                self.least[code] = self.least[code].max(range.low);
                self.most[code] = self.most[code].min(range.high);
            }
        }
        for (code, mask) in &self.forbidden {
            if let Some(most) = self.most.get_mut(*code) {
                *most = (*most).min((!Bitboard(*mask)).len() as i16);
            }
        }
    }

    /// Whether a game that begins so, of so many half-moves at most, can come
    /// to hold the condition: pieces only go, one a half-move.
    pub(crate) fn is_possible(&self, start: &Position, plies: usize) -> bool {
        let of = |code: usize| of_code(start, code).count_ones() as i16;
        let men: i16 = (0..PIECES).map(of).sum();
        let kept: i16 = (0..PIECES).map(|code| of(code).min(self.most[code])).sum();
        !self.never
            && i64::from(men - kept.min(self.points)) <= plies as i64
            && (0..PIECES).all(|code| self.has_enough(start, code))
    }

    /// Whether the pieces of a kind are still enough.
    #[inline]
    pub(crate) fn has_enough(&self, position: &Position, code: usize) -> bool {
        of_code(position, code).count_ones() as i16 >= self.least[code]
    }

    /// What is to be known of a position.
    pub(crate) fn state(&self, position: &Position) -> State {
        State { numbers: self.tally.of(position), material: self.material_holds(position) }
    }

    /// Follows a half-move of the piece `code` that led to `position`.
    #[inline]
    pub(crate) fn follow(
        &self,
        state: &mut State,
        code: usize,
        mv: Move,
        taken: Option<usize>,
        position: &Position,
    ) {
        if !self.counts.is_empty() {
            let taken = taken.unwrap_or(NOBODY);
            self.tally.follow(&mut state.numbers, code, (mv.from, mv.to), taken);
        }
        if taken.is_some() {
            state.material = self.material_holds(position);
        }
    }

    /// Whether it holds.
    #[inline]
    pub(crate) fn holds(&self, state: &State, position: &Position) -> bool {
        state.material
            && state.numbers.hold
            && self.turn.is_none_or(|turn| turn == position.side())
            && self.forbidden.iter().all(|(code, mask)| of_code(position, *code) & mask == 0)
    }

    fn material_holds(&self, position: &Position) -> bool {
        !self.never
            && (!self.has_material || self.has_material(position))
            && self.balance.as_ref().is_none_or(|balance| has_balance(position, balance))
    }

    fn has_material(&self, position: &Position) -> bool {
        Color::ALL.into_iter().all(|color| {
            PieceKind::ALL.into_iter().all(|kind| {
                self.material[color.index()][kind.index()].has(number(position, color, kind))
            })
        })
    }
}

fn has_balance(position: &Position, balance: &[Range; 7]) -> bool {
    PieceKind::ALL.into_iter().all(|kind| {
        let more = number(position, Color::Red, kind) - number(position, Color::Black, kind);
        balance[kind.index()].has(more)
    })
}

fn number(position: &Position, color: Color, kind: PieceKind) -> i16 {
    position.pieces(color, kind).len() as i16
}

/// Where a piece stands, or nothing (code 14).
#[inline]
fn of_code(position: &Position, code: usize) -> u128 {
    match position.by_piece.get(code) {
        Some(squares) => *squares,
        None => (!position.occupied()).0,
    }
}

/// A set of contents with the colours as the view has them.
fn seen(contents: Contents, view: View) -> Contents {
    if !view.swap {
        return contents;
    }
    let (red, black) = (contents.0 & 0x7f, contents.0 >> 7 & 0x7f);
    Contents(contents.0 & Contents::NOTHING.0 | red << 7 | black)
}
