//! Decoding of any bytes: nothing is lost, and every place is right.

#[path = "common/text_laws.rs"]
mod text_laws;

use proptest::prelude::*;
use qipu::finding::SourcePoint;
use qipu::text::{Encoding, decode};

/// Text as games have it, and some that no game has.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[炮馬车兵進退平一二三９８７前后]{1,8}",
        4 => "[ -~]{1,12}",
        3 => Just("\r\n".to_owned()),
        1 => Just("\n".to_owned()),
        1 => Just("\r".to_owned()),
        1 => "[𠮷€éģ\u{1E3F}\u{FE10}\u{304}俥\u{FEFF}]{1,3}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

/// Bytes of such text in one encoding, damaged here and there.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let part =
        (text(), 0..5usize).prop_map(|(text, which)| Encoding::ALL[which].encode(&text).bytes);
    let junk = prop::collection::vec(any::<u8>(), 0..6);
    prop::collection::vec(prop_oneof![3 => part, 1 => junk], 0..4).prop_map(|parts| parts.concat())
}

/// Bytes that stay in the parts of the code tables where trouble lies.
fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        Just(b'\n'),
        Just(b'\r'),
        0x30..=0x39u8,
        0x80..=0x84u8,
        0x87..=0x89u8,
        0xA1..=0xAFu8,
        0xBD..=0xC8u8,
        0xE3..=0xFFu8,
        any::<u8>(),
    ];
    prop::collection::vec(byte, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laws_hold_for_damaged_text(bytes in damaged()) {
        text_laws::hold(&bytes);
    }

    #[test]
    fn laws_hold_for_nasty_bytes(bytes in nasty()) {
        text_laws::hold(&bytes);
    }

    /// What was encoded is decoded, and each character is where its bytes are.
    #[test]
    fn sound_text_comes_back(text in text(), which in 0..5usize) {
        let encoding = Encoding::ALL[which];
        let encoded = encoding.encode(&text);
        let mapped = text.chars().map(|c| if encoding.len(c).is_some() { c } else { '□' });
        // A mark of byte order at the beginning is not text.
        let text: String = mapped.collect();
        let bytes = encoding.encode(&text).bytes;
        prop_assert_eq!(&bytes, &encoded.bytes);
        let decoded = decode(&bytes, encoding);
        let skipped = if decoded.bom { '\u{FEFF}'.len_utf8() } else { 0 };
        if decoded.damage.is_empty() {
            prop_assert_eq!(&decoded.text, &text[skipped..]);
            let mut offset = encoding.encode(&text[..skipped]).bytes.len() as u64;
            let mut cursor = decoded.map.cursor(&decoded.text);
            for (at, c) in decoded.text.char_indices() {
                prop_assert_eq!(cursor.point(at).offset, offset);
                offset += encoding.len(c).unwrap_or(0) as u64;
            }
        }
    }

    /// The characters are those of the Encoding Standard, read line by line
    /// where no part is in another encoding.
    #[test]
    fn text_is_that_of_the_standard(bytes in nasty(), which in 0..5usize) {
        let (encoding, standard) = [
            (Encoding::Utf8, encoding_rs::UTF_8),
            (Encoding::Utf16Le, encoding_rs::UTF_16LE),
            (Encoding::Utf16Be, encoding_rs::UTF_16BE),
            (Encoding::Gb18030, encoding_rs::GB18030),
            (Encoding::Big5, encoding_rs::BIG5),
        ][which];
        let decoded = qipu::text::decode_at(
            &bytes,
            encoding,
            SourcePoint { offset: 1, line: 1, column: 1 },
        );
        let mixed = decoded.damage.iter().any(|damage| {
            matches!(damage.kind, qipu::text::DamageKind::Mixed(_))
        });
        // At the end of the input the standard swallows the digits of a
        // four-byte sequence that is cut off; here they stay.
        // A single byte after half a surrogate pair it merges with that.
        let cut = match encoding {
            Encoding::Gb18030 => bytes.iter().rev().take(3).any(u8::is_ascii_digit),
            Encoding::Utf16Le | Encoding::Utf16Be => bytes.len() % 2 == 1,
            _ => false,
        };
        if !mixed && !cut {
            let (expected, _) = standard.decode_without_bom_handling(&bytes);
            prop_assert_eq!(decoded.text, expected);
        }
    }
}
