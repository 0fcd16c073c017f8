//! The binary keeps the contract of its command line: texts in both
//! languages, exit codes, the shape of its JSON, quiet ends.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const GOOD: &str = "[Game \"Chinese Chess\"]\n[Event \"友谊赛\"]\n[Date \"1956.12.15\"]\n\
    [Red \"甲\"]\n[Black \"乙\"]\n[Result \"1/2-1/2\"]\n\n\
    1. 炮二平五 {中炮} 马8进7 2. 马二进三 (2. 兵七进一 卒7进1) 车9平8 1/2-1/2\n";
const BROKEN: &str = "[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n\n\
    1. 炮二平五 马8进6 2. 马二进三 1-0\n";

/// A folder with a sound and a broken game, in which qipu is run.
struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        let desk = Desk(TempDir::new().expect("a folder"));
        desk.write("good.pgn", GOOD);
        desk.write("broken.pgn", BROKEN);
        desk
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), text).expect("written");
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qipu"));
        command.current_dir(self.path()).args(words.split_whitespace());
        for variable in ["LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"] {
            command.env_remove(variable);
        }
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).stdin(Stdio::null()).output().expect("qipu runs")
    }

    /// Exit status, standard output and standard error in one text.
    fn told(&self, words: &str) -> String {
        let output = self.run(words);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let aside = if stderr.is_empty() { "" } else { "--- standard error\n" };
        let status = output.status.code().expect("a status");
        format!("$ qipu {words}\n{stdout}{aside}{stderr}--- exit {status}\n")
    }

    fn json(&self, words: &str) -> Vec<Value> {
        let output = self.run(words);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect()
    }

    fn status(&self, words: &str) -> i32 {
        self.run(words).status.code().expect("a status")
    }
}

/// Texts as a person sees them. Read a change of these files before you
/// accept it.
#[test]
fn texts_in_both_languages() {
    let desk = Desk::new();
    for (name, words) in [
        ("check", "check good.pgn broken.pgn"),
        ("show", "show good.pgn --ply 1"),
        ("show-wxf", "show good.pgn --notation wxf --main-line"),
        ("position", "position 3k5/9/3P5/9/9/9/9/9/9/4K4 b - - 0 1"),
        ("position-illegal", "position 4k4/9/9/9/9/9/9/9/9/3AKA3 w"),
        ("position-unreadable", "position 4k4/9/9"),
        ("perft-divide", "perft 1 --divide --fen 4k4/9/9/9/4P4/9/9/9/9/4K4"),
        ("notations", "notations"),
        ("absent", "check absent.pgn"),
    ] {
        for lang in ["en", "zh"] {
            let told = desk.told(&format!("{words} --lang {lang}"));
            // The time that perft takes is not the same twice.
            let told: String = told
                .lines()
                .map(|line| line.split("  0.0").next().unwrap_or(line).to_owned() + "\n")
                .collect();
            insta::assert_snapshot!(format!("{name}-{lang}"), told);
        }
    }
}

#[test]
fn a_wrong_name_is_answered_with_the_right_ones() {
    let desk = Desk::new();
    let told = desk.told("convert good.pgn --to parchment");
    assert!(told.contains("no format is called `parchment`") && told.contains("pgn"), "{told}");
    let told = desk.told("show good.pgn --notation runes");
    assert!(told.contains("`qipu notations` lists them"), "{told}");
    let told = desk.told("help check --lang zh");
    assert!(told.contains("用法：") && told.contains("示例："), "{told}");
}

