//! Where a record comes from.

use crate::text::SourceMap;

/// The stable short name of a file format, such as `pgn` or `xqf`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormatId(pub &'static str);

impl FormatId {
    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }
}

/// A range of bytes of [`super::Record::text`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// Number of bytes.
    pub len: u32,
}

impl Span {
    /// From `start` to before `end`; ends that do not fit 32 bits are cut,
    /// which the limit on the size of a game excludes.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Span {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        Span { start, len: end.saturating_sub(start) }
    }

    /// One past the last byte.
    #[must_use]
    pub const fn end(self) -> u32 {
        self.start + self.len
    }

    /// As a range for slicing.
    #[must_use]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// File, place and encoding of a record.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The format that read it.
    pub format: FormatId,
    /// Version of the format, as the format counts.
    pub version: Option<String>,
    /// Name of the character encoding: `utf-8`, `utf-16le`, `utf-16be`,
    /// `gb18030`, `big5`; absent where no text was involved.
    pub encoding: Option<&'static str>,
    /// The game's number in its file, from 1.
    pub game: u32,
    /// Line of the file where the game begins, from 1; absent in binary
    /// formats.
    pub line: Option<u32>,
    /// Byte offset in the file where the game begins.
    pub offset: u64,
    /// How places of the text map to places of the file.
    pub map: SourceMap,
}
