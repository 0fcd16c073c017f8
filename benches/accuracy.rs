//! How well sheets are read back: games kept out of training are written as
//! people write them and read again by the whole replay, as `qipu check` does.
//!
//! `cargo bench --bench accuracy -- FOLDER...` reads the games of the folders
//! (the corpus, say), trains on four fifths of the distinct ones and tests on
//! games of the last fifth whose first 40 plies occur in no training game.
//! `--test FOLDER` tests on the games of another source instead, `--games N`
//! on at most N (1000), `--shipped` uses the model in the binary, `--model F`
//! one that `qipu prior train` made, `--save F` keeps the one that was trained.
//! `--temperature T` tries another than the decoder's (to fit it on games kept
//! for that). `--rows short,10,ask` measures
//! these rows alone, of none, short, 2, 5, 10, 20, ask.

mod common;

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use qipu::board::{Move, Position};
use qipu::finding::Code;
use qipu::game::Game;
use qipu::import::{Entry, ReadOptions, read_file};
use qipu::notation::{Notation, Style, render};
use qipu::record::{NodeId, Record, Span, Written};
use qipu::replay::prior::{Prior, TrainOptions, train};
use qipu::replay::{Answer, ReplayOptions, doubts, replay};

/// The temperature of the decoder, where it is said.
static TEMPERATURE: OnceLock<f32> = OnceLock::new();

/// Plies that make an opening: a test game must differ from all training
/// games within them.
const FRESH: usize = 40;

/// Questions after which a person is asked no more.
const PATIENCE: usize = 30;

fn main() {
    let mut folders = Vec::new();
    let mut test_folders = Vec::new();
    let (mut wanted, mut into_test) = (1000, false);
    let (mut shipped, mut model_file, mut save) = (false, None, None);
    let mut rows = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => {}
            "--shipped" => shipped = true,
            "--model" => model_file = arguments.next(),
            "--temperature" => {
                let said = arguments.next().and_then(|t| t.parse().ok());
                TEMPERATURE.set(said.expect("a temperature")).expect("said once");
            }
            "--rows" => rows = arguments.next(),
            "--save" => save = arguments.next(),
            "--test" => into_test = true,
            "--games" => wanted = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(wanted),
            folder if into_test => test_folders.push(folder.to_owned()),
            folder => folders.push(folder.to_owned()),
        }
    }
    if folders.is_empty() {
        println!("accuracy: name folders of games, for example ../shared/corpus/pgn-chinese");
        return;
    }
    let games = games_of(&folders);
    let (mut training, mut testing): (Vec<&[Move]>, Vec<&[Move]>) = (Vec::new(), Vec::new());
    let others = games_of(&test_folders);
    if others.is_empty() {
        for game in &games {
            if in_test(game) { testing.push(game) } else { training.push(game) }
        }
    } else {
        training.extend(games.iter().map(Vec::as_slice));
        testing.extend(others.iter().map(Vec::as_slice));
    }
    let known: HashSet<&[Move]> =
        training.iter().filter(|g| g.len() >= FRESH).map(|g| &g[..FRESH]).collect();
    testing.retain(|game| game.len() >= FRESH && !known.contains(&game[..FRESH]));
    // The order of the set is that of the moves; take every n-th.
    let every = (testing.len() / wanted).max(1);
    let testing: Vec<&[Move]> = testing.into_iter().step_by(every).take(wanted).collect();
    println!("{} training games, {} test games", training.len(), testing.len());

    let model = match model_file {
        Some(path) => {
            let bytes = std::fs::read(&path).expect("the model can be read");
            Arc::new(Prior::from_bytes(&bytes).expect("a model"))
        }
        None if shipped => Prior::builtin(),
        None => Arc::new(trained(&training)),
    };
    if let Some(path) = save {
        std::fs::write(path, model.to_bytes()).expect("the model can be written");
    }
    let wanted = |key: &str| rows.as_ref().is_none_or(|rows| rows.split(',').any(|r| r == key));
    println!("{:36} {HEADINGS}", "");
    if wanted("none") {
        report("short record, no model", &testing, &Arc::new(Prior::uniform()), short);
    }
    if wanted("short") {
        report("short record", &testing, &model, short);
    }
    for percent in [2, 5, 10, 20] {
        if wanted(&percent.to_string()) {
            report(
                &format!("full record, {percent} % lost"),
                &testing,
                &model,
                |game: &[Move]| damaged(game, percent),
            );
        }
    }
    if wanted("ask") {
        ask(&testing[..testing.len().min(300)], &model);
    }
}

const HEADINGS: &str = "  plies   whole  <=2 wrong   ECE   ms/game  us/open ply";

fn trained(training: &[&[Move]]) -> Prior {
    let set: Vec<(Position, &[Move])> =
        training.iter().map(|moves| (Position::start(), *moves)).collect();
    let (seconds, trained) = common::timed(|| {
        train(&set, &TrainOptions::default(), |epoch, bits| {
            println!("  epoch {epoch}: {bits:.3} bits a ply");
        })
    });
    println!("  trained in {seconds:.0} CPU seconds");
    trained.model
}

fn games_of(folders: &[String]) -> BTreeSet<Vec<Move>> {
    let mut games = BTreeSet::new();
    let options = ReadOptions::default();
    for folder in folders {
        let mut files = Vec::new();
        walk(Path::new(folder), &mut files);
        files.sort();
        for file in files {
            let read = read_file(&Entry::file(file), &options, &mut |game| {
                let moves: Vec<Move> = game.main_line().map_while(|mv| mv).collect();
                if game.start == Position::start() && moves.len() >= 20 {
                    games.insert(moves);
                }
                ControlFlow::Continue(())
            });
            if let Err(error) = read {
                println!("{error}");
            }
        }
    }
    games
}

