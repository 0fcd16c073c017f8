//! The ruled positions of `../shared/cases/repetition`: what the books and
//! other programs say, against what `rules::judge` says.
//!
//! `cargo test --test repetition -- --nocapture` prints the table.
//! `QIPU_CASE=part-of-an-id` prints every ply of the cases that match.

mod common;

use qipu::board::{Move, Position};
use qipu::rules::{Judgement, RuleSet, Verdict, judge};

/// One row of a case file, for one rule set.
struct Case {
    file: String,
    id: String,
    set: RuleSet,
    start: Position,
    moves: Vec<Move>,
    expected: String,
    third: String,
    confidence: String,
    labels: Vec<String>,
}

fn cases() -> Option<Vec<Case>> {
    let folder = common::shared("cases/repetition")?;
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut cases = Vec::new();
    for path in files {
        let file = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
        for line in lines {
            let cells: Vec<&str> = line.split('\t').collect();
            let get = |name: &str| cells[header.iter().position(|h| *h == name).unwrap()];
            for set in get("rule_set").split(',') {
                cases.push(Case {
                    file: file.clone(),
                    id: get("case_id").to_owned(),
                    set: set.parse().unwrap(),
                    start: get("initial_fen").parse().unwrap(),
                    moves: get("moves").split(' ').map(|m| m.parse().unwrap()).collect(),
                    expected: get("expected").to_owned(),
                    third: get("third_occurrence").to_owned(),
                    confidence: get("confidence").to_owned(),
                    labels: get("move_labels").split(' ').map(str::to_owned).collect(),
                });
            }
        }
    }
    Some(cases)
}

fn show(case: &Case, judgement: &Judgement) {
    println!(
        "{} {} {} expected {} got {} ({} {}) {}",
        case.id,
        case.set,
        case.start.fen(),
        case.expected,
        judgement.verdict.name(),
        judgement.red.name(),
        judgement.black.name(),
        judgement.article
    );
    for ply in &judgement.plies {
        let label = case
            .labels
            .iter()
            .find(|label| label.starts_with(&ply.mv.to_string()))
            .map_or("", |label| label.as_str());
        println!(
            "  {} {} {} {:?} {:?} [{}]",
            ply.ply,
            ply.mv,
            ply.class.name(),
            ply.idle.map(|i| i.name()),
            ply.why,
            label
        );
        for chased in &ply.chased {
            println!("      {chased:?}");
        }
    }
}

#[derive(Default)]
struct Score {
    right: u32,
    undecided: u32,
    wrong: u32,
    labels: u32,
    labels_right: u32,
    slowest: std::time::Duration,
}

#[test]
fn the_table() {
    let Some(cases) = cases() else { return };
    let wanted = std::env::var("QIPU_CASE").unwrap_or_default();
    let mut scores: std::collections::BTreeMap<(String, RuleSet), Score> =
        std::collections::BTreeMap::new();
    for case in &cases {
        let begin = std::time::Instant::now();
        let judgement = judge(&case.start, &case.moves, case.set);
        let took = begin.elapsed();
        let score = scores.entry((case.file.clone(), case.set)).or_default();
        score.slowest = score.slowest.max(took);
        let verdict = judgement.verdict.name().replace('-', "_");
        let wrong = if case.expected == "unknown" {
            score.undecided += 1;
            false
        } else if verdict == case.expected {
            score.right += 1;
            false
        } else if judgement.verdict == Verdict::Undecided {
            score.undecided += 1;
            true
        } else {
            score.wrong += 1;
            true
        };
        let mut label_wrong = false;
        for ply in &judgement.plies {
            let mv = ply.mv.to_string();
            if let Some(label) = case.labels.iter().find(|l| l.starts_with(&mv)) {
                let label = label.split('=').nth(1).unwrap();
                let expected = match label {
                    "check" => "check",
                    "kill" => "mate-threat",
                    "chase" => "chase",
                    _ => "idle",
                };
                score.labels += 1;
                if expected == ply.class.name() {
                    score.labels_right += 1;
                } else {
                    label_wrong = true;
                }
            }
        }
        let asked = !wanted.is_empty() && case.id.contains(&wanted);
        if asked || (wanted.is_empty() && (wrong || label_wrong)) {
            print!("{}", if wrong { "WRONG " } else { "" });
            show(case, &judgement);
        }
    }
    println!(
        "{:12} {:7} {:>5} {:>9} {:>5}  {:>11} slowest",
        "file", "set", "right", "undecided", "wrong", "labels"
    );
    for ((file, set), score) in &scores {
        println!(
            "{file:12} {:7} {:5} {:9} {:5}  {:5}/{:5} {:?}",
            set.name(),
            score.right,
            score.undecided,
            score.wrong,
            score.labels_right,
            score.labels,
            score.slowest
        );
    }
}
