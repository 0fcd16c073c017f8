//! `check --notation NAME`: every notation that is listed reads what is
//! written in it, and what is written in another never passes for something
//! else.

mod common;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::random_game;
use qipu::board::{Move, Position};
use qipu::notation::{Notation, Style, render};
use serde_json::Value;
use tempfile::TempDir;

/// Seeds of the games.
const SEEDS: [u64; 3] = [3, 17, 2026];

/// The house style in which a notation says everything: a short record does so
/// with its bars alone.
fn style(notation: Notation) -> Style {
    let name = if notation == Notation::Abbreviated { "marks-under" } else { "simplified" };
    name.parse().expect("a listed style")
}

/// A game as a sheet, a round in each line.
fn sheet(moves: &[Move], notation: Notation) -> String {
    let mut text = String::new();
    let mut position = Position::start();
    for (ply, mv) in moves.iter().enumerate() {
        let word = render(notation, *mv, &position, style(notation)).expect("words for the move");
        if ply % 2 == 0 {
            write!(text, "{}. {word}", ply / 2 + 1).expect("memory takes the text");
        } else {
            writeln!(text, " {word}").expect("memory takes the text");
        }
        position.make(*mv);
    }
    text
}

/// The games that `check` finds under a forced notation, in the order of the
/// files.
fn checked(folder: &Path, files: &[String], forced: Notation) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_qipu"))
        .current_dir(folder)
        .args(["check", "--json", "--notation", forced.name()])
        .args(files)
        .stdin(Stdio::null())
        .output()
        .expect("qipu runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect()
}

fn path(game: &Value) -> &str {
    game["source"]["path"].as_str().expect("a path")
}

fn moves(game: &Value) -> Vec<String> {
    let list = game["moves"].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|mv| mv.as_str().unwrap_or("--").to_owned()).collect()
}

/// Code and severity of the findings, but for that of a missing result.
fn findings(game: &Value) -> Vec<(&str, &str)> {
    let list = game["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .map(|finding| {
            let word = |key: &str| finding[key].as_str().unwrap_or("");
            (word("code"), word("severity"))
        })
        .filter(|(code, _)| *code != "result-missing")
        .collect()
}

/// A file with a game: its name, its notation and the moves it means.
type Sheet = (String, Notation, Vec<String>);

/// A folder with games in every notation: `NOTATION-SEED.txt`.
fn desk(seeds: &[u64], plies: usize) -> (TempDir, Vec<Sheet>) {
    let desk = TempDir::new().expect("a folder");
    let mut files = Vec::new();
    for notation in Notation::ALL {
        for seed in seeds {
            let moves = random_game(*seed, plies);
            assert_eq!(moves.len(), plies, "the game of seed {seed} goes on");
            let name = format!("{notation}-{seed}.txt");
            fs::write(desk.path().join(&name), sheet(&moves, notation)).expect("written");
            files.push((name, notation, moves.iter().map(Move::to_string).collect()));
        }
    }
    (desk, files)
}

fn names<'a>(files: impl IntoIterator<Item = &'a Sheet>) -> Vec<String> {
    files.into_iter().map(|file| file.0.clone()).collect()
}

#[test]
fn each_notation_reads_its_own() {
    let (desk, files) = desk(&SEEDS, 60);
    for notation in Notation::ALL {
        let own: Vec<&Sheet> = files.iter().filter(|file| file.1 == notation).collect();
        let games = checked(desk.path(), &names(own.iter().copied()), notation);
        assert_eq!(games.len(), own.len(), "{notation}: a game in each file");
        // What bars mean is a habit of the writer, and is told.
        let told: &[(&str, &str)] =
            if notation == Notation::Abbreviated { &[("dialect-read", "note")] } else { &[] };
        for (game, (name, _, truth)) in games.iter().zip(own) {
            assert_eq!(path(game), name);
            assert_eq!(moves(game), *truth, "{name}: {:?}", findings(game));
            assert_eq!(findings(game), told, "{name}");
        }
    }
}

#[test]
fn another_notation_never_passes_for_it() {
    let (desk, files) = desk(&SEEDS[..1], 12);
    for forced in Notation::ALL {
        let others: Vec<&Sheet> = files.iter().filter(|file| file.1 != forced).collect();
        let games = checked(desk.path(), &names(others.iter().copied()), forced);
        for (name, written, truth) in others {
            let of_file: Vec<&Value> = games.iter().filter(|game| path(game) == name).collect();
            let read: Vec<String> = of_file.iter().flat_map(|game| moves(game)).collect();
            // `h2e2` is ICCS, too, in small letters and without the dash.
            if (*written, forced) == (Notation::Uci, Notation::Iccs) {
                assert_eq!(read, *truth, "{name} as {forced}");
                continue;
            }
            let error = |game: &&Value| findings(game).iter().any(|found| found.1 == "error");
            assert!(of_file.iter().any(error), "{name} as {forced}: {read:?}");
            // No move is played that was not meant.
            let other = |(mv, meant): (&String, &String)| mv != "--" && mv != meant;
            assert!(!read.iter().zip(truth).any(other), "{name} as {forced}: {read:?}");
        }
    }
}
