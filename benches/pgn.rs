//! PGN to records: cutting, decoding, scanning, building the tree; nothing is
//! resolved or played.
//!
//! `cargo bench --bench pgn [-- GAMES]` (20,000 by default). The floor is the
//! time it takes to look at each byte once (`memchr` for a byte that is not
//! there) and to validate UTF-8.

mod common;
#[path = "common/made.rs"]
mod made;

use std::ops::ControlFlow;

use common::{median, timed};
use made::Random;
use qipu::board::{Move, Position};
use qipu::formats::{Format, Limits, Pgn};
use qipu::notation::{Notation, Style, render};
use qipu::text::Encoding;

const PLIES: usize = 80;
const ROUNDS: usize = 9;

fn main() {
    let games = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(20_000);
    for (notation, tag) in
        [(Notation::Chinese, "Chinese"), (Notation::Iccs, "ICCS"), (Notation::Wxf, "WXF")]
    {
        let write = |position: &Position, mv: Move| {
            render(notation, mv, position, Style::default()).unwrap_or_default()
        };
        let mut random = Random::new(1956);
        let mut text = String::new();
        for _ in 0..games {
            made::game(&mut random, PLIES, tag, &write, &mut text);
        }
        for encoding in [Encoding::Utf8, Encoding::Gb18030] {
            if encoding != Encoding::Utf8 && notation != Notation::Chinese {
                continue;
            }
            measure(tag, encoding, &encoding.encode(&text).bytes, games);
        }
    }
}

fn measure(tag: &str, encoding: Encoding, bytes: &[u8], games: usize) {
    let limits = Limits::default();
    let mut pieces = Vec::new();
    let mut cut = Vec::new();
    let mut read = Vec::new();
    let mut floor = Vec::new();
    let mut plies = 0;
    for _ in 0..ROUNDS {
        pieces.clear();
        let mut input = bytes;
        cut.push(
            timed(|| {
                Pgn.cut(&mut input, &limits, &mut |piece| {
                    pieces.push(piece);
                    ControlFlow::Continue(())
                })
            })
            .0,
        );
        let mut count = 0;
        plies = 0;
        read.push(
            timed(|| {
                for piece in &pieces {
                    Pgn.read(piece, &limits, &mut |record| {
                        count += 1;
                        plies += record.tree.len();
                        ControlFlow::Continue(())
                    });
                }
            })
            .0,
        );
        assert_eq!(count, games);
        floor.push(timed(|| (memchr::memchr(0, bytes), std::str::from_utf8(bytes).is_ok())).0);
    }
    let micro = |seconds| median(seconds) / games as f64 * 1e6;
    let (cut, read, floor) = (micro(cut), micro(read), micro(floor));
    println!(
        "{tag:8} {encoding:8} {:6.0} bytes {:5.1} plies a game   cut {cut:5.2} µs  read {read:5.2} µs  \
         floor {floor:5.2} µs  {:9.0} games/cpu-s",
        bytes.len() as f64 / games as f64,
        plies as f64 / games as f64,
        1e6 / (cut + read),
    );
}
