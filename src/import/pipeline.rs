//! The import: one thread feeds, all cores read and replay, one writes.
//!
//! The feeder numbers its work and the writer takes the results in that
//! order, so the database does not depend on the number of workers. A budget
//! of bytes bounds what is under way.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::entry::Entry;
use super::feed::{Feeder, Job, KnownFiles, Work};
use super::gate::{CloseOnDrop, CloseOnPanic, Gate};
use super::input::FileHash;
use super::reading::{ReadError, ReadOptions, Reading, read_piece};
use super::store::{Made, Output, Store};
use super::summary::Summary;
use crate::db::{Database, DbError, PackedGame, RunState, pack_original};

/// Bytes of input under way for each worker, and for all of them. What they
/// become takes about eight times as much.
const BUDGET: usize = 1 << 20;
const WHOLE_BUDGET: usize = 6 << 20;

/// How files are imported.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// How they are read.
    pub read: ReadOptions,
    /// Threads that read and replay; all cores by default. The content of the
    /// database does not depend on it.
    pub workers: NonZeroUsize,
    /// Whether the bytes of the files are kept, packed.
    pub keep_originals: bool,
    /// What to write down of the options with the run: a JSON object.
    pub note: String,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            read: ReadOptions::default(),
            workers: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            keep_originals: true,
            note: "{}".to_owned(),
        }
    }
}

/// Is told how an import goes on. Every call comes from the thread that called
/// [`import`].
pub trait Progress {
    /// A file's turn has come.
    fn file_started(&mut self, path: &str) {
        let _ = path;
    }

    /// A file of so many bytes is done, or was skipped.
    fn file_done(&mut self, bytes: u64) {
        let _ = bytes;
    }

    /// So many more bytes of the file at hand have been dealt with. Members of
    /// an archive count as they are when unpacked.
    fn bytes(&mut self, more: u64) {
        let _ = more;
    }

    /// So many more games have been stored.
    fn games(&mut self, more: u64) {
        let _ = more;
    }

    /// A file could not be read; the rest goes on.
    fn unreadable(&mut self, error: &ReadError) {
        let _ = error;
    }
}

/// Nobody looks.
impl Progress for () {}

