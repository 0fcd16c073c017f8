//! Parts of a file in another encoding than the rest: a pasted comment, a
//! game appended with `cat`.

use std::ops::Range;

use super::codec::{self, Plain};
use super::{Encoding, plausible};

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// In the encoding of the file, sound or not.
    Own,
    /// All of it in another encoding.
    Whole(Encoding),
    /// Some of it in others: ranges of the line, in their order.
    Parts(Vec<(Range<usize>, Encoding)>),
}

/// Judges a line, without its end, of a file in `own`.
pub(super) fn examine(line: &[u8], own: Encoding) -> Verdict {
    if let Some(other) = best(line, own) {
        return Verdict::Whole(other);
    }
    let tokens = tokens(line);
    let part = |token: &Range<usize>| line.get(token.clone()).unwrap_or_default();
    let mut found: Vec<Option<Encoding>> =
        tokens.iter().map(|token| best(part(token), own)).collect();
    let Some(first) = found.iter().copied().flatten().next() else { return Verdict::Own };
    // Where one word is in another encoding, its neighbours may be too, though
    // they happen to be readable in this one.
    for (token, found) in tokens.iter().zip(&mut found) {
        if found.is_none() && prefers(part(token), own, first, 3) {
            *found = Some(first);
        }
    }
    if found.iter().all(|found| *found == Some(first)) {
        return Verdict::Whole(first);
    }
    let mut parts: Vec<(Range<usize>, Encoding)> = Vec::new();
    let mut joins = false;
    for (token, found) in tokens.into_iter().zip(found) {
        match (found, parts.last_mut()) {
            (Some(found), Some((range, encoding))) if joins && found == *encoding => {
                range.end = token.end;
            }
            (Some(found), _) => parts.push((token, found)),
            (None, _) => {}
        }
        joins = found.is_some();
    }
    Verdict::Parts(parts)
}

/// Whether a line near a part in `other` goes with it. Lines of ASCII go with
/// anything.
pub(super) fn follows(line: &[u8], own: Encoding, other: Encoding) -> bool {
    line.is_ascii() || prefers(line, own, other, 0)
}

/// Whether `other` reads `bytes` better than `own`, by `margin` at least.
fn prefers(bytes: &[u8], own: Encoding, other: Encoding, margin: i64) -> bool {
    let (ours, theirs) = (Reading::new(bytes, own), Reading::new(bytes, other));
    theirs.malformed <= ours.malformed && theirs.score >= ours.score + margin
}

/// The encoding that reads `bytes` clean where `own` cannot, or can only as
/// characters that nobody writes.
fn best(bytes: &[u8], own: Encoding) -> Option<Encoding> {
    let ours = Reading::new(bytes, own);
    if ours.malformed == 0 && !ours.suspect {
        return None;
    }
    // Broken UTF-8 is still UTF-8: whole three-byte sequences do not come
    // about by accident, while GBK gives some hanzi for nearly any bytes.
    if own == Encoding::Utf8 && ours.wide > 0 {
        return None;
    }
    // Rare names exist: what can be read at all has to read much worse.
    let margin = if ours.malformed > 0 { 1 } else { 3 };
    [Encoding::Utf8, Encoding::Gb18030, Encoding::Big5]
        .into_iter()
        .filter(|other| *other != own)
        .map(|other| (Reading::new(bytes, other), other))
        .filter(|(theirs, _)| {
            theirs.malformed == 0
                && !theirs.suspect
                && theirs.wide >= 2
                && theirs.score >= ours.score + margin
                && theirs.score * 2 >= theirs.wide
        })
        .max_by_key(|(theirs, _)| theirs.score)
        .map(|(_, other)| other)
}

/// How some bytes read in an encoding.
#[derive(Debug)]
struct Reading {
    /// Replaced sequences.
    malformed: usize,
    /// Whether there are characters that real text hardly has.
    suspect: bool,
    /// Characters from U+0800 on, U+FFFD excepted.
    wide: i64,
    /// [`plausible::score`], and in UTF-8 something for the structure.
    score: i64,
}

