//! How long a loop takes to judge, and what games without one pay.
//! `cargo bench --bench judge`; the loops of `../shared/cases/repetition` are
//! judged when they are there, and those of `tests/data/loops.tsv` otherwise.
//! `cargo bench --bench judge -- FILE...` judges the loops of the games in
//! these files instead, under every rule set, and tells how many take how long.

mod common;
#[path = "common/made.rs"]
mod made;

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use qipu::board::{Move, Position, PositionKey};
use qipu::import::{Entry, ReadOptions, read_file};
use qipu::rules::{RuleSet, judge, rule_on_loops, stands_thrice};

/// A line of play that holds a loop.
struct Line {
    name: String,
    set: RuleSet,
    start: Position,
    moves: Vec<Move>,
}

/// The rows of a file of cases, by the names of its columns.
fn lines(text: &str) -> Vec<Line> {
    let mut rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = rows.next().expect("a header");
    let column = |name: &str| header.iter().position(|h| *h == name).expect("a column");
    let [id, sets, fen, moves] = ["case_id", "rule_set", "initial_fen", "moves"].map(column);
    let mut lines = Vec::new();
    for row in rows {
        for set in row[sets].split(',') {
            lines.push(Line {
                name: format!("{} {set}", row[id]),
                set: set.parse().expect("a rule set"),
                start: row[fen].parse().expect("a FEN"),
                moves: row[moves].split(' ').map(|mv| mv.parse().expect("a move")).collect(),
            });
        }
    }
    lines
}

fn cases() -> (String, Vec<Line>) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("../shared/cases/repetition");
    let mut found = Vec::new();
    if let Ok(entries) = std::fs::read_dir(&folder) {
        for entry in entries.flatten() {
            found.extend(lines(&std::fs::read_to_string(entry.path()).expect("a case file")));
        }
    }
    if found.is_empty() {
        let text = include_str!("../tests/data/loops.tsv");
        return ("our own loops".into(), lines(text));
    }
    ("published loops".into(), found)
}

/// The games of a file in which a position stands for the third time.
fn games_with_loops(file: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut number = 0;
    let read = read_file(&Entry::file(file), &ReadOptions::default(), &mut |game| {
        number += 1;
        let moves: Vec<Move> = game.main_line().map_while(|mv| mv).collect();
        if judge(&game.start, &moves, RuleSet::Axf).cycle.is_some() {
            lines.extend(RuleSet::ALL.map(|set| Line {
                name: format!("game {number} {set}"),
                set,
                start: game.start.clone(),
                moves: moves.clone(),
            }));
        }
        ControlFlow::Continue(())
    });
    if let Err(error) = read {
        println!("{error}");
    }
    lines
}

/// The shortest of five times, in milliseconds: the machine is shared.
fn shortest(mut work: impl FnMut()) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..5 {
        let begin = Instant::now();
        work();
        best = best.min(begin.elapsed().as_secs_f64() * 1e3);
    }
    best
}

/// What was measured of one loop.
struct Took<'a> {
    /// In milliseconds.
    time: f64,
    line: &'a Line,
}

/// Median, 99th percentile and worst of all, and of each rule set.
fn tell(what: &str, mut took: Vec<Took>) {
    took.sort_by(|a, b| a.time.total_cmp(&b.time));
    let of = |name: &str, took: &[&Took]| {
        let Some(worst) = took.last() else { return };
        let at = |share: usize| took[(took.len() * share / 100).min(took.len() - 1)].time;
        let over = |limit: f64| took.iter().filter(|took| took.time > limit).count();
        println!(
            "{name:22} {:6} loops: median {:.3} ms, p99 {:.3} ms, worst {:.3} ms ({}), \
             {} over 0.5 ms, {} over 1 ms",
            took.len(),
            at(50),
            at(99),
            worst.time,
            worst.line.name,
            over(0.5),
            over(1.0),
        );
    };
    of(what, &took.iter().collect::<Vec<_>>());
    for set in RuleSet::ALL {
        let own: Vec<&Took> = took.iter().filter(|took| took.line.set == set).collect();
        of(&format!("    {set}"), &own);
    }
}

/// How many loops take up to each of some times.
fn spread(took: &[Took]) {
    let mut rest = took.len();
    for limit in [0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0] {
        let over = took.iter().filter(|took| took.time > limit).count();
        println!("    up to {limit:6.2} ms: {:6} loops", rest - over);
        rest = over;
    }
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let (which, lines) = if files.is_empty() {
        cases()
    } else {
        ("loops of games".into(), files.iter().flat_map(|file| games_with_loops(file)).collect())
    };
    println!("{which}");
    let mut four = Vec::new();
    let mut longer = Vec::new();
    let mut ruled = Vec::new();
    for line in &lines {
        let Some(cycle) = judge(&line.start, &line.moves, line.set).cycle else { continue };
        let took = shortest(|| {
            black_box(judge(&line.start, &line.moves, line.set));
        });
        let group = if cycle.length() == 4 { &mut four } else { &mut longer };
        group.push(Took { time: took, line });
        let took = shortest(|| {
            black_box(rule_on_loops(&line.start, &line.moves, line.set));
        });
        ruled.push(Took { time: took, line });
    }
    if !files.is_empty() {
        println!("judge, four plies");
        spread(&four);
    }
    tell("judge, four plies", four);
    tell("judge, others", longer);
    tell("ruling only, all", ruled);

    let mut random = made::Random::new(11);
    let games: Vec<Vec<PositionKey>> = (0..4000)
        .map(|_| {
            let mut position = Position::start();
            let mut keys = vec![position.key()];
            for mv in made::moves(&mut random, 80) {
                position.make(mv);
                keys.push(position.key());
            }
            keys
        })
        .filter(|keys| !stands_thrice(keys))
        .collect();
    let took = shortest(|| {
        for keys in &games {
            black_box(stands_thrice(black_box(keys)));
        }
    });
    println!("no loop: {} games: {:.0} ns a game", games.len(), took * 1e6 / games.len() as f64);
}
