//! What looks like a move, by its characters alone, and in which notations it
//! could be one. Whether it is a move is for `notation` and `replay` to say;
//! here a text is only cut into words, so damaged moves (车9进l) are words too.

mod latin_words;

use crate::notation::{Notation, plain_chinese_length};

use latin_words::latin_word;

/// What a Chinese character does in a move (notation-chinese.md, 3 and 9).
mod class {
    /// A piece.
    pub(super) const MAN: u8 = 1;
    /// A numeral, 1 to 9.
    pub(super) const NUM: u8 = 2;
    /// 进 退 平 and their old forms.
    pub(super) const DIR: u8 = 4;
    /// 前 中 后.
    pub(super) const ORD: u8 = 8;
    /// A character that is taken for a piece or numeral by mistake (卯 人).
    pub(super) const SLIP: u8 = 16;
}
use class::{DIR, MAN, NUM, ORD, SLIP};

const FIRST_HAN: u32 = 0x4E00;
const LAST_HAN: u32 = 0x9FFF;
const HAN_COUNT: usize = (LAST_HAN - FIRST_HAN + 1) as usize;

const fn set(table: &mut [u8; HAN_COUNT], characters: &[char], class: u8) {
    let mut i = 0;
    while i < characters.len() {
        table[(characters[i] as u32 - FIRST_HAN) as usize] = class;
        i += 1;
    }
}

const fn han_classes() -> [u8; HAN_COUNT] {
    let mut table = [0; HAN_COUNT];
    let men = [
        '帅', '帥', '将', '將', '仕', '士', '相', '象', '马', '馬', '傌', '码', '碼', '车', '車',
        '俥', '砗', '硨', '伡', '炮', '砲', '包', '礮', '兵', '卒',
    ];
    let numerals = [
        '一', '二', '三', '四', '五', '六', '七', '八', '九', '壹', '贰', '貳', '叁', '參', '肆',
        '伍', '陆', '陸', '柒', '捌', '玖',
    ];
    set(&mut table, &men, MAN);
    set(&mut table, &numerals, NUM);
    set(&mut table, &['进', '進', '退', '平', '上', '下'], DIR);
    set(&mut table, &['前', '中', '后', '後'], ORD);
    set(&mut table, &['卯', '人', '军', '軍'], SLIP);
    table
}

static HAN: [u8; HAN_COUNT] = han_classes();

fn class_of(c: u32) -> u8 {
    match c {
        FIRST_HAN..=LAST_HAN => HAN.get((c - FIRST_HAN) as usize).copied().unwrap_or(0),
        0x31..=0x39 | 0xFF11..=0xFF19 => NUM,
        0xF902 => MAN, // 車 as a compatibility character
        _ => 0,
    }
}

/// The character at a byte of a text, and its length; 0 at the end.
#[inline]
pub(crate) fn char_at(bytes: &[u8], at: usize) -> (u32, usize) {
    match bytes.get(at) {
        None => (0, 0),
        Some(c @ 0..0x80) => (u32::from(*c), 1),
        Some(_) => wide_char_at(bytes, at),
    }
}

/// A character outside ASCII. Most of them take three bytes.
#[inline]
fn wide_char_at(bytes: &[u8], at: usize) -> (u32, usize) {
    if let Some(&[a @ 0xE0..0xF0, b, c]) = bytes.get(at..at + 3) {
        let tail = u32::from(b & 0x3F) << 6 | u32::from(c & 0x3F);
        return (u32::from(a & 0xF) << 12 | tail, 3);
    }
    let byte = |i: usize| u32::from(bytes.get(at + i).copied().unwrap_or(0));
    match byte(0) {
        c @ 0..0xE0 => ((c & 0x1F) << 6 | byte(1) & 0x3F, 2),
        c => ((c & 7) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | byte(3) & 0x3F, 4),
    }
}

/// The notations in which a word could be a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shapes(u16);

impl Shapes {
    const fn of(notation: Notation) -> Shapes {
        Shapes(1 << notation as u16)
    }

