//! Kills, full disks, damaged files, and others at the same database: nothing
//! is lost, and what is wrong is told.

#[path = "../benches/common/made.rs"]
mod made;

mod common;

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use qipu::db::{
    Database, DbError, PackedGame, PositionIndex as _, Query, RunCounts, RunState, SourceEnd,
};
use qipu::import::{Entry, ImportOptions, ReadOptions, import};

fn qipu(arguments: &[&str], db: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qipu"));
    command.args(arguments).arg("--db").arg(db).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str], db: &Path) -> Output {
    qipu(arguments, db).output().unwrap()
}

fn start(arguments: &[&str], db: &Path) -> Child {
    qipu(arguments, db).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn dump(path: &Path) -> String {
    let db = Database::open(path).unwrap();
    let mut text = Vec::new();
    db.dump(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn assert_sound(path: &Path) {
    let output = run(&["verify"], path);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

fn write_file(folder: &Path, name: &str, seed: u64, games: usize) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, made::pgn(seed, games, 60, "ICCS", &made::iccs)).unwrap();
    path
}

/// Kills a command at moments spread over its whole time. Whatever the moment,
/// the database is as it was before or as it is after.
fn kill_at_many_moments(arguments: &[&str], before: &Path, rounds: u32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.db");
    let renew = || {
        for ending in ["", "-wal", "-shm", "-journal"] {
            let _ = std::fs::remove_file(folder.path().join(format!("killed.db{ending}")));
        }
        std::fs::copy(before, &path).unwrap();
    };
    renew();
    let old = dump(&path);
    // The quicker of three, so that a busy machine at this moment does not put
    // most kills behind the end.
    let time = (0..3)
        .map(|_| {
            renew();
            let begun = Instant::now();
            assert!(start(arguments, &path).wait().unwrap().success());
            begun.elapsed()
        })
        .min()
        .unwrap();
    let new = dump(&path);
    assert_ne!(old, new, "{arguments:?} does something");
    let mut cut_short = 0;
    for round in 0..rounds {
        renew();
        let mut child = start(arguments, &path);
        std::thread::sleep(time * round / rounds);
        child.kill().unwrap();
        cut_short += u32::from(!child.wait().unwrap().success());
        // Opening it is what the next command does.
        let db = Database::create(&path).unwrap();
        assert_eq!(db.problems().unwrap(), Vec::<String>::new());
        db.close().unwrap();
        let now = dump(&path);
        assert!(now == old || now == new, "{arguments:?}, round {round}");
        if now == old {
            assert!(start(arguments, &path).wait().unwrap().success());
            assert!(dump(&path) == new);
        }
    }
    assert!(cut_short > rounds / 3, "only {cut_short} of {rounds} were cut short");
}

#[test]
fn a_kill_while_something_is_undone_or_put_together_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("a.db");
    let first = write_file(folder.path(), "a.pgn", 1, 150);
    assert!(run(&["import", first.to_str().unwrap()], &db).status.success());
    // The same games under names in other letters, and new ones.
    let text = std::fs::read_to_string(&first).unwrap();
    let wide = text.replace("[Red \"", "[Red \" ").replace("[Black \"", "[Black \"特级大师 ");
    let second = folder.path().join("b.pgn");
    let more = made::pgn(2, 100, 60, "ICCS", &made::iccs);
    std::fs::write(&second, wide + "\n" + &more).unwrap();
    assert!(run(&["import", second.to_str().unwrap()], &db).status.success());
    assert_sound(&db);
    let rounds = common::kills(12);
    kill_at_many_moments(&["twins", "--merge"], &db, rounds);
    kill_at_many_moments(&["runs", "undo", "2"], &db, rounds);
    kill_at_many_moments(&["runs", "undo", "1"], &db, rounds);
}

fn import_into(db: &Database, file: &Path) -> Result<u64, DbError> {
    let entries = std::iter::once(Ok(Entry::file(file)));
    let stop = AtomicBool::new(false);
    import(db, entries, &ImportOptions::default(), &mut (), &stop).map(|summary| summary.new)
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let first = write_file(folder.path(), "a.pgn", 1, 30);
    let second = write_file(folder.path(), "b.pgn", 2, 400);
    let db = Database::create(&path).unwrap();
    import_into(&db, &first).unwrap();
    let pages: i64 =
        db.connection().pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    // SQLite's own bound gives the error of a full disk.
    db.connection()
        .query_row(&format!("PRAGMA max_page_count = {}", pages + 10), [], |_| Ok(()))
        .unwrap();
    let error = import_into(&db, &second).unwrap_err();
    assert!(error.to_string().contains("full"), "{error}");
    // An import does without; whoever comes after it does not.
    let foreign_keys: bool =
        db.connection().pragma_query_value(None, "foreign_keys", |row| row.get(0)).unwrap();
    assert!(foreign_keys);
    assert_eq!(db.problems().unwrap(), Vec::<String>::new());
    assert_eq!(db.stats().unwrap().games, 30);
    db.connection().query_row("PRAGMA max_page_count = 1000000", [], |_| Ok(())).unwrap();
    assert_eq!(import_into(&db, &second).unwrap(), 400);
    db.close().unwrap();
    let other = folder.path().join("other.db");
    let undisturbed = Database::create(&other).unwrap();
    import_into(&undisturbed, &first).unwrap();
    import_into(&undisturbed, &second).unwrap();
    undisturbed.close().unwrap();
    assert!(dump(&path) == dump(&other));
}

#[test]
fn a_reader_sees_a_whole_database_while_an_import_is_at_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let files = [1, 2, 3].map(|seed| {
        write_file(folder.path(), &format!("{seed}.pgn"), seed, 40).to_string_lossy().into_owned()
    });
    assert!(run(&["import", &files[0]], &path).status.success());
    // Somebody is at work: there is a write-ahead log.
    let at_work = Database::create(&path).unwrap();
    let reader = Database::open(&path).unwrap();
    reader.connection().execute_batch("BEGIN").unwrap();
    let games = reader.matching(&Query::default()).unwrap().len();
    let output = run(&["import", &files[1], &files[2]], &path);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(reader.matching(&Query::default()).unwrap().len(), games);
    let start = qipu::board::Position::start();
    assert_eq!(reader.index().games_at(&start).unwrap().len(), games);
    reader.connection().execute_batch("COMMIT").unwrap();
    assert!(reader.matching(&Query::default()).unwrap().len() > games);
    drop(reader);
    at_work.close().unwrap();
    assert_sound(&path);
}

