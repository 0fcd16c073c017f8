//! Bytes to text, with everything that was not sound listed.

use smallvec::SmallVec;

use super::codec::{self, Seen, Stop};
use super::source_map::{Mark, Measure, Width, pass};
use super::{Encoding, SourceMap};
use crate::finding::{Code, Finding, Place, SourcePoint};

/// Damages listed for one text; more are only counted.
const LISTED: usize = 10_000;

/// Bytes of a damage that are kept with it; the file has the rest.
const KEPT: usize = 16;

/// A decoded text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without a byte order mark.
    pub text: String,
    /// The encoding it was decoded with.
    pub encoding: Encoding,
    /// Whether it began with a byte order mark.
    pub bom: bool,
    /// The way back to the file.
    pub map: SourceMap,
    /// What was not sound, in the order of the text; the first 10,000.
    pub damage: Vec<Damage>,
    /// How many damages there were.
    pub damages: usize,
}

/// A part of a text that was not sound in its encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// What is wrong.
    pub kind: DamageKind,
    /// Where it stands in the text, first byte and one past the last.
    pub text: std::ops::Range<usize>,
    /// Where it stands in the file.
    pub source: SourcePoint,
    /// Number of bytes of the file.
    pub len: u64,
    /// The bytes, the first 16 of them.
    pub bytes: SmallVec<[u8; KEPT]>,
}

/// What is wrong with a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DamageKind {
    /// The encoding has no character for the bytes; U+FFFD stands for them.
    Replaced,
    /// The file itself has U+FFFD: somebody else's decoder lost something.
    Lost,
    /// The part is in another encoding, and was decoded with that.
    Mixed(Encoding),
}

impl Damage {
    /// As a finding: `encoding-replaced` (reasons `malformed` and `lost`) or
    /// `encoding-mixed`. `decoded` is the text that the damage is part of.
    #[must_use]
    pub fn finding(&self, decoded: &Decoded) -> Finding {
        let code = match self.kind {
            DamageKind::Replaced | DamageKind::Lost => Code::EncodingReplaced,
            DamageKind::Mixed(_) => Code::EncodingMixed,
        };
        let hex: Vec<String> = self.bytes.iter().map(|b| format!("{b:02X}")).collect();
        let finding = Finding::new(code, Place::at(self.source))
            .text(decoded.text.get(self.text.clone()).unwrap_or_default())
            .param("encoding", decoded.encoding)
            .param("bytes", hex.join(" "))
            .param("length", self.len);
        match self.kind {
            DamageKind::Replaced => finding.reason("malformed"),
            DamageKind::Lost => finding.reason("lost"),
            DamageKind::Mixed(other) => finding.param("other", other),
        }
    }
}

/// Decodes a whole file.
#[must_use]
pub fn decode(bytes: &[u8], encoding: Encoding) -> Decoded {
    decode_at(bytes, encoding, SourcePoint { offset: 0, line: 1, column: 1 })
}

/// Decodes a piece of a file that begins at `base`, between characters. A byte
/// order mark counts only where the file begins.
#[must_use]
pub fn decode_at(bytes: &[u8], encoding: Encoding, base: SourcePoint) -> Decoded {
    let mark = encoding.bom();
    let bom = base.offset == 0 && !mark.is_empty() && bytes.starts_with(mark);
    let start = if bom { mark.len() } else { 0 };
    let mut sink = Sink::new(bytes, encoding, base, start);
    sink.run();
    sink.finish(bom)
}

/// A text under construction.
#[derive(Debug)]
struct Sink<'a> {
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
}

impl<'a> Sink<'a> {
    fn new(bytes: &'a [u8], encoding: Encoding, base: SourcePoint, start: usize) -> Sink<'a> {
        let origin = base.offset;
        let base = SourcePoint { offset: origin + start as u64, ..base };
        Sink {
            bytes,
            at: start,
            encoding,
            text: String::new(),
            base,
            origin,
            measure: Measure::of(encoding),
            marks: Vec::new(),
            damage: Vec::new(),
            damages: 0,
            seen: Seen::default(),
            counted: (0, base),
        }
    }

    fn run(&mut self) {
        let length = self.bytes.len() - self.at.min(self.bytes.len());
        self.text.reserve(match self.encoding {
            Encoding::Utf8 => length,
            _ => length + length / 2,
        });
        let mut lost = 0;
        loop {
            let (bytes, at, text) = (self.bytes, &mut self.at, &mut self.text);
            let stop = match self.encoding {
                Encoding::Utf8 => codec::utf8(bytes, at, text, &mut lost),
                Encoding::Utf16Le => codec::utf16(bytes, at, text, u16::from_le_bytes),
                Encoding::Utf16Be => codec::utf16(bytes, at, text, u16::from_be_bytes),
                Encoding::Gb18030 => codec::gb18030(bytes, at, text, usize::MAX, &mut self.seen),
                Encoding::Big5 => codec::big5(bytes, at, text, usize::MAX, &mut self.seen),
            };
            match stop {
                Stop::End => break,
                Stop::Suspect => {}
                Stop::Malformed(len) => {
                    self.replace(len, DamageKind::Replaced);
                }
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

    fn finish(self, bom: bool) -> Decoded {
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
