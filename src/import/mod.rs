//! Files in, games out: walk, sniff, cut, read, replay, and into the database.
//!
//! [`read_file`] reads one file for whoever wants its games; [`import`] reads
//! many on all cores and stores them.

mod archive;
mod entry;
mod feed;
mod gate;
mod input;
mod pipeline;
mod reading;
mod recheck;
mod store;
mod summary;
mod walk;

pub use archive::{ArchiveLimits, open_archives};
pub use entry::Entry;
pub use input::{FileHash, HEAD_BYTES};
pub use pipeline::{ImportOptions, Progress, import};
pub(crate) use reading::holds_a_game;
pub use reading::{FileReport, ReadError, ReadOptions, read_file};
pub use recheck::{Recheck, recheck};
pub use summary::Summary;
pub use walk::{size_of, walk};
