//! The fast reader of Chinese move text: the one on the path of every import.
//! [`super::parse`] reads the same language and explains what is wrong.

use super::alphabet::{Class, Sort, ascii, class_at, wide};
use crate::board::PieceKind;
use crate::notation::syntax::{Direction, Hints, Ordinal, Place, Relative, Syntax};

/// Reads the move with which `text` begins, and says how many bytes it takes.
///
/// The language is `move` of `grammars/chinese.abnf` with its lenient
/// productions. The alphabet is closed, so moves may be glued together:
/// 炮二平五马８进７ is read one move after the other.
#[inline]
#[must_use]
pub fn lex_chinese(text: &str) -> Option<(Syntax, usize)> {
    let (relative, used) = lex(text.as_bytes())?;
    Some((Syntax::Relative(relative), used))
}

/// A move as most are written: piece, file, direction, numeral, none of them
/// misread, and all characters wide (炮二平五) or the numerals ASCII (炮2平5).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    pub(crate) kind: PieceKind,
    pub(crate) file: u8,
    pub(crate) direction: Direction,
    pub(crate) to: u8,
    pub(crate) hints: Hints,
}

/// The plain move that is the whole text. `None` says nothing.
#[inline]
pub(crate) fn plain_chinese(text: &str) -> Option<Plain> {
    let (plain, length) = plain(text.as_bytes())?;
    (length == text.len()).then_some(plain)
}

/// The number of bytes of the plain move with which a text begins. `None` says
/// nothing.
#[inline]
pub(crate) fn plain_chinese_length(bytes: &[u8]) -> Option<usize> {
    let (four, length) = common_layout(bytes);
    are_plain(four).then_some(length)
}

#[inline]
fn plain(bytes: &[u8]) -> Option<(Plain, usize)> {
    let (four, length) = common_layout(bytes);
    if !are_plain(four) {
        return None;
    }
    let [piece, file, direction, to] =
        [0, 1, 2, 3].map(|at| Class::from_bits(four >> (at * Class::BITS)));
    let plain = Plain {
        kind: piece.piece()?,
        file: file.numeral()?,
        direction: direction.direction()?,
        to: to.numeral()?,
        hints: piece.hints().with(file.hints()).with(direction.hints()).with(to.hints()),
    };
    Some((plain, length))
}

/// The classes of the first four characters, the first in the lowest bits, and
/// how many bytes they take. Nothing and 0 where the layout is another.
///
/// They are packed because an array would be written to memory in four parts
/// and read at once, and the processor waits for that.
fn common_layout(bytes: &[u8]) -> (u64, usize) {
    /// Whether a character of three bytes begins with it.
    const fn leads(byte: u8) -> bool {
        byte >> 4 == 0xe
    }
    const fn packed(classes: [Class; 4]) -> u64 {
        let [a, b, c, d] = classes;
        let width = Class::BITS;
        a.bits() | b.bits() << width | c.bits() << (2 * width) | d.bits() << (3 * width)
    }
    if let Some(b) = bytes.first_chunk::<12>()
        && leads(b[0]) & leads(b[3]) & leads(b[6]) & leads(b[9])
    {
        let classes = [
            wide(b[0], b[1], b[2]),
            wide(b[3], b[4], b[5]),
            wide(b[6], b[7], b[8]),
            wide(b[9], b[10], b[11]),
        ];
        return (packed(classes), 12);
    }
    if let Some(b) = bytes.first_chunk::<8>()
        && leads(b[0]) & b[3].is_ascii() & leads(b[4]) & b[7].is_ascii()
    {
        let classes = [wide(b[0], b[1], b[2]), ascii(b[3]), wide(b[4], b[5], b[6]), ascii(b[7])];
        return (packed(classes), 8);
    }
    (0, 0)
}

