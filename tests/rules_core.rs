//! The published move counts and endings (`../shared/cases`).

mod common;

use qipu::board::{Position, Status, perft, perft_by_making};

#[test]
fn perft_counts_are_the_published_ones() {
    let Some(table) = common::shared("cases/perft.tsv") else { return };
    let text = std::fs::read_to_string(table).expect("readable");
    let mut rows = 0;
    for row in text.lines().skip(1) {
        let field: Vec<&str> = row.split('\t').collect();
        let depth: u32 = field[1].parse().expect("a depth");
        if depth > 5 {
            continue; // benches/perft counts depth 6
        }
        let position: Position = field[0].parse().expect("a FEN");
        let nodes: u64 = field[2].parse().expect("a count");
        assert_eq!(perft(&position, depth), nodes, "{row}");
        if depth < 4 {
            assert_eq!(perft_by_making(&position, depth), nodes, "{row}");
            assert_eq!(perft(&position.mirrored(), depth), nodes, "mirrored {row}");
            assert_eq!(perft(&position.color_swapped(), depth), nodes, "swapped {row}");
        }
        rows += 1;
    }
    assert!(rows > 50, "{rows} rows");
}

#[test]
fn endings_are_judged_as_published() {
    let Some(table) = common::shared("cases/endings.tsv") else { return };
    let text = std::fs::read_to_string(table).expect("readable");
    let mut rows = 0;
    for row in text.lines().skip(1) {
        let field: Vec<&str> = row.split('\t').collect();
        let position: Position = field[1].parse().expect("a FEN");
        let status = match position.status() {
            Status::Ongoing if position.in_check() => "check",
            status => status.name(),
        };
        assert_eq!(status, field[2], "{row}");
        if field[4] != "-" {
            assert_eq!(position.legal_moves().len().to_string(), field[4], "{row}");
            assert_eq!(position.count_legal_moves().to_string(), field[4], "{row}");
        }
        if field[5] != "-" && status != "illegal" {
            let mut checkers: Vec<String> = position
                .checkers(position.side())
                .into_iter()
                .map(|square| {
                    format!("{square}{}", position.piece_at(square).expect("a piece").letter())
                })
                .collect();
            let mut expected: Vec<String> = field[5].split([' ', ',']).map(str::to_owned).collect();
            checkers.sort();
            expected.sort();
            assert_eq!(checkers, expected, "{row}");
        }
        rows += 1;
    }
    assert!(rows > 90, "{rows} rows");
}
