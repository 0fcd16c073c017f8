//! Import: everything that is offered is accounted for, once.

#[path = "../benches/common/made.rs"]
mod made;

mod common;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use qipu::board::Position;
use qipu::db::{Database, Query, RunState};
use qipu::import::{Entry, ImportOptions, Progress, ReadError, Summary, import, walk};

/// A folder of made-up files: several small ones, one that is long enough to
/// have a transaction of its own, copies, and things that are no games.
fn folder_of_files(folder: &Path, with_large: bool) {
    for number in 0..6 {
        let text = made::pgn(number, 40, 60, "ICCS", &made::iccs);
        let name = folder.join(format!("{number}/games.pgn"));
        std::fs::create_dir_all(name.parent().unwrap()).unwrap();
        std::fs::write(name, text).unwrap();
    }
    std::fs::copy(folder.join("0/games.pgn"), folder.join("5/same bytes.pgn")).unwrap();
    let mut other = std::fs::read(folder.join("1/games.pgn")).unwrap();
    other.extend_from_slice(b"\n\n");
    std::fs::write(folder.join("5/same games.pgn"), other).unwrap();
    std::fs::write(folder.join("2/empty"), "").unwrap();
    std::fs::write(folder.join("2/noise.bin"), [0xff, 0x00, 0x17, 0x80].repeat(500)).unwrap();
    std::fs::write(folder.join("3/cut.pgn"), "[Event \"x\"]\n[Red \"甲").unwrap();
    if with_large {
        // Few games with long comments: over 8 MiB.
        let comment = format!("{{{}}}\n\n[Game ", "此处有变化。".repeat(700));
        let text = made::pgn(99, 800, 40, "ICCS", &made::iccs);
        let text = text.replace("\n\n[Game ", &comment);
        assert!(text.len() > 8 << 20, "{}", text.len());
        std::fs::write(folder.join("4/large.pgn"), text).unwrap();
    }
}

fn run(db: &Database, paths: &[OsString], workers: usize) -> Summary {
    let options =
        ImportOptions { workers: NonZeroUsize::new(workers).unwrap(), ..ImportOptions::default() };
    import(db, walk(paths), &options, &mut (), &AtomicBool::new(false)).unwrap()
}

fn dump(db: &Database) -> String {
    let mut text = Vec::new();
    db.dump(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn assert_sound(db: &Database) {
    assert_eq!(db.problems().unwrap(), Vec::<String>::new());
}

#[test]
fn every_file_is_accounted_for_once() {
    let folder = tempfile::tempdir().unwrap();
    folder_of_files(folder.path(), false);
    let db = Database::in_memory().unwrap();
    let paths = [folder.path().into()];
    let first = run(&db, &paths, 2);
    assert_eq!((first.files, first.files_skipped, first.files_failed), (11, 1, 0));
    assert_eq!(first.games, first.new + first.duplicates);
    // The file with the same bytes is skipped; the one with the same games is
    // kept, and its games are linked.
    assert_eq!(first.duplicates, 40, "{first:?}");
    assert!(first.games >= 7 * 40);
    assert_eq!(first.findings["unknown-format"], 2);
    assert_sound(&db);
    let content = dump(&db);
    let again = run(&db, &paths, 2);
    assert_eq!((again.files, again.files_skipped, again.games, again.new), (11, 11, 0, 0));
    assert_eq!(dump(&db), content);
    assert_eq!(db.openings(&Position::start(), &Query::default()).unwrap().games, first.new);
    let stats = db.stats().unwrap();
    assert_eq!((stats.runs, stats.sources, stats.games), (2, 10, first.games));
    assert_eq!((stats.plies, stats.with_errors), (first.plies, first.with_errors));
    let findings: BTreeMap<String, u64> = stats.findings.into_iter().collect();
    let told: BTreeMap<String, u64> =
        first.findings.iter().map(|(code, count)| ((*code).to_owned(), *count)).collect();
    assert_eq!(findings, told);
}

#[test]
fn any_number_of_workers_gives_the_same_content() {
    let folder = tempfile::tempdir().unwrap();
    folder_of_files(folder.path(), false);
    let contents = [1, 2, 4].map(|workers| {
        let db = Database::in_memory().unwrap();
        run(&db, &[folder.path().into()], workers);
        assert_sound(&db);
        dump(&db)
    });
    assert!(contents[0].contains("game id=250"));
    assert_eq!(contents[0], contents[1]);
    assert_eq!(contents[0], contents[2]);
}

#[test]
fn a_database_among_the_files_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let text = made::pgn(1, 3, 20, "ICCS", &made::iccs);
    std::fs::write(folder.path().join("a.pgn"), text).unwrap();
    let db = Database::create(&folder.path().join("here.db")).unwrap();
    for _ in 0..2 {
        assert_eq!(run(&db, &[folder.path().into()], 2).files, 1);
    }
}

#[test]
fn a_file_that_cannot_be_read_does_not_stop_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.pgn");
    std::fs::write(&good, made::pgn(1, 3, 20, "ICCS", &made::iccs)).unwrap();
    let db = Database::in_memory().unwrap();
    let summary = run(&db, &[folder.path().join("none.pgn").into(), good.into()], 1);
    assert_eq!((summary.files, summary.files_failed, summary.games), (2, 1, 3));
}

