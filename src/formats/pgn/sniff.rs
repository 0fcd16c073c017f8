//! Is it PGN?

use crate::formats::movetext::{self, Evidence};
use crate::formats::{Confidence, Head};
use crate::text;

/// Tags that PGN files have.
const KNOWN: [&str; 22] = [
    "Game",
    "Event",
    "Site",
    "Date",
    "Round",
    "Red",
    "Black",
    "White",
    "Result",
    "FEN",
    "ECCO",
    "ECO",
    "RedTeam",
    "BlackTeam",
    "Opening",
    "Variation",
    "Format",
    "Title",
    "TitleA",
    "Author",
    "Version",
    "Variant",
];

/// How sure PGN is of an input. Tags and moves together are proof; moves alone
/// are left to plain text unless the name says PGN.
pub(super) fn sniff(head: &Head<'_>) -> Confidence {
    let encoding = movetext::detect(head.bytes).unwrap_or_default();
    let decoded = text::decode(head.bytes, encoding);
    let evidence = Evidence::of(&decoded.text);
    let mut known = 0;
    let mut chess = false;
    let mut xiangqi = false;
    for line in decoded.text.lines().filter(|line| line.starts_with('[')) {
        let Some((name, value)) = line.get(1..).and_then(|line| line.split_once('"')) else {
            continue;
        };
        let name = name.trim();
        known += usize::from(KNOWN.iter().any(|k| k.eq_ignore_ascii_case(name)));
        chess |= name.eq_ignore_ascii_case("White");
        let value = value.to_ascii_lowercase();
        xiangqi |= value.contains("chinese chess")
            || name.eq_ignore_ascii_case("Variant") && value.contains("xiangqi");
    }
    // A chart of variations under tags is no PGN; the score sheet reads it.
    if evidence.has_chart() {
        return if known > 1 { Confidence::Perhaps } else { Confidence::No };
    }
    if xiangqi {
        return Confidence::Certain;
    }
    // The game of chess: its moves look like those of the algebraic notation.
    if chess && !evidence.only_xiangqi() {
        return Confidence::No;
    }
    let named = head.extension.starts_with("pgn");
    match known {
        2.. => Confidence::Likely,
        1 if evidence.has_moves() || named => Confidence::Likely,
        _ if named && evidence.has_moves() => Confidence::Likely,
        _ => Confidence::No,
    }
}
