//! The encodings that xiangqi files come in.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::EncoderResult;

use super::tables::{self, Gb};

/// A character encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Encoding {
    /// UTF-8; ASCII counts as this.
    #[default]
    Utf8,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// GB18030, which contains GBK (国标扩展码) and GB2312 (国标码).
    Gb18030,
    /// Big5 (大五码) with the Hong Kong extensions.
    Big5,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 5] =
        [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Gb18030, Encoding::Big5];

    /// The stable name: `utf-8`, `utf-16le`, `utf-16be`, `gb18030`, `big5`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
            Encoding::Gb18030 => "gb18030",
            Encoding::Big5 => "big5",
        }
    }

    /// The byte order mark (BOM): U+FEFF in this encoding. Big5 has none.
    #[must_use]
    pub const fn bom(self) -> &'static [u8] {
        match self {
            Encoding::Utf8 => &[0xEF, 0xBB, 0xBF],
            Encoding::Utf16Le => &[0xFF, 0xFE],
            Encoding::Utf16Be => &[0xFE, 0xFF],
            Encoding::Gb18030 => &[0x84, 0x31, 0x95, 0x33],
            Encoding::Big5 => &[],
        }
    }

    /// The number of bytes a character takes, `None` when the encoding does
    /// not have it.
    #[must_use]
    pub fn len(self, c: char) -> Option<usize> {
        if c.is_ascii() && !self.is_utf16() {
            return Some(1);
        }
        match self {
            Encoding::Utf8 => Some(c.len_utf8()),
            Encoding::Utf16Le | Encoding::Utf16Be => Some(2 * c.len_utf16()),
            Encoding::Gb18030 if Gb::get().is_short(c) => Some(2),
            Encoding::Gb18030 | Encoding::Big5 => {
                let encoded = self.encode(c.encode_utf8(&mut [0; 4]));
                encoded.unmappable.is_empty().then_some(encoded.bytes.len())
            }
        }
    }

    /// Whether this is UTF-16 in either byte order.
    #[must_use]
    pub const fn is_utf16(self) -> bool {
        matches!(self, Encoding::Utf16Le | Encoding::Utf16Be)
    }

    /// Text to bytes, without a byte order mark. A character that the
    /// encoding does not have becomes □ (U+25A1, 虚缺号: the mark for a
    /// missing character) and is listed; it never becomes `?`. Writers of
    /// games call [`Encoding::escaped`] first.
    #[must_use]
    pub fn encode(self, text: &str) -> Encoded {
        let bytes = match self {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Encoding::Gb18030 => return encode(encoding_rs::GB18030, text),
            Encoding::Big5 => return encode(encoding_rs::BIG5, text),
        };
        Encoded { bytes, unmappable: Vec::new() }
    }
}

/// How a character is written that the encoding lacks: `&#134071;`.
const ESCAPE: &str = "&#";
/// Digits of the highest character.
const MOST_DIGITS: usize = 7;

impl Encoding {
    /// The text with every character that the encoding lacks written as its
    /// number (`&#134071;`), and these characters, in their order.
    #[must_use]
    pub fn escaped(self, text: &str) -> (Cow<'_, str>, Vec<char>) {
        let is_missing = |c: &char| !c.is_ascii() && self.len(*c).is_none();
        let missing: Vec<char> = text.chars().filter(is_missing).collect();
        if missing.is_empty() && !text.contains(ESCAPE) {
            return (Cow::Borrowed(text), missing);
        }
        let mut out = String::with_capacity(text.len() + 8 * missing.len());
        for (at, c) in text.char_indices() {
            let own = || self.is_escape(text.get(at..)?.strip_prefix(ESCAPE)).then_some(());
            if is_missing(&c) || c == '&' && own().is_some() {
                out.push_str(&format!("{ESCAPE}{};", u32::from(c)));
            } else {
                out.push(c);
            }
        }
        (Cow::Owned(out), missing)
    }

