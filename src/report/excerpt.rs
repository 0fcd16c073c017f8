//! The line of the source on which a finding stands, with a mark under the
//! place; for a binary file the bytes around it.

use std::fmt::Write as _;
use std::io::{self, Read, Seek, SeekFrom};

use crate::finding::SourcePoint;
use crate::text::width::width;
use crate::text::{Encoding, decode};

/// How far before the place the beginning of its line is looked for, and how
/// much of the line after it is read, in bytes.
const REACH: u64 = 4096;
/// Columns of a line that are shown before the place, and in all.
const BEFORE: usize = 48;
const SHOWN: usize = 96;

/// A line of the source, cut to what fits a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// What stands in the gutter: the line number or the byte offset.
    pub label: String,
    /// The line.
    pub line: String,
    /// Columns before the mark.
    pub indent: usize,
    /// Columns of the mark, at least 1.
    pub marked: usize,
}

impl Excerpt {
    /// Reads the line around `point`. `text` is the word that stands there;
    /// its width is marked.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn read(
        source: &mut (impl Read + Seek + ?Sized),
        point: SourcePoint,
        encoding: Encoding,
        text: &str,
    ) -> io::Result<Option<Excerpt>> {
        if point.line == 0 {
            return bytes_around(source, point.offset);
        }
        let start = point.offset.saturating_sub(REACH);
        // Code units of UTF-16 stay whole.
        let start = if encoding.is_utf16() { start + (point.offset - start) % 2 } else { start };
        let before = read_at(source, start, point.offset - start)?;
        let after = read_at(source, point.offset, REACH)?;
        if (before.len() as u64) < point.offset - start {
            return Ok(None);
        }
        let (before, whole) = match last_line(&before, encoding) {
            Some(line) => (line, true),
            None => (before.as_slice(), start == 0),
        };
        let after = first_line(&after, encoding);
        // Where the beginning of a very long line was not found, bytes may
        // have been cut inside a character: show only what follows.
        let before = if whole { decode(before, encoding).text } else { String::new() };
        let before = clean(before.strip_prefix('\u{feff}').unwrap_or(&before));
        let after = clean(&decode(after, encoding).text);
        if before.is_empty() && after.is_empty() {
            return Ok(None);
        }
        Ok(Some(layout(point.line.to_string(), &before, &after, text, whole)))
    }
}

fn layout(label: String, before: &str, after: &str, text: &str, whole: bool) -> Excerpt {
    let mut head = last_columns(before, BEFORE);
    if head.len() < before.len() || !whole {
        head.insert(0, '…');
    }
    let tail = crate::text::width::fit(after, SHOWN.saturating_sub(width(&head)).max(8));
    // The word is marked where it stands, else one character is.
    let text = clean(text.lines().next().unwrap_or(""));
    let word = if !text.is_empty() && after.starts_with(&text) { text.trim_end() } else { "" };
    let marked = if word.is_empty() {
        after.chars().next().map_or(1, |c| width(c.encode_utf8(&mut [0; 4])))
    } else {
        width(word)
    };
    let indent = width(&head);
    Excerpt {
        label,
        marked: marked.clamp(1, width(&tail).max(1)),
        line: format!("{head}{tail}"),
        indent,
    }
}

/// The end of a text that fits into `columns`.
fn last_columns(text: &str, columns: usize) -> String {
    let mut from = text.len();
    let mut used = 0;
    for (at, c) in text.char_indices().rev() {
        used += width(c.encode_utf8(&mut [0; 4]));
        if used > columns {
            break;
        }
        from = at;
    }
    text.get(from..).unwrap_or("").to_owned()
}

/// Tabs become blanks, other control characters `\u{fffd}`.
fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Sixteen bytes in hexadecimal, those from the place on marked.
fn bytes_around(source: &mut (impl Read + Seek + ?Sized), at: u64) -> io::Result<Option<Excerpt>> {
    let start = at & !15;
    let bytes = read_at(source, start, 16)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let mut line = String::new();
    for byte in &bytes {
        let _ = write!(line, "{byte:02x} ");
    }
    let printable = |byte: &u8| if byte.is_ascii_graphic() { *byte as char } else { '.' };
    let _ = write!(line, " {}", bytes.iter().map(printable).collect::<String>());
    let indent = (at - start) as usize * 3;
    Ok(Some(Excerpt { label: format!("{start:#06x}"), line, indent, marked: 2 }))
}