/// Imports files into a database, as one run. The files of the database itself
/// are passed over.
///
/// A file is stored whole or not at all. Files that are there already are
/// skipped, so a run that was interrupted or killed goes on where it was when
/// the same is imported again. When `stop` becomes true the run ends after the
/// file at hand (or takes it back, when it is long) and is marked as
/// interrupted.
///
/// # Errors
/// When the database cannot be read or written. What was committed stays.
pub fn import(
    db: &Database,
    entries: impl Iterator<Item = Result<Entry, ReadError>> + Send,
    options: &ImportOptions,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<Summary, DbError> {
    let begun = Instant::now();
    let known = known_files(db)?;
    let run = db.begin_run(&options.note)?;
    let own = db.path().to_owned();
    let entries =
        entries.filter(move |entry| !entry.as_ref().is_ok_and(|entry| entry.belongs_to(&own)));
    let done = run_pipeline(db, run, entries, options, progress, stop, known);
    match done {
        Ok((mut summary, complete)) => {
            summary.interrupted = !complete;
            let state = if complete { RunState::Finished } else { RunState::Interrupted };
            db.end_run(run, state, &summary.counts())?;
            summary.seconds = begun.elapsed().as_secs_f64();
            Ok(summary)
        }
        Err(error) => {
            // The first error is the one to tell.
            let _ = db.end_run(run, RunState::Failed, &Summary::default().counts());
            Err(error)
        }
    }
}

fn known_files(db: &Database) -> Result<KnownFiles, DbError> {
    let mut known = KnownFiles::default();
    db.each_source(&mut |sha256, bytes, has_format| {
        known.add(&FileHash(sha256), bytes, has_format);
    })?;
    Ok(known)
}

/// Gives the summary, and whether every file was seen.
fn run_pipeline(
    db: &Database,
    run: i64,
    entries: impl Iterator<Item = Result<Entry, ReadError>> + Send,
    options: &ImportOptions,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
    known: KnownFiles,
) -> Result<(Summary, bool), DbError> {
    let workers = options.workers.get();
    let gate = Gate::new((BUDGET * (workers + 1)).min(WHOLE_BUDGET));
    let (jobs, todo) = bounded(4 * workers);
    let (results, made) = bounded(4 * workers);
    let (spent, returned) = bounded(4 * workers);
    thread::scope(|scope| {
        // However this scope is left, nobody waits at the gate.
        let _close = CloseOnDrop(&gate);
        let feeder = Feeder {
            jobs,
            gate: &gate,
            stop,
            limits: &options.read.limits,
            keep_originals: options.keep_originals,
            known,
            sent: Cell::new(0),
        };
        let gate = &gate;
        let feeding = scope.spawn(move || {
            let _alarm = CloseOnPanic(gate);
            feeder.feed(entries)
        });
        for _ in 0..workers {
            let (todo, results, returned) = (todo.clone(), results.clone(), returned.clone());
            scope.spawn(move || {
                let _alarm = CloseOnPanic(gate);
                work(&todo, &results, &returned, &options.read);
            });
        }
        drop((todo, results, returned));
        let mut store = Store::new(db, run, options.workers, progress)?;
        take_in_order(&made, &spent, gate, &mut store)?;
        let summary = store.finish()?;
        let complete = feeding.join().unwrap_or(false);
        Ok((summary, complete))
    })
}

/// A result with its place in the order.
struct Done {
    number: u64,
    /// Set with the last result of a job: the bytes to give back.
    last: Option<usize>,
    made: Made,
}

/// Games that are handed over at a time, so that a file of one large piece is
/// not held as a whole.
const BATCH: usize = 128;

/// Does work until there is none. Games that are stored come back in
/// `returned` to be let go by a thread that makes games: the allocator shares
/// memory between threads at a price.
fn work(
    todo: &Receiver<Job>,
    results: &Sender<Done>,
    returned: &Receiver<Vec<Output>>,
    options: &ReadOptions,
) {
    for Job { number, weight, work } in todo {
        returned.try_iter().for_each(drop);
        let made = match work {
            Work::Begin(begin) => Made::Begin(begin),
            Work::Piece { format, piece } => {
                let mut outputs = Vec::new();
                read_piece(format, &piece, options, 0, &mut |reading| {
                    outputs.push(match reading {
                        Reading::Game(game) => Output::Game(Box::new(PackedGame::new(*game))),
                        Reading::Loose(findings) => Output::Loose(findings),
                    });
                    if outputs.len() < BATCH {
                        return ControlFlow::Continue(());
                    }
                    let made = Made::Games(std::mem::take(&mut outputs));
                    match results.send(Done { number, last: None, made }) {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(_) => ControlFlow::Break(()),
                    }
                });
                Made::Games(outputs)
            }
            Work::Original(bytes) => {
                Made::Original { size: bytes.len(), packed: pack_original(&bytes) }
            }
            Work::End(end) => Made::End(end),
            Work::Abandon(error) => Made::Abandon(error),
            Work::Skip { path, bytes } => Made::Skip { path, bytes },
            Work::Unreadable(error) => Made::Unreadable(error),
        };
        if results.send(Done { number, last: Some(weight), made }).is_err() {
            return;
        }
    }
}

/// Stores results in the order of their numbers, and gives the games back.
fn take_in_order(
    results: &Receiver<Done>,
    spent: &Sender<Vec<Output>>,
    gate: &Gate,
    store: &mut Store<'_>,
) -> Result<(), DbError> {
    let mut early: BTreeMap<u64, Vec<Done>> = BTreeMap::new();
    let mut next = 0;
    for done in results {
        early.entry(done.number).or_default().push(done);
        while let Some(list) = early.remove(&next) {
            for done in list {
                let read = matches!(done.made, Made::Games(_));
                if let Some(games) = store.take(done.made)? {
                    // Where nobody takes them they go here.
                    let _ = spent.try_send(games);
                }
                if let Some(weight) = done.last {
                    if read {
                        store.show_bytes(weight as u64);
                    }
                    gate.leave(weight);
                    next += 1;
                }
            }
        }
    }
    Ok(())
}
