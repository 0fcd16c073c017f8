//! The code tables of GB18030 and Big5, laid out for decoding and for
//! measuring. They are filled once, on first use, from `encoding_rs`.

use std::sync::OnceLock;

use super::codec;

/// Lead bytes 81–FE.
const LEADS: usize = 0xFE - 0x81 + 1;
/// Trail bytes 40–7E and 80–FE of GBK.
const GB_TRAILS: usize = 190;
/// Trail bytes 40–7E and A1–FE of Big5.
const BIG5_TRAILS: usize = 157;

/// The second character of the four Big5 codes that stand for two.
pub(super) const MACRON: char = '\u{304}';
/// See [`MACRON`].
pub(super) const CARON: char = '\u{30C}';

/// The two-byte part of GB18030.
#[derive(Debug)]
pub(super) struct Gb {
    /// The character of each two-byte code, 0 where there is none.
    codes: Box<[u16]>,
    /// A bit for each character of the Basic Multilingual Plane that has a
    /// two-byte code.
    short: Box<[u64; 1024]>,
    easy: Box<Easy>,
}

/// By two-byte code, the three bytes of UTF-8 (the first in the lowest byte)
/// of the characters that need no second look: those that take three and are
/// not suspect. 0 for the rest.
type Easy = [u32; 1 << 16];

fn easy(characters: impl Iterator<Item = ([u8; 2], u32)>) -> Box<Easy> {
    let mut easy = Box::new([0; 1 << 16]);
    for (code, c) in characters {
        let Some(c @ '\u{800}'..='\u{FFFF}') = char::from_u32(c) else { continue };
        let mut utf8 = [0; 4];
        c.encode_utf8(&mut utf8);
        easy[usize::from(u16::from_be_bytes(code))] = u32::from_le_bytes(utf8);
    }
    easy
}

impl Gb {
    /// The table.
    pub(super) fn get() -> &'static Gb {
        static TABLE: OnceLock<Gb> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut codes = vec![0; LEADS * GB_TRAILS].into_boxed_slice();
            let mut short = Box::new([0; 1024]);
            for (code, bytes) in codes.iter_mut().zip(pairs(GB_TRAILS, gb_trail)) {
                let Some(c) = single(encoding_rs::GB18030, &bytes) else { continue };
                let Ok(c) = u16::try_from(u32::from(c)) else { continue };
                *code = c;
                short[usize::from(c >> 6)] |= 1 << (c & 63);
            }
            let plain = pairs(GB_TRAILS, gb_trail).zip(&codes).filter(|([lead, trail], code)| {
                let like_utf8 = *lead >= 0xE3 && *trail < 0xC0;
                !like_utf8 && !codec::suspect_in_gb(*lead, *trail, **code)
            });
            let easy = easy(plain.map(|(bytes, code)| (bytes, u32::from(*code))));
            Gb { codes, short, easy }
        })
    }

    /// The character of a two-byte code. `lead` is 81–FE, `trail` any byte;
    /// 0 when the code has no character.
    #[inline]
    pub(super) fn code(&self, lead: u8, trail: u8) -> u16 {
        if trail < 0x40 || trail == 0x7F || trail == 0xFF {
            return 0;
        }
        let column = usize::from(trail) - if trail < 0x7F { 0x40 } else { 0x41 };
        let row = usize::from(lead.wrapping_sub(0x81));
        self.codes.get(row * GB_TRAILS + column).copied().unwrap_or(0)
    }

    /// See [`Easy`].
    pub(super) fn easy(&self) -> &Easy {
        &self.easy
    }

    /// Whether a character has a two-byte code.
    #[inline]
    pub(super) fn is_short(&self, c: char) -> bool {
        let c = u32::from(c);
        self.short.get((c >> 6) as usize).is_some_and(|word| word >> (c & 63) & 1 == 1)
    }
}

/// Big5 as the WHATWG Encoding Standard has it, with the Hong Kong extensions.
#[derive(Debug)]
pub(super) struct Big5 {
    /// The character of each code, 0 where there is none. Codes that stand for
    /// two characters have the second one's number in the upper bits.
    codes: Box<[u32]>,
    easy: Box<Easy>,
}

