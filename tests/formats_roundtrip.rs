//! What a format writes, it reads back as the same game, and writes again as
//! the same bytes; damaged files give findings, never a panic.

use std::ops::ControlFlow;

use proptest::prelude::*;
use qipu::board::Position;
use qipu::formats::{self, Format, Head, Limits, Piece, WriteOptions};
use qipu::game::{Game, GameResult, GameTree, Headers, Outcome};
use qipu::import::{Entry, ReadOptions, read_file};
use qipu::record::{NodeId, Origin, Record};
use qipu::replay::{ReplayOptions, replay};

fn format(name: &str) -> &'static dyn Format {
    formats::by_name(name).expect("the format is there")
}

fn read(format: &dyn Format, bytes: &[u8]) -> Vec<Record> {
    let piece = Piece { bytes: bytes.to_vec(), line: 1, ..Piece::default() };
    let mut records = Vec::new();
    format.read(&piece, &Limits::default(), &mut |record| {
        records.push(record);
        ControlFlow::Continue(())
    });
    records
}

fn write(format: &dyn Format, game: &Game, style: Option<&str>) -> Vec<u8> {
    let options = WriteOptions { style: style.map(str::to_owned), ..WriteOptions::default() };
    let mut bytes = Vec::new();
    format.write(game, &options, &mut bytes).expect("the game can be written");
    bytes
}

/// The tree as lines of moves in the order of the tree, with comments.
fn shape(tree: &GameTree) -> Vec<(usize, String, Vec<String>)> {
    let mut lines = Vec::new();
    let mut stack = vec![(NodeId::ROOT, 0)];
    while let Some((node, depth)) = stack.pop() {
        let mv = tree.node(node).mv.map_or(String::new(), |mv| mv.to_string());
        let comments =
            tree.comments.iter().filter(|c| c.node == node).map(|c| c.text.clone()).collect();
        lines.push((depth, mv, comments));
        let mut children: Vec<_> = tree.children(node).map(|child| (child, depth + 1)).collect();
        children.reverse();
        stack.extend(children);
    }
    lines
}

/// Steps of a random walk: which legal move, and whether to go back first.
fn walk() -> impl Strategy<Value = Vec<(u16, u8)>> {
    prop::collection::vec((any::<u16>(), 0u8..8), 0..60)
}

fn words() -> impl Strategy<Value = String> {
    // Han, ASCII, line breaks, and what each format has to escape.
    prop::collection::vec(
        prop::sample::select(vec![
            "炮",
            "二",
            "平",
            "五",
            "？",
            "a",
            "Z",
            "0",
            " ",
            "\n",
            "|",
            "||",
            "[",
            "]",
            "&",
            "\\u003F",
            "%u0026",
            "_u8f66",
            "=",
            "\"",
            "'",
            "<br>",
            "[/DhtmlXQ_x]",
            "𠮷",
            "{",
            "}",
            ";",
        ]),
        1..12,
    )
    .prop_map(|parts| parts.concat())
    .prop_filter("not blank", |text| !text.trim().is_empty())
}

fn name() -> impl Strategy<Value = Option<String>> {
    let chars = vec!["胡", "荣", "华", "许", "银", "川", "A", "b", "7"];
    let name = prop::collection::vec(prop::sample::select(chars), 1..6);
    prop::option::of(name.prop_map(|parts| parts.concat()))
}

