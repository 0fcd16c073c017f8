//! Import of Chinese PGN with the position index, and questions to it.
//!
//! `cargo bench --bench import [-- GAMES ...]` (20,000 by default). With several
//! sizes the growth from the first to each other is told.

mod common;
#[path = "common/made.rs"]
mod made;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use made::Random;
use qipu::board::{Move, Position};
use qipu::db::{Database, PositionIndex as _, Query};
use qipu::import::{Entry, ImportOptions, ReadOptions, import, read_file};
use qipu::notation::{Notation, Style, render};

/// Half-moves of a game on average.
const PLIES: usize = 80;

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![20_000] } else { sizes };
    let first = measure(sizes[0]);
    for games in &sizes[1..] {
        let more = measure(*games);
        println!(
            "growth from {} to {games} games: processor time of a game {:.2} times, p99 of the \
             tree {:.2} times, of the games {:.2} times",
            sizes[0],
            more.cpu / first.cpu,
            more.asked.tree_p99 / first.asked.tree_p99,
            more.asked.games_p99 / first.asked.games_p99
        );
    }
}

/// What an import cost.
struct Measured {
    /// Processor seconds a game with one worker.
    cpu: f64,
    asked: Asked,
}

fn measure(games: usize) -> Measured {
    let folder = tempfile::tempdir().expect("a folder for scratch files");
    let file = folder.path().join("games.pgn");
    write_games(&file, games);
    let bytes = std::fs::metadata(&file).map_or(0, |data| data.len());
    println!("{games} games of {PLIES} half-moves, {:.1} MB of Chinese PGN", bytes as f64 * 1e-6);

    let mut plies = 0;
    let cpu = process_seconds();
    let entry = Entry::file(&file);
    let report = read_file(&entry, &ReadOptions::default(), &mut |game| {
        plies += game.tree.len();
        ControlFlow::Continue(())
    });
    let check = process_seconds() - cpu;
    let report = report.expect("readable");
    assert_eq!(report.games as usize, games);
    println!(
        "read and replay        {:8.0} games/cpu-s  ({plies} half-moves)",
        games as f64 / check
    );

    // With one worker the processor time is what one core would take.
    let mut one_core = 0.0;
    for workers in [1, 2] {
        let path = folder.path().join(format!("{workers}.db"));
        let (cpu, wall) = (process_seconds(), Instant::now());
        let db = import_file(&path, &file, workers, games);
        db.close().expect("closes");
        let (cpu, wall) = (process_seconds() - cpu, wall.elapsed().as_secs_f64());
        let size = std::fs::metadata(&path).map_or(0, |data| data.len());
        if workers == 1 {
            one_core = cpu;
        }
        println!(
            "import, {workers} worker{}      {:8.0} games/cpu-s  {:8.0} games/wall-s  {:.2} of \
             reading  {:.2} times one core  {:.0} B/game  peak {} MB",
            if workers == 1 { " " } else { "s" },
            games as f64 / cpu,
            games as f64 / wall,
            check / cpu,
            one_core / wall,
            size as f64 / games as f64,
            peak_megabytes()
        );
    }
    let path = folder.path().join("1.db");
    let asked = ask(&path, games);
    increments(&path, folder.path(), games, &asked, one_core);
    Measured { cpu: one_core / games as f64, asked }
}

/// One game in a hundred more, eight times over: what each costs, and what
/// questions cost afterwards.
fn increments(path: &Path, folder: &Path, games: usize, before: &Asked, whole: f64) {
    let more = (games / 100).max(1);
    let mut costs = Vec::new();
    for turn in 1..=8 {
        let file = folder.join(format!("more-{turn}.pgn"));
        write_games_of(&file, more, 1956 + turn);
        let cpu = process_seconds();
        let db = import_file(path, &file, 1, more);
        db.close().expect("closes");
        costs.push(process_seconds() - cpu);
    }
    let list: Vec<String> =
        costs.iter().map(|cost| format!("{:.1}", 100.0 * cost / whole)).collect();
    println!("{more} games more, eight times: {} % of the whole import", list.join(" "));
    let after = ask(path, games + 8 * more);
    println!(
        "after these, p99 of the tree {:.2} times, of the games {:.2} times as before",
        after.tree_p99 / before.tree_p99,
        after.games_p99 / before.games_p99
    );
}

/// Microseconds of questions.
struct Asked {
    tree_p99: f64,
    games_p99: f64,
}

fn write_games(path: &Path, games: usize) {
    write_games_of(path, games, 1956);
}