#[test]
fn the_bytes_of_a_file_are_kept_unless_unwanted() {
    let bytes = made::pgn(5, 4, 30, "ICCS", &made::iccs).into_bytes();
    for keep in [true, false] {
        let db = Database::in_memory().unwrap();
        let options = ImportOptions { keep_originals: keep, ..ImportOptions::default() };
        let entry = Entry::bytes("a.pgn", bytes.clone());
        let entries = std::iter::once(Ok(entry));
        import(&db, entries, &options, &mut (), &AtomicBool::new(false)).unwrap();
        let source = db.source_of(1).unwrap().unwrap();
        assert_eq!((source.path.as_str(), source.bytes), ("a.pgn", Some(bytes.len() as u64)));
        let mut back = Vec::new();
        assert_eq!(db.original(source.id, &mut back).unwrap(), keep);
        assert_eq!(back, if keep { bytes.clone() } else { Vec::new() });
    }
}

/// Stops the run once so many files have begun.
struct StopAfter<'a>(usize, &'a AtomicBool);

impl Progress for StopAfter<'_> {
    fn file_started(&mut self, _: &str) {
        self.0 = self.0.saturating_sub(1);
        self.1.store(self.0 == 0, Ordering::Relaxed);
    }
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    // The sixth file in order is `4/games.pgn`, then `4/large.pgn`.
    folder_of_files(folder.path(), true);
    let paths = [OsString::from(folder.path())];
    let whole = Database::in_memory().unwrap();
    run(&whole, &paths, 2);
    let expected = dump(&whole);
    for files in [1, 4, 9] {
        let db = Database::in_memory().unwrap();
        let stop = AtomicBool::new(false);
        let mut progress = StopAfter(files, &stop);
        let options = ImportOptions::default();
        let part = import(&db, walk(&paths), &options, &mut progress, &stop).unwrap();
        assert_sound(&db);
        let state = if part.interrupted { RunState::Interrupted } else { RunState::Finished };
        assert_eq!(db.runs().unwrap()[0].state, state.name());
        let rest = run(&db, &paths, 2);
        assert!(!rest.interrupted);
        assert_eq!(rest.files_skipped, part.files - part.files_skipped + 1, "one is a copy");
        assert!(dump(&db) == expected, "stopped after {files} files");
    }
}

#[test]
fn standard_input_is_skipped_when_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("a.db");
    let text = made::pgn(3, 5, 30, "ICCS", &made::iccs);
    let mut told = Vec::new();
    for _ in 0..2 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_qipu"))
            .args(["import", "-", "--json", "--db"])
            .arg(&db)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        told.push(serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap());
    }
    assert_eq!((&told[0]["new"], &told[0]["files_skipped"]), (&5.into(), &0.into()));
    assert_eq!((&told[1]["new"], &told[1]["files_skipped"]), (&0.into(), &1.into()));
    assert_eq!((&told[1]["files"], &told[1]["run"]), (&1.into(), &2.into()));
}

