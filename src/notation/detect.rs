//! Which notation a text is in.

use super::{Notation, lex_chinese, parse};

/// A set of notations.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct NotationSet(u16);

impl NotationSet {
    /// No notation.
    pub const NONE: NotationSet = NotationSet(0);

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a notation is in the set.
    #[must_use]
    pub const fn contains(self, notation: Notation) -> bool {
        self.0 >> notation as u16 & 1 != 0
    }

    /// Puts a notation into the set.
    pub const fn insert(&mut self, notation: Notation) {
        self.0 |= 1 << notation as u16;
    }

    /// The notations in both sets: what the tokens of one game leave open.
    #[must_use]
    pub const fn and(self, other: NotationSet) -> NotationSet {
        NotationSet(self.0 & other.0)
    }

    /// The notations of the set, in the order of [`Notation::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Notation> {
        Notation::ALL.into_iter().filter(move |notation| self.contains(*notation))
    }
}

impl std::fmt::Debug for NotationSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The notations whose grammar accepts a token. One token often fits several
/// (`P2-5` is WXF and Vietnamese); the tokens of a whole game rarely do.
#[must_use]
pub fn classify(token: &str) -> NotationSet {
    let mut set = NotationSet::NONE;
    for notation in Notation::ALL {
        if parse(notation, token).is_ok() {
            set.insert(notation);
        }
    }
    set
}

/// Number of well-formed moves in a text: Chinese ones anywhere, WXF and
/// coordinate moves as words of their own. It looks at each character about
/// once; a text in the wrong encoding has next to none.
#[must_use]
pub fn count_moves(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut count = 0;
    let mut at = 0;
    let mut in_word = false;
    while at < bytes.len() {
        if bytes[at] < 0x80 {
            if !in_word && is_latin_move(&bytes[at..]) {
                count += 1;
            }
            in_word = bytes[at].is_ascii_alphanumeric();
            // 4卒平2 begins with a digit.
            if bytes[at].is_ascii_digit()
                && bytes.get(at + 1).is_some_and(|next| *next >= 0x80)
                && let Some((_, used)) = text.get(at..).and_then(lex_chinese)
            {
                count += 1;
                at += used;
                in_word = false;
                continue;
            }
            at += 1;
            continue;
        }
        in_word = false;
        match text.get(at..).and_then(lex_chinese) {
            Some((_, used)) => {
                count += 1;
                at += used;
            }
            None => at += text.get(at..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8),
        }
    }
    count
}

/// Whether a word begins with `C2.5`, `R++4`, `h2e2`, `H2-E2` and ends there.
fn is_latin_move(bytes: &[u8]) -> bool {
    let sign = |b: u8| matches!(b, b'+' | b'-' | b'.' | b'=');
    let digit = |b: u8| b.is_ascii_digit();
    let file = |b: u8| matches!(b, b'a'..=b'i' | b'A'..=b'I');
    let piece = |b: u8| b"KAEBRHNCPkaebrhncp".contains(&b);
    let ends = |at: usize| bytes.get(at).is_none_or(|b| !b.is_ascii_alphanumeric());
    match *bytes {
        [a, b, c, d, ..] if piece(a) && (digit(b) || sign(b)) && sign(c) && digit(d) && ends(4) => {
            true
        }
        [a, b, c, d, ..] if file(a) && digit(b) && file(c) && digit(d) => {
            ends(4) || (d == b'1' && bytes.get(4) == Some(&b'0') && ends(5))
        }
        [a, b, b'-', c, d, ..] => file(a) && digit(b) && file(c) && digit(d) && ends(5),
        [a, b'1', b'0', c, d, ..] => file(a) && file(c) && digit(d),
        _ => false,
    }
}

/// How much a text looks like a record of moves, for the detection of
/// encodings: 10 a well-formed move.
#[must_use]
pub fn score(text: &str) -> i64 {
    count_moves(text) as i64 * 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_find_their_notations() {
        let names = |token: &str| classify(token).iter().map(Notation::name).collect::<Vec<_>>();
        assert_eq!(names("炮二平五"), ["chinese"]);
        assert_eq!(names("炮25"), ["abbreviated"]);
        assert_eq!(names("C2.5"), ["wxf", "vietnamese"]);
        assert_eq!(names("P2-5"), ["wxf", "vietnamese"]);
        assert_eq!(names("H8+7"), ["wxf"]);
        assert_eq!(names("M8.7"), ["vietnamese"]);
        assert_eq!(names("H2-E2"), ["iccs"]);
        assert_eq!(names("h2e2"), ["iccs", "uci"]);
        assert_eq!(names("b10c8"), ["uci"]);
        assert_eq!(names("Che2"), ["san"]);
        assert_eq!(names("A1e2"), ["san"]);
        assert_eq!(names("p2p5"), ["pinyin"]);
        assert_eq!(names("7747"), ["digits"]);
        assert_eq!(names("--"), [""; 0]);
        assert!(names("马").is_empty() && names("1.").is_empty() && names("1-0").is_empty());
    }

    #[test]
    fn moves_are_counted_in_running_text() {
        assert_eq!(count_moves("1. 炮二平五 马８进７ 2.马二进三车9平8"), 4);
        assert_eq!(count_moves("1. C2.5 h8+7 2. H2+3 r9.8 1-0"), 4);
        assert_eq!(count_moves("1. H2-E2 H9-G7 2. h0g2 i10h10 *"), 4);
        assert_eq!(count_moves("4卒平2 [Event \"甲\"] 前车进1"), 2);
        assert_eq!(count_moves("[Site \"e2e4x\"] 马到成功"), 0);
    }
}
