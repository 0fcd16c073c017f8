//! `qipu judge` keeps its contract, and `check` says what the rules say to a
//! loop in a game.

mod common;

use std::process::{Command, Output};

use serde_json::Value;

fn qipu(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_qipu")).args(words).output().expect("qipu runs")
}

fn json(words: &[&str]) -> Value {
    let output = qipu(words);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    serde_json::from_str(text.trim()).expect("one object")
}

/// A chariot runs after an unprotected cannon (repetition-rules.md, 7).
const CHASE: &str = "5k3/9/9/9/c8/9/9/1R7/9/4K4 w - - 0 1";
const ROUND: &str = "b2a2 a5b5 a2b2 b5a5";

#[test]
fn the_object_of_the_contract() {
    let moves = [ROUND; 3].join(" ");
    let answer = json(&["judge", "--json", "--fen", CHASE, "--moves", &moves, "--rules", "axf"]);
    assert_eq!(answer["rules"], "axf");
    let cycle = &answer["cycle"];
    assert_eq!(
        (&cycle["from_ply"], &cycle["to_ply"], &cycle["length"], &cycle["times"]),
        (&1.into(), &4.into(), &4.into(), &4.into())
    );
    assert_eq!(
        (&answer["red"], &answer["black"]),
        (&"perpetual-chase".into(), &"permitted".into())
    );
    assert_eq!((&answer["verdict"], &answer["article"]), (&"red-loses".into(), &"13".into()));
    let first = &answer["plies"][0];
    assert_eq!(first["move"], "b2a2");
    assert_eq!(first["chinese"], "车八平九");
    assert_eq!((&first["side"], &first["kind"]), (&"red".into(), &"chase".into()));
    let chased = &first["chased"][0];
    assert_eq!((&chased["piece"], &chased["square"]), (&"c".into(), &"a5".into()));
    assert_eq!((&chased["how"], &chased["rooted"]), (&"direct".into(), &false.into()));
    assert_eq!(chased["by"], serde_json::json!(["R@a2"]));
    assert_eq!(
        (&answer["plies"][1]["kind"], &answer["plies"][1]["sub"]),
        (&"idle".into(), &"idle".into())
    );
}

#[test]
fn the_third_time_asks_for_a_change_and_chinese_moves_are_read() {
    let moves = "车八平九 炮1平2 车九平八 炮2平1 车八平九 炮1平2 车九平八 炮2平1";
    let answer = json(&["judge", "--json", "--fen", CHASE, "--moves", moves]);
    assert_eq!(answer["rules"], "cn1999");
    assert_eq!(answer["cycle"]["times"], 3);
    assert_eq!(
        (&answer["verdict"], &answer["article"]),
        (&"red-must-change".into(), &"26.4".into())
    );
}

/// Articles 4.2.4 and 23.3.
#[test]
fn organisers_may_lower_the_natural_limit() {
    let idle = ["b0a0 e9d9 a0b0 d9e9"; 3].join(" ");
    let outcome = |fen: &str, moves: &str, limit: &str| {
        json(&["judge", "--json", "--fen", fen, "--moves", moves, "--natural-limit", limit])
            ["outcome"]["kind"]
            .clone()
    };
    let idle_fen = "4k4/9/9/9/9/9/9/9/9/1R3K3 w - - 0 1";
    assert_eq!(outcome(idle_fen, &idle, "6"), "natural-limit");
    assert_ne!(outcome(idle_fen, &idle, "7"), "natural-limit");
    // Twelve rounds, in each of which Red checks: two checks are too many.
    let checks = ["d9e9 d4e4 e9d9 e4d4"; 6].join(" ");
    let checks_fen = "3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1";
    assert_eq!(outcome(checks_fen, &checks, "10"), "natural-limit");
    assert_ne!(outcome(checks_fen, &checks, "11"), "natural-limit");
    let rules = qipu(&["rules", "--lang", "en"]);
    assert!(String::from_utf8_lossy(&rules.stdout).contains("60 rounds"));
    assert_eq!(qipu(&["judge", "--moves", "h2e2", "--natural-limit", "0"]).status.code(), Some(2));
}