impl Big5 {
    /// The table.
    pub(super) fn get() -> &'static Big5 {
        static TABLE: OnceLock<Big5> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut codes = vec![0; LEADS * BIG5_TRAILS].into_boxed_slice();
            for (code, bytes) in codes.iter_mut().zip(pairs(BIG5_TRAILS, big5_trail)) {
                let text =
                    encoding_rs::BIG5.decode_without_bom_handling_and_without_replacement(&bytes);
                let Some(text) = text else { continue };
                let mut chars = text.chars();
                *code = match (chars.next(), chars.next(), chars.next()) {
                    (Some(c), None, None) if !c.is_ascii() => c.into(),
                    (Some(c), Some(MACRON), None) => u32::from(c) | Big5::WITH_MACRON,
                    (Some(c), Some(CARON), None) => u32::from(c) | Big5::WITH_CARON,
                    _ => 0,
                };
            }
            let plain = pairs(BIG5_TRAILS, big5_trail).zip(&codes).filter(|([lead, trail], _)| {
                *lead < 0xC9 && !codec::suspect_in_big5(*lead, *trail)
            });
            let easy = easy(plain.map(|(bytes, code)| (bytes, *code)));
            Big5 { codes, easy }
        })
    }

    /// See [`Easy`].
    pub(super) fn easy(&self) -> &Easy {
        &self.easy
    }

    /// Added to a code that is followed by [`MACRON`].
    pub(super) const WITH_MACRON: u32 = 1 << 24;
    /// Added to a code that is followed by [`CARON`].
    pub(super) const WITH_CARON: u32 = 1 << 25;

    /// The character of a code. `lead` is 81–FE, `trail` any byte; 0 when the
    /// code has no character.
    #[inline]
    pub(super) fn code(&self, lead: u8, trail: u8) -> u32 {
        let column = match trail {
            0x40..=0x7E => usize::from(trail) - 0x40,
            0xA1..=0xFE => usize::from(trail) - 0x62,
            _ => return 0,
        };
        let row = usize::from(lead.wrapping_sub(0x81));
        self.codes.get(row * BIG5_TRAILS + column).copied().unwrap_or(0)
    }
}

const fn gb_trail(column: usize) -> u8 {
    (column + if column < 0x3F { 0x40 } else { 0x41 }) as u8
}

const fn big5_trail(column: usize) -> u8 {
    (column + if column < 0x3F { 0x40 } else { 0x62 }) as u8
}

/// All two-byte codes, in the order of the tables.
fn pairs(trails: usize, trail: fn(usize) -> u8) -> impl Iterator<Item = [u8; 2]> {
    (0..LEADS * trails).map(move |i| [(i / trails + 0x81) as u8, trail(i % trails)])
}

/// The one character, beyond ASCII, that a code stands for.
fn single(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> Option<char> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    let mut chars = text.chars();
    let first = chars.next().filter(|c| !c.is_ascii())?;
    chars.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        let gb = Gb::get();
        let big5 = Big5::get();
        assert_eq!(gb.code(0xC5, 0xDA), '炮' as u16);
        assert_eq!(gb.code(0x82, 0x65), '俥' as u16);
        assert_eq!(gb.code(0xAC, 0xB6) & 0xE000, 0xE000, "Big5 炮 is private use in GBK");
        assert_eq!(gb.code(0x81, 0x7F), 0);
        assert_eq!(gb.code(0x81, 0xFF), 0);
        assert_eq!(big5.code(0xAC, 0xB6), '炮' as u32);
        assert_eq!(big5.code(0xB3, 0x5C), '許' as u32);
        assert_eq!(big5.code(0xD8, 0x58), '傌' as u32);
        assert_eq!(big5.code(0x88, 0x62), 0xCA | Big5::WITH_MACRON);
        assert_eq!(big5.code(0x88, 0xA5), 0xEA | Big5::WITH_CARON);
        assert_eq!(big5.code(0x81, 0x80), 0);
        assert!(gb.is_short('帥') && gb.is_short('€'));
        assert!(!gb.is_short('𠮷') && !gb.is_short('ģ') && !gb.is_short('a'));
    }
}