fn walk(path: &Path, files: &mut Vec<std::path::PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            walk(&entry.path(), files);
        }
    } else {
        files.push(path.to_owned());
    }
}

/// A hash of the moves (FNV-1a).
fn hash(moves: &[Move]) -> u64 {
    moves.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, mv| {
        (hash ^ u64::from(mv.to_u16())).wrapping_mul(0x0100_0000_01b3)
    })
}

/// One game in five.
fn in_test(moves: &[Move]) -> bool {
    (hash(moves) >> 32).is_multiple_of(5)
}

/// A record of the texts of moves.
fn record(game: &[Move], notation: Notation, mut word: impl FnMut(String) -> String) -> Record {
    let mut record = Record { notation: Some(notation), ..Record::default() };
    let mut position = Position::start();
    let mut last = NodeId::ROOT;
    for mv in game {
        let text = render(notation, *mv, &position, Style::default()).expect("every move has one");
        let text = word(text);
        let from = record.text.len();
        record.text.push_str(&text);
        let span = Span::new(from, record.text.len());
        record.text.push(' ');
        let lost = text.chars().all(|c| c == '□');
        let written = if lost { Written::Placeholder(span) } else { Written::Text(span) };
        last = record.tree.add(last, written);
        position.make(*mv);
    }
    record
}

/// The short record without directions.
fn short(game: &[Move]) -> Record {
    record(game, Notation::Abbreviated, |text| text)
}

/// Full Chinese notation of which some characters in a hundred are lost.
fn damaged(game: &[Move], percent: u64) -> Record {
    let mut state = hash(game) | 1;
    record(game, Notation::Chinese, |text| {
        let lose = |c| {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            let draw = state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40;
            if draw % 100 < percent { '□' } else { c }
        };
        text.chars().map(lose).collect()
    })
}

/// The moves that a game takes to have been played.
fn played(game: &Game) -> Vec<Option<Move>> {
    game.tree
        .main_line()
        .map(|id| game.tree.node(id))
        .map(|node| node.mv.or(node.assumed))
        .collect()
}

fn options(model: &Arc<Prior>) -> ReplayOptions {
    let mut options = ReplayOptions { prior: Arc::clone(model), ..ReplayOptions::default() };
    if let Some(temperature) = TEMPERATURE.get() {
        options.lattice.temperature = *temperature;
    }
    options
}

fn report(name: &str, games: &[&[Move]], model: &Arc<Prior>, sheet: impl Fn(&[Move]) -> Record) {
    let (mut plies, mut right, mut whole, mut nearly, mut open) = (0u32, 0u32, 0u32, 0u32, 0u32);
    let mut bins = [(0f64, 0f64, 0f64); 20];
    let records: Vec<Record> = games.iter().map(|game| sheet(game)).collect();
    let options = options(model);
    let (seconds, read) = common::timed(|| {
        records.into_iter().map(|record| replay(record, &options)).collect::<Vec<Game>>()
    });
    for (game, read) in games.iter().zip(&read) {
        let line = played(read);
        let good = |i: usize| line.get(i).copied().flatten() == Some(game[i]);
        let wrong = (0..game.len()).filter(|i| !good(*i)).count() as u32;
        for finding in &read.findings {
            let doubtful = matches!(finding.code, Code::AmbiguousMove | Code::UnreadableMove);
            let (Some(ply), Some(sure), true) = (finding.place.ply, finding.confidence, doubtful)
            else {
                continue;
            };
            open += 1;
            let hit = f64::from(u8::from(good(ply as usize - 1)));
            let bin = &mut bins[((sure * 20.0) as usize).min(19)];
            *bin = (bin.0 + 1.0, bin.1 + f64::from(sure), bin.2 + hit);
        }
        plies += game.len() as u32;
        right += game.len() as u32 - wrong;
        whole += u32::from(wrong == 0);
        nearly += u32::from(wrong <= 2);
    }
    let ece: f64 =
        bins.iter().map(|bin| (bin.1 - bin.2).abs()).sum::<f64>() / f64::from(open.max(1));
    let share = |n: u32, of: u32| 100.0 * f64::from(n) / f64::from(of.max(1));
    let all = games.len() as u32;
    println!(
        "{name:36} {:5.1} %  {:5.1} %    {:5.1} %  {ece:.3}  {:6.1}  {:6.0}",
        share(right, plies),
        share(whole, all),
        share(nearly, all),
        seconds * 1e3 / f64::from(all.max(1)),
        seconds * 1e6 / f64::from(open.max(1)),
    );
}

/// Asks a person who knows the game for the least certain ply, and reads
/// again, until no doubt is left.
fn ask(games: &[&[Move]], model: &Arc<Prior>) {
    let (mut questions, mut whole) = (Vec::new(), 0u32);
    for game in games {
        let mut options = options(model);
        loop {
            let read = replay(short(game), &options);
            let open = doubts(&read);
            let next = open.iter().find_map(|doubt| {
                let played = game.get(doubt.ply as usize - 1)?;
                let known = options.answers.iter().any(|answer| answer.ply == doubt.ply);
                (!known).then(|| Answer { game: None, ply: doubt.ply, said: played.to_string() })
            });
            match next {
                Some(answer) if options.answers.len() < PATIENCE => options.answers.push(answer),
                _ => {
                    whole +=
                        u32::from(played(&read).into_iter().eq(game.iter().copied().map(Some)));
                    break;
                }
            }
        }
        questions.push(options.answers.len() as f64);
    }
    let mean = questions.iter().sum::<f64>() / questions.len().max(1) as f64;
    println!(
        "short record, asking: median {} questions, mean {mean:.1}; whole games {:.1} %",
        common::median(questions.clone()),
        100.0 * f64::from(whole) / questions.len().max(1) as f64,
    );
}
