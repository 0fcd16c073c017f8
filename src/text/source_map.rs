//! From a place in decoded text back to line, column and byte of the file.

use std::sync::Arc;

use super::Encoding;
use super::encoding::{big5_len, gb_len};
use super::tables::Gb;
use crate::finding::SourcePoint;

/// Maps byte offsets of a decoded text to points of the file it came from.
///
/// It keeps the encoding and the point where the text begins, and one mark
/// for each place where the length in the file cannot be told from the
/// decoded characters (after a replaced byte, say); the rest is computed when
/// somebody asks.
///
/// Lines end in LF, CR LF or CR alone. Columns count Unicode scalar values
/// from 1. A map whose line is 0 stands for a field of a binary file: line and
/// column stay 0, only the offset moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    base: SourcePoint,
    measure: Measure,
    marks: Option<Arc<[Mark]>>,
    /// Where in the whole decoded text, to which `marks` refer, the text of
    /// this map begins.
    shift: usize,
}

/// How long a decoded character was in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Measure {
    pub(super) width: Width,
    /// The length of what a U+FFFD stands for.
    pub(super) replaced: u8,
}

/// The rule for characters other than U+FFFD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Width {
    /// As long as in UTF-8.
    #[default]
    Utf8,
    /// Two bytes for each UTF-16 unit.
    Utf16,
    /// One byte for ASCII, two for everything else.
    Double,
    /// As the GB18030 tables say: one, two or four.
    Gb18030,
    /// One byte for ASCII, two for everything else, none for the second
    /// character of a code that stands for two.
    Big5,
}

impl Measure {
    /// For a text that was decoded without damage.
    pub(super) const fn of(encoding: Encoding) -> Measure {
        match encoding {
            Encoding::Utf8 => Measure { width: Width::Utf8, replaced: 3 },
            Encoding::Utf16Le | Encoding::Utf16Be => Measure { width: Width::Utf16, replaced: 2 },
            Encoding::Gb18030 => Measure { width: Width::Gb18030, replaced: 4 },
            Encoding::Big5 => Measure { width: Width::Big5, replaced: 1 },
        }
    }

    /// The same rule, for U+FFFD that stand for `replaced` bytes.
    pub(super) const fn replacing(self, replaced: u8) -> Measure {
        Measure { replaced, ..self }
    }

    /// Bytes of the file that were decoded to `text`.
    fn length(self, text: &str) -> u64 {
        let bytes = text.as_bytes();
        let characters = || count(bytes, |b| (b as i8) >= -0x40);
        match self.width {
            Width::Utf8 if self.replaced == 3 => bytes.len() as u64,
            Width::Utf8 => {
                let replaced = memchr::memmem::find_iter(bytes, "\u{FFFD}").count() as u64;
                bytes.len() as u64 - 3 * replaced + u64::from(self.replaced) * replaced
            }
            Width::Utf16 if self.replaced == 2 => 2 * (characters() + count(bytes, |b| b >= 0xF0)),
            Width::Utf16 => {
                text.chars().map(|c| self.or_replaced(c, 2 * c.len_utf16() as u64)).sum()
            }
            Width::Double => 2 * characters() - count(bytes, |b| b.is_ascii()),
            Width::Gb18030 => {
                let table = Gb::get();
                text.chars().map(|c| self.or_replaced(c, gb_len(table, c))).sum()
            }
            Width::Big5 => text.chars().map(|c| self.or_replaced(c, big5_len(c))).sum(),
        }
    }

    fn or_replaced(self, c: char, length: u64) -> u64 {
        if c == char::REPLACEMENT_CHARACTER { u64::from(self.replaced) } else { length }
    }
}

/// How many bytes are such. Counted in bytes up to 255 at a time, which the
/// compiler turns into wide instructions.
fn count(bytes: &[u8], such: impl Fn(u8) -> bool) -> u64 {
    let part = |part: &[u8]| part.iter().map(|b| u8::from(such(*b))).sum::<u8>();
    bytes.chunks(255).map(|chunk| u64::from(part(chunk))).sum()
}

/// From here on the offset and the measure are known anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Byte offset in the whole decoded text.
    pub(super) at: usize,
    /// The point of the file.
    pub(super) point: SourcePoint,
    /// How what follows is measured.
    pub(super) measure: Measure,
}

impl SourceMap {
    /// The map of a text that begins at `base` and is sound in its encoding.
    #[must_use]
    pub fn new(base: SourcePoint, encoding: Encoding) -> SourceMap {
        SourceMap { base, measure: Measure::of(encoding), marks: None, shift: 0 }
    }

