//! From the text of a move to a checked move: lexing alone, and lexing,
//! resolving, legality and check. `cargo bench --bench notation`.
//!
//! Every move that is read is compared with the move that was written.

mod common;
#[path = "common/made.rs"]
mod made;

use qipu::board::{Move, Position};
use qipu::notation::{
    Context, Notation, RankBase, Resolution, Style, lex_chinese, parse, render, resolve,
    write_chinese,
};

const GAMES: usize = 5_000;

fn main() {
    let mut random = made::Random::new(7);
    let games: Vec<Vec<Move>> = (0..GAMES).map(|_| made::moves(&mut random, 80)).collect();
    let plies: usize = games.iter().map(Vec::len).sum();
    let mut chinese = String::new();
    let mut iccs = String::new();
    let style: Style = "fullwidth".parse().expect("a style");
    for game in &games {
        let mut position = Position::start();
        for mv in game {
            write_chinese(*mv, &position, &mut chinese, style);
            iccs.push_str(&render(Notation::Iccs, *mv, &position, style).expect("written"));
            position.make(*mv);
        }
    }
    let million = |seconds: f64| plies as f64 / 1e6 / seconds;

    let seconds = common::side_by_side(
        5,
        &mut [
            &mut || assert_eq!(lex_all(&chinese), plies),
            &mut || replay(&games, &chinese, &|text| lex_chinese(text)),
            &mut || {
                replay(&games, &iccs, &|text| {
                    let token = text.get(..5)?;
                    Some((parse(Notation::Iccs, token).ok()?, 5))
                });
            },
            &mut || write_all(&games, &mut String::with_capacity(16)),
        ],
    );
    println!("{GAMES} games, {plies} plies, CPU seconds, median of 5");
    let names = ["lex Chinese", "Chinese: all", "ICCS: all", "write Chinese"];
    for (name, seconds) in names.into_iter().zip(seconds) {
        println!("  {name:14} {seconds:6.3} s  {:6.1} M plies/s", million(seconds));
    }
}

fn lex_all(text: &str) -> usize {
    let (mut at, mut count) = (0, 0);
    while let Some((syntax, used)) = text.get(at..).and_then(lex_chinese) {
        std::hint::black_box(syntax);
        at += used;
        count += 1;
    }
    count
}

fn replay(
    games: &[Vec<Move>],
    text: &str,
    read: &dyn Fn(&str) -> Option<(qipu::notation::Syntax, usize)>,
) {
    let mut at = 0;
    for game in games {
        let mut position = Position::start();
        let mut context = Context { rank_base: Some(RankBase::Zero), ..Context::of(&position) };
        for expected in game {
            let (syntax, used) = text.get(at..).and_then(read).expect("a move");
            at += used;
            match resolve(syntax, &position, context) {
                Resolution::Legal { mv, .. } => assert_eq!(mv, *expected),
                other => panic!("{other:?} in {position:?}"),
            }
            position.make(*expected);
            context.in_check = position.in_check();
        }
    }
}

fn write_all(games: &[Vec<Move>], out: &mut String) {
    for game in games {
        let mut position = Position::start();
        for mv in game {
            out.clear();
            assert!(write_chinese(*mv, &position, out, Style::default()));
            position.make(*mv);
        }
    }
}