fn write_games_of(path: &Path, games: usize, seed: u64) {
    let write = |position: &Position, mv: Move| {
        render(Notation::Chinese, mv, position, Style::default()).unwrap_or_default()
    };
    let mut random = Random::new(seed);
    let mut out = BufWriter::new(File::create(path).expect("a scratch file"));
    let mut text = String::new();
    for _ in 0..games {
        text.clear();
        made::game(&mut random, PLIES, "Chinese", &write, &mut text);
        out.write_all(text.as_bytes()).expect("room on the disk");
    }
    out.flush().expect("room on the disk");
}

fn import_file(path: &Path, file: &Path, workers: usize, games: usize) -> Database {
    let db = Database::create(path).expect("a database");
    let options = ImportOptions {
        workers: NonZeroUsize::new(workers).unwrap_or(NonZeroUsize::MIN),
        keep_originals: false,
        ..ImportOptions::default()
    };
    let entries = std::iter::once(Ok(Entry::file(file)));
    let summary = import(&db, entries, &options, &mut (), &AtomicBool::new(false));
    assert_eq!(summary.expect("it works").games as usize, games);
    db
}

/// Questions about positions of the games, and the start.
fn ask(path: &Path, games: usize) -> Asked {
    let db = Database::open(path).expect("opens");
    for table in
        ["game", "posting", "position_tree", "sqlite_autoindex_position_tree_1", "game_by_content"]
    {
        let bytes: i64 = db
            .connection()
            .query_row("SELECT ifnull(sum(pgsize), 0) FROM dbstat WHERE name = ?", [table], |row| {
                row.get(0)
            })
            .unwrap_or(-1);
        println!("  {table:32} {:8.1} B/game", bytes as f64 / games as f64);
    }
    let segments: i64 = db
        .connection()
        .query_row("SELECT count(*) FROM segment", [], |row| row.get(0))
        .unwrap_or(-1);
    println!("  segments         {segments:8}");
    let mut random = Random::new(7);
    let mut trees = Vec::new();
    let mut lists = Vec::new();
    for _ in 0..1000 {
        let id = 1 + random.below(games) as i64;
        let game = db.game(id).expect("readable").expect("there");
        let mut position = game.start.clone();
        let stop = random.below(game.tree.len().max(1));
        for mv in game.main_line().take(stop).flatten() {
            position.make(mv);
        }
        let (time, tree) = quickest(|| db.openings(&position, &Query::default()).expect("answers"));
        trees.push(time);
        assert!(tree.games > 0);
        if tree.games <= 10 {
            let (time, found) = quickest(|| db.index().games_at(&position).expect("answers"));
            lists.push(time);
            assert!(!found.is_empty());
        }
    }
    let (time, root) = quickest(|| db.index().tree_at(&Position::start()).expect("answers"));
    println!("  start position   {time:8.1} µs, {} games", root.games);
    // One rare position, so that nothing but the replay counts.
    let mut rare = Position::start();
    let game = db.game(games as i64 / 2).expect("readable").expect("there");
    for mv in game.main_line().take(60).flatten() {
        rare.make(mv);
    }
    let expected = db.index().games_at(&rare).expect("answers");
    let cpu = process_seconds();
    let mut scans = 0;
    while scans == 0 || process_seconds() - cpu < 0.5 {
        assert_eq!(db.scan().games_at(&rare).expect("answers"), expected);
        scans += 1;
    }
    let scan = (process_seconds() - cpu) / f64::from(scans);
    println!("  full scan        {:8.0} games/cpu-s", games as f64 / scan);
    let mut p99 = [0.0; 2];
    for (slot, (name, mut times)) in p99.iter_mut().zip([("tree", trees), ("games at", lists)]) {
        times.sort_by(f64::total_cmp);
        let at = |part: usize| times.get(times.len() * part / 100).copied().unwrap_or(f64::NAN);
        println!("  {name:16} p50 {:.1} µs, p99 {:.1} µs of {}", at(50), at(99), times.len());
        *slot = at(99);
    }
    Asked { tree_p99: p99[0], games_p99: p99[1] }
}

/// Microseconds of the quickest of five runs, and the answer: other programs
/// take the processor away for longer than a question lasts.
fn quickest<T>(ask: impl Fn() -> T) -> (f64, T) {
    let timed = || {
        let begun = Instant::now();
        let answer = ask();
        (begun.elapsed().as_secs_f64() * 1e6, answer)
    };
    let mut best = timed();
    for _ in 1..5 {
        let next = timed();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

/// Processor seconds of all threads.
fn process_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    // Linux reports hundredths of a second to programs.
    ticks / 100.0
}

fn peak_megabytes() -> u64 {
    std::fs::read_to_string("/proc/self/status")
        .unwrap_or_default()
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok())
        .map_or(0, |kib| kib / 1024)
}