/// Whether four packed characters are piece, file, direction and numeral, none
/// of them misread.
#[inline]
fn are_plain(four: u64) -> bool {
    let [piece, file, direction, to] =
        [0, 1, 2, 3].map(|at| Class::from_bits(four >> (at * Class::BITS)));
    (piece.sort() == Sort::Piece as u8)
        & !piece.hints().has(Hints::MISREAD)
        & (file.sort() == Sort::Numeral as u8)
        & (direction.sort() == Sort::Direction as u8)
        & (to.sort() == Sort::Numeral as u8)
}

#[inline]
fn lex(bytes: &[u8]) -> Option<(Relative, usize)> {
    let Some((plain, length)) = plain(bytes) else { return lex_unusual(bytes) };
    let relative = Relative {
        piece: Some(plain.kind),
        place: Place::File(plain.file),
        direction: Some(plain.direction),
        to: plain.to,
        hints: plain.hints,
    };
    Some((relative, length))
}

/// Any other move, and a plain one in a layout that is not common.
fn lex_unusual(bytes: &[u8]) -> Option<(Relative, usize)> {
    const PIECE: u8 = Sort::Piece as u8;
    const NUMERAL: u8 = Sort::Numeral as u8;
    const ORDINAL: u8 = Sort::Ordinal as u8;
    let (first, n) = class_at(bytes, 0);
    if !matches!(first.sort(), PIECE | NUMERAL | ORDINAL) {
        return None;
    }
    let (second, m) = class_at(bytes, n);
    let mut at = n + m;
    let (third, n) = class_at(bytes, at);
    at += n;
    let (fourth, n) = class_at(bytes, at);
    at += n;
    let (piece, place, hints) = match (first.sort(), third.direction()) {
        (PIECE, Some(_)) => match second.word() {
            Some(word) => {
                (first.piece(), Place::Ordinal(word), first.hints().with(Hints::PIECE_FIRST))
            }
            None => {
                (first.piece(), Place::File(second.numeral()?), first.hints().with(second.hints()))
            }
        },
        (PIECE, None) => return None,
        (_, Some(_)) => {
            let (ordinal, hints) = ordinal(first)?;
            let hints = hints.with(second.hints());
            match second.piece() {
                Some(piece) => (Some(piece), Place::Ordinal(ordinal), hints),
                None => (None, Place::OrdinalFile(ordinal, second.numeral()?), hints),
            }
        }
        (_, None) => return five_characters(bytes, at, [first, second, third, fourth]),
    };
    let relative = Relative {
        piece,
        place,
        direction: third.direction(),
        to: fourth.numeral()?,
        hints: hints.with(third.hints()).with(fourth.hints()),
    };
    Some((relative, at))
}

/// 前兵四平五. An Arabic digit cannot begin it: in 1炮二平五 the 1 is a round
/// number that lost its point.
#[cold]
fn five_characters(bytes: &[u8], at: usize, read: [Class; 4]) -> Option<(Relative, usize)> {
    let [first, second, third, fourth] = read;
    if first.hints().has(Hints::ARABIC) {
        return None;
    }
    let (ordinal, _) = ordinal(first)?;
    let (fifth, n) = class_at(bytes, at);
    let relative = Relative {
        piece: Some(second.piece()?),
        place: Place::OrdinalFile(ordinal, third.numeral()?),
        direction: Some(fourth.direction()?),
        to: fifth.numeral()?,
        hints: [third, fourth, fifth]
            .into_iter()
            .fold(second.hints(), |hints, class| hints.with(class.hints())),
    };
    Some((relative, at + n))
}

/// 前, 中, 后 or a numeral as the first character. The style of an ordinal
/// says nothing about the side: it is a Chinese numeral for Black, too.
#[inline]
pub(super) fn ordinal(class: Class) -> Option<(Ordinal, Hints)> {
    if let Some(word) = class.word() {
        return Some((word, Hints::NONE));
    }
    if class.sort() != Sort::Numeral as u8 {
        return None;
    }
    let mut hints = Hints::NONE;
    if class.hints().has(Hints::ARABIC) {
        hints = Hints::ARABIC_ORDINAL;
    } else if class.hints().has(Hints::OLD) {
        hints = Hints::OLD;
    }
    Some((Ordinal::Nth(class.numeral()?), hints))
}
