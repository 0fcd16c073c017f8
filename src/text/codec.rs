//! The decoding loops. Each runs until the input ends or until it meets
//! something that its caller has to account for.

use super::Encoding;
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

/// ASCII and the characters that the table gives as UTF-8, up to the first
/// byte that is neither. In real files that is nearly everything.
fn easy(bytes: &[u8], at: &mut usize, text: &mut String, table: &[u32; 1 << 16]) {
    const ROOM: usize = 256;
    let mut buffer = [0_u8; ROOM + 8];
    let mut more = true;
    while more {
        let (mut i, mut n) = (*at, 0);
        while n < ROOM {
            // Eight bytes at a time: as many as are ASCII pass together.
            let Some(eight) = bytes.get(i..).and_then(|rest| rest.first_chunk::<8>()) else {
                more = tail(bytes, &mut i, &mut n, &mut buffer, table);
                break;
            };
            let ascii = (u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080).trailing_zeros() / 8;
            if ascii > 0 {
                buffer[n..n + 8].copy_from_slice(eight);
                n += ascii as usize;
                i += ascii as usize;
                continue;
            }
            let utf8 = table[usize::from(u16::from_be_bytes([eight[0], eight[1]]))];
            if utf8 == 0 {
                more = false;
                break;
            }
            buffer[n..n + 4].copy_from_slice(&utf8.to_le_bytes());
            n += 3;
            i += 2;
        }
        *at = i;
        // The table has nothing but UTF-8.
        text.push_str(simdutf8::basic::from_utf8(&buffer[..n]).unwrap_or_default());
    }
}

/// As [`easy`], for the last bytes of the input. Always false: no more.
fn tail(
    bytes: &[u8],
    i: &mut usize,
    n: &mut usize,
    buffer: &mut [u8],
    table: &[u32; 1 << 16],
) -> bool {
    while let Some(lead) = bytes.get(*i) {
        let trail = bytes.get(*i + 1).copied().unwrap_or(0);
        let utf8 = table[usize::from(u16::from_be_bytes([*lead, trail]))].to_le_bytes();
        let (from, length, passed) = match utf8 {
            _ if lead.is_ascii() => (std::slice::from_ref(lead), 1, 1),
            [0, ..] => break,
            _ => (&utf8[..3], 3, 2),
        };
        let Some(to) = buffer.get_mut(*n..*n + length) else { break };
        to.copy_from_slice(from);
        *n += length;
        *i += passed;
    }
    false
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
        easy(bytes, &mut i, text, table.easy());
        let Some(&lead) = bytes.get(i) else { break Stop::End };
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
pub(super) fn suspect_in_gb(lead: u8, trail: u8, code: u16) -> bool {
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
    let stop = loop {
        easy(bytes, &mut i, text, table.easy());
        let Some(&lead) = bytes.get(i) else { break Stop::End };
        if lead == 0x80 || lead == 0xFF {
            break Stop::Malformed(1);
        }
        let Some(&trail) = bytes.get(i + 1) else { break Stop::Malformed(1) };
        let code = table.code(lead, trail);
        if code == 0 {
            break Stop::Malformed(if trail < 0x80 { 1 } else { 2 });
        }
        // One hanzi of the second level is nothing, two in a row are rare.
        let rare = lead >= 0xC9 && bytes.get(i + 2).is_some_and(|next| *next >= 0xC9);
        if i >= trust && (rare || suspect_in_big5(lead, trail)) {
            break Stop::Suspect;
        }
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
pub(super) fn suspect_in_big5(lead: u8, trail: u8) -> bool {
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
        let (sound, bad) = sound(part);
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

/// The sound beginning of UTF-8, and the number of bytes that are not valid
/// after it.
fn sound(bytes: &[u8]) -> (&str, u8) {
    // Where errors are dense, looking a little ahead is the faster way.
    const NEAR: usize = 32;
    let near = bytes.get(..NEAR).unwrap_or(bytes);
    if let Err(error) = std::str::from_utf8(near)
        && let Some(bad) = error.error_len()
    {
        let sound = near.get(..error.valid_up_to()).unwrap_or_default();
        return (std::str::from_utf8(sound).unwrap_or_default(), bad as u8);
    }
    match simdutf8::compat::from_utf8(bytes) {
        Ok(sound) => (sound, 0),
        Err(error) => {
            let sound = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let left = bytes.len() - error.valid_up_to();
            let bad = error.error_len().unwrap_or(left);
            (simdutf8::basic::from_utf8(sound).unwrap_or_default(), bad as u8)
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

/// A reading without an account of its bytes, to be judged.
#[derive(Debug)]
pub(super) struct Plain {
    /// The text.
    pub(super) text: String,
    /// Number of U+FFFD for bytes that are not valid.
    pub(super) malformed: usize,
    /// Whether there are characters that real text hardly has.
    pub(super) suspect: bool,
}

/// Reads bytes in one encoding, right or wrong.
pub(super) fn plain(bytes: &[u8], encoding: Encoding) -> Plain {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 2);
    let (mut malformed, mut suspect) = (0, false);
    let (mut at, mut lost, mut trust) = (0, 0, 0);
    let mut seen = Seen::default();
    loop {
        let (at, text) = (&mut at, &mut text);
        let stop = match encoding {
            Encoding::Utf8 => utf8(bytes, at, text, &mut lost),
            Encoding::Utf16Le => utf16(bytes, at, text, u16::from_le_bytes),
            Encoding::Utf16Be => utf16(bytes, at, text, u16::from_be_bytes),
            Encoding::Gb18030 => gb18030(bytes, at, text, trust, &mut seen),
            Encoding::Big5 => big5(bytes, at, text, trust, &mut seen),
        };
        match stop {
            Stop::End => break,
            Stop::Suspect => {
                suspect = true;
                trust = usize::MAX;
            }
            Stop::Malformed(len) => {
                malformed += 1;
                text.push(char::REPLACEMENT_CHARACTER);
                *at += usize::from(len);
            }
            Stop::Unusual(len, c) => {
                text.push(c);
                *at += usize::from(len);
            }
        }
    }
    Plain { text, malformed, suspect }
}
