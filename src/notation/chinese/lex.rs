//! The fast reader of Chinese move text: the one on the path of every import.
//! [`super::parse`] reads the same language and explains what is wrong.

use super::alphabet::{Class, Sort, ascii, class_at, wide};
use crate::notation::syntax::{Hints, Ordinal, Place, Relative, Syntax};

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

/// The number of bytes of the move with which a text begins, where it is
/// written as most are: piece, file, direction, numeral. `None` says nothing.
#[inline]
pub(crate) fn plain_chinese_length(bytes: &[u8]) -> Option<usize> {
    let (classes, length) = common_layout(bytes)?;
    are_plain(classes).then_some(length)
}

/// The classes of the first four characters and how many bytes they take,
/// where all are wide (炮二平五) or the numerals are ASCII (炮2平5).
#[inline]
fn common_layout(bytes: &[u8]) -> Option<([Class; 4], usize)> {
    /// Whether a character of three bytes begins with it.
    const fn leads(byte: u8) -> bool {
        byte >> 4 == 0xe
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
        return Some((classes, 12));
    }
    let b = bytes.first_chunk::<8>()?;
    if leads(b[0]) & b[3].is_ascii() & leads(b[4]) & b[7].is_ascii() {
        let classes = [wide(b[0], b[1], b[2]), ascii(b[3]), wide(b[4], b[5], b[6]), ascii(b[7])];
        return Some((classes, 8));
    }
    None
}

/// Whether four characters are piece, file, direction and numeral, none of
/// them misread.
#[inline]
fn are_plain(classes: [Class; 4]) -> bool {
    let [piece, file, direction, to] = classes;
    (piece.sort() == Sort::Piece as u8)
        & !piece.hints().has(Hints::MISREAD)
        & (file.sort() == Sort::Numeral as u8)
        & (direction.sort() == Sort::Direction as u8)
        & (to.sort() == Sort::Numeral as u8)
}

#[inline]
fn lex(bytes: &[u8]) -> Option<(Relative, usize)> {
    let Some((classes, length)) = common_layout(bytes).filter(|(four, _)| are_plain(*four)) else {
        return lex_unusual(bytes);
    };
    let [piece, file, direction, to] = classes;
    let relative = Relative {
        piece: piece.piece(),
        place: Place::File(file.numeral()?),
        direction: direction.direction(),
        to: to.numeral()?,
        hints: piece.hints().with(file.hints()).with(direction.hints()).with(to.hints()),
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