#[test]
fn a_line_without_a_loop_says_how_it_ends() {
    let none = json(&["judge", "--json", "--moves", "h2e2 h9g7"]);
    assert_eq!((&none["verdict"], &none["cycle"]), (&"none".into(), &Value::Null));
    assert_eq!(none["plies"], serde_json::json!([]));
    let mate = json(&[
        "judge",
        "--json",
        "--fen",
        "4k4/R8/9/9/9/9/9/9/R8/3K5 w",
        "--moves",
        "a1b1 e9f9 b1b9",
    ]);
    assert_eq!(
        (&mate["outcome"]["kind"], &mate["outcome"]["winner"]),
        (&"checkmate".into(), &"red".into())
    );
}

#[test]
fn wrong_command_lines_are_told() {
    for words in [
        ["judge", "--moves", "h2e3"].as_slice(),
        &["judge", "--moves", "h2e2", "--rules", "fide"],
        &["judge", "--moves", "h2e2", "--fen", "nonsense"],
        &["judge"],
    ] {
        assert_eq!(qipu(words).status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn the_explanation_names_pieces_and_articles_in_both_languages() {
    let moves = [ROUND; 3].join(" ");
    let told = |lang: &str| {
        let output =
            qipu(&["judge", "--lang", lang, "--fen", CHASE, "--moves", &moves, "--no-boards"]);
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let en = told("en");
    assert!(en.contains("chariot (车) on a2 attacks the black cannon (炮) on a5"), "{en}");
    assert!(en.contains("Red: perpetual") && en.contains("Red loses (article 26.4)"), "{en}");
    let zh = told("zh");
    assert!(zh.contains("红方不变作负（第 26.4 条）"), "{zh}");
    assert!(zh.contains("车八平九"), "{zh}");
    // With boards: one before the loop and one after each ply.
    let output = qipu(&["judge", "--lang", "en", "--fen", CHASE, "--moves", &moves]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text.matches("楚 河").count(), 5);
}

/// The game of `reports/R22` in which one side checks without end, and the
/// one in which both do.
#[test]
fn check_judges_the_loops_of_a_game() {
    let Some(path) = common::shared("cases/reports/R22-perpetual-check-scored-as-draw.pgn") else {
        return;
    };
    let path = path.to_string_lossy().into_owned();
    let output = qipu(&["check", "--json", "--lang", "en", &path]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let games: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let repetition = |game: usize| -> &Value {
        let findings = games[game]["findings"].as_array().expect("findings");
        findings.iter().find(|f| f["code"] == "repetition").expect("a repetition")
    };
    assert_eq!(
        (&repetition(0)["ply"], &repetition(0)["reason"]),
        (&9.into(), &"perpetual-check-red".into())
    );
    assert!(repetition(0)["message"].as_str().expect("text").contains("one-sided perpetual check"));
    assert_eq!(
        (&repetition(1)["ply"], &repetition(1)["reason"]),
        (&8.into(), &"perpetual-check-mutual".into())
    );
    assert_eq!(games[0]["headers"]["result"], "1/2-1/2");
}

/// Only perpetual check decides a game without the arbiter's asking for a
/// change (24.1, 24.3): players may agree on a draw before he does.
#[test]
fn a_draw_agreed_in_a_loop_contradicts_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let codes = |fen: &str, moves: &str| {
        let path = folder.path().join("game.pgn");
        let text = format!("[Result \"1/2-1/2\"]\n[FEN \"{fen}\"]\n\n{moves} 1/2-1/2\n");
        std::fs::write(&path, text).expect("written");
        let game = json(&["check", "--json", &path.to_string_lossy()]);
        let findings = game["findings"].as_array().expect("findings").clone();
        let found = |code: &str| findings.iter().any(|f| f["code"] == code);
        (found("repetition"), found("result-mismatch"))
    };
    assert_eq!(codes(CHASE, &[ROUND; 4].join(" ")), (true, false));
    let checks = ["a9a8 e8e9 a8a9 e9e8"; 3].join(" ");
    assert_eq!(codes("R8/4k4/9/9/9/9/9/9/9/5K3 w - - 0 1", &checks), (true, true));
}