    /// Takes [`Encoding::escaped`] back. Numbers of characters that the
    /// encoding has are text that somebody wrote, and stay.
    #[must_use]
    pub fn unescaped(self, text: &str) -> Option<String> {
        if !text.contains(ESCAPE) {
            return None;
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(ESCAPE) {
            out.push_str(before);
            rest = match number_before_semicolon(after) {
                Some((c, after)) if self.len(c).is_none() => {
                    out.push(c);
                    after
                }
                // `&#38;#233;`: somebody wrote `&#233;`.
                Some(('&', after)) if self.is_escape(after.strip_prefix('#')) => {
                    out.push('&');
                    after
                }
                _ => {
                    out.push_str(ESCAPE);
                    after
                }
            };
        }
        out.push_str(rest);
        (out != text).then_some(out)
    }

    /// Whether what follows `&#` would be taken for a character.
    fn is_escape(self, after: Option<&str>) -> bool {
        let mut next = after.and_then(number_before_semicolon);
        while let Some((c, after)) = next {
            if c != '&' {
                return self.len(c).is_none();
            }
            next = after.strip_prefix('#').and_then(number_before_semicolon);
        }
        false
    }
}

/// The character whose number stands before a semicolon, and what follows. It
/// looks no farther than a number can reach: a text may be full of `&#`.
fn number_before_semicolon(text: &str) -> Option<(char, &str)> {
    let end = text.bytes().take(MOST_DIGITS + 1).position(|byte| byte == b';')?;
    let (number, after) = (text.get(..end)?, text.get(end + 1..)?);
    let digits = number.starts_with(|c: char| matches!(c, '1'..='9'));
    Some((char::from_u32(number.parse().ok().filter(|_| digits)?)?, after))
}

fn encode(standard: &'static encoding_rs::Encoding, text: &str) -> Encoded {
    let mut encoder = standard.new_encoder();
    let mut encoded = Encoded::default();
    let (mut bytes, mut at) = (Vec::with_capacity(text.len() + 16), 0);
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
        at += read;
        match result {
            EncoderResult::InputEmpty => break,
            EncoderResult::OutputFull => bytes.reserve(rest.len() + 16),
            EncoderResult::Unmappable(character) => {
                encoded.unmappable.push(Unmappable { at: at - character.len_utf8(), character });
                // Both encodings have it here.
                bytes.extend_from_slice(match standard.name() {
                    "Big5" => &[0xA1, 0xBC],
                    _ => &[0xA1, 0xF5],
                });
            }
        }
    }
    encoded.bytes = bytes;
    encoded
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of an encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no encoding is called `{0}`; known are utf-8, utf-16le, utf-16be, gb18030 and big5")]
pub struct UnknownEncoding(String);

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// Takes the stable names and the usual labels (`utf8`, `utf-16`, `gbk`,
    /// `gb2312`, `cp936`, `cp950`, `big5-hkscs`, …), without regard to case.
    fn from_str(label: &str) -> Result<Encoding, UnknownEncoding> {
        let plain: String = label
            .trim()
            .chars()
            .filter(|c| !matches!(c, '-' | '_' | ' '))
            .map(|c| c.to_ascii_lowercase())
            .collect();
        Ok(match plain.as_str() {
            "utf8" | "utf8bom" | "ascii" | "usascii" | "cp65001" => Encoding::Utf8,
            "utf16" | "utf16le" | "unicode" | "ucs2" | "ucs2le" => Encoding::Utf16Le,
            "utf16be" | "ucs2be" => Encoding::Utf16Be,
            "gb18030" | "gbk" | "gb2312" | "gb" | "cp936" | "936" | "windows936" | "ms936"
            | "xgbk" | "euccn" | "chinese" | "gb231280" => Encoding::Gb18030,
            "big5" | "big5hkscs" | "cp950" | "950" | "windows950" | "ms950" | "xxbig5"
            | "cnbig5" => Encoding::Big5,
            _ => return Err(UnknownEncoding(label.to_owned())),
        })
    }
}

/// Text as bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The characters that the encoding does not have, in their order.
    pub unmappable: Vec<Unmappable>,
}