fn read_at(
    source: &mut (impl Read + Seek + ?Sized),
    offset: u64,
    length: u64,
) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.seek(SeekFrom::Start(offset))?;
    source.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_break(unit: &[u8], encoding: Encoding) -> bool {
    match encoding {
        Encoding::Utf16Le => matches!(unit, [b'\n' | b'\r', 0]),
        Encoding::Utf16Be => matches!(unit, [0, b'\n' | b'\r']),
        // No byte of a longer character of these is a line break.
        _ => matches!(unit, [b'\n' | b'\r']),
    }
}

/// What follows the last line break.
fn last_line(bytes: &[u8], encoding: Encoding) -> Option<&[u8]> {
    let unit = if encoding.is_utf16() { 2 } else { 1 };
    let at = bytes.chunks_exact(unit).rposition(|piece| is_break(piece, encoding))?;
    bytes.get((at + 1) * unit..)
}

/// What comes before the first line break.
fn first_line(bytes: &[u8], encoding: Encoding) -> &[u8] {
    let unit = if encoding.is_utf16() { 2 } else { 1 };
    let at = bytes.chunks_exact(unit).position(|piece| is_break(piece, encoding));
    at.and_then(|at| bytes.get(..at * unit)).unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn at(offset: u64, line: u32) -> SourcePoint {
        SourcePoint { offset, line, column: 1 }
    }

    #[test]
    fn the_mark_stands_under_hanzi_and_full_width_digits() {
        let text = "[A \"b\"]\n1. 炮二平五 马８进６ 2. 马二进三\n";
        let offset = text.find("马８").unwrap() as u64;
        let mut source = Cursor::new(text.as_bytes());
        let excerpt = Excerpt::read(&mut source, at(offset, 2), Encoding::Utf8, "马８进６");
        let excerpt = excerpt.unwrap().unwrap();
        assert_eq!(excerpt.line, "1. 炮二平五 马８进６ 2. 马二进三");
        assert_eq!((excerpt.indent, excerpt.marked), (12, 8));
        assert_eq!(excerpt.label, "2");
    }

    #[test]
    fn every_encoding_gives_the_same_line() {
        let text = "棋谱\r\n1. 炮二平五 馬8進6\r\n";
        let byte = text.find("馬8").unwrap();
        for encoding in Encoding::ALL {
            let (head, tail) = text.split_at(byte);
            let mut bytes = encoding.encode(head).bytes;
            let offset = bytes.len() as u64;
            bytes.extend(encoding.encode(tail).bytes);
            let mut source = Cursor::new(bytes);
            let excerpt = Excerpt::read(&mut source, at(offset, 2), encoding, "馬8進6");
            let excerpt = excerpt.unwrap().unwrap();
            assert_eq!(excerpt.line, "1. 炮二平五 馬8進6", "{encoding:?}");
            assert_eq!((excerpt.indent, excerpt.marked), (12, 6), "{encoding:?}");
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}前兵进一{}", "炮二平五 ".repeat(2000), " 马8进7".repeat(2000));
        let offset = text.find("前兵").unwrap() as u64;
        let mut source = Cursor::new(text.as_bytes());
        let excerpt = Excerpt::read(&mut source, at(offset, 1), Encoding::Utf8, "前兵进一");
        let excerpt = excerpt.unwrap().unwrap();
        assert!(width(&excerpt.line) <= SHOWN, "{}", excerpt.line);
        assert!(excerpt.line.starts_with('…') && excerpt.line.ends_with('…'));
        assert!(excerpt.line.contains("前兵进一"));
    }

    #[test]
    fn binary_files_show_their_bytes() {
        let bytes: Vec<u8> = (0u8..64).collect();
        let point = SourcePoint { offset: 0x25, line: 0, column: 0 };
        let excerpt = Excerpt::read(&mut Cursor::new(bytes), point, Encoding::Utf8, "");
        let excerpt = excerpt.unwrap().unwrap();
        assert_eq!(excerpt.label, "0x0020");
        assert_eq!(excerpt.line.get(excerpt.indent..excerpt.indent + 2), Some("25"));
    }

    #[test]
    fn a_place_beyond_the_end_has_no_excerpt() {
        let mut source = Cursor::new(b"abc".as_slice());
        assert_eq!(Excerpt::read(&mut source, at(900, 7), Encoding::Utf8, "x").unwrap(), None);
        let point = SourcePoint { offset: 900, line: 0, column: 0 };
        assert_eq!(Excerpt::read(&mut source, point, Encoding::Utf8, "").unwrap(), None);
    }
}
