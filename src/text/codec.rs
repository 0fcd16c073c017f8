//! The decoding loops. Each runs until the input ends or until it meets
//! something that its caller has to account for.

use super::tables::{Big5, CARON, Gb, MACRON};

/// Why a loop stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The input is at its end.
    End,
    /// The next bytes, this many, are not valid; they have not been passed.
    Malformed(u8),
    /// A character that is written in a form other than its own; neither the
    /// bytes, this many, nor the character have been passed.
    Unusual(u8, char),
    /// The next character is one that real text hardly has but text read in
    /// the wrong encoding is full of; it has not been passed.
    Suspect,
}

/// What a loop saw on the way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// A character took neither one byte (ASCII) nor two.
    pub(super) irregular: bool,
}

/// GB18030 from `at`; characters before `trust` are never suspect.
///
/// Bytes and errors are those of the WHATWG Encoding Standard, except that a
/// sequence cut off by the end of the input never swallows an ASCII digit.
pub(super) fn gb18030(
    bytes: &[u8],
    at: &mut usize,
    text: &mut String,
    trust: usize,
    seen: &mut Seen,
) -> Stop {
    let table = Gb::get();
    let mut i = *at;
    let stop = loop {
        let Some(&lead) = bytes.get(i) else { break Stop::End };
        if lead < 0x80 {
            text.push(char::from(lead));
            i += 1;
            continue;
        }
        match lead {
            0x80 => break Stop::Unusual(1, '€'),
            0xFF => break Stop::Malformed(1),
            _ => {}
        }
        let Some(&trail) = bytes.get(i + 1) else { break Stop::Malformed(1) };
        let code = table.code(lead, trail);
        if code != 0 {
            if i >= trust
                && (suspect_in_gb(lead, trail, code) || lead >= 0xE3 && like_utf8(bytes, i))
            {
                break Stop::Suspect;
            }
            text.push(char::from_u32(u32::from(code)).unwrap_or(char::REPLACEMENT_CHARACTER));
            i += 2;
            continue;
        }
        if !trail.is_ascii_digit() {
            break Stop::Malformed(if trail < 0x80 { 1 } else { 2 });
        }
        match (bytes.get(i + 2), bytes.get(i + 3)) {
            (Some(0x81..=0xFE), Some(b'0'..=b'9')) => {}
            _ => break Stop::Malformed(1),
        }
        let four = bytes.get(i..i + 4).unwrap_or_default();
        let Some(c) = encoding_rs::GB18030
            .decode_without_bom_handling_and_without_replacement(four)
            .and_then(|text| text.chars().next())
        else {
            break Stop::Malformed(4);
        };
        if table.is_short(c) || c == char::REPLACEMENT_CHARACTER {
            break Stop::Unusual(4, c);
        }
        seen.irregular = true;
        text.push(c);
        i += 4;
    };
    *at = i;
    stop
}

/// Whether the bytes at `i` would be an ideograph or a full-width character
/// in UTF-8.
fn like_utf8(bytes: &[u8], i: usize) -> bool {
    matches!(bytes.get(i..i + 3), Some([0xE3..=0xE9 | 0xEF, 0x80..=0xBF, 0x80..=0xBF]))
}

/// What Big5 text turns into: private use, the digits with a full stop (⒈ and
/// on), kana, Greek, Cyrillic and bopomofo.
#[inline]
fn suspect_in_gb(lead: u8, trail: u8, code: u16) -> bool {
    matches!(lead, 0xA4..=0xA8) && trail >= 0xA1
        || matches!(code, 0xE000..=0xF8FF | 0x2488..=0x249B)
}

