//! Round numbers that stand glued to the first move of their round, as in
//! vertical text: 十二車一平二, １２炮二平五, （三）馬二進三, ④兵七進一.

use crate::formats::movetext::han_number;
use crate::notation::lex_chinese;

/// How many rounds a number may be ahead of the one before.
const AHEAD: u32 = 3;

/// Characters, each with its byte in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    pub(super) text: String,
    /// One for each character.
    pub(super) places: Vec<usize>,
}

impl Placed {
    pub(super) fn push(&mut self, character: char, place: usize) {
        self.text.push(character);
        self.places.push(place);
    }

    pub(super) fn append(&mut self, other: &Placed) {
        self.text.push_str(&other.text);
        self.places.extend(&other.places);
    }
}

/// Parts numbers from their moves: `２马二进三` becomes `2. 马二进三`.
///
/// A number counts only at the beginning of a column (the byte is in
/// `columns`) or behind a whole move, before a whole move, and where it goes on
/// from the one before; a numeral of a damaged move is left alone. `round` is
/// the number that is due, and is moved on.
pub(super) fn parted(from: &Placed, columns: &[usize], round: &mut u32) -> Placed {
    let mut out = Placed::default();
    let text = from.text.as_str();
    let mut places = from.places.iter().copied();
    let mut at = 0;
    let mut between = true;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        between |= columns.binary_search(&at).is_ok();
        let is_due = |value: u32| value == 1 || (*round..=*round + AHEAD).contains(&value);
        let number = glued(rest).filter(|(value, _)| between && is_due(*value));
        if let Some((value, len)) = number {
            let place = places.next().unwrap_or_default();
            if !out.text.is_empty() && !out.text.ends_with('\n') {
                out.push(' ', place);
            }
            format!("{value}. ").chars().for_each(|c| out.push(c, place));
            let others = rest.get(..len).unwrap_or("").chars().count().saturating_sub(1);
            places.by_ref().take(others).for_each(drop);
            *round = value.saturating_add(1);
            at += len;
            continue;
        }
        let len = match lex_chinese(rest) {
            Some((_, used)) if used > 0 => {
                between = true;
                used
            }
            _ => {
                let next = rest.chars().next().unwrap_or(' ');
                between = !next.is_alphanumeric();
                next.len_utf8()
            }
        };
        for c in rest.get(..len).unwrap_or("").chars() {
            out.push(c, places.next().unwrap_or_default());
        }
        at += len;
    }
    out
}

/// A number at the start of a text with a move behind it: its value, and the
/// bytes before the move.
fn glued(text: &str) -> Option<(u32, usize)> {
    let bare = text.trim_start_matches(['（', '(', '〔', '【', '第']);
    let (value, len) = numeral(bare)?;
    let mut rest = bare.get(len..)?;
    for unit in ["回合", "回"] {
        rest = rest.strip_prefix(unit).unwrap_or(rest);
    }
    let rest = rest.trim_start_matches(['）', ')', '〕', '】', '、', '．', '.', '，', '：', '。']);
    lex_chinese(rest)?;
    Some((value, text.len() - rest.len()))
}

/// The value of a numeral of one to three digits, of 一 to 九十九, or in a
/// circle; and its bytes.
fn numeral(text: &str) -> Option<(u32, usize)> {
    const DIGITS: usize = 3;
    let first = text.chars().next()?;
    let circled = match first {
        '①'..='⑳' => Some(first as u32 - '①' as u32 + 1),
        '㉑'..='㉟' => Some(first as u32 - '㉑' as u32 + 21),
        '㊱'..='㊿' => Some(first as u32 - '㊱' as u32 + 36),
        _ => None,
    };
    if let Some(value) = circled {
        return Some((value, first.len_utf8()));
    }
    let digit = |c: char| match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        '０'..='９' => Some(c as u32 - '０' as u32),
        _ => None,
    };
    let run: Vec<char> =
        text.chars().take(DIGITS + 1).take_while(|c| digit(*c).is_some()).collect();
    match run.len() {
        0 => han_number(text),
        1..=DIGITS => {
            let value = run.iter().filter_map(|c| digit(*c)).fold(0, |all, one| all * 10 + one);
            Some((value, run.iter().map(|c| c.len_utf8()).sum()))
        }
        _ => None,
    }
    .filter(|(value, _)| *value > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let places = text.char_indices().map(|(at, _)| at).collect();
        let out = parted(&Placed { text: text.to_owned(), places }, &[0], &mut 1);
        assert_eq!(out.places.len(), out.text.chars().count());
        assert!(out.places.is_sorted(), "{:?}", out.places);
        out.text
    }

    #[test]
    fn numbers_before_moves() {
        for (text, parted) in [
            ("１炮二平五马８进７２马二进三", "1. 炮二平五马８进７ 2. 马二进三"),
            ("一炮二平五马８进７二马二进三", "1. 炮二平五马８进７ 2. 马二进三"),
            ("第一回合炮二平五（二）马二进三③车一平二", "1. 炮二平五 2. 马二进三 3. 车一平二"),
            // A round left out, and one that cannot be.
            ("1炮二平五3马二进三", "1. 炮二平五 3. 马二进三"),
            ("1炮二平五八马二进三", "1. 炮二平五八马二进三"),
            // The numeral of a damaged move is not a number.
            ("1炮二卜二马８进７", "1炮二卜二马８进７"),
            ("1炮二平五炮二卜二马８进７", "1. 炮二平五炮二卜二马８进７"),
        ] {
            assert_eq!(read(text), parted);
        }
    }

    #[test]
    fn numerals() {
        for (text, value) in
            [("12", 12), ("１０", 10), ("二十一", 21), ("十", 10), ("⑩", 10), ("㊿", 50)]
        {
            assert_eq!(numeral(text), Some((value, text.len())));
        }
        assert_eq!(numeral("2004"), None);
        assert_eq!(numeral("0"), None);
    }
}
