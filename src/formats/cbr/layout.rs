//! Where the fields of a record are (`grammars/cbr.layout`).
//!
//! Fields have the names that the same program's XML form gives them.

use crate::formats::bytes::{Field, Kind};

/// The first 16 bytes.
pub(crate) const MAGIC: &[u8; 16] = b"CCBridge Record\0";
/// The version byte.
pub(super) const VERSION: Field = Field::new(19, 1, Kind::Number, "Version");
/// The identity of the record.
pub(crate) const GUID: Field = Field::new(20, 16, Kind::Bytes, "GUID");

/// Places of one version of the format.
#[derive(Debug)]
pub(super) struct Layout {
    pub texts: &'static [Field],
    pub record_type: Field,
    pub result: Field,
    pub side: Field,
    pub number: Field,
    pub board: Field,
    /// Where the tree begins.
    pub tree: usize,
}

const fn text(at: usize, size: usize, key: &'static str) -> Field {
    Field::new(at, size, Kind::Utf16, key)
}

const fn number(at: usize, size: usize, key: &'static str) -> Field {
    Field::new(at, size, Kind::Number, key)
}

/// The usual version.
pub(super) const V2: Layout = Layout {
    texts: &[
        text(52, 128, "Script"),
        text(180, 128, "Name"),
        text(308, 256, "Path"),
        text(564, 64, "From"),
        text(628, 64, "ContestType"),
        text(692, 64, "Contest"),
        text(756, 64, "Round"),
        text(820, 32, "Group"),
        text(852, 32, "Table"),
        text(884, 64, "Date"),
        text(948, 64, "Site"),
        text(1012, 64, "TimeRule"),
        text(1076, 64, "Red"),
        text(1140, 64, "RedTeam"),
        text(1204, 64, "RedTime"),
        text(1268, 32, "RedRating"),
        text(1300, 64, "Black"),
        text(1364, 64, "BlackTeam"),
        text(1428, 64, "BlackTime"),
        text(1492, 32, "BlackRating"),
        text(1524, 64, "Referee"),
        text(1588, 64, "Recorder"),
        text(1652, 64, "Commentator"),
        text(1716, 64, "CommentatorURL"),
        text(1780, 64, "Creator"),
        text(1844, 64, "CreatorURL"),
        text(1908, 40, "DateCreated"),
        text(1972, 40, "DateModified"),
        text(2044, 32, "RecordKind"),
        text(2080, 32, "ResultType"),
    ],
    record_type: number(2040, 4, "RecordType"),
    result: number(2076, 4, "Result"),
    side: number(2112, 4, "Side"),
    number: number(2116, 2, "FirstNumber"),
    board: Field::new(2120, 90, Kind::Bytes, "Board"),
    tree: 2214,
};

/// The oldest version.
pub(super) const V1: Layout = Layout {
    texts: &[
        text(52, 128, "Name"),
        text(180, 256, "Path"),
        text(436, 64, "From"),
        text(500, 64, "ContestType"),
        text(564, 64, "Contest"),
        text(628, 64, "Round"),
        text(692, 32, "Group"),
        text(724, 32, "Table"),
        text(756, 64, "Date"),
        text(820, 64, "Site"),
        text(884, 64, "TimeRule"),
        text(948, 64, "Red"),
        text(1012, 64, "RedTeam"),
        text(1076, 64, "RedTime"),
        text(1140, 32, "RedRating"),
        text(1172, 64, "Black"),
        text(1236, 64, "BlackTeam"),
        text(1300, 64, "BlackTime"),
        text(1364, 32, "BlackRating"),
        text(1396, 64, "Commentator"),
        text(1460, 64, "CommentatorURL"),
        text(1524, 64, "Creator"),
        text(1588, 64, "CreatorURL"),
        text(1652, 40, "DateCreated"),
        text(1716, 40, "DateModified"),
        text(1788, 32, "RecordKind"),
        text(1824, 32, "ResultType"),
    ],
    record_type: number(1784, 4, "RecordType"),
    result: number(1820, 4, "Result"),
    side: number(1856, 4, "Side"),
    number: number(1860, 2, "FirstNumber"),
    board: Field::new(1864, 90, Kind::Bytes, "Board"),
    tree: 1958,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::bytes::tests::same_as_grammar;

    #[test]
    fn the_grammar_says_the_same() {
        for (section, layout) in [("version 2", &V2), ("version 1", &V1)] {
            let rest =
                [layout.record_type, layout.result, layout.side, layout.number, layout.board];
            let mut all: Vec<Field> = layout.texts.iter().copied().chain(rest).collect();
            all.push(Field::new(layout.tree, 0, Kind::Bytes, "Tree"));
            all.sort_by_key(|field| field.at);
            same_as_grammar("cbr.layout", section, &all);
        }
        same_as_grammar("cbr.layout", "both", &[VERSION, GUID]);
    }
}