    /// The map of a text whose characters lie scattered in the file, at
    /// `points` in the order of the text.
    #[must_use]
    pub fn scattered(text: &str, points: &[SourcePoint], encoding: Encoding) -> SourceMap {
        let measure = Measure::of(encoding);
        let marks = text.char_indices().zip(points);
        let marks = marks.map(|((at, _), point)| Mark { at, point: *point, measure }).collect();
        let base = points.first().copied().unwrap_or_default();
        SourceMap::with_marks(base, measure, marks)
    }

    /// With a rule of its own and marks in ascending order.
    pub(super) fn with_marks(
        base: SourcePoint,
        mut measure: Measure,
        mut marks: Vec<Mark>,
    ) -> SourceMap {
        let initial = marks.partition_point(|mark| mark.at == 0);
        if let Some(last) = marks.drain(..initial).next_back() {
            measure = last.measure;
        }
        let marks = (!marks.is_empty()).then(|| marks.into());
        SourceMap { base, measure, marks, shift: 0 }
    }

    /// The point of the file for byte `at` of `text`, the text this map was
    /// made for. An offset inside a character counts as its beginning, one
    /// past the end as the end.
    ///
    /// The time grows with the distance from the beginning of the text or the
    /// last mark; for many points in order use a [`Cursor`].
    #[must_use]
    pub fn point(&self, text: &str, at: usize) -> SourcePoint {
        self.cursor(text).point(at)
    }

    /// The map for the part of `text` that begins at `at`.
    #[must_use]
    pub fn sub(&self, text: &str, at: usize) -> SourceMap {
        self.cursor(text).sub(at)
    }

    /// The point where the text begins.
    #[must_use]
    pub fn base(&self) -> SourcePoint {
        self.base
    }

    /// Walks the text once for many points.
    #[must_use]
    pub fn cursor<'a>(&'a self, text: &'a str) -> Cursor<'a> {
        Cursor { map: self, text, at: 0, point: self.base, measure: self.measure }
    }

    /// The marks from byte `from` of this map's text on, `from` excluded, up
    /// to `to`.
    fn last_mark(&self, from: usize, to: usize) -> Option<Mark> {
        let marks = self.marks.as_deref()?;
        let before = marks.partition_point(|mark| mark.at <= self.shift.saturating_add(to));
        let mark = *marks.get(before.checked_sub(1)?)?;
        (mark.at > self.shift.saturating_add(from)).then_some(mark)
    }
}

/// Finds the points of many places of one text. Asking in ascending order
/// costs one walk through the text in all.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    map: &'a SourceMap,
    text: &'a str,
    at: usize,
    point: SourcePoint,
    measure: Measure,
}

impl Cursor<'_> {
    /// As [`SourceMap::point`].
    pub fn point(&mut self, at: usize) -> SourcePoint {
        self.go(at);
        self.point
    }

    /// As [`SourceMap::sub`].
    pub fn sub(&mut self, at: usize) -> SourceMap {
        self.go(at);
        let shift = self.map.shift.saturating_add(self.at);
        let marks = self.map.marks.clone();
        let marks = marks.filter(|marks| marks.last().is_some_and(|mark| mark.at > shift));
        let shift = if marks.is_some() { shift } else { 0 };
        SourceMap { base: self.point, measure: self.measure, marks, shift }
    }

    fn go(&mut self, at: usize) {
        let at = self.text.floor_char_boundary(at);
        if at < self.at {
            *self = self.map.cursor(self.text);
        }
        if let Some(mark) = self.map.last_mark(self.at, at) {
            self.at = self.text.floor_char_boundary(mark.at - self.map.shift);
            self.point = mark.point;
            self.measure = mark.measure;
        }
        let Some(passed) = self.text.get(self.at..at) else { return };
        self.point.offset += self.measure.length(passed);
        if self.point.line > 0 {
            let next = self.text.as_bytes().get(at).copied();
            pass(&mut self.point, passed, next);
        }
        self.at = at;
    }
}

/// Moves line and column past `text`, which is followed by the byte `next`: a
/// CR at its end ends a line unless an LF follows.
pub(super) fn pass(point: &mut SourcePoint, text: &str, next: Option<u8>) {
    let bytes = text.as_bytes();
    let mut lines = memchr::memchr_iter(b'\n', bytes).count();
    let mut last = memchr::memrchr(b'\n', bytes);
    for cr in memchr::memchr_iter(b'\r', bytes) {
        if bytes.get(cr + 1).copied().or(next) != Some(b'\n') {
            lines += 1;
            last = last.max(Some(cr));
        }
    }
    let tail = match last {
        Some(last) => {
            point.line = point.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            point.column = 1;
            bytes.get(last + 1..).unwrap_or_default()
        }
        None => bytes,
    };
    let characters = u32::try_from(count(tail, |b| (b as i8) >= -0x40)).unwrap_or(u32::MAX);
    point.column = point.column.saturating_add(characters);
}
