//! Files in, games out: walk, sniff, read, replay.

mod entry;
mod input;
mod reading;

pub use entry::Entry;
pub use input::{FileHash, HEAD_BYTES};
pub use reading::{FileReport, ReadError, ReadOptions, read_file};
