//! What several test programs need.
#![allow(dead_code, reason = "each test program uses its part")]

use std::path::{Path, PathBuf};

use qipu::board::{Move, Position};

/// A file or folder of the shared material beside the project. Where it is
/// absent (a release tarball) this says so, and the caller skips.
pub fn shared(path: &str) -> Option<PathBuf> {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    if full.exists() {
        return Some(full);
    }
    eprintln!("SKIPPED: ../shared/{path} is not there");
    None
}

/// How often a test kills a command: `usual`, or what `QIPU_KILLS` says. Many
/// kills take minutes, so they are for whoever asks for them.
pub fn kills(usual: u32) -> u32 {
    std::env::var("QIPU_KILLS").ok().and_then(|said| said.parse().ok()).unwrap_or(usual)
}

/// A random legal game of so many plies from the start; the same seed gives
/// the same game.
pub fn random_game(mut seed: u64, plies: usize) -> Vec<Move> {
    let mut position = Position::start();
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = position.legal_moves();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(mv) = legal.get((seed >> 33) as usize % legal.len().max(1)) else { break };
        position.make(*mv);
        moves.push(*mv);
    }
    moves
}