fn start_import(db: &Path, folder: &Path) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_qipu"))
        .args(["import", "--json", "--db"])
        .args([db, folder])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_kill_at_any_moment_leaves_a_database_that_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("files");
    folder_of_files(&files, true);
    let whole = folder.path().join("whole.db");
    let begun = std::time::Instant::now();
    assert!(start_import(&whole, &files).wait().unwrap().success());
    let mut whole_time = begun.elapsed();
    let expected = dump(&Database::open(&whole).unwrap());
    let mut random = made::Random::new(u64::from(std::process::id()));
    let mut cut_short = 0;
    let rounds = common::kills(15) as usize;
    for round in 0..rounds {
        let path: PathBuf = folder.path().join(format!("{round}.db"));
        let mut child = start_import(&path, &files);
        // The machine may be busy with something else for a while.
        let moment = whole_time.as_micros() as usize * (round + 1) / (rounds + 1);
        std::thread::sleep(Duration::from_micros((moment + random.below(3000)) as u64));
        child.kill().unwrap();
        cut_short += usize::from(!child.wait().unwrap().success());
        if path.exists() {
            let db = Database::create(&path).unwrap();
            if round % 5 == 0 {
                assert_sound(&db);
            }
            db.close().unwrap();
        }
        let begun = std::time::Instant::now();
        let again = start_import(&path, &files).wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&again.stderr);
        assert!(again.status.success(), "killed after {moment} µs, then: {told}");
        whole_time = whole_time.min(begun.elapsed());
        let db = Database::open(&path).unwrap();
        assert!(dump(&db) == expected, "killed after {moment} µs");
        let sound: String =
            db.connection().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(sound, "ok");
        db.close().unwrap();
        std::fs::remove_file(&path).unwrap();
    }
    assert!(cut_short > rounds * 7 / 15, "only {cut_short} of {rounds} were cut short");
}