#[test]
fn exit_codes() {
    let desk = Desk::new();
    desk.write("bad.txt", "nothing that is a game\n");
    for (words, status) in [
        ("check good.pgn", 0),
        ("check broken.pgn", 1),
        ("check broken.pgn --json", 1),
        ("check bad.txt", 0),
        ("check .", 1),
        ("check absent.pgn", 3),
        ("check good.pgn absent.pgn broken.pgn", 3),
        ("check", 2),
        ("check --lang klingon good.pgn", 2),
        ("no-such-command", 2),
        ("position 9/9", 2),
        ("perft 2 --fen nonsense", 2),
        ("show good.pgn:7", 2),
        ("show absent.pgn", 3),
        ("convert good.pgn --to nothing", 2),
        ("convert good.pgn --to pgn -o nowhere/a.pgn", 3),
        ("convert absent.pgn --to pgn", 3),
        ("check good.pgn --rules axf --prior none --infer", 0),
        ("check good.pgn --rules chess", 2),
        ("check good.pgn --prior broken.pgn", 3),
        ("import good.pgn broken.pgn --db a.db", 0),
        ("show 1 --db a.db", 0),
        ("show 99 --db a.db", 2),
        ("show 1 --db nowhere.db", 3),
        ("find --db broken.pgn", 3),
        ("help", 0),
        ("help nothing", 2),
        ("--version", 0),
        ("man", 0),
        ("completions bash", 0),
    ] {
        assert_eq!(desk.status(words), status, "qipu {words}\n{}", desk.told(words));
    }
}

