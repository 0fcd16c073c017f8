//! How much a text looks like Chinese that somebody wrote, judged by its
//! characters alone. Text read in the wrong encoding scores low.

use std::sync::OnceLock;

use super::tables::{Big5, Gb};

/// Characters of daily use: more evidence than their neighbours in the table.
const FREQUENT: &str = "的一二三四五六七八九十是不了在人有我他这这個个上们来來到时時大地为為子中你说說生国國年着就那和要她出也得里後后自以会會家可下而过過天去能对對小多然于於心学學么之都好看起发發当當没沒成只如事把还還用第样樣道想作种種开開美总總从從無无情己面最女但现現前些所同日手又行意动動方期它头頭经經长長儿回位分爱愛老因很给給名法间間知世什两兩次使身者被高已亲親其进進此话話常与與活正感先胜勝负負红紅黑局赛賽对對杯省市县隊队";

/// The evidence of a text.
///
/// Per character: 3 for the most frequent hanzi, 1 for those of the first
/// level of GB2312 or Big5, and for full-width digits, 0 for ASCII, common
/// punctuation and other hanzi; −3 for kana, bopomofo, Greek, Cyrillic
/// and numbered digits next to hanzi; −10 for U+FFFD, private use and
/// control characters.
pub(super) fn score(text: &str) -> i64 {
    let common = Common::get();
    let mut total = 0;
    let mut after_hanzi = false;
    for c in text.chars() {
        let hanzi = matches!(c, '\u{4E00}'..='\u{9FFF}');
        total += match c {
            '\t' | '\n' | '\r' | ' '..='~' => 0,
            '\0'..='\u{9F}' | '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' => -10,
            '\u{4E00}'..='\u{9FFF}' => i64::from(common.weight(c)),
            '０'..='９' => 1,
            '\u{3000}'..='\u{301E}' | '！'..='～' | '\u{2010}'..='\u{2027}' | '·' => 0,
            '\u{2460}'..='\u{24FF}'
            | '\u{3040}'..='\u{312F}'
            | '\u{0370}'..='\u{04FF}'
            | '\u{FE30}'..='\u{FE4F}' => -3,
            '\u{A0}'..='\u{24F}' if after_hanzi => -3,
            '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}' | '\u{10000}'.. => -2,
            _ => 0,
        };
        after_hanzi = hanzi;
    }
    total
}

/// The weight of each hanzi of the main block, two bits each.
#[derive(Debug)]
struct Common {
    words: Box<[u64]>,
}

impl Common {
    fn get() -> &'static Common {
        static TABLE: OnceLock<Common> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut table = Common { words: vec![0; 0x5200 / 32].into() };
            let (gb, big5) = (Gb::get(), Big5::get());
            for lead in 0xB0..=0xD7 {
                for trail in 0xA1..=0xFE {
                    table.set(u32::from(gb.code(lead, trail)), 1);
                }
            }
            for lead in 0xA4..=0xC6 {
                for trail in (0x40..=0x7E).chain(0xA1..=0xFE) {
                    if (lead, trail) <= (0xC6, 0x7E) {
                        table.set(big5.code(lead, trail), 1);
                    }
                }
            }
            for c in FREQUENT.chars() {
                table.set(c.into(), 3);
            }
            table
        })
    }

    fn set(&mut self, c: u32, weight: u64) {
        let Some(i) = c.checked_sub(0x4E00) else { return };
        if let Some(word) = self.words.get_mut((i / 32) as usize) {
            *word = *word & !(3 << (i % 32 * 2)) | weight << (i % 32 * 2);
        }
    }

    fn weight(&self, c: char) -> u8 {
        let i = u32::from(c).wrapping_sub(0x4E00);
        self.words.get((i / 32) as usize).map_or(0, |word| (word >> (i % 32 * 2) & 3) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_hanzi_score_and_rubbish_does_not() {
        assert!(score("全国象棋个人锦标赛") > 8);
        assert!(score("全國象棋個人錦標賽") > 8);
        assert!(score("钉Gキき") < 0);
        assert!(score("\u{E123}\u{FFFD}") < -10);
        assert_eq!(score("1. h2e2 h9g7"), 0);
    }
}
