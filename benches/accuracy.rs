//! How well sheets are read back: games kept out of training are written in
//! the short record without directions and decoded again.
//!
//! `cargo bench --bench accuracy -- FOLDER...` reads the games of the folders
//! (the corpus, say), trains on four fifths of the distinct ones and tests on
//! games of the last fifth whose first 40 plies occur in no training game.
//! `--test FOLDER` tests on the games of another source instead, `--games N`
//! on at most N (1000), `--shipped` uses the model in the binary.

mod common;

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use qipu::board::{Move, Position};
use qipu::import::{Entry, ReadOptions, read_file};
use qipu::notation::{Context, Notation, Style, Syntax, parse, readings, render};
use qipu::replay::lattice::{Channel, Decided, LatticeOptions, decode};
use qipu::replay::prior::{Prior, TrainOptions, train};

/// Plies that make an opening: a test game must differ from all training
/// games within them.
const FRESH: usize = 40;

fn main() {
    let mut folders = Vec::new();
    let mut test_folders = Vec::new();
    let (mut wanted, mut shipped, mut into_test) = (1000, false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => {}
            "--shipped" => shipped = true,
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

    let model = if shipped {
        (*Prior::builtin()).clone()
    } else {
        let set: Vec<(Position, &[Move])> =
            training.iter().map(|moves| (Position::start(), *moves)).collect();
        let (seconds, trained) = common::timed(|| {
            train(&set, &TrainOptions::default(), |epoch, bits| {
                println!("  epoch {epoch}: {bits:.3} bits a ply");
            })
        });
        println!("  trained in {seconds:.0} CPU seconds");
        trained.model
    };
    println!(
        "short record without directions      plies   whole  <=2 wrong   died   ECE    ms/game"
    );
    report("  no model", &testing, &Prior::uniform());
    report("  model", &testing, &model);
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

/// One game in five, chosen by a hash of its moves (FNV-1a).
fn in_test(moves: &[Move]) -> bool {
    let hash = moves.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, mv| {
        (hash ^ u64::from(mv.to_u16())).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 32) % 5 == 0
}

struct Sheet(Vec<Syntax>);

impl Channel for Sheet {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn readings(
        &self,
        token: usize,
        position: &Position,
        legal: &[Move],
        out: &mut Vec<(usize, f32)>,
    ) {
        for reading in readings(self.0[token], position, Context::of(position)) {
            if let Some(index) = legal.iter().position(|mv| *mv == reading.mv)
                && reading.slips.without_style().is_empty()
            {
                out.push((index, 0.0));
            }
        }
    }
}

fn report(name: &str, games: &[&[Move]], model: &Prior) {
    let (mut plies, mut right, mut whole, mut nearly, mut died) = (0u32, 0u32, 0u32, 0u32, 0u32);
    let mut bins = [(0f64, 0f64, 0f64); 20];
    let (seconds, ()) = common::timed(|| {
        for game in games {
            let decoding =
                decode(&Position::start(), &sheet(game), model, &LatticeOptions::default());
            died += u32::from(decoding.tokens_read < game.len());
            let mut wrong = 0;
            for (i, mv) in game.iter().enumerate() {
                let step = decoding.steps.get(i);
                let good = step.is_some_and(|step| step.mv == Some(*mv));
                wrong += u32::from(!good);
                if let Some(step) = step.filter(|step| step.decided == Decided::Prior) {
                    let bin = &mut bins[((step.probability * 20.0) as usize).min(19)];
                    *bin = (
                        bin.0 + 1.0,
                        bin.1 + f64::from(step.probability),
                        bin.2 + f64::from(u8::from(good)),
                    );
                }
            }
            plies += game.len() as u32;
            right += game.len() as u32 - wrong;
            whole += u32::from(wrong == 0);
            nearly += u32::from(wrong <= 2);
        }
    });
    let open: f64 = bins.iter().map(|bin| bin.0).sum();
    let ece: f64 = bins.iter().map(|bin| (bin.1 - bin.2).abs()).sum::<f64>() / open.max(1.0);
    let share = |n: u32, of: u32| 100.0 * f64::from(n) / f64::from(of.max(1));
    let all = games.len() as u32;
    println!(
        "{name:36} {:5.1} %  {:5.1} %    {:5.1} %  {died:5}  {ece:.3}  {:6.1}",
        share(right, plies),
        share(whole, all),
        share(nearly, all),
        seconds * 1000.0 / f64::from(all.max(1)),
    );
}

fn sheet(game: &[Move]) -> Sheet {
    let mut position = Position::start();
    let mut tokens = Vec::new();
    for mv in game {
        let text = render(Notation::Abbreviated, *mv, &position, Style::default());
        let syntax = text.and_then(|text| parse(Notation::Abbreviated, &text).ok());
        tokens.push(syntax.expect("every legal move has a short form"));
        position.make(*mv);
    }
    Sheet(tokens)
}
