//! What several test programs need.
#![allow(dead_code, reason = "each test program uses its part")]

use std::path::{Path, PathBuf};

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
