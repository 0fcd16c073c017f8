//! The fast reader of Chinese move text: the one on the path of every import.
//! [`super::parse`] reads the same language and explains what is wrong.

use super::alphabet::{Class, Sort, class_at};
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

#[inline]
fn lex(bytes: &[u8]) -> Option<(Relative, usize)> {
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
