//! Reads files one after the other and cuts them into work.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Sender;

use super::entry::Entry;
use super::gate::Gate;
use super::input::{FileHash, Hasher, Input, hash_all};
use super::reading::{ReadError, sniff, unknown_format};
use crate::finding::{Code, Finding, Place};
use crate::formats::{Format, Limits, Piece};
use crate::record::FormatId;

/// A file up to this length is read whole before any of it is worked on, so
/// that a fault of the disk cannot leave half of it behind, and shares a
/// transaction with others. Longer ones have a transaction of their own.
const SMALL: usize = 8 << 20;
/// Bytes of a file that are packed at a time.
const ORIGINAL_PART: usize = 1 << 20;
/// What a message without bytes takes of the budget.
const MESSAGE: usize = 256;

/// Something to be done, with its place in the order of all.
pub(crate) struct Job {
    pub(crate) number: u64,
    /// Bytes of the budget to give back.
    pub(crate) weight: usize,
    pub(crate) work: Work,
}

/// What is to be done. A file is a `Begin`, its pieces and parts in their
/// order, and an `End` or `Abandon`.
pub(crate) enum Work {
    Begin(Begin),
    Piece {
        format: &'static dyn Format,
        piece: Piece,
    },
    Original(Vec<u8>),
    End(End),
    /// The rest of the file could not be read, or somebody stopped the run.
    Abandon(Option<ReadError>),
    /// The file is there already.
    Skip {
        path: String,
        bytes: u64,
    },
    /// It could not be opened.
    Unreadable(ReadError),
}

pub(crate) struct Begin {
    pub(crate) path: String,
    /// Where it is known before the end.
    pub(crate) sha256: Option<FileHash>,
    pub(crate) has_format: bool,
    /// It needs a transaction of its own.
    pub(crate) alone: bool,
}

pub(crate) struct End {
    pub(crate) sha256: FileHash,
    pub(crate) bytes: u64,
    pub(crate) format: Option<FormatId>,
    pub(crate) findings: Vec<Finding>,
}

/// Files that are there already. It only saves work: the writer knows for
/// certain.
#[derive(Debug, Default)]
pub(crate) struct KnownFiles {
    /// The first half of the hash, and whether a format knew the file.
    hashes: HashMap<u128, bool>,
    lengths: HashSet<u64>,
}

impl KnownFiles {
    pub(crate) fn add(&mut self, sha256: &FileHash, bytes: u64, has_format: bool) {
        self.hashes.insert(half(sha256), has_format);
        self.lengths.insert(bytes);
    }

    /// Whether a format knew the file; `None` when it is not there.
    fn had_format(&self, sha256: &FileHash) -> Option<bool> {
        self.hashes.get(&half(sha256)).copied()
    }
}

fn half(hash: &FileHash) -> u128 {
    hash.0.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// Why feeding a file ended early.
enum Trouble {
    /// The receiving side has gone.
    Closed,
    /// The file could not be read.
    Io(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Io(error)
    }
}

/// Sends work through the gate.
pub(crate) struct Feeder<'a> {
    pub(crate) jobs: Sender<Job>,
    pub(crate) gate: &'a Gate,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) limits: &'a Limits,
    pub(crate) keep_originals: bool,
    pub(crate) known: KnownFiles,
    pub(crate) sent: Cell<u64>,
}