prop_compose! {
    fn game()(
        steps in walk(),
        remarks in prop::collection::vec((any::<prop::sample::Index>(), words()), 0..6),
        names in prop::collection::vec(name(), 8),
        result in 0..4usize,
        custom in any::<bool>(),
    ) -> Game {
        let start = if custom {
            Position::parse_fen("3ak4/4a4/9/9/2n6/9/9/4B4/4A4/2R1KA3 b").unwrap().start
        } else {
            Position::start()
        };
        let mut tree = GameTree::default();
        let mut positions = vec![start.clone()];
        let mut nodes = vec![NodeId::ROOT];
        let mut at = 0;
        for (choice, back) in steps {
            if back == 0 {
                at = choice as usize % nodes.len();
            }
            let moves = positions[at].legal_moves();
            if moves.is_empty() {
                continue;
            }
            let mv = moves[choice as usize % moves.len()];
            if tree.children(nodes[at]).any(|child| tree.node(child).mv == Some(mv)) {
                continue;
            }
            let mut position = positions[at].clone();
            position.play(mv).unwrap();
            nodes.push(tree.add(nodes[at], Some(mv)));
            positions.push(position);
            at = nodes.len() - 1;
        }
        let mut said = std::collections::BTreeMap::new();
        for (index, text) in remarks {
            said.insert(nodes[index.index(nodes.len())], text);
        }
        for (node, text) in said {
            tree.comment(node, false, text);
        }
        let mut names = names.into_iter();
        let mut next = || names.next().flatten();
        let headers = Headers {
            event: next(),
            site: next(),
            red: next(),
            black: next(),
            title: next(),
            annotator: next(),
            red_team: next(),
            black_team: next(),
            date: qipu::game::LaxDate::parse("1956-12-15").date,
            result: [
                GameResult::Unknown,
                GameResult::RedWins,
                GameResult::BlackWins,
                GameResult::Draw,
            ][result],
            ..Headers::default()
        };
        Game {
            origin: Origin::default(),
            headers,
            notation: None,
            start,
            tree,
            outcome: Outcome::default(),
            findings: Vec::new(),
            unplayed: Vec::new(),
            result_token: None,
            trailer: None,
        }
    }
}

/// The headers that a format has places for.
fn carried(format: &str, headers: &Headers) -> Headers {
    let mut headers = headers.clone();
    headers.other.clear();
    if matches!(format, "xqf" | "xqr") {
        headers.red_team = None;
        headers.black_team = None;
    }
    if format == "xqr" {
        headers.title = None;
        headers.annotator = None;
    }
    headers
}

fn there_and_back(name: &str, game: &Game) -> Result<(), TestCaseError> {
    there_and_back_in(name, None, game).map(|_| ())
}

/// Writes in a style, reads, compares and writes again; gives the bytes.
fn there_and_back_in(
    name: &str,
    style: Option<&str>,
    game: &Game,
) -> Result<Vec<u8>, TestCaseError> {
    let format = format(name);
    let bytes = write(format, game, style);
    let head = Head { bytes: &bytes, complete: true, extension: "" };
    prop_assert_eq!(formats::sniff(&head).map(|f| f.info().id.name()), Some(name));
    let records = read(format, &bytes);
    prop_assert_eq!(records.len(), 1);
    let record = records.into_iter().next().unwrap();
    prop_assert!(record.findings.is_empty(), "{:?}", record.findings);
    let again = replay(record, &ReplayOptions::default());
    prop_assert_eq!(shape(&again.tree), shape(&game.tree));
    // Without a move nothing shows who begins in some formats.
    if !game.tree.is_empty() {
        prop_assert_eq!(&again.start, &game.start);
    }
    prop_assert_eq!(carried(name, &again.headers), carried(name, &game.headers));
    let second = write(format, &again, style);
    prop_assert_eq!(&second, &bytes);
    Ok(bytes)
}

/// The versions of XQF with keys.
const KEYED: [u8; 6] = [11, 12, 13, 15, 16, 18];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn xqf(game in game()) {
        there_and_back("xqf", &game)?;
    }

    #[test]
    fn xqf_with_keys(game in game(), which in 0..KEYED.len()) {
        let version = KEYED[which];
        let keyed = there_and_back_in("xqf", Some(&format!("keyed-{version}")), &game)?;
        prop_assert_eq!(keyed[2], version);
        // The key test of XQStudio, on the bytes as they lie in the file.
        prop_assert_eq!(keyed[0x0c..0x10].iter().fold(0u8, |sum, key| sum.wrapping_add(*key)), 0);
        // The fields of the header are never hidden.
        let plain = write(format("xqf"), &game, None);
        prop_assert_eq!(&keyed[0x30..0x400], &plain[0x30..0x400]);
    }

    #[test]
    fn cbr(game in game()) {
        there_and_back("cbr", &game)?;
    }

    #[test]
    fn dhtmlxq(game in game()) {
        there_and_back("dhtmlxq", &game)?;
    }

    #[test]
    fn jsonl(game in game()) {
        there_and_back("jsonl", &game)?;
    }

    #[test]
    fn xqr(game in game()) {
        there_and_back("xqr", &game)?;
    }
}

