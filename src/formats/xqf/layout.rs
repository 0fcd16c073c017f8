//! Where the fields of the header are (`grammars/xqf.layout`).

use crate::formats::bytes::{Field, Kind};

/// The first two bytes.
pub(super) const MAGIC: &[u8; 2] = b"XQ";
/// Bytes of the header; the tree follows.
pub(super) const HEADER: usize = 0x400;
/// Format 1.0: neither keys nor short records.
pub(super) const VERSION_PLAIN: u8 = 10;
/// From this version on the pieces are rotated as well.
pub(super) const VERSION_ROTATED: u8 = 12;
/// What the last XQStudio writes; it refuses anything above.
pub(super) const VERSION_LAST: u8 = 18;
/// Added to the from-square of a record.
pub(super) const FROM_SHIFT: u8 = 0x18;
/// Added to the to-square of a record.
pub(super) const TO_SHIFT: u8 = 0x20;

pub(super) const VERSION: Field = Field::new(0x02, 1, Kind::Number, "Version");
pub(super) const KEY_MASK: Field = Field::new(0x03, 1, Kind::Number, "KeyMask");
pub(super) const KEY_OR: Field = Field::new(0x08, 4, Kind::Bytes, "KeyOr");
pub(super) const KEYS: Field = Field::new(0x0c, 4, Kind::Bytes, "Keys");
pub(super) const PIECES: Field = Field::new(0x10, 32, Kind::Bytes, "Pieces");
pub(super) const PLAY_STEP: Field = Field::new(0x30, 2, Kind::Number, "PlayStepNo");
pub(super) const WHO_PLAY: Field = Field::new(0x32, 1, Kind::Number, "WhoPlay");
pub(super) const RESULT: Field = Field::new(0x33, 1, Kind::Number, "Result");
pub(super) const TYPE: Field = Field::new(0x40, 2, Kind::Number, "Type");

/// The text fields, in the order in which they become headers.
pub(super) const TEXTS: [Field; 12] = [
    Field::new(0x50, 64, Kind::Pascal, "Title"),
    Field::new(0x90, 64, Kind::Pascal, "Title2"),
    Field::new(0xd0, 64, Kind::Pascal, "Event"),
    Field::new(0x110, 16, Kind::Pascal, "Date"),
    Field::new(0x120, 16, Kind::Pascal, "Site"),
    Field::new(0x130, 16, Kind::Pascal, "Red"),
    Field::new(0x140, 16, Kind::Pascal, "Black"),
    Field::new(0x150, 64, Kind::Pascal, "TimeRule"),
    Field::new(0x190, 16, Kind::Pascal, "RedTime"),
    Field::new(0x1a0, 16, Kind::Pascal, "BlackTime"),
    Field::new(0x1d0, 16, Kind::Pascal, "Annotator"),
    Field::new(0x1e0, 16, Kind::Pascal, "Author"),
];

/// Kind of record, by the number in [`TYPE`].
pub(super) const TYPES: [&str; 4] = ["全局", "布局", "中局", "残局"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_says_the_same() {
        let numbers = [VERSION, KEY_MASK, KEY_OR, KEYS, PIECES, PLAY_STEP, WHO_PLAY, RESULT, TYPE];
        let all: Vec<Field> = numbers.into_iter().chain(TEXTS).collect();
        crate::formats::bytes::tests::same_as_grammar("xqf.layout", "header", &all);
    }
}
