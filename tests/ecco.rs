//! Opening codes agree with the reference: a line for every code, and the tags
//! that another program wrote into real games.

mod common;

use std::ops::ControlFlow;

use qipu::board::{Move, Position};
use qipu::game::ecco;
use qipu::import::{Entry, ReadOptions, read_file};
use qipu::notation::{Context, Notation, Resolution, parse, resolve};

/// Reads a line of WXF moves.
fn line(text: &str) -> Vec<Option<Move>> {
    let mut position = Position::start();
    let mut line = Vec::new();
    for word in text.split_whitespace() {
        let syntax = parse(Notation::Wxf, word).expect(word);
        let resolution = resolve(syntax, &position, Context::of(&position));
        let Resolution::Legal { mv, .. } = resolution else { panic!("{text}: {word}") };
        position.make(mv);
        line.push(Some(mv));
    }
    line
}

#[test]
fn every_code_has_its_line_and_its_name() {
    let Some(path) = common::shared("reference/ecco.tsv") else { return };
    let text = std::fs::read_to_string(path).expect("readable");
    let mut rows = 0;
    for row in text.lines().skip(1) {
        let field: Vec<&str> = row.split('\t').collect();
        let opening = ecco::opening(field[0]).expect("known");
        let name = format!("{} {}", field[2], field[3]);
        assert_eq!(opening.chinese.replace('７', "7"), name.trim().replace('７', "7"));
        let found = ecco::classify(&Position::start(), line(field[5]).into_iter());
        assert_eq!(found, field[0], "{}", field[5]);
        rows += 1;
    }
    assert_eq!(rows, 260);
}

/// Tagged games outside the packs.
#[test]
fn tags_of_real_games_agree() {
    let Some(corpus) = common::shared("corpus") else { return };
    let (mut tagged, mut agreed, mut others) = (0, 0, Vec::new());
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let small = path.metadata().is_ok_and(|data| data.len() < 1 << 20);
            let known = path.extension().is_some_and(|extension| {
                ["pgn", "cbf", "xqf", "txt", "html"].iter().any(|known| extension == *known)
            });
            if !small || !known {
                continue;
            }
            let _ = read_file(&Entry::file(&path), &ReadOptions::default(), &mut |game| {
                let tag = game.headers.ecco.clone().filter(|tag| ecco::opening(tag).is_some());
                if let Some(tag) = tag {
                    tagged += 1;
                    let found = ecco::classify(&game.start, game.main_line());
                    if found == tag {
                        agreed += 1;
                    } else {
                        others.push(format!("{}: {tag}, by the moves {found}", path.display()));
                    }
                }
                ControlFlow::Continue(())
            });
        }
    }
    println!("{agreed} of {tagged} tags agree");
    for other in &others {
        println!("{other}");
    }
    assert!(tagged >= 20, "{tagged}");
    assert!(agreed * 100 >= tagged * 95, "{agreed} of {tagged}: {others:#?}");
}