impl Reading {
    fn new(bytes: &[u8], encoding: Encoding) -> Reading {
        let Plain { text, malformed, suspect } = codec::plain(bytes, encoding);
        let mut reading = Reading { malformed, suspect, wide: 0, score: 0 };
        let wide = text.chars().filter(|c| *c >= '\u{800}' && *c != char::REPLACEMENT_CHARACTER);
        reading.wide = wide.count() as i64;
        reading.score = plausible::score(&text);
        if encoding == Encoding::Utf8 {
            reading.score += 2 * reading.wide;
        }
        reading
    }
}

/// One past the last byte of a line that is no ASCII character.
pub(super) fn wide_end(line: &[u8]) -> usize {
    tokens(line).last().map_or(0, |token| token.end)
}

/// The words of a line that have bytes beyond ASCII. They are cut at ASCII
/// punctuation that is no part of a longer character: the second byte of GBK
/// and Big5 can be `|` or `[`, but not a blank.
fn tokens(line: &[u8]) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut wide = false;
    let mut i = 0;
    loop {
        let byte = line.get(i).copied().unwrap_or(b' ');
        if !byte.is_ascii() {
            wide = true;
            i += if line.get(i + 1).is_some_and(|trail| *trail >= 0x40) { 2 } else { 1 };
            continue;
        }
        if !byte.is_ascii_alphanumeric() {
            if wide {
                tokens.push(start..i.min(line.len()));
            }
            start = i + 1;
            wide = false;
        }
        if i >= line.len() {
            return tokens;
        }
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gb(text: &str) -> Vec<u8> {
        Encoding::Gb18030.encode(text).bytes
    }

    fn big5(text: &str) -> Vec<u8> {
        Encoding::Big5.encode(text).bytes
    }

    #[test]
    fn words_are_cut_between_characters() {
        // 許 and 因 end in the bytes of `\` and `]`.
        let line = [b"[Red \"".as_slice(), &big5("許因"), b"]|", &big5("功"), b"1 x"].concat();
        assert_eq!(tokens(&line), [6..10, 12..15]);
        assert_eq!(tokens(b"plain"), []);
        assert_eq!(tokens(&[b'a', b' ', 0xB6]), [2..3]);
    }

    #[test]
    fn a_line_in_another_encoding_is_seen() {
        let line = "1. 炮二平五 馬８進７".as_bytes();
        assert_eq!(examine(line, Encoding::Gb18030), Verdict::Whole(Encoding::Utf8));
        assert_eq!(examine(line, Encoding::Big5), Verdict::Whole(Encoding::Utf8));
        let line = big5("1. 炮二平五 馬８進７");
        assert_eq!(examine(&line, Encoding::Gb18030), Verdict::Whole(Encoding::Big5));
        assert_eq!(examine(&line, Encoding::Utf8), Verdict::Whole(Encoding::Big5));
        let line = gb("1. 炮二平五 马８进７");
        assert_eq!(examine(&line, Encoding::Big5), Verdict::Whole(Encoding::Gb18030));
        assert_eq!(examine(&line, Encoding::Gb18030), Verdict::Own);
    }

    #[test]
    fn words_in_another_encoding_are_seen() {
        let line = [gb("第1局 四面旋绕"), b"|".to_vec(), big5("第1局 四面旋繞")].concat();
        let (middle, end) = (gb("第1局 四面旋绕").len(), line.len());
        assert_eq!(
            examine(&line, Encoding::Big5),
            Verdict::Parts(vec![(0..middle, Encoding::Gb18030)])
        );
        assert_eq!(
            examine(&line, Encoding::Gb18030),
            Verdict::Parts(vec![(middle + 1..end, Encoding::Big5)])
        );
    }

    #[test]
    fn damage_alone_is_no_other_encoding() {
        let mut line = gb("红方 中炮对屏风马 胜");
        line.remove(7);
        assert_eq!(examine(&line, Encoding::Gb18030), Verdict::Own);
        let mut line = "红方 中炮对屏风马 胜".as_bytes().to_vec();
        line.remove(9);
        assert_eq!(examine(&line, Encoding::Utf8), Verdict::Own);
        assert_eq!(examine(&[0xC5, 0xDA, 0xB6], Encoding::Gb18030), Verdict::Own);
    }
}
