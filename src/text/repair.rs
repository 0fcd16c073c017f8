//! Mojibake: text that somebody decoded wrongly and saved so.
//!
//! The original bytes come back when the wrong decoding lost nothing, as
//! Latin-1 never does. A text that was decoded as GBK or Big5 has usually lost
//! bytes; it is not repaired here.

use super::plausible;
use super::{Encoding, codec};

/// What had been done to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mojibake {
    /// Bytes of this encoding were read as Latin-1: ÅÚ¶þÆ½Îå for 炮二平五.
    ReadAsLatin1(Encoding),
}

/// The text that was meant, when `text` is GB18030, Big5 or UTF-8 that was read
/// as Latin-1 or windows-1252; `None` when it is in order as it is, or when
/// no repair makes hanzi of it.
///
/// A text with hanzi is never touched, nor is one whose letters beyond ASCII
/// stand alone in Latin words (Müller).
#[must_use]
pub fn repair(text: &str) -> Option<(String, Mojibake)> {
    let bytes: Vec<u8> = text.chars().map(latin1).collect::<Option<_>>()?;
    // Each hanzi makes two letters or more.
    if bytes.iter().filter(|byte| !byte.is_ascii()).count() < 2 || alone(&bytes) {
        return None;
    }
    let read = |encoding| {
        let plain = codec::plain(&bytes, encoding);
        let hanzi = plain.text.chars().filter(|c| matches!(c, '\u{4E00}'..='\u{9FFF}')).count();
        (plain.malformed == 0 && !plain.suspect && hanzi > 0).then_some((plain.text, encoding))
    };
    let found = read(Encoding::Utf8).or_else(|| {
        let readings = [read(Encoding::Big5), read(Encoding::Gb18030)];
        readings.into_iter().flatten().max_by_key(|(text, _)| plausible::score(text))
    });
    let (repaired, encoding) = found?;
    // Accented words can be valid GBK; two common hanzi they are not.
    let wide = repaired.chars().filter(|c| !c.is_ascii()).count() as i64;
    let sound = encoding == Encoding::Utf8 || wide >= 2 && plausible::score(&repaired) * 2 >= wide;
    sound.then_some((repaired, Mojibake::ReadAsLatin1(encoding)))
}

/// Whether no two bytes beyond ASCII are neighbours.
fn alone(bytes: &[u8]) -> bool {
    !bytes.windows(2).any(|pair| pair.iter().all(|byte| !byte.is_ascii()))
}

/// The byte that Latin-1 or windows-1252 reads as `c`.
fn latin1(c: char) -> Option<u8> {
    if let Ok(byte) = u8::try_from(u32::from(c)) {
        return Some(byte);
    }
    let byte = match c {
        '€' => 0x80,
        '‚' => 0x82,
        'ƒ' => 0x83,
        '„' => 0x84,
        '…' => 0x85,
        '†' => 0x86,
        '‡' => 0x87,
        'ˆ' => 0x88,
        '‰' => 0x89,
        'Š' => 0x8A,
        '‹' => 0x8B,
        'Œ' => 0x8C,
        'Ž' => 0x8E,
        '‘' => 0x91,
        '’' => 0x92,
        '“' => 0x93,
        '”' => 0x94,
        '•' => 0x95,
        '–' => 0x96,
        '—' => 0x97,
        '˜' => 0x98,
        '™' => 0x99,
        'š' => 0x9A,
        '›' => 0x9B,
        'œ' => 0x9C,
        'ž' => 0x9E,
        'Ÿ' => 0x9F,
        _ => return None,
    };
    Some(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_latin1(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| char::from(*byte)).collect()
    }

    #[test]
    fn what_latin1_made_of_chinese_is_repaired() {
        assert_eq!(
            repair("ÅÚ¶þÆ½Îå"),
            Some(("炮二平五".to_owned(), Mojibake::ReadAsLatin1(Encoding::Gb18030)))
        );
        for name in ["胡荣华", "全国象棋个人锦标赛 2", "炮二平五"] {
            for encoding in [Encoding::Gb18030, Encoding::Utf8] {
                let shown = as_latin1(&encoding.encode(name).bytes);
                let (repaired, how) = repair(&shown).expect("repairable");
                assert_eq!((repaired.as_str(), how), (name, Mojibake::ReadAsLatin1(encoding)));
            }
        }
        let shown = as_latin1(&Encoding::Big5.encode("全國象棋個人錦標賽").bytes);
        assert_eq!(
            repair(&shown),
            Some(("全國象棋個人錦標賽".to_owned(), Mojibake::ReadAsLatin1(Encoding::Big5)))
        );
    }

    /// windows-1252 shows 80–9F as other letters than Latin-1 does.
    #[test]
    fn windows_letters_count() {
        let (shown, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling("车炮".as_bytes());
        assert_eq!(repair(&shown).map(|(text, _)| text).as_deref(), Some("车炮"));
    }

    #[test]
    fn what_is_in_order_stays() {
        for text in
            ["", "炮二平五", "Müller", "Nguyễn", "café – £5", "Søren Ågård", "1. h2e2", "ÀÉ"]
        {
            assert_eq!(repair(text), None, "{text}");
        }
    }
}
