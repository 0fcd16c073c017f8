//! The pages of `docs/findings/` tell the truth: every code has one, it lists
//! every reason that has a message, and its examples do what it says.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use qipu::finding::{Code, Finding, Lang, catalogue};
use qipu::formats::{self, WriteOptions};
use qipu::import::{Entry, ReadOptions, read_file};

fn page(code: Code) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/findings/{code}.md"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The fenced blocks of a kind: the words behind it and the lines.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<(&'a str, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```").and_then(|info| info.strip_prefix(kind)) else {
            continue;
        };
        let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        found.push((info.trim(), text.join("\n") + "\n"));
    }
    found
}

/// `00*13` is thirteen zeros.
fn bytes_of_hex(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in text.split_whitespace() {
        let (value, times) = word.split_once('*').unwrap_or((word, "1"));
        let value = u8::from_str_radix(value, 16).expect("hexadecimal");
        bytes.extend(std::iter::repeat_n(value, times.parse().expect("a number")));
    }
    bytes
}

/// What is found in an example, by the words behind its fence.
fn found(info: &str, text: &str) -> Vec<Finding> {
    let mut options = ReadOptions::default();
    let mut bytes = text.as_bytes().to_vec();
    let mut name = "example".to_owned();
    let mut write = None;
    let mut write_options = WriteOptions::default();
    for word in info.split_whitespace() {
        match word.split_once('=').unwrap_or((word, "")) {
            ("hex", _) => bytes = bytes_of_hex(text),
            ("moves", number) => options.limits.moves = number.parse().expect("a number"),
            ("infer", _) => options.replay.infer = true,
            ("extension", extension) => name = format!("example.{extension}"),
            ("convert", format) => write = formats::by_name(format),
            ("encoding", encoding) => write_options.encoding = Some(encoding.to_owned()),
            ("import", _) => return imported(text),
            (word, _) => panic!("the test does not know `{word}`"),
        }
    }
    let mut findings = Vec::new();
    let report = read_file(&Entry::bytes(name, bytes), &options, &mut |game| {
        findings.extend(game.findings.iter().cloned());
        if let Some(format) = write {
            findings.extend(format.write(&game, &write_options, &mut Vec::new()).expect("writes"));
        }
        ControlFlow::Continue(())
    })
    .expect("bytes can be read");
    findings.extend(report.findings);
    findings
}

/// What `qipu import` counts in an example.
fn imported(text: &str) -> Vec<Finding> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("example.pgn");
    fs::write(&file, text).expect("written");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_qipu"))
        .args(["import", "--json", "--db"])
        .arg(folder.path().join("example.db"))
        .arg(&file)
        .output()
        .expect("qipu runs");
    let last = String::from_utf8(output.stdout).expect("UTF-8");
    let summary: serde_json::Value =
        serde_json::from_str(last.lines().last().expect("a summary")).expect("JSON");
    let counted = summary["findings"].as_object().expect("an object");
    counted
        .keys()
        .map(|code| Finding::new(code.parse().expect("a code"), qipu::finding::Place::WHOLE))
        .collect()
}

#[test]
fn every_code_has_a_page_that_agrees_with_the_table() {
    for code in Code::ALL {
        let page = page(*code);
        assert!(page.starts_with(&format!("# {code}\n")), "{code}: title");
        let article = code.article().map_or(String::new(), |a| format!(", article {a}"));
        let head = format!("\n\nSeverity {}{article}. ", code.severity().name());
        assert!(page.contains(&head), "{code}: the page does not say{head}");
        assert!(page.contains("\n## What to do\n"), "{code}: what to do");
        assert_eq!(blocks(&page, "qipu-bad").len(), 1, "{code}");
        assert_eq!(blocks(&page, "qipu-good").len(), 1, "{code}");
    }
    let index =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/findings/README.md"))
            .expect("the index");
    for code in Code::ALL {
        let row = format!("| [{code}]({code}.md) | {} |", code.severity().name());
        assert!(index.contains(&row), "the index lacks {row}");
    }
}

#[test]
fn every_reason_with_a_message_stands_on_its_page() {
    for (code, reason) in catalogue::all().filter(|(_, reason)| !reason.is_empty()) {
        let code: Code = code.parse().expect("a code");
        assert!(page(code).contains(&format!("| `{reason}` |")), "{code}: {reason}");
    }
}

#[test]
fn a_bad_example_has_the_finding_and_a_mended_one_has_not() {
    let mut faults = Vec::new();
    for code in Code::ALL {
        let page = page(*code);
        for (kind, wanted) in [("qipu-bad", true), ("qipu-good", false)] {
            for (info, text) in blocks(&page, kind) {
                let findings = found(info, &text);
                if findings.iter().any(|finding| finding.code == *code) != wanted {
                    let names: Vec<_> = findings.iter().map(|f| f.message(Lang::En)).collect();
                    faults.push(format!("{code}: the {kind} example yields {names:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The reasons that the sources name in plain words.
#[test]
fn every_reason_in_the_sources_has_a_message() {
    let known: BTreeSet<&str> = catalogue::all().map(|(_, reason)| reason).collect();
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let mut silent = BTreeSet::new();
    let mut seen = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "rs")) {
        let text = fs::read_to_string(file).expect("UTF-8");
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        for part in code.split(".reason(\"").skip(1) {
            let reason = part.split('"').next().unwrap_or("");
            seen += 1;
            if !known.contains(reason) {
                silent.insert(format!("{reason} ({})", file.display()));
            }
        }
    }
    assert!(seen > 20, "the test reads the sources");
    assert!(silent.is_empty(), "no message for {silent:?}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Every third file of the corpus and all cases: nothing is found for which
/// the catalogue has no words.
#[test]
fn everything_that_is_found_in_real_files_has_its_own_message() {
    let mut files = Vec::new();
    for (folder, every) in [("cases/reports", 1), ("corpus", 3)] {
        let Some(folder) = common::shared(folder) else { continue };
        let mut all = Vec::new();
        collect(&folder, &mut all);
        all.sort();
        files.extend(
            all.into_iter()
                .step_by(every)
                .filter(|path| fs::metadata(path).is_ok_and(|data| data.len() < 200_000)),
        );
    }
    let mut silent = BTreeSet::new();
    let mut hollow = BTreeSet::new();
    let mut look = |finding: &Finding| {
        if let Some(reason) = finding.reason
            && !catalogue::knows(finding.code, reason)
        {
            silent.insert(format!("{}/{reason}", finding.code));
        }
        // A parameter that the message needs was not given.
        if finding.text.is_empty() && finding.message(Lang::En).contains('?') {
            hollow.insert(finding.message(Lang::En));
        }
    };
    for file in &files {
        let report = read_file(&Entry::file(file), &ReadOptions::default(), &mut |game| {
            game.findings.iter().for_each(&mut look);
            ControlFlow::Continue(())
        });
        report.expect("the file can be read").findings.iter().for_each(&mut look);
    }
    assert!(silent.is_empty(), "no message for {silent:?}");
    assert!(hollow.is_empty(), "not all parameters: {hollow:?}");
}
