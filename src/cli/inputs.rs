//! The files that a command line names.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use qipu::import::{Entry, walk};

use super::CliError;

/// Most that is taken from standard input; more belongs into a file.
const STDIN_BYTES: u64 = 1 << 30;

/// A file to be read, and a second way to its bytes for excerpts.
#[derive(Clone, Debug)]
pub(crate) struct InputFile {
    /// What the reader takes.
    pub(crate) entry: Entry,
    bytes: Source,
}

#[derive(Clone, Debug)]
enum Source {
    File(PathBuf),
    Bytes(Arc<[u8]>),
    /// A member of an archive: unpacked once more for an excerpt.
    Member,
}

/// Something an excerpt can be read from.
pub(crate) trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

impl InputFile {
    /// Standard input, read whole so that excerpts can be shown.
    pub(crate) fn stdin() -> Result<InputFile, CliError> {
        let mut bytes = Vec::new();
        let failed = |source| CliError::input("-", source);
        io::stdin().lock().take(STDIN_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > STDIN_BYTES {
            return Err(failed(io::Error::other("more than 1 GiB; write it to a file first")));
        }
        let bytes: Arc<[u8]> = bytes.into();
        Ok(InputFile { entry: Entry::bytes("-", Arc::clone(&bytes)), bytes: Source::Bytes(bytes) })
    }

    /// Bytes in place of a file.
    #[cfg(test)]
    pub(crate) fn of_bytes(path: &str, bytes: Vec<u8>) -> InputFile {
        let bytes: Arc<[u8]> = bytes.into();
        InputFile { entry: Entry::bytes(path, Arc::clone(&bytes)), bytes: Source::Bytes(bytes) }
    }

    /// A file on disk.
    pub(crate) fn file(path: &Path) -> InputFile {
        InputFile { entry: Entry::file(path), bytes: Source::File(path.to_owned()) }
    }

    /// Opens the bytes for an excerpt.
    pub(crate) fn open(&self) -> io::Result<Box<dyn ReadSeek>> {
        Ok(match &self.bytes {
            Source::File(path) => Box::new(File::open(path)?),
            Source::Bytes(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
            Source::Member => {
                let mut bytes = Vec::new();
                self.entry.open()?.take(STDIN_BYTES).read_to_end(&mut bytes)?;
                Box::new(Cursor::new(bytes))
            }
        })
    }
}

/// Hands over the files that `paths` name, as [`walk`] does.
pub(crate) fn files(
    paths: &[OsString],
) -> impl Iterator<Item = Result<InputFile, CliError>> + use<'_> {
    walk(paths).map(|found| match found {
        Ok(entry) if entry.path() == "-" => InputFile::stdin(),
        Ok(entry) => {
            let bytes = entry.file_path().map_or(Source::Member, |path| Source::File(path.into()));
            Ok(InputFile { entry, bytes })
        }
        Err(error) => Err(CliError::input(&error.path, error.source)),
    })
}