    /// No notation has such moves, but somebody meant one.
    pub(crate) const DAMAGED: Shapes = Shapes(0);
    /// Full Chinese notation.
    pub(crate) const CHINESE: Shapes = Shapes::of(Notation::Chinese);
    /// Short record.
    pub(crate) const ABBREVIATED: Shapes = Shapes::of(Notation::Abbreviated);
    /// ICCS with a rank 0, which UCI with ranks from 1 does not have.
    const ICCS: Shapes = Shapes::of(Notation::Iccs);
    const ICCS_OR_UCI: Shapes = Shapes::ICCS.with(Notation::Uci, true);
    /// Letters of the federation.
    const WXF: Shapes = Shapes::of(Notation::Wxf);
    /// Two squares as digits.
    pub(crate) const DIGITS: Shapes = Shapes::of(Notation::Digits);

    const fn with(self, notation: Notation, really: bool) -> Shapes {
        if really { Shapes(self.0 | Shapes::of(notation).0) } else { self }
    }

    /// A bit for each notation, in the order of [`Notation`].
    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    /// Whether it is a move of this notation.
    #[cfg(test)]
    const fn has(self, notation: Notation) -> bool {
        self.0 & Shapes::of(notation).0 != 0
    }

    /// Whether it is two squares as four digits.
    pub(crate) const fn is_digits(self) -> bool {
        self.0 == Shapes::DIGITS.0
    }

    /// Whether no notation has such moves.
    pub(crate) const fn is_damaged(self) -> bool {
        self.0 == 0
    }
}

/// A word that looks like one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// One past its last byte.
    pub(crate) end: usize,
    /// What it could be.
    pub(crate) shapes: Shapes,
}

/// A move that is written with Chinese characters and begins at `at`.
#[inline]
pub(crate) fn chinese(bytes: &[u8], at: usize) -> Option<Shape> {
    plain_chinese(bytes, at).or_else(|| unusual_chinese(bytes, at))
}

/// A move of the common form, which begins with a piece.
#[inline]
pub(crate) fn plain_chinese(bytes: &[u8], at: usize) -> Option<Shape> {
    let length = plain_chinese_length(bytes.get(at..)?)?;
    Some(Shape { end: at + length, shapes: Shapes::CHINESE })
}

/// One that is not plainly piece, file, direction and numeral.
fn unusual_chinese(bytes: &[u8], at: usize) -> Option<Shape> {
    let (c0, n0) = char_at(bytes, at);
    let k0 = class_of(c0);
    if k0 == 0 {
        return None;
    }
    let (c1, n1) = char_at(bytes, at + n0);
    let k1 = class_of(c1);
    if k1 == 0 {
        return None;
    }
    let third = at + n0 + n1;
    let (c2, n2) = char_at(bytes, third);
    let k2 = class_of(c2);
    let fourth = third + n2;
    let named = k0 & MAN != 0 && k1 & (NUM | ORD) != 0;
    let ordered = k0 & (ORD | NUM) != 0 && k1 & (MAN | NUM) != 0;
    if k2 & DIR != 0 {
        let (c3, n3) = char_at(bytes, fourth);
        let k3 = class_of(c3);
        if k3 & NUM != 0 && (named || ordered) {
            return Some(Shape { end: fourth + n3, shapes: Shapes::CHINESE });
        }
        // A move with one character misread or one missing.
        let slip = |k: u8, good: u8| k & good != 0 || k & SLIP != 0;
        let head = named
            || ordered && k1 & MAN != 0
            || slip(k0, MAN | ORD | NUM) && slip(k1, MAN | NUM | ORD) && k0 != k1;
        if !head {
            return None;
        }
        let stop = c3 <= 0x20 || matches!(c3, 0x3000 | 0xA0);
        let letter = u8::try_from(c3).is_ok_and(|c| c.is_ascii_alphanumeric());
        return match () {
            () if k3 & (NUM | SLIP) != 0 || letter => {
                Some(Shape { end: fourth + n3, shapes: Shapes::DAMAGED })
            }
            () if stop => Some(Shape { end: fourth, shapes: Shapes::DAMAGED }),
            () => None,
        };
    }
    if ordered && k2 & NUM != 0 && k1 & MAN != 0 {
        // 前兵四平五; without the last two it is the short record, 前马4.
        let (c3, n3) = char_at(bytes, fourth);
        let (c4, n4) = char_at(bytes, fourth + n3);
        if class_of(c3) & DIR != 0 && class_of(c4) & NUM != 0 {
            return Some(Shape { end: fourth + n3 + n4, shapes: Shapes::CHINESE });
        }
        if k0 & ORD != 0 {
            let end = marks(bytes, fourth);
            return Some(Shape { end, shapes: Shapes::ABBREVIATED });
        }
        return None;
    }
    if k0 & MAN != 0 && k1 & NUM != 0 {
        if k2 & NUM != 0 {
            let end = marks(bytes, fourth);
            return Some(Shape { end, shapes: Shapes::ABBREVIATED });
        }
        if matches!(c2, 0x2B | 0x2D | 0x2E | 0x2F | 0x3D | 0xFF0B | 0xFF0D | 0x2212) {
            let (c3, n3) = char_at(bytes, fourth);
            if class_of(c3) & NUM != 0 {
                let end = marks(bytes, fourth + n3);
                return Some(Shape { end, shapes: Shapes::ABBREVIATED });
            }
        }
        if (0x300..0x370).contains(&c2) {
            // A mark on the first digit as well.
            let next = marks(bytes, third);
            let (c3, n3) = char_at(bytes, next);
            if class_of(c3) & NUM != 0 {
                let end = marks(bytes, next + n3);
                return Some(Shape { end, shapes: Shapes::ABBREVIATED });
            }
        }
    }
    None
}

