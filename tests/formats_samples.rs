//! One game in the samples of several formats and versions reads the same.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use qipu::game::Game;
use qipu::import::{Entry, ReadOptions, read_file};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

/// The games of a sample.
fn read(name: &str) -> Vec<Game> {
    let mut games = Vec::new();
    let entry = Entry::file(samples().join(name));
    read_file(&entry, &ReadOptions::default(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    })
    .expect("readable");
    games
}

/// The same game with the keys of different versions reads the same.
#[test]
fn keys_make_no_difference() {
    let plain = read("xqf/good/plain.xqf");
    for version in [11, 12, 13, 16, 18] {
        let keyed = read(&format!("xqf/good/keyed-{version}.xqf"));
        assert_eq!(keyed[0].tree, plain[0].tree, "version {version}");
        assert_eq!(keyed[0].headers, plain[0].headers, "version {version}");
        assert_eq!(keyed[0].start, plain[0].start, "version {version}");
    }
}

/// A game reads the same from every format that carries all of it.
#[test]
fn formats_agree_on_one_game() {
    let json = read("jsonl/good/two.jsonl");
    for other in ["cbr/good/full.cbr", "cbl/good/library.cbl", "cbr/good/version-1.cbr"] {
        let games = read(other);
        let lines = |game: &Game| game.main_line().collect::<Vec<_>>();
        assert_eq!(lines(&games[0]), lines(&json[0]), "{other}");
        assert_eq!(games[0].tree.len(), json[0].tree.len(), "{other}");
        assert_eq!(games[0].tree.comments, json[0].tree.comments, "{other}");
        assert_eq!(games[0].headers.red, json[0].headers.red, "{other}");
        assert_eq!(games[0].headers.event, json[0].headers.event, "{other}");
        assert_eq!(games[0].headers.date, json[0].headers.date, "{other}");
    }
}
