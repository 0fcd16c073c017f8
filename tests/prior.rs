//! `qipu prior train`: the same games make the same model, byte for byte,
//! whether they lie in files or in a database.

mod common;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::random_game;
use qipu::board::{Move, Position};
use qipu::notation::{Notation, Style, render};
use tempfile::TempDir;

/// Plies of the made-up games: more than the shortest that is learned from.
const PLIES: usize = 36;

/// The game as PGN. From ply `wrong` on (counted from 0) it is spoilt: there
/// stands a move that no piece can make.
fn pgn(seed: u64, wrong: Option<usize>) -> String {
    let mut text = format!("[Game \"Chinese Chess\"]\n[Red \"甲{seed}\"]\n[Result \"*\"]\n\n");
    let mut position = Position::start();
    for (ply, mv) in random_game(seed, PLIES).into_iter().enumerate() {
        if ply % 2 == 0 {
            write!(text, "{}. ", ply / 2 + 1).expect("memory takes the text");
        }
        let word = render(Notation::Chinese, mv, &position, Style::default()).expect("a move");
        text += if wrong == Some(ply) { "帅五进五" } else { &word };
        text.push(if ply % 2 == 0 { ' ' } else { '\n' });
        position.make(mv);
    }
    text + "*\n\n"
}

/// Runs qipu in a folder, and answers what it said.
fn qipu(folder: &Path, words: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_qipu"))
        .current_dir(folder)
        .args(words.split_whitespace())
        .stdin(Stdio::null())
        .output()
        .expect("qipu runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let aside = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "qipu {words}: {told}{aside}");
    told
}

/// A model trained on what `words` name, small and soon done.
fn model(folder: &Path, words: &str) -> Vec<u8> {
    let told = qipu(folder, &format!("prior train {words} -o model --bits 12 --epochs 2"));
    assert!(told.contains("learned from"), "{told}");
    fs::read(folder.join("model")).expect("the model was written")
}

#[test]
fn files_and_a_database_train_the_same_model() {
    let desk = TempDir::new().expect("a folder");
    let write = |name: &str, text: String| {
        fs::write(desk.path().join(name), text).expect("written");
    };
    // The seventh is wrong from ply 30 on and lends its beginning; the second
    // stands twice; one is a text and no PGN.
    fs::create_dir(desk.path().join("games")).expect("a folder");
    write("games/a.pgn", (1..5).map(|seed| pgn(seed, None)).collect());
    write("games/b.pgn", pgn(2, None) + &pgn(6, None) + &pgn(7, Some(30)));
    let moves: Vec<String> = random_game(8, PLIES).iter().map(Move::to_string).collect();
    write("games/c.txt", moves.chunks(2).map(|round| round.join(" ") + "\n").collect());
    qipu(desk.path(), "import games --db my.db");

    let files = model(desk.path(), "games");
    // A head and 2 to the power of `--bits` weights of a byte each.
    assert!(files.len() >= 1 << 12, "{} bytes", files.len());
    assert_eq!(model(desk.path(), "--db my.db"), files, "from the database");
    assert_eq!(model(desk.path(), "games"), files, "a second time, from the files");
    assert_eq!(model(desk.path(), "--db my.db"), files, "a second time, from the database");
    assert_eq!(model(desk.path(), "games/c.txt games/b.pgn games/a.pgn"), files, "other order");
    assert_eq!(model(desk.path(), "games --db my.db"), files, "both at once");

    // Another game more or less shows in the bytes.
    assert_ne!(model(desk.path(), "games/a.pgn games/c.txt"), files);
    let told = qipu(desk.path(), "prior train --db my.db -o model --bits 12 --json");
    assert!(told.contains("\"games\":7"), "{told}");
    // Six whole games and thirty plies of the seventh.
    assert!(told.contains(&format!("\"plies\":{}", 6 * PLIES + 30)), "{told}");
}
