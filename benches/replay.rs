//! Replaying clean games in Chinese notation, one thread.
//! `cargo bench --bench replay`; the number of games can be given. The same moves
//! as lists of coordinates are read, tested and played, too, as engines do it.

mod common;
#[path = "common/made.rs"]
mod made;

use std::hint::black_box;

use qipu::board::Position;
use qipu::notation::{Notation, Style, render};
use qipu::record::{Header, NodeId, Record, Span, Written};
use qipu::replay::{ReplayOptions, replay};

fn record(random: &mut made::Random) -> Record {
    let moves = made::moves(random, 80);
    let mut position = Position::start();
    let mut record = Record { notation: Some(Notation::Chinese), ..Record::default() };
    for (name, value) in [
        ("Game", "Chinese Chess"),
        ("Event", "全国象棋个人赛"),
        ("Site", "杭州"),
        ("Date", "1956.12.15"),
        ("Round", "3"),
        ("Red", "杨官璘"),
        ("Black", "王嘉良"),
        ("Result", "1-0"),
        ("ECCO", "C45"),
    ] {
        record.headers.push(Header {
            name: name.into(),
            value: value.into(),
            span: Span::default(),
        });
    }
    let mut at = NodeId::ROOT;
    for (ply, mv) in moves.iter().enumerate() {
        if ply % 2 == 0 {
            record.text.push_str(&format!("{}. ", ply / 2 + 1));
        }
        let start = record.text.len();
        let written = render(Notation::Chinese, *mv, &position, Style::default());
        record.text.push_str(&written.expect("Chinese is written"));
        at = record.tree.add(at, Written::Text(Span::new(start, record.text.len())));
        if ply % 2 == 0 {
            record.tree.node_mut(at).number = ply as u32 / 2 + 1;
        }
        record.text.push(' ');
        position.make(*mv);
    }
    record.result = Some(("1-0".into(), Span::new(record.text.len(), record.text.len())));
    record
}

fn main() {
    let games = std::env::args().find_map(|a| a.parse().ok()).unwrap_or(4000);
    let mut random = made::Random::new(7);
    let records: Vec<Record> = (0..games).map(|_| record(&mut random)).collect();
    let plies: usize = records.iter().map(|record| record.tree.len()).sum();
    let options = ReplayOptions::default();
    let mut best = f64::MAX;
    for _ in 0..5 {
        let fresh = records.clone();
        let (seconds, ()) = common::timed(|| {
            for record in fresh {
                let game = replay(record, &options);
                assert!(game.unplayed.is_empty(), "a wrong replay is worthless");
                black_box(&game);
            }
        });
        best = best.min(seconds);
    }
    println!(
        "replay: {games} games, {plies} plies: {:.2} us a game, {:.0} ns a ply, {:.0} games/s",
        best * 1e6 / games as f64,
        best * 1e9 / plies as f64,
        games as f64 / best,
    );
    coordinates(&mut random, games);
}

/// Moves of four letters, each read, tested and played, with nothing kept.
fn coordinates(random: &mut made::Random, games: usize) {
    let lists: Vec<Vec<String>> = (0..games)
        .map(|_| made::moves(random, 80).iter().map(ToString::to_string).collect())
        .collect();
    let plies: usize = lists.iter().map(Vec::len).sum();
    let mut best = f64::MAX;
    for _ in 0..5 {
        let (seconds, played) = common::timed(|| {
            let mut played = 0;
            for list in &lists {
                let mut position = Position::start();
                for word in list {
                    let Ok(mv) = word.parse() else { break };
                    if position.play(mv).is_err() {
                        break;
                    }
                    played += 1;
                }
                black_box(&position);
            }
            played
        });
        assert_eq!(played, plies, "every move is legal");
        best = best.min(seconds);
    }
    println!(
        "lists of coordinates: {:.0} ns a ply, {:.1} million moves/s",
        best * 1e9 / plies as f64,
        plies as f64 / best * 1e-6
    );
}
