//! Written moves that follow one another, made ready for one way of looking
//! at the board.

use super::syntax::Element;
use super::{PatternError, View, parse};
use crate::board::{Color, Move, PieceKind, Position, Square};
use crate::notation::{
    self, Context, Direction, Notation, Place, RankBase, Relative, Resolution, San, Squares, Syntax,
};

/// Moves of a sequence at most: one bit each.
const MAX_STEPS: usize = 32;

/// In which order notations are tried for a word.
const NOTATIONS: [Notation; 8] = [
    Notation::Chinese,
    Notation::Wxf,
    Notation::Iccs,
    Notation::Uci,
    Notation::San,
    Notation::Vietnamese,
    Notation::Pinyin,
    Notation::Abbreviated,
];

/// A written move of the sequence.
#[derive(Clone, Debug)]
struct Step {
    syntax: Syntax,
    /// The side whose move it is, where the text tells.
    side: Option<Color>,
    /// The piece, where the text tells.
    kind: Option<PieceKind>,
    /// Squares alone do not decide: 前炮平五.
    needs_board: bool,
}

/// A sequence as it was written.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    /// `None` is a half-move of any kind.
    steps: Vec<Option<Step>>,
    /// Bit `i` is set when any number of half-moves may stand before step `i`.
    gaps: u32,
    /// Half-moves from the first to the last step at most.
    within: u32,
}

impl Sequence {
    pub(crate) fn read(text: &str, within: Option<u32>) -> Result<Sequence, PatternError> {
        let mut sequence =
            Sequence { steps: Vec::new(), gaps: 0, within: within.unwrap_or(u32::MAX) };
        for element in parse::sequence(text)? {
            let step = match element {
                Element::Gap => {
                    if sequence.steps.len() < MAX_STEPS {
                        sequence.gaps |= 1 << sequence.steps.len();
                    }
                    continue;
                }
                Element::Any => None,
                Element::Move(word, at) => Some(step(word).ok_or_else(|| {
                    PatternError::new(text, at, "a move in a notation that `qipu notations` lists")
                })?),
            };
            if sequence.steps.len() == MAX_STEPS {
                return Err(PatternError::new(text, text.len(), "a sequence of 32 moves at most"));
            }
            sequence.steps.push(step);
        }
        if sequence.steps.is_empty() {
            return Err(PatternError::new(text, text.len(), "a move"));
        }
        Ok(sequence)
    }

    /// The same as a view has it.
    pub(crate) fn seen(&self, view: View) -> Steps {
        let mut fits = vec![0u32; 90 * 90].into_boxed_slice();
        let mut any = 0;
        for (bit, step) in self.steps.iter().enumerate() {
            let Some(step) = step else {
                any |= 1 << bit;
                continue;
            };
            for (from, to) in pairs() {
                let fit = Color::ALL.into_iter().any(|side| {
                    step.side.is_none_or(|own| own == side) && step.fits(from, to, side)
                });
                let seen = view.square(from).index() * 90 + view.square(to).index();
                if fit && let Some(bits) = fits.get_mut(seen) {
                    *bits |= 1 << bit;
                }
            }
        }
        Steps { sequence: self.clone(), view, fits, any }
    }
}

fn pairs() -> impl Iterator<Item = (Square, Square)> {
    Square::all().flat_map(|from| Square::all().map(move |to| (from, to)))
}

fn step(word: &str) -> Option<Step> {
    let syntax = NOTATIONS.into_iter().find_map(|name| notation::parse(name, word).ok())?;
    Some(match syntax {
        Syntax::Relative(relative) => Step {
            syntax,
            side: relative
                .character_side()
                .or_else(|| relative.numeral_side().filter(|_| is_chinese(word))),
            kind: relative.piece,
            needs_board: !matches!(relative.place, Place::File(_)),
        },
        Syntax::Squares(_) => Step { syntax, side: None, kind: None, needs_board: false },
        Syntax::San(san) => Step { syntax, side: None, kind: Some(san.piece), needs_board: false },
    })
}

/// The rule of numerals is one of Chinese notation.
fn is_chinese(word: &str) -> bool {
    !word.is_ascii()
}

impl Step {
    /// Whether the squares are those the text names, as `side` counts.
    fn fits(&self, from: Square, to: Square, side: Color) -> bool {
        match self.syntax {
            Syntax::Relative(relative) => relative_fits(relative, from, to, side),
            Syntax::Squares(Squares { from: f, to: t, base, .. }) => {
                is_at(from, f, base) && is_at(to, t, base)
            }
            Syntax::San(San { from_file, from_rank, to: t, base, .. }) => {
                let rank = from_rank.map(|rank| rank.wrapping_sub(lowest(base)));
                is_at(to, t, base)
                    && from_file.is_none_or(|file| file == from.file())
                    && rank.is_none_or(|rank| rank == from.rank())
            }
        }
    }
}

fn lowest(base: Option<RankBase>) -> u8 {
    u8::from(base == Some(RankBase::One))
}