#[test]
fn two_writers_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let files = [1, 2, 3, 4].map(|seed| {
        write_file(folder.path(), &format!("{seed}.pgn"), seed, 150).to_string_lossy().into_owned()
    });
    assert!(run(&["import", &files[0]], &path).status.success());
    let children: Vec<Child> =
        files[1..].iter().map(|file| start(&["import", file], &path)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_sound(&path);
    assert_eq!(Database::open(&path).unwrap().stats().unwrap().games, 600);
}

#[test]
fn many_may_begin_a_database_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let files = [1, 2, 3, 4, 5, 6].map(|seed| {
        write_file(folder.path(), &format!("{seed}.pgn"), seed, 3).to_string_lossy().into_owned()
    });
    for round in 0..5 {
        let path = folder.path().join(format!("{round}.db"));
        let children: Vec<Child> = files
            .iter()
            .map(|file| {
                let mut command = qipu(&["import", file], &path);
                command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert_sound(&path);
        assert_eq!(Database::open(&path).unwrap().stats().unwrap().games, 18);
    }
}

#[test]
fn an_import_that_is_done_waits_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let file = write_file(folder.path(), "a.pgn", 1, 3);
    let db = Database::create(&path).unwrap();
    let run = db.begin_run("{}").unwrap();
    // Six times as long as SQLite waits by itself.
    db.connection().busy_timeout(Duration::from_millis(50)).unwrap();
    let hold = || {
        let other = Database::create(&path).unwrap();
        other.connection().execute_batch("BEGIN IMMEDIATE").unwrap();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            other.connection().execute_batch("COMMIT").unwrap();
        })
    };
    let mut writer = db.writer(run).unwrap();
    writer.begin_source("a.pgn").unwrap();
    qipu::import::read_file(&Entry::file(&file), &ReadOptions::default(), &mut |game| {
        writer.add_game(&PackedGame::new(game)).unwrap();
        ControlFlow::Continue(())
    })
    .unwrap();
    let end = SourceEnd { sha256: "00", bytes: 1, format: Some("pgn"), findings: &[] };
    writer.end_source(&end).unwrap();
    writer.finish().unwrap();
    let other = hold();
    writer.finish().unwrap();
    other.join().unwrap();
    drop(writer);
    let other = hold();
    db.end_run(run, RunState::Finished, &RunCounts::default()).unwrap();
    other.join().unwrap();
}

