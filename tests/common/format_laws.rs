//! What must hold when any bytes whatever are read as a format. The damage
//! tests and the fuzz targets of the formats call this.

use std::ops::ControlFlow;

use qipu::board::Position;
use qipu::formats::{self, Confidence, Format, Head, Limits, WriteOptions};
use qipu::game::Game;
use qipu::record::NodeId;
use qipu::replay::{ReplayOptions, replay};

/// Panics where a law is broken.
pub fn hold(name: &str, bytes: &[u8]) {
    let format = formats::by_name(name).expect("the name of a format");
    let limits = Limits { moves: 1 << 12, games: 64, ..Limits::default() };
    let options = ReplayOptions { lookahead: 2000, ..ReplayOptions::default() };
    // A reader may trust the marks that its format was recognised by.
    let head = Head { bytes, complete: true, extension: "" };
    let recognised = format.sniff(&head) > Confidence::No;
    let mut input = bytes;
    let mut games = Vec::new();
    let cut = format.cut(&mut input, &limits, &mut |piece| {
        assert!(piece.offset <= bytes.len() as u64, "a piece begins inside the input");
        format.read(&piece, &limits, &mut |record| {
            let game = replay(record, &options);
            every_move_is_legal(&game);
            if recognised {
                places_lie_in_the_input(&game, bytes);
            }
            if games.len() < 4 {
                games.push(game);
            }
            ControlFlow::Continue(())
        });
        ControlFlow::Continue(())
    });
    cut.expect("bytes in memory can be read");
    for game in &games {
        for target in formats::all() {
            what_is_written_can_be_read(*target, game, &limits);
        }
    }
}

/// Each line of the tree, from its start position.
fn every_move_is_legal(game: &Game) {
    let tree = &game.tree;
    let mut stack: Vec<(NodeId, Position)> = vec![(NodeId::ROOT, game.start.clone())];
    while let Some((at, position)) = stack.pop() {
        for child in tree.children(at) {
            let node = tree.node(child);
            let mut after = position.clone();
            match node.mv {
                Some(mv) => {
                    assert!(position.is_legal(mv), "{mv} in {position:?}");
                    after.make(mv);
                }
                None => node.play_on(&mut after),
            }
            stack.push((child, after));
        }
    }
}

fn places_lie_in_the_input(game: &Game, bytes: &[u8]) {
    for finding in &game.findings {
        if let Some(point) = finding.place.source {
            assert!(point.offset <= bytes.len() as u64, "{finding:?}");
        }
    }
}

/// A writer gives bytes that its reader takes without panic.
fn what_is_written_can_be_read(target: &dyn Format, game: &Game, limits: &Limits) {
    if !target.info().writes {
        return;
    }
    let mut written = Vec::new();
    if target.write(game, &WriteOptions::default(), &mut written).is_err() {
        return;
    }
    let mut input = written.as_slice();
    let cut = target.cut(&mut input, limits, &mut |piece| {
        target.read(&piece, limits, &mut |_| ControlFlow::Continue(()));
        ControlFlow::Continue(())
    });
    cut.expect("bytes in memory can be read");
}