/// Passes combining marks: the lines above and below digits of the short
/// record (notation-abbreviated.md, 1.1).
fn marks(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let (c, n) = char_at(bytes, at);
        if !(0x300..0x370).contains(&c) {
            return at;
        }
        at += n;
    }
}

/// `h2e2` or `H2-E2` at `at`, and nothing glued to it.
#[inline]
pub(crate) fn iccs(bytes: &[u8], at: usize) -> Option<Shape> {
    let end = square_pair(bytes, at)?;
    match bytes.get(end) {
        Some(c) if c.is_ascii_alphanumeric() || matches!(c, b'+' | b'-' | b'#' | b'=') => None,
        _ => Some(Shape { end, shapes: squares(bytes, at, end) }),
    }
}

/// Whether two squares could have ranks from 1.
fn squares(bytes: &[u8], at: usize, end: usize) -> Shapes {
    if bytes.get(at + 1) == Some(&b'0') || bytes.get(end - 1) == Some(&b'0') {
        Shapes::ICCS
    } else {
        Shapes::ICCS_OR_UCI
    }
}

/// The end of two squares with ranks 0 to 9, with or without a hyphen.
#[inline]
fn square_pair(bytes: &[u8], at: usize) -> Option<usize> {
    let file = |i: usize| matches!(bytes.get(i), Some(b'a'..=b'i' | b'A'..=b'I'));
    let rank = |i: usize| matches!(bytes.get(i), Some(b'0'..=b'9'));
    if !(file(at) && rank(at + 1)) {
        return None;
    }
    let second = match bytes.get(at + 2) {
        Some(b'-') => at + 3,
        Some(b' ') => apart(bytes, at)?,
        _ => at + 2,
    };
    (file(second) && rank(second + 1)).then_some(second + 2)
}

/// Where the second square of `H2 E2` or `h2 - e2` begins. Small letters with
/// a blank alone are two pawn moves of the algebraic notation.
fn apart(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at + 2..at + 8).or_else(|| bytes.get(at + 2..))?;
    let blanks = rest.iter().take_while(|c| **c == b' ').count();
    match rest.get(blanks)? {
        b'-' => {
            let more = rest.get(blanks + 1..)?.iter().take_while(|c| **c == b' ').count();
            (more > 0).then_some(at + 2 + blanks + 1 + more)
        }
        b'A'..=b'I' if blanks == 1 && bytes.get(at)?.is_ascii_uppercase() => Some(at + 3),
        _ => None,
    }
}

/// `R1.2` or `h8+7` at `at`: letter, file, sign, number, and nothing glued to
/// it, where no other notation has such moves.
#[inline]
pub(crate) fn wxf(bytes: &[u8], at: usize) -> Option<Shape> {
    let &[man, file, sign, to] = bytes.get(at..at + 4)?.first_chunk::<4>()?;
    let own = matches!(man | 0x20, b'r' | b'h' | b'n' | b'k' | b'e' | b'a')
        || matches!((man, sign), (b'C' | b'P', b'+' | b'='));
    let rest = matches!(file, b'1'..=b'9')
        && matches!(sign, b'+' | b'-' | b'.' | b'=')
        && matches!(to, b'1'..=b'9');
    let ends = bytes.get(at + 4).is_none_or(u8::is_ascii_whitespace);
    (own && rest && ends).then_some(Shape { end: at + 4, shapes: Shapes::WXF })
}