impl Feeder<'_> {
    /// Feeds all files; `true` when there was no reason to stop early.
    pub(crate) fn feed(mut self, entries: impl Iterator<Item = Result<Entry, ReadError>>) -> bool {
        for entry in entries {
            if self.stopped() {
                return false;
            }
            let fed = match entry {
                Ok(entry) => self.feed_file(&entry),
                Err(error) => self.send(MESSAGE, Work::Unreadable(error)),
            };
            if fed.is_err() {
                return false;
            }
        }
        !self.stopped()
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn send(&self, weight: usize, work: Work) -> Result<(), Trouble> {
        if !self.gate.enter(weight) {
            return Err(Trouble::Closed);
        }
        let number = self.sent.replace(self.sent.get() + 1);
        self.jobs.send(Job { number, weight, work }).map_err(|_| Trouble::Closed)
    }

    fn feed_file(&mut self, entry: &Entry) -> Result<(), Trouble> {
        let error = |source| ReadError { path: entry.path().to_owned(), source };
        let mut start = Vec::new();
        let opened = entry.open().and_then(|mut reader| {
            (&mut reader).take(SMALL as u64 + 1).read_to_end(&mut start)?;
            Ok(reader)
        });
        let rest = match opened {
            Ok(rest) => rest,
            Err(source) => return self.send(MESSAGE, Work::Unreadable(error(source))),
        };
        let alone = start.len() > SMALL;
        let path = entry.path().to_owned();
        let (sha256, bytes) = match self.hash_before(entry, &start, alone) {
            Ok(known) => known,
            Err(source) => return self.send(MESSAGE, Work::Unreadable(error(source))),
        };
        let had_format = sha256.and_then(|hash| self.known.had_format(&hash));
        if had_format == Some(true) {
            return self.send(MESSAGE, Work::Skip { path, bytes });
        }
        let format = sniff(&start, !alone, &entry.extension());
        if had_format == Some(false) && format.is_none() {
            return self.send(MESSAGE, Work::Skip { path, bytes });
        }
        let has_format = format.is_some();
        self.send(MESSAGE, Work::Begin(Begin { path, sha256, has_format, alone }))?;
        let empty = start.is_empty();
        let whole = Box::new(Cursor::new(start).chain(rest));
        match self.feed_content(format, whole, alone) {
            Ok(Some(mut end)) => {
                if !has_format {
                    end.findings.push(unknown_format(empty));
                }
                self.known.add(&end.sha256, end.bytes, has_format);
                self.send(MESSAGE, Work::End(end))
            }
            Ok(None) => self.send(MESSAGE, Work::Abandon(None)),
            Err(Trouble::Io(source)) => match sha256 {
                // The bytes are all there; it is their format that fails.
                Some(sha256) if !alone => {
                    let finding = Finding::new(Code::Corrupt, Place::WHOLE)
                        .reason("unreadable")
                        .param("error", source);
                    let format = format.map(|format| format.info().id);
                    let findings = vec![finding];
                    self.send(MESSAGE, Work::End(End { sha256, bytes, format, findings }))
                }
                _ => self.send(MESSAGE, Work::Abandon(Some(error(source)))),
            },
            Err(Trouble::Closed) => Err(Trouble::Closed),
        }
    }

    /// The hash of a file before it is worked on, where it costs little or may
    /// spare the work.
    fn hash_before(
        &self,
        entry: &Entry,
        start: &[u8],
        alone: bool,
    ) -> io::Result<(Option<FileHash>, u64)> {
        if !alone {
            return Ok((Some(hash_all(start)?), start.len() as u64));
        }
        match entry.size() {
            Some(length) if self.known.lengths.contains(&length) && entry.is_repeatable() => {
                Ok((Some(entry.hash()?), length))
            }
            length => Ok((None, length.unwrap_or(0))),
        }
    }

    /// Sends the pieces of a file, and its bytes as they are; `None` when
    /// somebody stopped it. Small files are soon done and not stopped.
    fn feed_content(
        &self,
        format: Option<&'static dyn Format>,
        reader: Box<dyn Read + Send>,
        alone: bool,
    ) -> Result<Option<End>, Trouble> {
        let mut part = Vec::new();
        let mut parts = Ok(());
        // Somebody's films and disk images are not ours to keep; a record that
        // no format knows is.
        let keep = self.keep_originals && (format.is_some() || !alone);
        let mut hasher = Hasher::default();
        let mut pass = |passed: &[u8]| {
            hasher.pass(passed);
            if !keep {
                return;
            }
            part.extend_from_slice(passed);
            if part.len() >= ORIGINAL_PART && parts.is_ok() {
                let bytes = std::mem::take(&mut part);
                parts = self.send(bytes.len(), Work::Original(bytes));
            }
        };
        let mut input = Input::new(reader, Some(&mut pass))?;
        let mut flow = Ok(true);
        if let Some(format) = format {
            format.cut(&mut input, self.limits, &mut |piece| {
                flow = self
                    .send(piece.bytes.len().max(MESSAGE), Work::Piece { format, piece })
                    .map(|()| !(alone && self.stopped()));
                if matches!(flow, Ok(true)) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            })?;
        }
        if !flow? {
            return Ok(None);
        }
        let bytes = input.finish()?;
        let sha256 = hasher.finish();
        parts?;
        if !part.is_empty() {
            self.send(part.len(), Work::Original(part))?;
        }
        let format = format.map(|format| format.info().id);
        Ok(Some(End { sha256, bytes, format, findings: Vec::new() }))
    }
}
