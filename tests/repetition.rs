//! The ruled positions of `../shared/cases/repetition`: what the books and
//! other programs say, against what `rules::judge` says.
//!
//! `cargo test --test repetition -- --nocapture` prints the table.
//! `QIPU_CASE=part-of-an-id` prints every ply of the cases that match.

mod common;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use qipu::board::{Color, Move, Position};
use qipu::rules::{Conduct, Judgement, MoveClass, RuleSet, Verdict, judge};

/// One row of a case file, for one rule set.
struct Case {
    file: String,
    id: String,
    set: RuleSet,
    start: Position,
    moves: Vec<Move>,
    /// The result if the offender never changes.
    expected: String,
    /// What is ruled at the third time.
    third: String,
    prefix: usize,
    cycle: usize,
    /// Printed class of each move, where the book gives one.
    labels: BTreeMap<String, String>,
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
                    expected: get("expected").replace('_', "-"),
                    third: get("third_occurrence").replace('_', "-"),
                    prefix: get("prefix_plies").parse().unwrap(),
                    cycle: get("cycle_plies").parse().unwrap(),
                    labels: get("move_labels")
                        .split(' ')
                        .filter_map(|label| label.split_once('='))
                        .map(|(mv, label)| (mv.to_owned(), label.to_owned()))
                        .collect(),
                });
            }
        }
    }
    Some(cases)
}

/// The class that a printed label stands for.
fn class_of(label: &str) -> MoveClass {
    match label {
        "check" => MoveClass::Check,
        "kill" => MoveClass::MateThreat,
        "chase" => MoveClass::Chase,
        _ => MoveClass::Idle,
    }
}

fn show(case: &Case, judgement: &Judgement) {
    println!(
        "{} {} {}: expected {}, judged {} (red {}, black {}; article {})",
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
        let mv = ply.mv.to_string();
        let label = case.labels.get(&mv).map_or("", String::as_str);
        let kind = ply.idle.map_or("", |idle| idle.name());
        println!("  {} {mv} {} {kind} {:?} [{label}]", ply.ply, ply.class.name(), ply.why);
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
    /// No verdict is printed.
    open: u32,
    labels: u32,
    labels_right: u32,
    slowest: Duration,
}

impl Score {
    fn share(&self) -> f64 {
        f64::from(self.right) / f64::from(self.right + self.undecided + self.wrong)
    }
}

#[test]
fn the_table() {
    let Some(cases) = cases() else { return };
    let wanted = std::env::var("QIPU_CASE").unwrap_or_default();
    let mut scores: BTreeMap<(String, RuleSet), Score> = BTreeMap::new();
    for case in &cases {
        let begin = Instant::now();
        let judgement = judge(&case.start, &case.moves, case.set);
        let took = begin.elapsed();
        let score = scores.entry((case.file.clone(), case.set)).or_default();
        score.slowest = score.slowest.max(took);
        let mut missed = false;
        if case.expected == "unknown" {
            score.open += 1;
            println!("{} {}: judged {}", case.id, case.set, judgement.verdict.name());
        } else if judgement.verdict.name() == case.expected {
            score.right += 1;
        } else if judgement.verdict == Verdict::Undecided {
            score.undecided += 1;
            missed = true;
        } else {
            score.wrong += 1;
            missed = true;
        }
        for ply in &judgement.plies {
            if let Some(label) = case.labels.get(&ply.mv.to_string()) {
                score.labels += 1;
                score.labels_right += u32::from(class_of(label) == ply.class);
            }
        }
        if missed || (!wanted.is_empty() && case.id.contains(&wanted)) {
            show(case, &judgement);
        }
    }
    println!("\nfile         set     right undecided wrong  open  labels    slowest");
    for ((file, set), score) in &scores {
        println!(
            "{file:12} {:7} {:5} {:9} {:5} {:5}  {:3}/{:3} {:?}",
            set.name(),
            score.right,
            score.undecided,
            score.wrong,
            score.open,
            score.labels_right,
            score.labels,
            score.slowest
        );
    }
    for ((file, set), score) in &scores {
        let least = match file.as_str() {
            "axf" | "axf-peers" | "common" => 1.0,
            "cn1999" | "cn2020" => 0.9,
            "cross" => 0.95,
            _ => continue,
        };
        assert!(score.share() >= least, "{file} under {set}: {:.3}", score.share());
    }
    let slowest = scores.values().map(|score| score.slowest).max().unwrap();
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
}

/// Of the classes that the book of 2020 prints, nearly all.
#[test]
fn the_printed_classes() {
    let Some(cases) = cases() else { return };
    let (mut right, mut all) = (0, 0);
    for case in cases.iter().filter(|case| !case.labels.is_empty()) {
        for ply in &judge(&case.start, &case.moves, case.set).plies {
            if let Some(label) = case.labels.get(&ply.mv.to_string()) {
                all += 1;
                right += u32::from(class_of(label) == ply.class);
            }
        }
    }
    assert!(all > 200, "{all} labels");
    assert!(f64::from(right) / f64::from(all) > 0.94, "{right} of {all}");
}

/// The third time asks for a change, or gives the draw; a one-sided perpetual
/// check loses there under the Chinese rules (24.1).
#[test]
fn the_third_time() {
    let Some(cases) = cases() else { return };
    let mut asked = 0;
    for case in &cases {
        let full = judge(&case.start, &case.moves, case.set);
        if full.verdict.name() != case.expected || case.third == "unknown" {
            continue;
        }
        let moves = &case.moves[..case.prefix + 2 * case.cycle];
        let third = judge(&case.start, moves, case.set);
        let cycle = third.cycle.unwrap_or_else(|| panic!("{}: no loop", case.id));
        if cycle.times != 3 {
            // A loop that passes one position twice.
            continue;
        }
        asked += 1;
        let said = match third.verdict {
            Verdict::MustChange(side) => format!("must-change-{}", side.name()),
            verdict => verdict.name().to_owned(),
        };
        // The row of common.tsv for all rule sets quotes the Chinese ruling.
        let checks = [third.red, third.black].contains(&Conduct::PerpetualCheck);
        if case.file == "common" && checks && !case.set.is_chinese() {
            assert_eq!(said, "must-change-red", "{} {}", case.id, case.set);
            continue;
        }
        assert_eq!(said, case.third, "{} {}", case.id, case.set);
        if case.cycle > 4 || case.prefix > 0 {
            // It may pass a position more often.
            continue;
        }
        // A ply less, and there is nothing to rule on.
        let moves = &case.moves[..case.prefix + 2 * case.cycle - 1];
        let before = judge(&case.start, moves, case.set);
        assert_eq!(before.verdict, Verdict::None, "{}", case.id);
        assert!(before.plies.is_empty());
    }
    assert!(asked > 150, "{asked} cases");
}

fn swapped(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Loses(side) => Verdict::Loses(side.other()),
        Verdict::MustChange(side) => Verdict::MustChange(side.other()),
        other => other,
    }
}