#[test]
fn positions_are_found_by_any_order_of_moves() {
    let Some(file) = common::shared("cases/reports/R27-position-search-transposition-mirror.pgn")
    else {
        return;
    };
    let db = Database::in_memory().unwrap();
    let summary = run(&db, &[file.into()], 1);
    assert_eq!(summary.games, 7);
    let position: Position =
        "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w".parse().unwrap();
    let hits = |mirror, any_side| {
        let query =
            Query { position: Some(position.clone()), mirror, any_side, ..Query::default() };
        let mut hits = Vec::new();
        db.find(&query, &mut |row| {
            hits.push((row.number, row.ply));
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
        hits
    };
    // The reported values: games 甲 乙 丙 丁镜像 戊差一先 in the file's order.
    let exact = hits(false, false);
    assert_eq!(exact.iter().map(|hit| hit.1).collect::<Vec<_>>(), [Some(4), Some(4), Some(8)]);
    assert_eq!(hits(true, false).len(), 4);
    assert!(hits(true, false).iter().all(|hit| exact.contains(hit) || hit.1 == Some(4)));
    let any_side = hits(false, true);
    assert_eq!(any_side.len(), 4);
    assert!(any_side.iter().all(|hit| exact.contains(hit) || hit.1 == Some(5)));
}

#[test]
fn different_games_are_not_taken_for_copies() {
    let Some(file) = common::shared("cases/reports/R28-duplicates-and-near-duplicates.pgn") else {
        return;
    };
    let db = Database::in_memory().unwrap();
    let summary = run(&db, &[file.into()], 1);
    assert_eq!(summary.games, 7);
    let links: Vec<Option<i64>> = {
        let mut links = Vec::new();
        let all = Query { duplicates: true, ..Query::default() };
        db.find(&all, &mut |row| {
            links.push(row.duplicate_of);
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
        links
    };
    // Game 2 is game 1 in traditional script; games 3 to 7 are others.
    assert_eq!(&links[2..], [None; 5]);
    let hash = |id: i64| -> i64 {
        db.connection()
            .query_row("SELECT content_hash FROM game WHERE id = ?", [id], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(hash(1), hash(2));
    assert_eq!(hash(1), hash(7));
    assert_ne!(hash(1), hash(4));
}

#[test]
fn a_walk_names_what_it_cannot_enter() {
    let paths = [OsString::from("/none/of/this"), OsString::from("-")];
    let entries: Vec<Result<Entry, ReadError>> = walk(&paths).collect();
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[1].as_ref().unwrap().path(), "-");
    assert!(entries[0].as_ref().unwrap().open().is_err());
}

fn ask(db: &Path, arguments: &[&str]) -> Vec<serde_json::Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_qipu"))
        .args(arguments)
        .args(["--json", "--db"])
        .arg(db)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_commands_answer_as_the_contract_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pgn");
    let games = [
        ("胡荣华", "1960.05.01", "1-0", "1. 炮二平五 马8进7"),
        ("杨官璘", "1962.??.??", "1/2-1/2", "1. 炮二平五 马２进３"),
        ("胡荣华", "1964", "*", "1. 兵七进一 卒7进1"),
    ];
    let mut text = String::new();
    for (red, date, result, moves) in games {
        let _ = write!(
            text,
            "[Game \"Chinese Chess\"]\n[Red \"{red}\"]\n[Black \"某人\"]\n[BlackElo \"2410\"]\n\
             [Date \"{date}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        );
    }
    std::fs::write(&file, text).unwrap();
    let db = folder.path().join("a.db");
    let summary = &ask(&db, &["import", file.to_str().unwrap()])[0];
    for (key, number) in [
        ("run", 1),
        ("files", 1),
        ("files_skipped", 0),
        ("games", 3),
        ("new", 3),
        ("duplicates", 0),
        ("with_errors", 0),
        ("plies", 6),
    ] {
        assert_eq!(summary[key], number, "{key}");
    }
    assert!(summary["findings"].is_object() && summary["seconds"].is_number());

    let tree = &ask(&db, &["openings"])[0];
    assert_eq!(tree["fen"], qipu::board::START_FEN);
    assert_eq!(tree["games"], 3);
    let first = &tree["moves"][0];
    assert_eq!((&first["move"], &first["chinese"]), (&"h2e2".into(), &"炮二平五".into()));
    assert_eq!((&first["games"], &first["red_wins"]), (&2.into(), &1.into()));
    assert_eq!((&first["draws"], &first["black_wins"]), (&1.into(), &0.into()));
    assert_eq!((&first["score"], &first["last_year"]), (&0.75.into(), &1962.into()));
    // The rating is that of the one who moves: nobody tells Red's.
    assert!(first.get("mean_rating").is_none());
    let reply = &ask(&db, &["openings", "--moves", "炮二平五"])[0]["moves"][0];
    assert_eq!(reply["mean_rating"], 2410.0);
    // No result is known of the other move.
    assert_eq!(tree["moves"][1]["move"], "c3c4");
    assert!(tree["moves"][1]["score"].is_null());
    let tree = &ask(&db, &["openings", "--moves", "炮二平五", "--player", "杨官璘"])[0];
    assert_eq!((&tree["games"], &tree["moves"][0]["move"]), (&1.into(), &"b9c7".into()));

    let ids = |arguments: &[&str]| -> Vec<i64> {
        let rows = ask(&db, &[&["find"], arguments].concat());
        rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(ids(&[]), [1, 2, 3]);
    assert_eq!(ids(&["--fen", qipu::board::START_FEN]), [1, 2, 3]);
    assert_eq!(ids(&["--moves", "C2.5"]), [1, 2]);
    assert_eq!(ids(&["--player", "胡荣华", "--year", "1961.."]), [3]);
    assert_eq!(ids(&["--result", "1/2-1/2"]), [2]);
    assert!(ids(&["--finding", "illegal-move"]).is_empty());
    let row = &ask(&db, &["find", "--moves", "h2e2 h9g7"])[0];
    assert_eq!((&row["ply"], &row["headers"]["red"]), (&2.into(), &"胡荣华".into()));
    assert_eq!(
        (&row["source"]["game"], &row["headers"]["date"]),
        (&1.into(), &"1960-05-01".into())
    );

    let stats = &ask(&db, &["stats"])[0];
    assert_eq!((&stats["games"], &stats["files"]), (&3.into(), &1.into()));
    assert_eq!((&stats["first_year"], &stats["results"]["*"]), (&1960.into(), &1.into()));
    let runs = ask(&db, &["runs"]);
    assert_eq!((runs.len(), &runs[0]["state"]), (1, &"finished".into()));
    assert_eq!(runs[0]["options"]["originals"], true);
}

#[test]
fn a_wrong_question_is_told_apart_from_a_missing_database() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("none.db");
    let status = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qipu"));
        command.args(arguments).arg("--db").arg(&db);
        command.output().unwrap().status.code()
    };
    assert_eq!(status(&["find"]), Some(3));
    assert_eq!(status(&["openings", "--moves", "h2h3 h9h1"]), Some(2));
    assert_eq!(status(&["find", "--year", "now"]), Some(2));
    assert_eq!(status(&["find", "--fen", "9/9"]), Some(2));
    assert!(!db.exists(), "asking makes no database");
    assert_eq!(status(&["import", folder.path().join("none.pgn").to_str().unwrap()]), Some(3));
}