/// The samples whose format shows.
fn samples() -> Vec<(std::path::PathBuf, Vec<u8>, &'static dyn Format)> {
    let mut samples = Vec::new();
    let mut stack = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")];
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("readable");
            stack.extend(entries.map(|entry| entry.expect("readable").path()));
            continue;
        }
        let bytes = std::fs::read(&path).expect("readable");
        let head = Head { bytes: &bytes[..bytes.len().min(65536)], complete: true, extension: "" };
        if let Some(format) = formats::sniff(&head) {
            samples.push((path, bytes, format));
        }
    }
    samples
}

/// Places are offsets in the file, also where the file is compressed and where
/// it ends before its header does.
fn places_lie_in(name: &std::path::Path, records: &[Record], length: usize) {
    for record in records {
        assert!(record.origin.offset <= length as u64, "{}: {:?}", name.display(), record.origin);
        for finding in &record.findings {
            let point = finding.place.source;
            assert!(
                point.is_none_or(|point| point.offset <= length as u64),
                "{} of {length} bytes: {finding:?}",
                name.display()
            );
        }
    }
}

/// What a limit leaves out is a finding, and all before it is read.
#[test]
fn limits_are_findings() {
    let mut faults = Vec::new();
    for (path, bytes, format) in samples() {
        let piece = Piece { bytes, line: 1, ..Piece::default() };
        let whole = read(format, &piece.bytes);
        let size = |records: &[Record]| {
            let moves: usize = records.iter().map(|record| record.tree.len()).sum();
            (moves, records.iter().filter(|record| !record.tree.is_empty()).count())
        };
        for limits in
            [Limits { games: 1, ..Limits::default() }, Limits { moves: 1, ..Limits::default() }]
        {
            let mut records = Vec::new();
            format.read(&piece, &limits, &mut |record| {
                records.push(record);
                ControlFlow::Continue(())
            });
            places_lie_in(&path, &records, piece.bytes.len());
            let mut findings = records.iter().flat_map(|record| &record.findings);
            let said = findings.any(|f| f.code == qipu::finding::Code::LimitExceeded);
            let complete = size(&records) == size(&whole);
            if !said && !complete {
                faults.push(format!(
                    "{}: {:?} of {:?}, {limits:?}",
                    path.display(),
                    size(&records),
                    size(&whole)
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Flips each byte and cuts at each offset of small files of every format.
#[test]
fn damage_is_found_and_bounded() {
    let mut files = 0;
    for (path, bytes, format) in samples() {
        files += 1;
        // Every byte of small files, a sample of the others.
        let step = if bytes.len() > 8192 { bytes.len() / 100 } else { 1 + bytes.len() / 1000 };
        for at in (0..bytes.len()).step_by(step) {
            let mut games = 0;
            let entry = Entry::bytes(path.to_string_lossy(), bytes[..at].to_vec());
            let report = read_file(&entry, &ReadOptions::default(), &mut |_| {
                games += 1;
                ControlFlow::Continue(())
            });
            let findings = report.expect("bytes can be read").findings.len();
            assert!(games + findings > 0, "{} cut at {at} says nothing", path.display());
            places_lie_in(&path, &read(format, &bytes[..at]), at);
            for flip in [0x01, 0x80, 0xff] {
                let mut flipped = bytes.clone();
                flipped[at] ^= flip;
                places_lie_in(&path, &read(format, &flipped), flipped.len());
                let head = Head { bytes: &flipped, complete: true, extension: "" };
                let _ = formats::sniff(&head);
            }
        }
    }
    eprintln!("{files} sample files");
}
