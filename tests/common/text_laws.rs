//! What must hold for the decoding of any bytes whatever. The property tests
//! and the fuzz target `text` both call this.

use qipu::finding::SourcePoint;
use qipu::text::{DamageKind, Decoded, Encoding, decode_at, detect};

/// Panics where a law is broken.
pub fn hold(bytes: &[u8]) {
    let found = detect(bytes, &|text| text.matches('进').count() as i64);
    assert!((0.0..=1.0).contains(&found.confidence), "{found:?}");
    for base in [
        SourcePoint { offset: 0, line: 1, column: 1 },
        SourcePoint { offset: 1000, line: 7, column: 3 },
        SourcePoint { offset: 5, line: 0, column: 0 },
    ] {
        for encoding in Encoding::ALL {
            let decoded = decode_at(bytes, encoding, base);
            every_byte_is_accounted_for(bytes, base, &decoded);
            parts_agree_with_the_whole(&decoded);
            damage_is_in_order(bytes, base, &decoded);
        }
    }
}

/// Points go forward by what the characters are made of, and end where the
/// input ends. Lines and columns are counted here a second time, plainly.
fn every_byte_is_accounted_for(bytes: &[u8], base: SourcePoint, decoded: &Decoded) {
    let text = &decoded.text;
    let mark = if decoded.bom { decoded.encoding.bom().len() as u64 } else { 0 };
    let mut cursor = decoded.map.cursor(text);
    let mut expected = SourcePoint { offset: base.offset + mark, ..base };
    let mut chars = text.char_indices().peekable();
    assert_eq!(cursor.point(0), expected);
    while let Some((at, c)) = chars.next() {
        let point = cursor.point(at);
        assert_eq!((point.line, point.column), (expected.line, expected.column), "{decoded:?}");
        assert!(point.offset >= expected.offset, "{decoded:?} at {at}");
        expected.offset = point.offset;
        let next = chars.peek().map(|(_, c)| *c);
        if base.line == 0 {
            assert_eq!((point.line, point.column), (0, 0));
        } else if c == '\n' || c == '\r' && next != Some('\n') {
            expected.line += 1;
            expected.column = 1;
        } else {
            expected.column += 1;
        }
    }
    assert_eq!(cursor.point(text.len()).offset, base.offset + bytes.len() as u64, "{decoded:?}");
    assert_eq!(decoded.map.point(text, usize::MAX).offset, base.offset + bytes.len() as u64);
}

/// The map of a part gives the same points as the map of the whole.
fn parts_agree_with_the_whole(decoded: &Decoded) {
    let text = &decoded.text;
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(3).collect();
    for &from in places.iter().step_by(5) {
        let part = &text[from..];
        let map = decoded.map.sub(text, from);
        for &at in places.iter().filter(|at| **at >= from) {
            assert_eq!(map.point(part, at - from), decoded.map.point(text, at), "{decoded:?}");
        }
        let inner = map.sub(part, part.len() / 2);
        let middle = part.floor_char_boundary(part.len() / 2);
        assert_eq!(
            inner.point(&part[middle..], part.len() - middle),
            decoded.map.point(text, text.len())
        );
    }
}

/// Damage lies in the text and in the input where it says, and no U+FFFD is
/// without one.
fn damage_is_in_order(bytes: &[u8], base: SourcePoint, decoded: &Decoded) {
    let text = &decoded.text;
    let mut replaced = 0;
    let mut before = 0;
    for damage in &decoded.damage {
        assert!(damage.text.start >= before, "{decoded:?}");
        before = damage.text.start;
        assert_eq!(decoded.map.point(text, damage.text.start), damage.source, "{decoded:?}");
        let start = (damage.source.offset - base.offset) as usize;
        let all = &bytes[start..start + damage.len as usize];
        assert_eq!(&all[..damage.bytes.len()], &damage.bytes[..]);
        let part = &text[damage.text.clone()];
        if !matches!(damage.kind, DamageKind::Mixed(_)) {
            assert!(part.chars().all(|c| c == char::REPLACEMENT_CHARACTER), "{decoded:?}");
            replaced += part.chars().count();
        }
        assert_eq!(damage.finding(decoded).text, part);
    }
    if decoded.damages == decoded.damage.len() {
        let marks = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
        assert_eq!(marks, replaced, "{decoded:?}");
    }
}