/// The left-right mirror image and the copy with the sides exchanged get the
/// mirrored judgement, ply by ply.
#[test]
fn mirror_images_are_judged_alike() {
    let Some(cases) = cases() else { return };
    for case in &cases {
        let plain = judge(&case.start, &case.moves, case.set);
        let shape = |judgement: &Judgement| -> Vec<_> {
            judgement
                .plies
                .iter()
                .map(|ply| {
                    let mut chased: Vec<_> =
                        ply.chased.iter().map(|c| (c.piece.kind, c.root, c.how)).collect();
                    chased.sort_by_key(|(kind, ..)| *kind);
                    (ply.ply, ply.class, ply.idle, chased)
                })
                .collect()
        };
        let moves: Vec<Move> = case.moves.iter().map(|mv| mv.mirrored()).collect();
        let mirrored = judge(&case.start.mirrored(), &moves, case.set);
        assert_eq!(mirrored.verdict, plain.verdict, "{} mirrored", case.id);
        assert_eq!(shape(&mirrored), shape(&plain), "{} {} mirrored", case.id, case.set);

        let moves: Vec<Move> = case.moves.iter().map(|mv| mv.rotated()).collect();
        let turned = judge(&case.start.color_swapped(), &moves, case.set);
        assert_eq!(turned.verdict, swapped(plain.verdict), "{} turned", case.id);
        assert_eq!((turned.red, turned.black), (plain.black, plain.red), "{} turned", case.id);
        assert_eq!(shape(&turned), shape(&plain), "{} {} turned", case.id, case.set);
        assert_eq!(turned.conduct(Color::Red), plain.conduct(Color::Black));
    }
}

/// Every claim of a judgement can be played: the lines of evidence are legal
/// from the position after the move, with the turn given back.
#[test]
fn the_evidence_can_be_played() {
    let Some(cases) = cases() else { return };
    let mut lines = 0;
    for case in &cases {
        let judgement = judge(&case.start, &case.moves, case.set);
        for ply in &judgement.plies {
            let mut position = case.start.clone();
            for mv in &case.moves[..ply.ply as usize] {
                position.play(*mv).unwrap();
            }
            position.set_side(ply.side);
            for chased in &ply.chased {
                assert_eq!(position.piece_at(chased.square), Some(chased.piece));
                assert!(!chased.line.is_empty(), "{} {}", case.id, ply.mv);
                if ply.class != MoveClass::Check {
                    let mut board = position.clone();
                    for mv in &chased.line {
                        board.play(*mv).unwrap_or_else(|e| panic!("{} {mv}: {e:?}", case.id));
                    }
                    lines += 1;
                }
            }
        }
    }
    assert!(lines > 300, "{lines} lines");
}
