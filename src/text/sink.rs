//! Decoding with an account of every byte.

use super::codec::{self, Seen, Stop};
use super::decode::{Damage, DamageKind, Decoded, KEPT, LISTED};
use super::mixed::{self, Verdict};
use super::source_map::{Mark, Measure, Width, pass};
use super::{Encoding, SourceMap};
use crate::finding::SourcePoint;

/// How far, in bytes, lines that go with a part in another encoding may be
/// from it: before it, and across lines of ASCII after it.
const REACH: usize = 4 << 10;

/// A text under construction.
#[derive(Debug)]
pub(super) struct Sink<'a> {
    bytes: &'a [u8],
    /// The next byte.
    at: usize,
    encoding: Encoding,
    text: String,
    base: SourcePoint,
    /// Offset in the file of the first of `bytes`.
    origin: u64,
    measure: Measure,
    marks: Vec<Mark>,
    damage: Vec<Damage>,
    damages: usize,
    seen: Seen,
    /// Line and column are known for this byte of the text.
    counted: (usize, SourcePoint),
    /// Before this byte of the input, and of the text, nothing is judged anew.
    settled: (usize, usize),
    /// For the UTF-8 loop: where the next U+FFFD of the input is.
    lost: usize,
}

impl<'a> Sink<'a> {
    /// Begins at byte `start` of `bytes`, the first of which is at `base`.
    pub(super) fn new(
        bytes: &'a [u8],
        encoding: Encoding,
        base: SourcePoint,
        start: usize,
    ) -> Sink<'a> {
        let origin = base.offset;
        let base = SourcePoint { offset: origin + start as u64, ..base };
        let length = bytes.len().saturating_sub(start);
        let room = if encoding == Encoding::Utf8 { length } else { length + length / 2 };
        Sink {
            bytes,
            at: start,
            encoding,
            text: String::with_capacity(room),
            base,
            origin,
            measure: Measure::of(encoding),
            marks: Vec::new(),
            damage: Vec::new(),
            damages: 0,
            seen: Seen::default(),
            counted: (0, base),
            settled: (start, 0),
            lost: 0,
        }
    }

    /// Decodes everything.
    pub(super) fn run(&mut self) {
        let (end, encoding) = (self.bytes.len(), self.encoding);
        // What is neither malformed nor suspect passes in one go; a line that
        // is one of them is judged first and then passes with its verdict.
        let mut judged = self.at;
        while !self.advance(end, encoding, judged) {
            judged = self.judge();
        }
    }

    /// Decodes up to `end`; malformed and suspect bytes stop it (false) unless
    /// they lie before `judged`.
    fn advance(&mut self, end: usize, encoding: Encoding, judged: usize) -> bool {
        let bytes = self.bytes.get(..end).unwrap_or_default();
        loop {
            let (at, text, seen) = (&mut self.at, &mut self.text, &mut self.seen);
            let stop = match encoding {
                Encoding::Utf8 => codec::utf8(bytes, at, text, &mut self.lost),
                Encoding::Utf16Le => codec::utf16(bytes, at, text, u16::from_le_bytes),
                Encoding::Utf16Be => codec::utf16(bytes, at, text, u16::from_be_bytes),
                Encoding::Gb18030 => codec::gb18030(bytes, at, text, judged, seen),
                Encoding::Big5 => codec::big5(bytes, at, text, judged, seen),
            };
            match stop {
                Stop::End => return true,
                Stop::Suspect => return false,
                Stop::Malformed(_) if self.at >= judged && !encoding.is_utf16() => return false,
                Stop::Malformed(len) => self.replace(len, DamageKind::Replaced),
                Stop::Unusual(len, char::REPLACEMENT_CHARACTER) => {
                    self.replace(len, DamageKind::Lost);
                }
                Stop::Unusual(len, c) => {
                    self.text.push(c);
                    self.at += usize::from(len);
                    self.mark(self.measure);
                }
            }
        }
    }

    /// Judges the line at hand, decodes the parts of it that are in another
    /// encoding, and returns the end of what is judged.
    fn judge(&mut self) -> usize {
        let start = self.line_start(self.at);
        let end = self.line_end(self.at);
        match mixed::examine(self.bytes.get(start..end).unwrap_or_default(), self.encoding) {
            Verdict::Own => {}
            Verdict::Parts(parts) => {
                self.back_to(start);
                for (range, other) in parts {
                    self.advance(start + range.start, self.encoding, usize::MAX);
                    self.foreign(start + range.end, other);
                }
                self.settled = (self.at, self.text.len());
            }
            Verdict::Whole(other) => {
                let start = self.extend_back(start, other);
                let end = self.extend_on(end, other);
                self.back_to(start);
                let whole = self.bytes.get(start..end).unwrap_or_default();
                let first = whole.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
                let last = self.line_start(end).max(start);
                let line = self.bytes.get(last..end).unwrap_or_default();
                let wide = last + mixed::wide_end(line);
                self.advance(start + first, self.encoding, usize::MAX);
                self.foreign(wide, other);
                self.settled = (self.at, self.text.len());
                return end;
            }
        }
        end
    }

    /// Where the line of byte `at` begins, or what is not settled of it.
    fn line_start(&self, at: usize) -> usize {
        let floor = self.settled.0;
        let before = self.bytes.get(floor..at).unwrap_or_default();
        memchr::memrchr2(b'\n', b'\r', before).map_or(floor, |end| floor + end + 1)
    }

    /// Where the line of byte `at` ends.
    fn line_end(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
    }

    /// The beginning of the lines before `start` that go with it in `other`.
    fn extend_back(&self, start: usize, other: Encoding) -> usize {
        let (mut begin, mut line) = (start, start);
        while line > self.settled.0 && start - line < REACH {
            let end = line - 1;
            line = self.line_start(end);
            let bytes = self.bytes.get(line..end).unwrap_or_default();
            if !mixed::follows(bytes, self.encoding, other) {
                break;
            }
            if !bytes.is_ascii() {
                begin = line;
            }
        }
        begin
    }

    /// The end of the lines after `end` that go with it in `other`.
    fn extend_on(&self, mut end: usize, other: Encoding) -> usize {
        let mut line = end;
        while line < self.bytes.len() && line - end < REACH {
            let next = self.line_end(line + 1);
            let bytes = self.bytes.get(line + 1..next).unwrap_or_default();
            if !mixed::follows(bytes, self.encoding, other) {
                break;
            }
            if !bytes.is_ascii() {
                end = next;
            }
            line = next;
        }
        end
    }

    /// Takes back what was decoded from the line that begins at `start`, or
    /// from where a settled part ends.
    fn back_to(&mut self, start: usize) {
        // A line end is one byte in the input and in the text, so as many are
        // taken back here as there.
        let passed = self.bytes.get(start..self.at).unwrap_or_default();
        let ends = memchr::memchr2_iter(b'\n', b'\r', passed).count();
        let floor = self.settled.1;
        let tail = self.text.as_bytes().get(floor..).unwrap_or_default();
        let line = memchr::memrchr2_iter(b'\n', b'\r', tail).nth(ends);
        let text = line.map_or(floor, |end| floor + end + 1);
        if let Some(lost) = memchr::memmem::find(passed, "\u{FFFD}".as_bytes()) {
            self.lost = start + lost;
        }
        self.at = start;
        self.text.truncate(text);
        while self.marks.last().is_some_and(|mark| mark.at > text) {
            self.marks.pop();
        }
        while self.damage.last().is_some_and(|damage| damage.text.start >= text) {
            self.damage.pop();
            self.damages -= 1;
        }
        let last = self.marks.last();
        self.measure = last.map_or(Measure::of(self.encoding), |mark| mark.measure);
        if self.counted.0 > text {
            self.counted = last.map_or((0, self.base), |mark| (mark.at, mark.point));
        }
    }

    /// Decodes up to `end` in another encoding.
    fn foreign(&mut self, end: usize, other: Encoding) {
        let own = self.measure;
        let (from, start) = (self.at, self.text.len());
        self.mark(Measure::of(other));
        let source = self.counted.1;
        let bytes = self.bytes.get(from..end).unwrap_or_default();
        let index = self.damage.len();
        self.add(Damage {
            kind: DamageKind::Mixed(other),
            text: start..start,
            source,
            len: bytes.len() as u64,
            bytes: bytes.iter().copied().take(KEPT).collect(),
        });
        self.advance(end, other, usize::MAX);
        self.mark(own);
        let end = self.text.len();
        if let Some(damage) = self.damage.get_mut(index) {
            damage.text.end = end;
        }
    }

    /// The point of the next byte.
    fn point(&mut self) -> SourcePoint {
        let (from, mut point) = self.counted;
        if point.line > 0 {
            pass(&mut point, self.text.get(from..).unwrap_or_default(), None);
        }
        point.offset = self.origin + self.at as u64;
        self.counted = (self.text.len(), point);
        point
    }

    /// Notes where the next byte is, and how to measure from here on.
    fn mark(&mut self, measure: Measure) {
        let mark = Mark { at: self.text.len(), point: self.point(), measure };
        self.measure = measure;
        self.marks.push(mark);
    }

    /// A U+FFFD for the next `len` bytes.
    fn replace(&mut self, len: u8, kind: DamageKind) {
        if self.measure.replaced != len {
            self.mark(self.measure.replacing(len));
        }
        let source = self.point();
        let start = self.text.len();
        self.text.push(char::REPLACEMENT_CHARACTER);
        let bytes = self.bytes.get(self.at..self.at + usize::from(len)).unwrap_or_default();
        self.at += usize::from(len);
        if let Some(last) = self.damage.last_mut()
            && last.kind == kind
            && last.text.end == start
            && last.source.offset + last.len == source.offset
        {
            last.text.end = self.text.len();
            last.len += u64::from(len);
            let room = KEPT.saturating_sub(last.bytes.len());
            last.bytes.extend(bytes.iter().copied().take(room));
            return;
        }
        let text = start..self.text.len();
        self.add(Damage { kind, text, source, len: len.into(), bytes: bytes.into() });
    }

    fn add(&mut self, damage: Damage) {
        self.damages += 1;
        if self.damage.len() < LISTED {
            self.damage.push(damage);
        }
    }

    /// The text with its map.
    pub(super) fn finish(self, bom: bool) -> Decoded {
        let simple = self.marks.is_empty() && self.damages == 0 && !self.seen.irregular;
        let measure = match self.encoding {
            Encoding::Gb18030 | Encoding::Big5 if simple => {
                Measure { width: Width::Double, replaced: 2 }
            }
            encoding => Measure::of(encoding),
        };
        Decoded {
            text: self.text,
            encoding: self.encoding,
            bom,
            map: SourceMap::with_marks(self.base, measure, self.marks),
            damage: self.damage,
            damages: self.damages,
        }
    }
}
