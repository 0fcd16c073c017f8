//! Writes what the workers made, in order, a whole file or none of it.

use std::num::NonZeroUsize;

use super::feed::{Begin, End};
use super::pipeline::Progress;
use super::reading::{ReadError, no_game};
use super::summary::Summary;
use crate::db::{Database, DbError, PackedGame, Result, SourceEnd, Writer};
use crate::finding::{Code, Finding};
use crate::record::FormatId;

/// Games after which a transaction ends with the file: an eighth of those that
/// are there, within these bounds. A commit writes out every page of the
/// indexes that a game may fall on, so their number must not grow as the
/// database does.
const GAMES_PER_COMMIT: (u64, u64) = (50_000, 500_000);
/// Files after which a transaction ends.
const FILES_PER_COMMIT: u64 = 5_000;
/// Bytes of originals after which a transaction ends with the file.
const BYTES_PER_COMMIT: usize = 64 << 20;

/// Work that has been done.
pub(crate) enum Made {
    Begin(Begin),
    Games(Vec<Output>),
    Original { size: usize, packed: Result<Vec<u8>> },
    End(End),
    Abandon(Option<ReadError>),
    Skip { path: String, bytes: u64 },
    Unreadable(ReadError),
}

/// What came out of a piece, in its order.
pub(crate) enum Output {
    Game(Box<PackedGame>),
    Loose(Vec<Finding>),
}

/// The file that is being written.
struct OpenFile {
    begin: Begin,
    counts: Summary,
    findings: Vec<Finding>,
    /// It is there already: nothing of it is written.
    skipped: bool,
}

/// The writing end of an import.
pub(crate) struct Store<'a> {
    writer: Writer<'a>,
    progress: &'a mut dyn Progress,
    summary: Summary,
    file: Option<OpenFile>,
    games: u64,
    files: u64,
    bytes: usize,
}

impl<'a> Store<'a> {
    pub(crate) fn new(
        db: &'a Database,
        run: i64,
        threads: NonZeroUsize,
        progress: &'a mut dyn Progress,
    ) -> Result<Store<'a>> {
        Ok(Store {
            writer: db.writer(run)?.with_threads(threads),
            progress,
            summary: Summary { run, ..Summary::default() },
            file: None,
            games: 0,
            files: 0,
            bytes: 0,
        })
    }

    /// Tells whoever looks that so many bytes are done.
    pub(crate) fn show_bytes(&mut self, more: u64) {
        self.progress.bytes(more);
    }

    /// Writes one result. Gives back the games of which it needs nothing more.
    pub(crate) fn take(&mut self, made: Made) -> Result<Option<Vec<Output>>> {
        match made {
            Made::Games(mut outputs) => {
                outputs.iter_mut().try_for_each(|output| self.output(output))?;
                return Ok(Some(outputs));
            }
            Made::Begin(begin) => self.begin(begin),
            Made::Original { size, packed } => self.original(size, &packed?),
            Made::End(end) => self.end(end),
            Made::Abandon(error) => self.abandon(error),
            Made::Skip { path, bytes } => {
                self.summary.files += 1;
                self.summary.files_skipped += 1;
                self.progress.file_started(&path);
                self.progress.bytes(bytes);
                self.progress.file_done(bytes);
                Ok(())
            }
            Made::Unreadable(error) => {
                self.summary.files += 1;
                self.unreadable(&error);
                Ok(())
            }
        }?;
        Ok(None)
    }

    fn unreadable(&mut self, error: &ReadError) {
        self.summary.files_failed += 1;
        self.progress.unreadable(error);
    }

    fn begin(&mut self, begin: Begin) -> Result<()> {
        self.summary.files += 1;
        self.progress.file_started(&begin.path);
        if begin.alone {
            self.commit()?;
        }
        let known = match &begin.sha256 {
            Some(sha256) => self.writer.known_source(&sha256.to_string())?,
            None => None,
        };
        let skipped = known.is_some_and(|(_, had_format)| had_format || !begin.has_format);
        if !skipped {
            self.writer.begin_source(&begin.path)?;
            if let Some((source, _)) = known {
                self.writer.remove_unknown_source(source)?;
            }
        }
        self.file =
            Some(OpenFile { begin, counts: Summary::default(), findings: Vec::new(), skipped });
        Ok(())
    }

    fn output(&mut self, output: &mut Output) -> Result<()> {
        let Some(file) = self.file.as_mut().filter(|file| !file.skipped) else { return Ok(()) };
        match output {
            Output::Loose(findings) => file.findings.append(findings),
            Output::Game(packed) => {
                let stored = self.writer.add_game(packed)?;
                let counts = &mut file.counts;
                counts.games += 1;
                counts.plies += u64::from(packed.plies());
                counts.with_errors += u64::from(packed.has_errors());
                counts.note(&packed.game().findings);
                if stored.duplicate_of.is_some() {
                    counts.duplicates += 1;
                    *counts.findings.entry(Code::DuplicateGame.name()).or_default() += 1;
                } else {
                    counts.new += 1;
                }
                self.games += 1;
                self.progress.games(1);
            }
        }
        Ok(())
    }

    fn original(&mut self, size: usize, packed: &[u8]) -> Result<()> {
        if self.file.as_ref().is_some_and(|file| !file.skipped) {
            self.writer.add_original(size, packed)?;
            self.bytes += packed.len();
        }
        Ok(())
    }

    fn end(&mut self, end: End) -> Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        self.progress.file_done(end.bytes);
        let sha256 = end.sha256.to_string();
        if !file.skipped && file.begin.sha256.is_none() {
            // Only now the hash is known; the file has a transaction of its own.
            match self.writer.known_source(&sha256)? {
                Some((_, had_format)) if had_format || end.format.is_none() => {
                    self.writer.rollback()?;
                    self.forget();
                    file.skipped = true;
                }
                Some((source, _)) => self.writer.remove_unknown_source(source)?,
                None => {}
            }
        }
        if file.skipped {
            self.summary.files_skipped += 1;
            return Ok(());
        }
        file.findings.extend(end.findings);
        if file.counts.games == 0 && file.findings.is_empty() {
            file.findings.push(no_game());
        }
        file.counts.note(&file.findings);
        self.writer.end_source(&SourceEnd {
            sha256: &sha256,
            bytes: end.bytes,
            format: end.format.map(FormatId::name),
            findings: &file.findings,
        })?;
        self.files += 1;
        self.summary.add_file(&file.counts);
        let (least, most) = GAMES_PER_COMMIT;
        if self.games >= (self.writer.games() / 8).clamp(least, most)
            || self.files >= FILES_PER_COMMIT
            || self.bytes >= BYTES_PER_COMMIT
        {
            self.commit()?;
        }
        Ok(())
    }

    /// The rest of a file will not come. It has a transaction of its own.
    fn abandon(&mut self, error: Option<ReadError>) -> Result<()> {
        self.file = None;
        self.writer.rollback()?;
        self.forget();
        match error {
            Some(error) => self.unreadable(&error),
            None => self.summary.files -= 1,
        }
        Ok(())
    }

    fn forget(&mut self) {
        (self.games, self.files, self.bytes) = (0, 0, 0);
    }

    fn commit(&mut self) -> Result<()> {
        self.writer.commit()?;
        self.forget();
        Ok(())
    }

    /// Commits what is whole and gives the summary.
    pub(crate) fn finish(mut self) -> std::result::Result<Summary, DbError> {
        if self.file.is_some() {
            // Somebody stopped in the middle of a file that is alone.
            self.writer.rollback()?;
        }
        self.writer.finish()?;
        Ok(self.summary)
    }
}
