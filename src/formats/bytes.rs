//! Bounds-checked views of bytes from outside, and layout tables.

use super::Piece;

/// The bytes of a piece. Every access says whether the bytes are there, and
/// places are offsets in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    data: &'a [u8],
    base: u64,
}

impl<'a> Bytes<'a> {
    /// All bytes of a piece.
    pub(crate) fn of(piece: &'a Piece) -> Bytes<'a> {
        Bytes { data: &piece.bytes, base: piece.offset }
    }

    /// Some bytes that begin at `base` in the file.
    pub(crate) fn new(data: &'a [u8], base: u64) -> Bytes<'a> {
        Bytes { data, base }
    }

    /// Number of bytes.
    pub(crate) fn len(self) -> usize {
        self.data.len()
    }

    /// The offset in the file of the byte at `at`, or of the end where the
    /// file ends before it: a place lies in the file.
    pub(crate) fn offset(self, at: usize) -> u64 {
        self.base + at.min(self.data.len()) as u64
    }

    /// One byte.
    pub(crate) fn u8(self, at: usize) -> Option<u8> {
        self.data.get(at).copied()
    }

    /// Four bytes, the lowest first.
    pub(crate) fn u32(self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.array(at)?))
    }

    /// `N` bytes.
    pub(crate) fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.slice(at, N)?.try_into().ok()
    }

    /// `len` bytes, or nothing when they are not all there.
    pub(crate) fn slice(self, at: usize, len: usize) -> Option<&'a [u8]> {
        self.data.get(at..at.checked_add(len)?)
    }

    /// Up to `len` bytes: as many as there are.
    pub(crate) fn up_to(self, at: usize, len: usize) -> &'a [u8] {
        let from = at.min(self.data.len());
        let end = at.saturating_add(len).min(self.data.len());
        self.data.get(from..end).unwrap_or(&[])
    }

    /// Everything from `at` on.
    pub(crate) fn from(self, at: usize) -> &'a [u8] {
        self.data.get(at..).unwrap_or(&[])
    }
}

/// What a field of a binary format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Bytes with a meaning of their own.
    Bytes,
    /// A number of 1, 2 or 4 bytes, the lowest first.
    Number,
    /// A length byte, then text of up to `size - 1` bytes.
    Pascal,
    /// UTF-16LE up to a zero unit.
    Utf16,
}

/// A field at a fixed place. `grammars/*.layout` say the same in prose, and a
/// test compares both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Offset from the start of the structure.
    pub at: usize,
    /// Bytes it takes.
    pub size: usize,
    /// What it holds.
    pub kind: Kind,
    /// Its name; that of the record's header where it becomes one.
    pub key: &'static str,
}

impl Field {
    pub(crate) const fn new(at: usize, size: usize, kind: Kind, key: &'static str) -> Field {
        Field { at, size, kind, key }
    }

    /// The number in the field, 0 where the bytes are not there.
    pub(crate) fn number(self, bytes: Bytes<'_>) -> u32 {
        bytes
            .up_to(self.at, self.size.min(4))
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u32::from(*byte))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Compares a table of the code with a file of `grammars/`: lines of
    /// `offset size kind key`, `#` begins a comment.
    pub(crate) fn same_as_grammar(name: &str, section: &str, fields: &[Field]) {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars").join(name);
        let text = std::fs::read_to_string(&path).expect("the layout is there");
        let mut inside = false;
        let mut stated = Vec::new();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or("").trim();
            if let Some(heading) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                inside = heading == section;
            } else if inside && !line.is_empty() {
                let words: Vec<&str> = line.split_whitespace().collect();
                let number = |word: &str| match word.strip_prefix("0x") {
                    Some(hex) => usize::from_str_radix(hex, 16).expect("hexadecimal"),
                    None => word.parse().expect("decimal"),
                };
                let kind = match words[2] {
                    "bytes" => Kind::Bytes,
                    "number" => Kind::Number,
                    "pascal" => Kind::Pascal,
                    "utf16" => Kind::Utf16,
                    other => panic!("{name}: no kind is called {other}"),
                };
                stated.push((number(words[0]), number(words[1]), kind, words[3].to_owned()));
            }
        }
        let coded: Vec<_> =
            fields.iter().map(|f| (f.at, f.size, f.kind, f.key.to_owned())).collect();
        assert_eq!(stated, coded, "{name} [{section}]");
    }

    #[test]
    fn nothing_is_read_beyond_the_end() {
        let bytes = Bytes::new(&[1, 2, 3, 4, 5], 100);
        assert_eq!(bytes.u32(1), Some(0x0504_0302));
        assert_eq!(bytes.u32(2), None);
        assert_eq!(bytes.slice(usize::MAX, 2), None);
        assert_eq!(bytes.up_to(3, usize::MAX), &[4, 5]);
        assert_eq!(bytes.up_to(9, 1), &[] as &[u8]);
        assert_eq!((bytes.offset(5), bytes.offset(6)), (105, 105));
        assert_eq!(Field::new(3, 4, Kind::Number, "n").number(bytes), 0x0504);
    }
}
