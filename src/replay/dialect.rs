//! How a record writes its moves: the notation, whether numerals tell the
//! side, from where ranks are counted. Decided once a game, from the record
//! as a whole.

use super::ReplayOptions;
use crate::board::Color;
use crate::notation::{Context, MarkHabit, Notation, Numerals, RankBase, parse};
use crate::record::{NodeId, Record, Written};

/// Tokens that are looked at to recognise a notation.
const SAMPLE: usize = 8;

/// Notations that text is tried in, the most exact first. Four digits and
/// pinyin letters are never guessed: too much else looks like them.
pub(super) const GUESSED: [Notation; 7] = [
    Notation::Chinese,
    Notation::Iccs,
    Notation::Uci,
    Notation::Wxf,
    Notation::San,
    Notation::Vietnamese,
    Notation::Abbreviated,
];

/// A way of reading the written moves of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The notation of the moves.
    pub(super) notation: Notation,
    /// Whether a token may be read in another notation when it is none of
    /// `notation`; not when the caller has fixed it.
    pub(super) lenient: bool,
    /// The habits of the writer.
    pub(super) context: Context,
    /// What bars over and under digits mean in a short record.
    pub(super) marks: MarkHabit,
    /// Whether the caller has said what the bars mean.
    marks_fixed: bool,
}

impl Dialect {
    /// The likeliest dialect of a record.
    pub(super) fn of(record: &Record, options: &ReplayOptions) -> Dialect {
        let forced = options.notation;
        let notation = forced.or(record.notation).unwrap_or_else(|| recognise(record));
        let mut context = Context::default();
        match notation {
            Notation::Chinese => context.numerals = numerals(record),
            Notation::Iccs => context.rank_base = Some(RankBase::Zero),
            Notation::Uci | Notation::San => context.rank_base = Some(rank_base(record)),
            _ => {}
        }
        let marks = match options.marks {
            Some(habit) => habit,
            None if notation == Notation::Abbreviated => marks(record),
            None => MarkHabit::Unmarked,
        };
        Dialect {
            notation,
            lenient: forced.is_none(),
            context,
            marks,
            marks_fixed: options.marks.is_some(),
        }
    }

    /// Other ways to read the record, to be tried when this one fails.
    pub(super) fn alternatives(self) -> Vec<Dialect> {
        let bases = [RankBase::Zero, RankBase::One];
        // `A1e2` looks like two squares, and may be an advisor on rank 1.
        let tried: &[(Notation, &[RankBase])] = match self.notation {
            Notation::Uci => &[(Notation::Uci, &bases), (Notation::San, &bases)],
            Notation::San => &[(Notation::San, &bases)],
            Notation::Iccs => &[(Notation::Uci, &[RankBase::One]), (Notation::San, &bases)],
            _ => &[],
        };
        let mut others: Vec<Dialect> = tried
            .iter()
            .flat_map(|(notation, bases)| bases.iter().map(|base| (*notation, *base)))
            .map(|(notation, base)| {
                let context = Context { rank_base: Some(base), ..self.context };
                Dialect { notation, context, ..self }
            })
            .filter(|other| *other != self && (self.lenient || other.notation == self.notation))
            .collect();
        let other_habit = match self.marks {
            MarkHabit::UnderIsForward => Some(MarkHabit::OverIsForward),
            MarkHabit::OverIsForward => Some(MarkHabit::UnderIsForward),
            MarkHabit::Unmarked => None,
        }
        .filter(|_| !self.marks_fixed);
        others.extend(other_habit.map(|marks| Dialect { marks, ..self }));
        others
    }

    /// Whether a reader of the record should be told how it was read.
    pub(super) fn is_unusual(self) -> bool {
        self.marks != MarkHabit::Unmarked
            || matches!(self.notation, Notation::Uci | Notation::San)
                && self.context.rank_base == Some(RankBase::One)
    }