/// A word of Latin letters, digits and signs that looks like a move: `C2.5`,
/// `C+-2`, `h10g8`, `Nbxa4+`, `P2-5`, `m8j7`. The word begins at `at`, and the
/// first move of several that are glued together is taken.
pub(crate) fn latin(bytes: &[u8], at: usize) -> Option<Shape> {
    let mut end = at;
    // No move in Latin letters is longer; what is, is prose or glued moves.
    let mut word = [0u8; 24];
    let mut len = 0;
    loop {
        let (c, n) = char_at(bytes, end);
        let Some(plain) = half_width(c) else { break };
        if !(plain.is_ascii_alphanumeric()
            || matches!(plain, b'+' | b'-' | b'=' | b'.' | b'/' | b'#'))
        {
            break;
        }
        if let Some(slot) = word.get_mut(len) {
            *slot = plain;
        }
        len += 1;
        end += n;
        if len > 4096 {
            break;
        }
    }
    // A full stop at the end belongs to the sentence, or to a number.
    while len > 1 && word.get(len - 1) == Some(&b'.') && bytes.get(end - 1) == Some(&b'.') {
        len -= 1;
        end -= 1;
    }
    let Some(whole) = word.get(..len) else { return glued(bytes, at, end) };
    if let Some(shapes) = latin_word(whole) {
        return Some(Shape { end, shapes });
    }
    if let Some(found) = glued(bytes, at, end) {
        return Some(found);
    }
    // Letters and digits together, and short: somebody meant a move.
    let letters = whole.iter().any(u8::is_ascii_alphabetic);
    let digits = whole.iter().any(u8::is_ascii_digit);
    (letters && digits && (3..=6).contains(&len)).then_some(Shape { end, shapes: Shapes::DAMAGED })
}

/// A Chinese move of which a character is lost: `炮□平五`, `马2进?`, `炮？5`.
/// At least two of its characters can be read.
pub(crate) fn lossy(bytes: &[u8], at: usize) -> Option<Shape> {
    const LOST: [u32; 6] = [0x3F, 0xFF1F, 0x25A1, 0x25A0, 0x25A2, 0xFFFD];
    let (mut end, mut lost, mut known) = (at, 0, 0);
    let mut fits = |end: &mut usize, class: u8| {
        let (c, n) = char_at(bytes, *end);
        let gone = LOST.contains(&c);
        lost += u32::from(gone);
        known += u32::from(!gone);
        *end += n;
        gone || class_of(c) & class != 0
    };
    let head = fits(&mut end, MAN | ORD | NUM) && fits(&mut end, MAN | ORD | NUM);
    if !head {
        return None;
    }
    let mut third = end;
    if fits(&mut third, DIR) && fits(&mut third, NUM) && lost > 0 && known >= 2 {
        return Some(Shape { end: third, shapes: Shapes::DAMAGED });
    }
    // 炮？5: a piece and two numerals. A mark at its end is a remark.
    let (man, n0) = char_at(bytes, at);
    let (file, n1) = char_at(bytes, at + n0);
    let (to, n2) = char_at(bytes, at + n0 + n1);
    let short = class_of(man) & MAN != 0
        && LOST.contains(&file)
        && class_of(to) & NUM != 0
        && class_of(char_at(bytes, at + n0 + n1 + n2).0) & (DIR | NUM) == 0;
    short.then_some(Shape { end: at + n0 + n1 + n2, shapes: Shapes::DAMAGED })
}

/// The first of several moves written without blanks: `h2e2h9g7`, `C2.5h8+7`.
fn glued(bytes: &[u8], at: usize, end: usize) -> Option<Shape> {
    let word = bytes.get(at..end)?;
    if let Some(first) = square_pair(bytes, at)
        && (first == end || square_pair(bytes, first).is_some_and(|second| second <= end))
    {
        return Some(Shape { end: first, shapes: squares(bytes, at, first) });
    }
    let (first, rest) = (word.get(..4)?, word.get(4..)?);
    let shapes = latin_word(first)?;
    latin_word(rest.get(..4)?)?;
    Some(Shape { end: at + 4, shapes })
}

