//! Opening books: every row of the file comes out, in the tree under the
//! position of its key or as a remark, whatever random numbers the keys are
//! made of.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use qipu::board::{Color, Move, Position, Square};
use qipu::finding::Code;
use qipu::game::Game;
use qipu::import::{Entry, ReadOptions, read_file};
use qipu::record::NodeId;

/// Numbers that look random (splitmix64).
fn number(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A key as programs make it, of numbers that only this test knows.
fn key(position: &Position) -> u64 {
    let mut key = if position.side() == Color::Red { number(7) } else { 0 };
    for square in Square::all() {
        if let Some(piece) = position.piece_at(square) {
            key ^= number((piece.letter() as u64) << 20 | (square.index() as u64) << 4 | 2);
        }
    }
    key
}

/// The code of a square on a board of 16 by 16.
fn code(square: Square) -> i64 {
    0x33 + 16 * (9 - i64::from(square.rank())) + i64::from(square.file())
}

/// Whether SQLite keeps the bits: a floating-point number that is a whole number
/// of 64 bits becomes one, and what is no number becomes nothing.
fn stays(key: u64) -> bool {
    let number = f64::from_bits(key);
    i64::try_from(key).is_ok() || number < -1e19 || number.fract() != 0.0 && !number.is_nan()
}

type Truth = BTreeMap<(u64, Move), Position>;

/// Rows of games in which some moves are much more usual than others.
fn rows(games: u64, plies: u64) -> Truth {
    let mut rows = Truth::new();
    for game in 0..games {
        let mut position = Position::start();
        for ply in 0..plies {
            let moves = position.legal_moves();
            let draw = number(game * 64 + ply + 1_000_000);
            let choice = (draw % 7) * (draw >> 8 & 0xff) % 7 * 5;
            let Some(mv) = moves.get(choice as usize % moves.len().max(1)).copied() else { break };
            if stays(key(&position)) {
                rows.insert((key(&position), mv), position.clone());
            }
            position.make(mv);
        }
    }
    rows
}

/// A file of such rows; keys whose highest bit is set as floating-point numbers
/// of the same bits.
fn file(rows: &Truth, journal: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.obk");
    let database = rusqlite::Connection::open(&path).expect("a database");
    database.pragma_update(None, "journal_mode", journal).expect("a journal");
    database
        .execute_batch(
            "CREATE TABLE bhobk (id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER, \
             vscore INTEGER, vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, \
             vmemo TEXT, vindex INTEGER); CREATE TABLE other (a, b); BEGIN;",
        )
        .expect("tables");
    for (key, mv) in rows.keys() {
        let value: rusqlite::types::Value = match i64::try_from(*key) {
            Ok(key) => key.into(),
            Err(_) => f64::from_bits(*key).into(),
        };
        let code = code(mv.from) << 8 | code(mv.to);
        let memo = if key % 16 == 0 { "要着" } else { "" };
        database
            .execute(
                "INSERT INTO bhobk VALUES (NULL, ?1, ?2, ?3, 3, 2, 1, 1, ?4, NULL)",
                rusqlite::params![value, code, code % 100, memo],
            )
            .expect("a row");
    }
    database
        .execute_batch("INSERT INTO bhobk VALUES (NULL, 5, 7, 0, 0, 0, 0, 0, '无', NULL); COMMIT;")
        .expect("a row without squares");
    drop(database);
    std::fs::read(path).expect("the file")
}

fn read(bytes: &[u8]) -> (Vec<Game>, Vec<Code>) {
    let mut games = Vec::new();
    let entry = Entry::bytes("book.obk", bytes.to_vec());
    let report = read_file(&entry, &ReadOptions::default(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    let findings = report.expect("readable").findings;
    (games, findings.iter().map(|finding| finding.code).collect())
}

/// The rows of a game: key, move and words of each.
fn told(game: &Game) -> Vec<(u64, Move, Option<Position>)> {
    let tree = &game.tree;
    let mut rows = Vec::new();
    let key = |words: &str| {
        let hex = words.split_whitespace().find_map(|word| word.strip_prefix("key=0x"));
        u64::from_str_radix(hex.expect("a key"), 16).expect("hexadecimal")
    };
    let mut stack = vec![(NodeId::ROOT, game.start.clone())];
    while let Some((node, position)) = stack.pop() {
        for child in tree.children(node) {
            let mv = tree.node(child).mv.expect("a legal move");
            let words = tree.comments.iter().find(|c| c.node == child).expect("a comment");
            rows.push((key(&words.text), mv, Some(position.clone())));
            let mut after = position.clone();
            after.make(mv);
            stack.push((child, after));
        }
    }
    for comment in tree.comments.iter().filter(|comment| comment.node == NodeId::ROOT) {
        for line in comment.text.lines() {
            match line.strip_prefix("move=").and_then(|words| words.split(' ').next()) {
                Some(mv) => rows.push((key(line), mv.parse().expect("squares"), None)),
                // The one row whose move names no squares.
                None => assert!(line.starts_with("key=0x0000000000000005 move=7 "), "{line}"),
            }
        }
    }
    rows
}

#[test]
fn no_row_is_lost_and_no_position_is_wrong() {
    let truth = rows(900, 8);
    for journal in ["DELETE", "WAL"] {
        let (games, loose) = read(&file(&truth, journal));
        assert_eq!((games.len(), loose.len()), (1, 0), "{journal}");
        let game = &games[0];
        assert_eq!(game.origin.format.name(), "obk");
        let told = told(game);
        assert_eq!(told.len(), truth.len(), "{journal}");
        let mut placed = 0;
        for (key, mv, position) in &told {
            let right = truth.get(&(*key, *mv)).expect("a row of the book");
            if let Some(position) = position {
                assert_eq!(position.key(), right.key());
                placed += 1;
            }
        }
        assert!(placed * 2 > told.len(), "{placed} of {} in the tree", told.len());
        for code in [Code::DialectRead, Code::UnsupportedFormat] {
            assert_eq!(game.findings.iter().filter(|f| f.code == code).count(), 1, "{code}");
        }
        assert!(game.findings.iter().all(|f| f.code != Code::IllegalMove));
        assert!(game.tree.comments.iter().any(|c| c.text.contains("memo=要着")));
    }
}

/// Cut or changed anywhere, a book yields what is left of it and a word about
/// the rest.
#[test]
fn damage_is_told() {
    let truth = rows(60, 6);
    let bytes = file(&truth, "DELETE");
    for at in (100..bytes.len()).step_by(bytes.len() / 60) {
        let (games, loose) = read(&bytes[..at]);
        let findings = games.iter().map(|game| game.findings.len()).sum::<usize>() + loose.len();
        assert!(findings > 0, "cut at {at}");
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x55;
        let _ = read(&flipped);
    }
}