    /// The name of the dialect in the finding `dialect-read`.
    pub(super) fn name(self) -> String {
        match self.marks {
            MarkHabit::UnderIsForward => return format!("{}, under = 进", self.notation),
            MarkHabit::OverIsForward => return format!("{}, over = 进", self.notation),
            MarkHabit::Unmarked => {}
        }
        match (self.notation, self.context.rank_base) {
            (Notation::Uci | Notation::San, Some(RankBase::Zero)) => {
                format!("{} 0-9", self.notation)
            }
            (Notation::Uci | Notation::San, Some(RankBase::One)) => {
                format!("{} 1-10", self.notation)
            }
            _ => self.notation.to_string(),
        }
    }
}

/// The habit of a short record with bars: under the digit is 进 unless the
/// moves show the contrary (notation-abbreviated.md, 1.1).
fn marks(record: &Record) -> MarkHabit {
    let bars = ['\u{0332}', '\u{0331}', '\u{0305}', '\u{0304}'];
    if texts(record).any(|text| text.contains(bars)) {
        MarkHabit::UnderIsForward
    } else {
        MarkHabit::Unmarked
    }
}

/// The texts of the main line.
fn texts(record: &Record) -> impl Iterator<Item = &str> {
    record.tree.main_line().filter_map(|id| match record.tree.node(id).written {
        Written::Text(span) => Some(record.slice(span)),
        _ => None,
    })
}

/// The notation in which most of the first tokens can be read.
fn recognise(record: &Record) -> Notation {
    let sample: Vec<&str> = texts(record).take(SAMPLE).collect();
    let read =
        |notation: Notation| sample.iter().filter(|text| parse(notation, text).is_ok()).count();
    let mut best = (Notation::Chinese, 0);
    for notation in GUESSED {
        let count = read(notation);
        if count > best.1 {
            best = (notation, count);
        }
        if count == sample.len() {
            break;
        }
    }
    best.0
}

/// Whether Red's moves have Chinese numerals and Black's Arabic digits: then
/// the last character changes its kind from move to move.
fn numerals(record: &Record) -> Numerals {
    let (mut pairs, mut changes) = (0, 0);
    let mut previous = None;
    for text in texts(record) {
        let Some(side) = numeral_side(text) else { continue };
        if let Some(previous) = previous.replace(side) {
            pairs += 1;
            changes += i32::from(previous != side);
        }
    }
    // Half is enough: where the habit is not kept the two are even at best,
    // and what the numerals say is weighed against the rest of the line.
    if changes > 0 && changes * 2 >= pairs { Numerals::BySide } else { Numerals::Any }
}

/// Whose numerals the last character of a move belongs to.
fn numeral_side(text: &str) -> Option<Color> {
    match text.as_bytes() {
        [.., b'0'..=b'9'] | [.., 0xef, 0xbc, 0x90..=0x99] => Some(Color::Black),
        [.., 0xe4..=0xe9, _, _] => Some(Color::Red),
        _ => None,
    }
}

/// Whether the words can be letters of pieces with squares. Two squares in
/// small letters (h1h5) are what they are, on whatever board they were played.
pub(super) fn may_be_san(record: &Record) -> bool {
    texts(record).any(|text| text.bytes().any(|byte| byte.is_ascii_uppercase()))
}

/// What the texts prove about the first rank; 0 when they prove nothing.
fn rank_base(record: &Record) -> RankBase {
    let mut base = RankBase::Zero;
    for text in texts(record) {
        if text.contains("10") {
            return RankBase::One;
        }
        if text.contains('0') {
            base = RankBase::Zero;
            break;
        }
    }
    base
}

/// Whether any move of the main line carries a number.
pub(super) fn numbered(record: &Record) -> bool {
    record.tree.main_line().any(|id| record.tree.node(id).number != 0)
}

/// The number that stands before a move and the one before it, where the
/// layout makes the second Red's move of the next round although Black's is
/// still to come.
pub(super) fn skips_black(record: &Record, id: NodeId) -> bool {
    let node = record.tree.node(id);
    let Some(parent) = record.tree.parent(id).filter(|parent| *parent != NodeId::ROOT) else {
        return false;
    };
    let before = record.tree.node(parent);
    node.number != 0
        && node.side.is_none()
        && before.number != 0
        && before.side != Some(Color::Black)
        && node.number == before.number + 1
}