#[test]
fn a_damaged_page_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let file = write_file(folder.path(), "a.pgn", 1, 200);
    assert!(run(&["import", file.to_str().unwrap()], &path).status.success());
    let whole = std::fs::read(&path).unwrap();
    let page = 4096;
    let mut told = 0;
    // A page that nothing uses may be damaged without harm.
    for number in (1..whole.len() / page).step_by(whole.len() / page / 12) {
        std::fs::write(&path, &whole).unwrap();
        let mut open = std::fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
        open.seek(SeekFrom::Start((number * page) as u64)).unwrap();
        let mut bytes = vec![0; page];
        open.read_exact(&mut bytes).unwrap();
        for byte in bytes.iter_mut().step_by(3) {
            *byte ^= 0x5a;
        }
        open.seek(SeekFrom::Start((number * page) as u64)).unwrap();
        open.write_all(&bytes).unwrap();
        drop(open);
        for command in [&["verify"][..], &["find"], &["openings"], &["stats"], &["players"]] {
            let output = run(command, &path);
            let code = output.status.code();
            let words = String::from_utf8_lossy(&output.stderr).into_owned()
                + &String::from_utf8_lossy(&output.stdout);
            assert!(matches!(code, Some(0 | 3)), "{command:?} on page {number}: {code:?} {words}");
            assert!(!words.contains("panicked"), "{words}");
            if command == ["verify"] && code == Some(3) {
                assert!(!words.trim().is_empty());
                told += 1;
            }
        }
    }
    assert!(told >= 8, "{told} damaged pages were told");
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_file(folder.path(), "a.pgn", 1, 3);
    let nowhere = folder.path().join("no/such/folder/a.db");
    let output = run(&["import", file.to_str().unwrap()], &nowhere);
    assert_eq!(output.status.code(), Some(3));
    assert!(!output.stderr.is_empty());
    for command in [&["runs", "undo", "1"][..], &["twins"], &["players"], &["verify"]] {
        let output = run(command, &nowhere);
        assert_eq!(output.status.code(), Some(3), "{command:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("no database"));
    }
}

#[test]
fn games_that_wait_for_the_index_are_told_and_an_import_puts_them_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let file = write_file(folder.path(), "a.pgn", 1, 30);
    let import = ["import", file.to_str().unwrap()];
    assert!(run(&import, &path).status.success());
    let ask = || {
        let output = run(&["openings"], &path);
        assert!(output.status.success());
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        (String::from_utf8_lossy(&output.stdout).into_owned(), words)
    };
    let (answer, words) = ask();
    assert_eq!(words, "");
    // As a kill leaves it; the last game with a high number, as if many waited.
    let db = Database::create(&path).unwrap();
    db.connection()
        .execute_batch(
            "DELETE FROM position_tree; DELETE FROM posting; DELETE FROM segment;
             INSERT INTO backlog VALUES (1);",
        )
        .unwrap();
    assert_eq!(db.unindexed_games().unwrap(), 30);
    db.close().unwrap();
    assert_eq!(ask(), (answer.clone(), String::new()), "few games are no matter");
    let db = Database::create(&path).unwrap();
    db.connection().execute_batch("UPDATE backlog SET first_game = -30000").unwrap();
    db.close().unwrap();
    let (slower, words) = ask();
    assert_eq!(slower, answer);
    assert!(words.contains("30031 games") && words.contains("qipu import"), "{words}");
    // The same file again: nothing is new, but the index is made up for.
    assert!(run(&import, &path).status.success());
    assert_eq!(ask(), (answer, String::new()));
    assert_sound(&path);
}
