//! Words of Latin letters that are moves, by notation.

use super::{Shapes, square_pair};
use crate::notation::Notation;

/// The notations in which a whole word of Latin letters is a move.
pub(super) fn latin_word(word: &[u8]) -> Option<Shapes> {
    let shapes = Shapes::DAMAGED
        .with(Notation::Wxf, is_wxf(word))
        .with(Notation::Iccs, square_pair(word, 0) == Some(word.len()))
        .with(Notation::Uci, is_uci(word))
        .with(Notation::Vietnamese, is_vietnamese(word))
        .with(Notation::Pinyin, is_pinyin(word))
        .with(Notation::San, is_san(word))
        .with(Notation::Numeric, is_numeric(word));
    (!shapes.is_damaged()).then_some(shapes)
}

fn is_wxf(word: &[u8]) -> bool {
    let sign = |c: u8| matches!(c, b'+' | b'-' | b'=' | b'.');
    let mark = |c: u8| sign(c) || matches!(c, b'a'..=b'e' | b'1'..=b'9');
    let digit = |c: u8| c.is_ascii_digit() && c != b'0';
    let man = |c: u8| {
        matches!(
            c.to_ascii_uppercase(),
            b'K' | b'G' | b'A' | b'B' | b'E' | b'R' | b'H' | b'N' | b'C' | b'P'
        )
    };
    match *word {
        // M is a minister; with a full stop it is the Vietnamese horse.
        [b'M' | b'm', b, b'+' | b'-', d] => mark(b) && digit(d),
        [a, b, c, d] if digit(d) && sign(c) => {
            man(a) && mark(b)
                || sign(a) && (man(b) || sign(b) || digit(b))
                || matches!(a, b'1'..=b'5') && digit(b)
                || digit(a) && sign(b)
                || matches!(a, b'f' | b'r') && man(b)
        }
        _ => false,
    }
}

/// `62.5`, `6+-2`: the digit of a piece first.
fn is_numeric(word: &[u8]) -> bool {
    let sign = |c: u8| matches!(c, b'+' | b'-' | b'=' | b'.');
    matches!(*word, [b'1'..=b'7', b, s, b'1'..=b'9']
        if sign(s) && (sign(b) || matches!(b, b'1'..=b'9')))
}

fn is_uci(word: &[u8]) -> bool {
    one_based(word).and_then(one_based).is_some_and(<[u8]>::is_empty)
}

/// What follows a square with ranks from 1 to 10.
fn one_based(word: &[u8]) -> Option<&[u8]> {
    match word {
        [b'a'..=b'i' | b'A'..=b'I', b'1', b'0', rest @ ..]
        | [b'a'..=b'i' | b'A'..=b'I', b'1'..=b'9', rest @ ..] => Some(rest),
        _ => None,
    }
}

fn is_vietnamese(word: &[u8]) -> bool {
    let sign = |c: u8| matches!(c, b'.' | b'-' | b'/');
    let digit = |c: u8| matches!(c, b'1'..=b'9');
    match *word {
        [b'T', b'g', a, s, b] => digit(a) && sign(s) && digit(b),
        [b'S' | b'T' | b'V' | b'X' | b'P' | b'M' | b'B' | b'C', a, s, b] => {
            (digit(a) || matches!(a, b't' | b's' | b'g')) && sign(s) && digit(b)
        }
        _ => false,
    }
}

fn is_pinyin(word: &[u8]) -> bool {
    let man = |c: u8| matches!(c, b's' | b'x' | b'm' | b'j' | b'p' | b'b' | b'z' | b'c' | b'w');
    let digit = |c: u8| matches!(c, b'1'..=b'9');
    match *word {
        [a, b, b'j' | b't' | b'p' | b'+' | b'-' | b'=', d] if digit(d) => {
            man(a) && digit(b) || matches!(a, b'q' | b'h' | b'z') && man(b)
        }
        _ => false,
    }
}

fn is_san(word: &[u8]) -> bool {
    let word = word.strip_suffix(b"+").or_else(|| word.strip_suffix(b"#")).unwrap_or(word);
    let (man, rest) = match word {
        [b'K' | b'G' | b'A' | b'B' | b'E' | b'R' | b'H' | b'N' | b'C' | b'P', rest @ ..] => {
            (true, rest)
        }
        _ => (false, word),
    };
    // The target square stands last; before it at most a file, a rank and x.
    let rank_at = |w: &[u8]| match *w {
        [.., b'a'..=b'i', b'1', b'0'] => 3,
        [.., b'a'..=b'i', b'0'..=b'9'] => 2,
        _ => 0,
    };
    let target = rank_at(rest);
    if target == 0 {
        return false;
    }
    let Some(before) = rest.get(..rest.len() - target) else { return false };
    let before = before.strip_suffix(b"x").or_else(|| before.strip_suffix(b"-")).unwrap_or(before);
    match *before {
        [] | [b'a'..=b'i'] => true,
        [b'0'..=b'9'] | [b'1', b'0'] | [b'a'..=b'i', b'0'..=b'9'] | [b'a'..=b'i', b'1', b'0'] => {
            man
        }
        _ => false,
    }
}
