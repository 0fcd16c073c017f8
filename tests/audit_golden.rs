//! Reports as an arbiter sees them, on real and made-up sheets. Read a change
//! of these files before you accept it.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What `qipu audit` tells of a sheet of `tests/data/audit`, and its status.
fn told(words: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/audit");
    let mut command = Command::new(env!("CARGO_BIN_EXE_qipu"));
    command.current_dir(folder).arg("audit").args(words.split_whitespace());
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"] {
        command.env_remove(variable);
    }
    let output = command.stdin(Stdio::null()).output().expect("qipu runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let status = output.status.code().expect("a status");
    // A new version is no other report.
    let version = concat!("qipu ", env!("CARGO_PKG_VERSION"));
    let stdout = without_odds(&stdout.replace(version, "qipu VERSION"));
    format!("$ qipu audit {words}\n{stdout}{stderr}--- exit {status}\n")
}

/// How sure a reading is belongs to the decoder and its model: `99.8 %` becomes
/// `N %`.
fn without_odds(text: &str) -> String {
    let mut parts = text.split(" %").peekable();
    let mut out = String::new();
    while let Some(part) = parts.next() {
        if parts.peek().is_some() {
            out.push_str(part.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'));
            out.push_str("N %");
        } else {
            out.push_str(part);
        }
    }
    out
}

/// The made-up sheets, each with what an arbiter knows beside it.
const SHEETS: [(&str, &str); 12] = [
    ("clean", "clean.txt --clock 6.1 --used red=1:10:00 --used black=1:31:00"),
    ("illegal", "illegal.pgn"),
    ("gap", "gap.txt --no-boards"),
    ("damaged", "damaged.txt --no-boards"),
    ("unrecorded", "unrecorded.pgn --of black --no-boards"),
    ("short-of-time", "short-of-time.pgn --clock 6.5-10 --no-boards"),
    ("mate", "mate.pgn --no-boards"),
    ("perpetual-check", "perpetual-check.pgn --claim black:repetition --no-boards"),
    ("natural-limit", "natural-limit.pgn --claim red:natural-limit@9 --no-boards"),
    ("fouls", "clean.txt --foul red:9.1.3@3 --foul red:9.1.8@5 --foul red:7.1@11"),
    ("both-sheets", "red-sheet.txt --other black-sheet.txt --of red --no-boards"),
    ("clock", "clock.pgn --clock 6.3 --no-boards"),
];

#[test]
fn made_up_sheets() {
    for (name, words) in SHEETS {
        for lang in ["en", "zh"] {
            let told = told(&format!("{words} --lang {lang}"));
            insta::assert_snapshot!(format!("{name}-{lang}"), told);
        }
    }
}

/// Sheets in the layouts that players use.
#[test]
fn sample_sheets() {
    for (name, words) in [
        ("sample-columns", "../../../samples/text/good/columns.txt --no-boards"),
        ("sample-clocks", "../../../samples/text/good/clocks.txt --clock 6.4 --no-boards"),
        ("sample-short", "../../../samples/text/good/short-record.txt --no-boards"),
    ] {
        insta::assert_snapshot!(name, told(words));
    }
}

/// The page stands alone: nothing is fetched, nothing of a sheet is markup,
/// and it has what the text has.
#[test]
fn the_page_stands_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.html");
    let file = path.to_str().expect("UTF-8");
    for (_, words) in SHEETS {
        told(&format!("{words} --html {file}"));
        let page = std::fs::read_to_string(&path).expect("written");
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{words}");
        for outside in ["http:", "https:", "<script", "<link", "<img", "url("] {
            assert!(!page.contains(outside), "{words}: {outside}");
        }
        for needed in ["class=\"verdict\"", "class=\"sign\"", "sha256", "<svg", "@page"] {
            assert!(page.contains(needed), "{words}: {needed}");
        }
        for tag in ["div", "table", "section", "p", "tr", "svg", "h2"] {
            let opened = page.matches(&format!("<{tag}>")).count()
                + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{words}: {tag}");
        }
    }
}

/// The keys that scripts rely on.
#[test]
fn the_json_has_its_keys() {
    for (name, words) in SHEETS {
        let told = told(&format!("{words} --json"));
        let line = told.lines().find(|line| line.starts_with('{')).expect("an object");
        let object: Value = serde_json::from_str(line).expect("JSON");
        for key in ["sheets", "points", "fouls", "clock", "verdict", "inputs", "loops"] {
            assert!(object.get(key).is_some(), "{name}: {key}");
        }
        let points = object["points"].as_array().expect("a list");
        assert!(points.iter().all(|point| {
            let text = |key: &str| point[key].is_string();
            text("article") && text("code") && text("message") && text("decision")
        }));
        let sheets = object["sheets"].as_array().expect("a list");
        assert_eq!(sheets.len(), if name == "both-sheets" { 2 } else { 1 });
    }
}

/// What a command line can get wrong.
#[test]
fn exit_codes() {
    for (words, status) in [
        ("clean.txt", 0),
        ("illegal.pgn", 1),
        ("absent.txt", 3),
        ("", 2),
        ("clean.txt:7", 2),
        ("clean.txt --clock nonsense", 2),
        ("clean.txt --foul red:4.1.6", 2),
        ("clean.txt --claim red:win", 2),
        ("clean.txt --used red=x", 2),
        ("clean.txt --of white", 2),
        ("clean.txt --other absent.txt", 3),
        ("clean.txt --html nowhere/report.html", 3),
    ] {
        let told = told(words);
        assert!(told.ends_with(&format!("--- exit {status}\n")), "{told}");
    }
}