fn is_at(square: Square, (file, rank): (u8, u8), base: Option<RankBase>) -> bool {
    square.file() == file && Some(square.rank()) == rank.checked_sub(lowest(base))
}

/// Whether a piece that goes so goes as the text says (notation-chinese.md, 1).
fn relative_fits(relative: Relative, from: Square, to: Square, side: Color) -> bool {
    let Relative { piece, place, direction, to: last, .. } = relative;
    let file = match place {
        Place::File(file) | Place::OrdinalFile(_, file) => Some(file),
        Place::Ordinal(_) => None,
    };
    if from == to || file.is_some_and(|file| file != from.file_number(side)) {
        return false;
    }
    let steps = to.advance(side) as i8 - from.advance(side) as i8;
    let way = match steps {
        0 => Direction::Sideways,
        1.. => Direction::Forward,
        _ => Direction::Back,
    };
    if direction.is_some_and(|direction| direction != way) {
        return false;
    }
    let by_file = way == Direction::Sideways || piece.is_some_and(PieceKind::moves_diagonally);
    if by_file {
        to.file_number(side) == last
    } else {
        from.file() == to.file() && steps.unsigned_abs() == last
    }
}

/// A sequence as a view has it.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    sequence: Sequence,
    view: View,
    /// By `from * 90 + to`: the steps whose squares these are.
    fits: Box<[u32]>,
    /// The steps that any half-move is.
    any: u32,
}

/// How far a sequence has come in a game.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// Bit `n`: `n` steps have been made, and the next one may come.
    made: u64,
    /// By number of steps made: the latest half-move at which they can have
    /// begun. The latest is the best: it leaves the most room.
    begun: [u32; MAX_STEPS + 1],
}

impl Progress {
    /// Nothing yet.
    pub(crate) const NONE: Progress = Progress { made: 1, begun: [0; MAX_STEPS + 1] };
}

impl Steps {
    /// Takes a half-move that is played on `position` with `ply` half-moves
    /// before it; gives the number of half-moves before the sequence when it
    /// ends here.
    #[inline]
    pub(crate) fn take(
        &self,
        progress: &mut Progress,
        position: &Position,
        mv: Move,
        ply: u32,
    ) -> Option<u32> {
        let squares = mv.from.index() * 90 + mv.to.index();
        // Only steps whose turn it is: the board is looked at for few moves.
        let made = u64::from(u32::MAX) & progress.made;
        let mut bits = u64::from(self.any) & made;
        let mut open = u64::from(self.fits.get(squares).copied().unwrap_or(0)) & made;
        while open != 0 {
            let step = open.trailing_zeros() as usize;
            open &= open - 1;
            if self.is_step(step, position, mv) {
                bits |= 1 << step;
            }
        }
        // What has to be followed at once is lost by any other half-move.
        let waiting = progress.made & u64::from(self.sequence.gaps);
        let last = self.sequence.steps.len();
        let mut ended = None;
        // The highest first: each takes what the one below it was.
        let mut steps = bits;
        while steps != 0 {
            let step = 63 - steps.leading_zeros() as usize;
            steps ^= 1 << step;
            let begun = if step == 0 { ply } else { progress.begun[step] };
            let after = &mut progress.begun[step + 1];
            let waits = waiting >> (step + 1) & 1 != 0;
            *after = if waits { begun.max(*after) } else { begun };
            if step + 1 == last && ply - begun < self.sequence.within {
                ended = Some(begun);
            }
        }
        progress.made = waiting | bits << 1 | 1;
        ended
    }

    /// Whether squares that fit are those of the step on this board.
    fn is_step(&self, step: usize, position: &Position, mv: Move) -> bool {
        let Some(Some(step)) = self.sequence.steps.get(step) else { return false };
        let Some(piece) = position.piece_at(mv.from) else { return false };
        let side = self.view.color(position.side());
        if step.side.is_some_and(|own| own != side) {
            return false;
        }
        let kind = match step.syntax {
            // Only pawns go without a name.
            Syntax::Relative(_) => Some(step.kind.unwrap_or(PieceKind::Pawn)),
            _ => step.kind,
        };
        if kind.is_some_and(|kind| kind != piece.kind) {
            return false;
        }
        let seen = Move::new(self.view.square(mv.from), self.view.square(mv.to));
        // A text that does not tell the side fits the squares of either.
        step.fits(seen.from, seen.to, side)
            && (!step.needs_board || self.resolves(step, position, seen))
    }

    fn resolves(&self, step: &Step, position: &Position, seen: Move) -> bool {
        let mut board = position.clone();
        if self.view.swap {
            board = board.color_swapped();
        }
        if self.view.mirror {
            board = board.mirrored();
        }
        match notation::resolve(step.syntax, &board, Context::of(&board)) {
            Resolution::Legal { mv, .. } => mv == seen,
            Resolution::Ambiguous(candidates) => candidates.iter().any(|one| one.mv == seen),
            Resolution::Illegal { .. } => false,
        }
    }
}
