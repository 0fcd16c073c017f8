//! Bytes to text, with everything that was not sound listed.

use smallvec::SmallVec;

use super::sink::Sink;
use super::{Encoding, SourceMap};
use crate::finding::{Code, Finding, Place, SourcePoint};

/// Damages listed for one text; more are only counted.
pub(super) const LISTED: usize = 10_000;

/// Bytes of a damage that are kept with it; the file has the rest.
pub(super) const KEPT: usize = 16;

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