fn half_width(c: u32) -> Option<u8> {
    match c {
        0x21..=0x7E => u8::try_from(c).ok(),
        0xFF01..=0xFF5E => u8::try_from(c - 0xFF01 + 0x21).ok(),
        0x2010..=0x2015 | 0x2212 => Some(b'-'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chinese_end(text: &str) -> Option<(&str, Shapes)> {
        chinese(text.as_bytes(), 0).map(|shape| (&text[..shape.end], shape.shapes))
    }

    #[test]
    fn chinese_moves() {
        for text in [
            "炮二平五",
            "马８进７",
            "馬8進7",
            "前车退四",
            "后炮平4",
            "二兵平五",
            "4卒平2",
            "前兵四平五",
            "前四平五",
            "二7平6",
            "马前退四",
            "俥一平二",
            "仕六进五",
            "砲８平９",
        ] {
            assert_eq!(chinese_end(text), Some((text, Shapes::CHINESE)), "{text}");
            assert_eq!(chinese_end(&format!("{text}马8进7")).map(|m| m.0), Some(text));
        }
        for text in ["炮25", "马87\u{332}", "前马4", "车2\u{332}6\u{332}", "炮2-5"] {
            assert_eq!(chinese_end(text), Some((text, Shapes::ABBREVIATED)), "{text}");
        }
        for text in ["卯7进1", "车9进l", "炮二平"] {
            assert_eq!(chinese_end(text), Some((text, Shapes::DAMAGED)), "{text}");
        }
        for text in ["中炮对屏风马", "红方平五", "五七炮", "第一局", "兵种", "车马炮", "上士"]
        {
            assert_eq!(chinese_end(text), None, "{text}");
        }
    }

    #[test]
    fn moves_with_a_lost_character() {
        for text in ["炮□平五", "马2进?", "卒7？1", "？8平9", "\u{FFFD}二平五", "马二\u{FFFD}三"]
        {
            let found = lossy(text.as_bytes(), 0);
            assert_eq!(found, Some(Shape { end: text.len(), shapes: Shapes::DAMAGED }), "{text}");
        }
        assert_eq!(lossy("炮？5 ".as_bytes(), 0).map(|s| s.end), Some("炮？5".len()));
        for text in ["？马8进7", "？？？五", "兵种?", "? 马8", "炮25?", "炮二平五"] {
            assert_eq!(lossy(text.as_bytes(), 0), None, "{text}");
        }
    }

    #[test]
    fn latin_moves() {
        let shape = |text: &str| latin(text.as_bytes(), 0).map(|s| (s.end, s.shapes));
        for (text, notation) in [
            ("C2.5", Notation::Wxf),
            ("h2+3", Notation::Wxf),
            ("C+-2", Notation::Wxf),
            ("R++3", Notation::Wxf),
            ("+R+4", Notation::Wxf),
            ("13+1", Notation::Wxf),
            ("Pc+1", Notation::Wxf),
            ("H2-E2", Notation::Iccs),
            ("Ｈ２－Ｅ２", Notation::Iccs),
            ("h10g8", Notation::Uci),
            ("Che2", Notation::San),
            ("Rih10", Notation::San),
            ("Nbxa4", Notation::San),
            ("exe5", Notation::San),
            ("Rad9#", Notation::San),
            ("M8.7", Notation::Vietnamese),
            ("Tg5.1", Notation::Vietnamese),
            ("m8j7", Notation::Pinyin),
            ("qct1", Notation::Pinyin),
        ] {
            let (end, shapes) = shape(text).unwrap_or_default();
            assert_eq!(end, text.len(), "{text}");
            assert!(shapes.has(notation), "{text}: {shapes:?}");
        }
        assert_eq!(shape("h2e2h9g7").map(|s| s.0), Some(4));
        assert_eq!(shape("C2.5h8+7").map(|s| s.0), Some(4));
        for text in ["R1.2", "h8+7", "C2=5", "P7+1", "a4+5"] {
            let quick = wxf(text.as_bytes(), 0);
            assert_eq!(quick, latin(text.as_bytes(), 0), "{text}");
            assert!(quick.is_some(), "{text}");
        }
        assert_eq!(wxf(b"C2.5", 0), None);
        for (text, end) in [("H2 E2 H9 G7", 5), ("h2 - e2", 7)] {
            assert_eq!(iccs(text.as_bytes(), 0).map(|s| s.end), Some(end), "{text}");
        }
        assert_eq!(iccs(b"c4 g5", 0), None);
        assert_eq!(shape("h2e2.").map(|s| s.0), Some(4));
        assert_eq!(shape("mates"), None);
        assert_eq!(shape("Red"), None);
        assert_eq!(shape("ch2x"), Some((4, Shapes::DAMAGED)));
    }
}