/// Big5 from `at`, as [`gb18030`].
pub(super) fn big5(
    bytes: &[u8],
    at: &mut usize,
    text: &mut String,
    trust: usize,
    seen: &mut Seen,
) -> Stop {
    let table = Big5::get();
    let mut i = *at;
    let mut was_rare = false;
    let stop = loop {
        let Some(&lead) = bytes.get(i) else { break Stop::End };
        if lead < 0x80 {
            text.push(char::from(lead));
            i += 1;
            continue;
        }
        if lead == 0x80 || lead == 0xFF {
            break Stop::Malformed(1);
        }
        let Some(&trail) = bytes.get(i + 1) else { break Stop::Malformed(1) };
        let code = table.code(lead, trail);
        if code == 0 {
            break Stop::Malformed(if trail < 0x80 { 1 } else { 2 });
        }
        // One hanzi of the second level is nothing, two in a row are rare.
        let rare = lead >= 0xC9;
        if i >= trust && (suspect_in_big5(lead, trail) || rare && was_rare) {
            break Stop::Suspect;
        }
        was_rare = rare;
        text.push(char::from_u32(code & 0x00FF_FFFF).unwrap_or(char::REPLACEMENT_CHARACTER));
        if code > 0x00FF_FFFF {
            seen.irregular = true;
            text.push(if code & Big5::WITH_MACRON != 0 { MACRON } else { CARON });
        }
        i += 2;
    };
    *at = i;
    stop
}

/// Rows outside the two levels of hanzi and the punctuation: the Hong Kong
/// extensions, and the kana and rarities of rows C6 to C8, which GBK move text
/// turns into.
#[inline]
fn suspect_in_big5(lead: u8, trail: u8) -> bool {
    matches!((lead, trail), (0x81..=0xA0 | 0xC7..=0xC8 | 0xFA..=0xFE, _) | (0xC6, 0xA1..))
}

/// UTF-8 from `at`. A U+FFFD that the file itself has counts as unusual: it
/// is the trace of a loss before our time. `lost` caches where the next one is
/// and begins as 0.
pub(super) fn utf8(bytes: &[u8], at: &mut usize, text: &mut String, lost: &mut usize) -> Stop {
    loop {
        let rest = bytes.get(*at..).unwrap_or_default();
        if *lost <= *at {
            // Reached: either it is here, or this is the first call, or the
            // end of a shorter input.
            let found = memchr::memmem::find(rest, "\u{FFFD}".as_bytes());
            if found == Some(0) {
                return Stop::Unusual(3, char::REPLACEMENT_CHARACTER);
            }
            *lost = *at + found.unwrap_or(rest.len());
        }
        let part = rest.get(..lost.saturating_sub(*at)).unwrap_or(rest);
        let (sound, bad) = match std::str::from_utf8(part) {
            Ok(sound) => (sound, 0),
            Err(error) => {
                let sound = part.get(..error.valid_up_to()).unwrap_or_default();
                let left = part.len() - error.valid_up_to();
                let bad = error.error_len().unwrap_or(left);
                (std::str::from_utf8(sound).unwrap_or_default(), bad as u8)
            }
        };
        text.push_str(sound);
        *at += sound.len();
        if bad > 0 {
            return Stop::Malformed(bad);
        }
        if *at >= bytes.len() {
            return Stop::End;
        }
    }
}

/// UTF-16 from `at`; `unit` reads one unit of two bytes.
pub(super) fn utf16(
    bytes: &[u8],
    at: &mut usize,
    text: &mut String,
    unit: fn([u8; 2]) -> u16,
) -> Stop {
    let mut i = *at;
    let get = |i: usize| match bytes.get(i..i + 2) {
        Some(&[a, b]) => Some(unit([a, b])),
        _ => None,
    };
    let stop = loop {
        let Some(first) = get(i) else {
            break if i < bytes.len() { Stop::Malformed(1) } else { Stop::End };
        };
        let pair = [first, get(i + 2).unwrap_or(0)];
        match char::decode_utf16(pair).next() {
            Some(Ok(char::REPLACEMENT_CHARACTER)) => {
                break Stop::Unusual(2, char::REPLACEMENT_CHARACTER);
            }
            Some(Ok(c)) => {
                text.push(c);
                i += 2 * c.len_utf16();
            }
            _ => break Stop::Malformed(2),
        }
    };
    *at = i;
    stop
}
