//! Pattern questions to a database of made-up games, or to one that is there.
//!
//! `cargo bench --bench patterns [-- GAMES]` (20,000 by default), or
//! `cargo bench --bench patterns -- FILE.db`.

#[path = "common/made.rs"]
mod made;

use std::path::{Path, PathBuf};
use std::time::Instant;

use made::Random;
use qipu::board::Position;
use qipu::db::{Database, PackedGame, Pattern, PatternText, Query, SourceEnd};
use qipu::game::{Game, GameTree, Headers, Outcome};
use qipu::record::{FormatId, NodeId, Origin};

/// Times each question is asked; the median counts.
const TIMES: usize = 5;

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let file = words.iter().map(PathBuf::from).find(|path| path.exists());
    let folder = tempfile::tempdir().expect("a folder for scratch files");
    let path = file.unwrap_or_else(|| {
        let games = words.iter().find_map(|word| word.parse().ok()).unwrap_or(20_000);
        let path = folder.path().join("made.db");
        fill(&path, games);
        path
    });
    let db = Database::open(&path).expect("opens");
    let games = db.matching(&Query::default()).expect("readable").len();
    println!("{games} games");
    let pattern = |text| PatternText { pattern: Some(text), ..PatternText::default() };
    let material = |text| PatternText { material: Some(text), ..PatternText::default() };
    let sequence = |text| PatternText { sequence: Some(text), ..PatternText::default() };
    let all = |text| PatternText { mirror: true, swap: true, ..text };
    for (name, text) in [
        ("a horse in a region", pattern("N@c-g5-9; turn red")),
        ("no such thing", pattern("K@a-i9")),
        ("no such thing, all images", all(pattern("*@d-f7-9=9; N@e5=1"))),
        ("a board, mostly open", pattern("////????N????/////")),
        ("a board, mostly open, all images", all(pattern("////????N???r/////"))),
        ("the whole board", pattern("3k5/4a4/9/9/9/9/9/9/4A4/4K4")),
        ("material", material("RNP:RC")),
        ("a balance that lasts", PatternText { lasting: Some(20), ..material("R~NC") }),
        ("a sequence", sequence("炮二平五 … 马八进七")),
        ("a sequence, all images", all(sequence("炮二平五 … 马八进七 … 车一平二 … 兵七进一"))),
        ("a sequence that is not there", all(sequence("帅五进一 … 帅五进一 … 帅五进一"))),
        (
            "everything at once",
            PatternText {
                material: Some("R*:R*"),
                sequence: Some("… 前车进一 … 炮二平五"),
                ..all(pattern("P@5-9>=3; [rc]@a-i0-4"))
            },
        ),
    ] {
        let query = Query { pattern: Pattern::parse(&text).expect("readable"), ..Query::default() };
        let mut times: Vec<f64> = Vec::new();
        let mut found = 0;
        for _ in 0..TIMES {
            let begun = Instant::now();
            found = db.matching(&query).expect("answers").len();
            times.push(begun.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        let median = times.get(TIMES / 2).copied().unwrap_or(f64::NAN);
        println!(
            "{name:34} {:8.1} ms  {:6.0} ms for 100,000 games  ({found} found)",
            median * 1e3,
            median * 1e3 * 1e5 / games as f64
        );
    }
}

/// Fills a database with made-up games of about 80 half-moves.
fn fill(path: &Path, games: usize) {
    let mut random = Random::new(1956);
    let db = Database::create(path).expect("a database");
    let run = db.begin_run("{}").expect("writable");
    let mut writer = db.writer(run).expect("writable");
    writer.begin_source("made").expect("writable");
    for _ in 0..games {
        let mut tree = GameTree::default();
        let mut last = NodeId::ROOT;
        for mv in made::moves(&mut random, 80) {
            last = tree.add(last, Some(mv));
        }
        let game = Game {
            origin: Origin { format: FormatId("pgn"), game: 1, ..Origin::default() },
            headers: Headers::default(),
            notation: None,
            start: Position::start(),
            tree,
            outcome: Outcome::default(),
            findings: Vec::new(),
            unplayed: Vec::new(),
            result_token: None,
            trailer: None,
        };
        writer.add_game(&PackedGame::new(game)).expect("writable");
    }
    let end = SourceEnd { sha256: "made", bytes: 1, format: Some("pgn"), findings: &[] };
    writer.end_source(&end).expect("writable");
    writer.commit().expect("writable");
    drop(writer);
    db.close().expect("closes");
}