#[test]
fn the_locale_chooses_the_language_and_an_option_overrides_it() {
    let desk = Desk::new();
    let said = |variable: &str, locale: &str, words: &str| {
        let output = desk.command(words).env(variable, locale).output().expect("qipu runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(said("LANG", "zh_CN.UTF-8", "position").contains("轮到红方走"));
    assert!(said("LC_ALL", "zh_TW.UTF-8", "position").contains("轮到红方走"));
    assert!(said("LANG", "C.UTF-8", "position").contains("Red to move"));
    assert!(said("LANG", "zh_CN.UTF-8", "position --lang en").contains("Red to move"));
}

#[test]
fn colours_are_off_in_a_pipe_and_on_when_asked_for() {
    let desk = Desk::new();
    assert!(!desk.told("check broken.pgn").contains('\x1b'));
    assert!(desk.told("check broken.pgn --color always").contains("\x1b[1;31merror"));
    assert!(!desk.told("check broken.pgn --color always --json").contains('\x1b'));
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let desk = Desk::new();
    desk.write("many.pgn", GOOD.repeat(5000));
    for words in ["check many.pgn --json", "convert many.pgn --to pgn"] {
        let mut child = desk
            .command(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("qipu runs");
        let mut first = [0; 10];
        child.stdout.take().expect("piped").read_exact(&mut first).expect("some output");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "qipu {words}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "qipu {words}");
    }
}

#[test]
fn standard_input_is_a_file_called_minus() {
    let desk = Desk::new();
    let mut child = desk
        .command("check - --json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("qipu runs");
    child.stdin.take().expect("piped").write_all(BROKEN.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let game: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(game["source"]["path"], "-");
}

#[test]
fn a_game_in_json_has_what_was_promised() {
    let desk = Desk::new();
    let games = desk.json("check good.pgn --json");
    assert_eq!(games.len(), 1);
    let game = &games[0];
    assert_eq!(game["source"]["format"], "pgn");
    assert_eq!(game["source"]["encoding"], "utf-8");
    assert_eq!(game["source"]["line"], 1);
    assert_eq!(game["headers"]["date"], "1956-12-15");
    assert_eq!(game["headers"]["red"], "甲");
    assert_eq!(game["headers"]["result"], "1/2-1/2");
    assert!(game["headers"].get("site").is_none(), "missing headers are absent");
    assert_eq!(game["moves"], serde_json::json!(["h2e2", "h9g7", "h0g2", "i9h9"]));
    let chinese = serde_json::json!(["炮二平五", "马8进7", "马二进三", "车9平8"]);
    assert_eq!(game["chinese"], chinese);
    assert_eq!(game["plies"], 4);
    assert_eq!(game["variations"], 1);
    assert_eq!(game["comments"], 1);
    assert_eq!(
        game["final_fen"],
        "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 4 3"
            .replace("rnbakab1r", "rnbakabr1")
    );
    assert_eq!(game["outcome"]["kind"], "none");
    assert_eq!(game["outcome"]["winner"], Value::Null);
    assert_eq!(game, &desk.json("show good.pgn --json")[0]);
}

#[test]
fn a_finding_in_json_has_its_place_and_its_reason() {
    let desk = Desk::new();
    let game = &desk.json("check broken.pgn --json")[0];
    let finding = &game["findings"][0];
    assert_eq!(finding["code"], "illegal-move");
    // 马8进6 is h9f8; its leg is g9, where an elephant stands.
    assert_eq!(finding["reason"], "horse-leg");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["ply"], 2);
    assert_eq!((&finding["line"], &finding["column"]), (&4.into(), &9.into()));
    assert_eq!(finding["offset"], BROKEN.find("马8进6").expect("it is there"));
    assert_eq!(finding["text"], "马8进6");
    assert_eq!(finding["article"], "2.2");
    let message = finding["message"].as_str().expect("a message");
    assert!(message.contains("g9"), "{message}");
    assert_eq!(game["moves"], serde_json::json!(["h2e2"]));
    assert_eq!(game["unplayed"], serde_json::json!(["马8进6", "马二进三"]));
    let chinese = &desk.json("check broken.pgn --json --lang zh")[0]["findings"][0];
    assert_eq!(chinese["code"], "illegal-move");
    assert_ne!(chinese["message"], finding["message"]);
}

#[test]
fn a_file_without_a_game_is_told() {
    let desk = Desk::new();
    desk.write("diary.md", "nothing that is a game\n");
    let rows = desk.json("check diary.md --json");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["source"]["path"], "diary.md");
    assert_eq!(rows[0]["findings"][0]["code"], "unknown-format");
    assert!(rows[0].get("moves").is_none());
}

#[test]
fn a_position_in_json() {
    let desk = Desk::new();
    // cases/endings.tsv, end-009 and end-011.
    let check = &desk.json("position --json 4k4/4P4/9/9/9/9/9/9/9/3K5 b - - 0 1")[0];
    assert_eq!(check["status"], "ongoing");
    assert_eq!((&check["in_check"], &check["side"]), (&true.into(), &"black".into()));
    assert_eq!(check["checkers"], serde_json::json!(["e8"]));
    assert_eq!(check["legal_moves"].as_array().map(Vec::len), Some(2));
    let stalemate = &desk.json("position --json 3k5/9/3P5/9/9/9/9/9/9/4K4 b - - 0 1")[0];
    assert_eq!(stalemate["status"], "stalemate");
    let start = &desk.json("position --json")[0];
    assert_eq!(start["legal_moves"].as_array().map(Vec::len), Some(44));
    let facing = &desk.json("position --json 4k4/9/9/9/9/9/9/9/9/4K4 w")[0];
    assert_eq!(facing["status"], "illegal");
    assert!(facing["reasons"][0].as_str().is_some_and(|r| r.starts_with("generals-facing: ")));
}

#[test]
fn perft_counts_in_json() {
    let desk = Desk::new();
    let row = &desk.json("perft 2 --divide --json")[0];
    assert_eq!((&row["nodes"], &row["depth"]), (&1920.into(), &2.into()));
    let moves = row["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 44);
    let sum: u64 = moves.iter().filter_map(|mv| mv["nodes"].as_u64()).sum();
    assert_eq!(sum, 1920);
}

#[test]
fn lists_are_json_lines_too() {
    let desk = Desk::new();
    for (words, key) in [("formats --json", "reads"), ("notations --json", "example")] {
        let rows = desk.json(words);
        assert!(rows.len() > 2, "{words}");
        assert!(rows.iter().all(|row| row["name"].is_string() && row.get(key).is_some()));
    }
}

#[test]
fn converting_keeps_the_game_and_never_leaves_half_a_file() {
    let desk = Desk::new();
    let before = &desk.json("check good.pgn --json")[0];
    assert_eq!(desk.status("convert good.pgn --to pgn --notation wxf -o out.pgn"), 0);
    let after = &desk.json("check out.pgn --json")[0];
    for key in ["moves", "variations", "comments", "final_fen"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    // An output may be one of the inputs.
    assert_eq!(desk.status("convert out.pgn --to pgn -o out.pgn"), 0);
    assert_eq!(desk.json("check out.pgn --json")[0]["moves"], before["moves"]);
    let left: Vec<_> = fs::read_dir(desk.path())
        .expect("the folder")
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_a_format_cannot_carry_is_told_without_writing() {
    let desk = Desk::new();
    let dry = desk.run("convert good.pgn --to text -o out.txt --dry-run --lang en");
    assert!(dry.status.success() && dry.stdout.is_empty());
    assert!(!desk.path().join("out.txt").exists());
    let told = String::from_utf8(dry.stderr).unwrap();
    let wet = desk.run("convert good.pgn --to text -o out.txt --lang en");
    let said = String::from_utf8(wet.stderr).unwrap();
    let losses = |text: &str| {
        let lines = text.lines().filter(|line| line.contains("not-written"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(losses(&told), losses(&said));
    assert!(!losses(&told).is_empty(), "{told}");
    assert!(told.contains("nothing written"), "{told}");
}

#[test]
fn a_game_of_the_database_is_the_game_of_the_file() {
    let desk = Desk::new();
    assert_eq!(desk.status("import good.pgn broken.pgn --db a.db"), 0);
    for (number, file) in [(1, "good.pgn"), (2, "broken.pgn")] {
        let stored = &desk.json(&format!("show {number} --db a.db --json"))[0];
        let read = &desk.json(&format!("show {file} --json"))[0];
        assert_eq!(stored, read, "{file}");
    }
}

#[test]
fn the_bytes_of_every_file_come_back() {
    let desk = Desk::new();
    let odd = b"\x00\x01 no record of a game \xff\xfe";
    desk.write("odd.bin", odd);
    assert_eq!(desk.status("import good.pgn odd.bin --db a.db"), 0);
    let files = desk.json("files --db a.db --json");
    assert_eq!(files.len(), 2);
    let without = desk.json("files --db a.db --without-games --finding unknown-format --json");
    assert_eq!(without.len(), 1);
    assert_eq!(without[0]["path"], "odd.bin");
    assert_eq!(without[0]["findings"], serde_json::json!(["unknown-format"]));
    let id = &without[0]["id"];
    assert_eq!(desk.run(&format!("files --db a.db --original {id}")).stdout, odd);
    let good = &files.iter().find(|file| file["path"] == "good.pgn").unwrap()["id"];
    assert_eq!(desk.status(&format!("files --db a.db --original {good} -o back.pgn")), 0);
    let read = |name: &str| std::fs::read(desk.path().join(name)).unwrap();
    assert_eq!(read("back.pgn"), read("good.pgn"));
    // Nothing is written over, and nothing is made of nothing.
    assert_eq!(desk.status(&format!("files --db a.db --original {good} -o good.pgn")), 3);
    assert_eq!(desk.status("files --db a.db --original 99 -o none"), 2);
    assert!(!desk.path().join("none").exists());
    // `find` lists games, and points to the file that has none.
    let told = desk.run("find --finding unknown-format --db a.db --lang en");
    let told = String::from_utf8(told.stderr).unwrap();
    assert!(
        told.contains("qipu files --finding unknown-format --without-games --db a.db"),
        "{told}"
    );
}

#[test]
fn every_finding_is_shown_or_counted() {
    let desk = Desk::new();
    desk.write("many.pgn", BROKEN.repeat(25));
    let told = desk.told("check many.pgn");
    assert_eq!(told.matches("error[illegal-move").count(), 10);
    assert!(told.contains("15 illegal-move (`--all` shows them)"), "{told}");
    assert!(told.contains("    25  error     illegal-move"), "{told}");
    let all = desk.told("check many.pgn --all");
    assert_eq!(all.matches("error[illegal-move").count(), 25);
}
