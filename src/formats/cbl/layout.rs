//! Where the fields of a library are (`grammars/cbl.layout`).

use crate::formats::bytes::{Field, Kind};

/// The first 16 bytes.
pub(super) const MAGIC: &[u8; 16] = b"CCBridgeLibrary\0";
/// Bytes of the header; the index follows.
pub(super) const HEADER: usize = 66624;
/// Bytes of an entry of the index.
pub(super) const ENTRY_BYTES: usize = 276;
/// Records begin at multiples of this, counted from the end of the index.
pub(super) const SLOT: usize = 4096;

pub(super) const VERSION: Field = Field::new(16, 4, Kind::Number, "Version");
pub(super) const CAPACITY: Field = Field::new(60, 4, Kind::Number, "Capacity");

/// The texts of the library, under the names that its records carry them.
pub(super) const TEXTS: [Field; 7] = [
    Field::new(64, 512, Kind::Utf16, "Library"),
    Field::new(576, 256, Kind::Utf16, "LibrarySource"),
    Field::new(832, 64, Kind::Utf16, "LibraryCreator"),
    Field::new(896, 64, Kind::Utf16, "LibraryCreatorURL"),
    Field::new(960, 64, Kind::Utf16, "LibraryDateCreated"),
    Field::new(1024, 64, Kind::Utf16, "LibraryDateModified"),
    Field::new(1088, 65536, Kind::Utf16, "LibraryRemarks"),
];

pub(super) const ENTRY_STATE: Field = Field::new(0, 4, Kind::Number, "State");
pub(super) const ENTRY_LENGTH: Field = Field::new(12, 4, Kind::Number, "Length");
pub(super) const ENTRY_GUID: Field = Field::new(20, 80, Kind::Utf16, "GUID");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::bytes::tests::same_as_grammar;

    #[test]
    fn the_grammar_says_the_same() {
        let header: Vec<Field> = [VERSION, CAPACITY].into_iter().chain(TEXTS).collect();
        same_as_grammar("cbl.layout", "header", &header);
        same_as_grammar("cbl.layout", "entry", &[ENTRY_STATE, ENTRY_LENGTH, ENTRY_GUID]);
        assert_eq!(HEADER, TEXTS[6].at + TEXTS[6].size);
    }
}
