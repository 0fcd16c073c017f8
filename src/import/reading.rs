//! From an input to its games: sniff, cut, read, replay.

use std::io;
use std::ops::ControlFlow;

use super::entry::Entry;
use super::input::{FileHash, HEAD_BYTES, Hasher, Input, Tap};
use crate::finding::{Code, Finding, Place};
use crate::formats::{self, Format, Head, Limits, Piece};
use crate::game::Game;
use crate::record::{FormatId, Record, Start};
use crate::replay::{ReplayOptions, replay};

/// How files are read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Bounds on what is taken in.
    pub limits: Limits,
    /// How the records are replayed.
    pub replay: ReplayOptions,
    /// Whether [`FileReport::sha256`] is wanted; an import always takes it.
    pub hash: bool,
}

/// An input could not be read to its end.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {source}")]
pub struct ReadError {
    /// The path as it was given.
    pub path: String,
    /// What the system said.
    pub source: io::Error,
}

/// What is known of a file once its games have been handed over.
#[derive(Clone, Debug, Default)]
pub struct FileReport {
    /// The path as it was given.
    pub path: String,
    /// SHA-256 of the whole file; `None` when it was not asked for, or
    /// the caller stopped before the end.
    pub sha256: Option<FileHash>,
    /// Length of the file, or how far it was read when the caller stopped.
    pub bytes: u64,
    /// The format; `None` when no format knows the file.
    pub format: Option<FormatId>,
    /// Findings that belong to the file as a whole and to no game.
    pub findings: Vec<Finding>,
    /// Number of games.
    pub games: u32,
}

/// Reads a file and hands over its games in their order, numbered from 1.
///
/// Whatever the bytes are, they yield games or findings: a file without a
/// game has at least one finding.
///
/// # Errors
/// When the file cannot be opened or read. Damage of its content is a finding.
pub fn read_file(
    entry: &Entry,
    options: &ReadOptions,
    each: &mut dyn FnMut(Game) -> ControlFlow<()>,
) -> Result<FileReport, ReadError> {
    let failed = |source| ReadError { path: entry.path().to_owned(), source };
    let reader = entry.open().map_err(failed)?;
    let mut hasher = Hasher::default();
    let mut pass = |passed: &[u8]| hasher.pass(passed);
    let tap: Option<Tap<'_>> = if options.hash { Some(&mut pass) } else { None };
    let mut input = Input::new(reader, tap).map_err(failed)?;
    let mut report = FileReport { path: entry.path().to_owned(), ..FileReport::default() };
    let mut flow = ControlFlow::Continue(());
    let Some(format) = sniff(input.head(), input.is_complete(), &entry.extension()) else {
        report.findings.push(unknown_format(input.head().is_empty()));
        report.bytes = input.finish().map_err(failed)?;
        report.sha256 = options.hash.then(|| hasher.finish());
        return Ok(report);
    };
    report.format = Some(format.info().id);
    let cut = format.cut(&mut input, &options.limits, &mut |piece| {
        report.bytes = piece.offset + piece.bytes.len() as u64;
        read_piece(format, &piece, options, report.games, &mut |reading| match reading {
            Reading::Game(mut game) => {
                report.games += 1;
                game.origin.game = report.games;
                flow = each(*game);
                flow
            }
            Reading::Loose(findings) => {
                report.findings.extend(findings);
                ControlFlow::Continue(())
            }
        });
        flow
    });
    cut.map_err(failed)?;
    if flow.is_break() {
        return Ok(report);
    }
    report.bytes = input.finish().map_err(failed)?;
    report.sha256 = options.hash.then(|| hasher.finish());
    if report.games == 0 && report.findings.is_empty() {
        report.findings.push(no_game());
    }
    Ok(report)
}

/// What comes out of a piece.
#[derive(Debug)]
pub(crate) enum Reading {
    /// A game; its number counts from 1 in the piece.
    Game(Box<Game>),
    /// Findings of a stretch of the file that holds no game.
    Loose(Vec<Finding>),
}

/// The format of an input that begins with `start`, which is everything when
/// it is `complete`.
pub(crate) fn sniff(start: &[u8], complete: bool, extension: &str) -> Option<&'static dyn Format> {
    let bytes = start.get(..HEAD_BYTES).unwrap_or(start);
    let complete = complete && bytes.len() == start.len();
    if bytes.is_empty() { None } else { formats::sniff(&Head { bytes, complete, extension }) }
}

/// The finding of an input that no format knows.
pub(crate) fn unknown_format(empty: bool) -> Finding {
    let finding = Finding::new(Code::UnknownFormat, Place::WHOLE);
    if empty { finding.reason("empty") } else { finding }
}

/// Reads and replays the games of one piece, before which the file had
/// `games`. The format's reader passes on what was found while cutting.
pub(crate) fn read_piece(
    format: &'static dyn Format,
    piece: &Piece,
    options: &ReadOptions,
    mut games: u32,
    emit: &mut dyn FnMut(Reading) -> ControlFlow<()>,
) {
    format.read(piece, &options.limits, &mut |mut record| {
        if holds_a_game(&record) {
            games += 1;
            record.origin.game = games;
            emit(Reading::Game(Box::new(replay(record, &options.replay))))
        } else if record.findings.is_empty() {
            ControlFlow::Continue(())
        } else {
            emit(Reading::Loose(record.findings))
        }
    });
}

/// The finding of a file in a known format without a game.
pub(crate) fn no_game() -> Finding {
    Finding::new(Code::NoGame, Place::WHOLE)
}

/// A record that says nothing only carries findings of the file.
pub(crate) fn holds_a_game(record: &Record) -> bool {
    !record.tree.is_empty()
        || !record.headers.is_empty()
        || !record.tree.comments.is_empty()
        || record.start != Start::Standard
        || record.result.is_some()
}