/// A character that an encoding does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmappable {
    /// Byte offset in the text.
    pub at: usize,
    /// The character.
    pub character: char,
}

/// The number of bytes that a character of a decoded Big5 text took.
#[inline]
pub(super) fn big5_len(c: char) -> u64 {
    match c {
        '\0'..='\x7F' => 1,
        tables::MACRON | tables::CARON => 0,
        _ => 2,
    }
}

/// The number of bytes that a character of a decoded GB18030 text took, unless
/// it was written in a form other than its own.
#[inline]
pub(super) fn gb_len(gb: &Gb, c: char) -> u64 {
    if c.is_ascii() {
        1
    } else if gb.is_short(c) {
        2
    } else {
        4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_labels() {
        for encoding in Encoding::ALL {
            assert_eq!(encoding.name().parse(), Ok(encoding));
            assert_eq!(encoding.to_string(), encoding.name());
        }
        assert_eq!("GBK".parse(), Ok(Encoding::Gb18030));
        assert_eq!("gb2312".parse(), Ok(Encoding::Gb18030));
        assert_eq!("Big5-HKSCS".parse(), Ok(Encoding::Big5));
        assert_eq!("UTF-16".parse(), Ok(Encoding::Utf16Le));
        assert!("latin-1".parse::<Encoding>().unwrap_err().to_string().contains("latin-1"));
    }

    #[test]
    fn what_cannot_be_encoded_is_listed() {
        let encoded = Encoding::Big5.encode("俥一进1");
        assert_eq!(
            encoded.unmappable,
            [Unmappable { at: 0, character: '俥' }, Unmappable { at: 6, character: '进' }]
        );
        assert!(!encoded.bytes.contains(&b'?') && !encoded.bytes.contains(&b'&'));
        assert_eq!(encoded.bytes, Encoding::Big5.encode("□一□1").bytes);
        assert_eq!(Encoding::Gb18030.encode("俥𠮷").unmappable, []);
        let private = Encoding::Gb18030.encode("a\u{E5E5}b");
        assert_eq!(private.unmappable, [Unmappable { at: 1, character: '\u{E5E5}' }]);
        assert_eq!(private.bytes, Encoding::Gb18030.encode("a□b").bytes);
        assert_eq!(Encoding::Gb18030.encode("𠮷").bytes.len(), 4);
        assert_eq!(Encoding::Utf16Be.encode("炮𠮷").bytes.len(), 6);
    }

    #[test]
    fn lengths_are_those_of_the_bytes() {
        for c in ['a', 'é', '€', '炮', '俥', '𠮷', '\u{FFFD}'] {
            for encoding in Encoding::ALL {
                let encoded = encoding.encode(&c.to_string());
                let expected = encoded.unmappable.is_empty().then_some(encoded.bytes.len());
                assert_eq!(encoding.len(c), expected, "{c} in {encoding}");
            }
        }
    }

    #[test]
    fn what_an_encoding_lacks_is_written_as_its_number() {
        let (escaped, missing) = Encoding::Big5.escaped("黑𠮷é");
        assert_eq!((&*escaped, &missing[..]), ("黑&#134071;&#233;", &['𠮷', 'é'][..]));
        assert_eq!(Encoding::Big5.unescaped(&escaped).as_deref(), Some("黑𠮷é"));
        // Big5 has 黑, and these are no characters.
        for own in ["&#40657;", "&#;", "&#1114112;", "&#00233;", "&#233", "&#+233;", "R&D &# 5;"] {
            assert_eq!(Encoding::Big5.unescaped(own), None, "{own}");
        }
        assert!(Encoding::Gb18030.escaped("黑𠮷é😀").1.is_empty());
        // What somebody wrote stays what it is.
        for own in ["&#134071;", "&#38;#134071;", "&#38;#38;#233;é", "&#38;", "&&#233;&#"] {
            let (escaped, _) = Encoding::Big5.escaped(own);
            let back = Encoding::Big5.unescaped(&escaped);
            assert_eq!(back.as_deref().unwrap_or(&escaped), own, "{escaped}");
        }
    }
}
