//! Which encoding a file is in.

use super::{Encoding, codec, plausible};

/// Inputs up to this size are judged whole, longer ones by samples.
const WHOLE: usize = 64 << 10;
/// Samples of a longer input.
const SAMPLES: usize = 16;
/// By how much Big5 has to be better than GB18030.
const CHANCE: i64 = 4;
/// Bytes of a sample.
const SAMPLE: usize = 4 << 10;

/// The encoding of an input and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// The encoding.
    pub encoding: Encoding,
    /// 0 (a guess) to 1 (certain).
    pub confidence: f32,
    /// Whether the input begins with a byte order mark.
    pub bom: bool,
}

impl Detection {
    const fn new(encoding: Encoding, confidence: f32) -> Detection {
        Detection { encoding, confidence, bom: false }
    }
}

/// Finds the encoding of a file or a part of one.
///
/// A byte order mark decides, then pure ASCII, then zero bytes (UTF-16), then
/// sound UTF-8. Otherwise the input is read in each encoding that is left and
/// the best reading wins. `scorer` says how much a reading looks like the
/// expected content: about 10 for each well-formed move and 3 for each header
/// word; how common its characters are counts besides. What is about equal is
/// taken as GB18030.
#[must_use]
pub fn detect(bytes: &[u8], scorer: &dyn Fn(&str) -> i64) -> Detection {
    for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Gb18030] {
        if bytes.starts_with(encoding.bom()) {
            return Detection { encoding, confidence: 1.0, bom: true };
        }
    }
    let sample = sample(bytes);
    if let Some(encoding) = utf16_without_bom(&sample) {
        return Detection::new(encoding, 0.9);
    }
    if bytes.is_ascii() {
        return Detection::new(Encoding::Utf8, 1.0);
    }
    if simdutf8::basic::from_utf8(bytes).is_ok_and(|text| !accidental(text)) {
        return Detection::new(Encoding::Utf8, 1.0);
    }
    let mut readings = [Encoding::Gb18030, Encoding::Big5, Encoding::Utf8].map(|encoding| {
        // Without an eye for mixed parts, which would make any reading good.
        let text = codec::plain(&sample, encoding).text;
        (scorer(&text) + plausible::score(&text), encoding)
    });
    // A few characters more or less are chance: some names read equally well.
    if let [(gb, _), (big5, _), _] = &mut readings
        && *big5 > *gb
        && *big5 <= *gb + CHANCE
    {
        std::mem::swap(gb, big5);
    }
    // The sort is stable: of equals the first stays first.
    readings.sort_by_key(|(score, _)| -score);
    let [(best, encoding), (second, _), _] = readings;
    let sure = (best - second) as f32 / (best.abs() + second.abs() + 10) as f32;
    Detection::new(encoding, sure.clamp(0.0, 1.0))
}

/// Whether sound UTF-8 may be GBK by accident: pairs of GBK bytes can be valid
/// two-byte sequences (模 is `C4 A3`, which is ģ), but three-byte sequences
/// do not come about so. A letter next to an ASCII letter is a Latin word.
fn accidental(text: &str) -> bool {
    let mut before = ' ';
    for c in text.chars() {
        if c.len_utf8() > 2 {
            return false;
        }
        if !c.is_ascii() && before.is_ascii_alphabetic()
            || c.is_ascii_alphabetic() && !before.is_ascii()
        {
            return false;
        }
        before = c;
    }
    true
}

/// UTF-16 text of games is full of ASCII: one in five units at least, none of
/// which is a control character, and hardly a zero on the other side.
fn utf16_without_bom(sample: &[u8]) -> Option<Encoding> {
    let units = sample.len() / 2;
    let (mut low_first, mut high_first) = (0, 0);
    for unit in sample.chunks_exact(2) {
        match *unit {
            [b'\t' | b'\n' | b'\r' | b' '..=b'~', 0] => low_first += 1,
            [0, b'\t' | b'\n' | b'\r' | b' '..=b'~'] => high_first += 1,
            [0, _] | [_, 0] => return None,
            _ => {}
        }
    }
    let clear = |these: usize, others: usize| these * 5 >= units && others * 50 <= these;
    if units < 2 {
        None
    } else if clear(low_first, high_first) {
        Some(Encoding::Utf16Le)
    } else if clear(high_first, low_first) {
        Some(Encoding::Utf16Be)
    } else {
        None
    }
}

/// The whole of a short input; of a long one its head and stretches around
/// bytes beyond ASCII, spread evenly, that begin where a character begins.
fn sample(bytes: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    if bytes.len() <= WHOLE {
        return bytes.into();
    }
    let mut taken = bytes.get(..SAMPLE).unwrap_or_default().to_vec();
    let mut from = SAMPLE;
    for i in 1..=SAMPLES {
        from = from.max(bytes.len() / (SAMPLES + 1) * i);
        let rest = bytes.get(from..).unwrap_or_default();
        let Some(first) = rest.iter().position(|byte| !byte.is_ascii()) else { break };
        // No character has a byte below 0x30 but the ASCII ones, so after
        // such a byte a character begins.
        let near = rest.get(first..(first + SAMPLE).min(rest.len())).unwrap_or_default();
        let start = near.iter().position(|byte| *byte < 0x30).map_or(0, |at| at + 1);
        let end = (start + SAMPLE).min(rest.len() - first);
        taken.push(b'\n');
        taken.extend_from_slice(rest.get(first + start..first + end).unwrap_or_default());
        from += first + end;
    }
    taken.into()
}
