//! One input: a file, standard input, or bytes that came out of something
//! else (a member of an archive, a test).

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::input::{FileHash, hash_all};

/// Something that can be read as one file.
#[derive(Clone, Debug)]
pub struct Entry {
    path: String,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    File(PathBuf),
    Stdin,
    Bytes(Arc<[u8]>),
    Opener(Opener),
}

/// Makes a reader from the beginning, as often as it is asked.
#[derive(Clone)]
struct Opener(Arc<dyn Fn() -> io::Result<Box<dyn Read + Send>> + Send + Sync>);

impl std::fmt::Debug for Opener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Opener")
    }
}

impl Entry {
    /// A file on disk.
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Entry {
        let path = path.into();
        Entry { path: path.to_string_lossy().into_owned(), source: Source::File(path) }
    }

    /// Standard input, called `-`.
    #[must_use]
    pub fn stdin() -> Entry {
        Entry { path: "-".to_owned(), source: Source::Stdin }
    }

    /// Bytes in memory under a name of the caller's choice.
    #[must_use]
    pub fn bytes(path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Entry {
        Entry { path: path.into(), source: Source::Bytes(bytes.into()) }
    }

    /// What a function opens, such as a file that is unpacked while it is read.
    pub fn opened_by(
        path: impl Into<String>,
        open: impl Fn() -> io::Result<Box<dyn Read + Send>> + Send + Sync + 'static,
    ) -> Entry {
        Entry { path: path.into(), source: Source::Opener(Opener(Arc::new(open))) }
    }

    /// Where the file is, when it is one on disk.
    #[must_use]
    pub fn file_path(&self) -> Option<&Path> {
        match &self.source {
            Source::File(path) => Some(path),
            _ => None,
        }
    }

    /// What a word on the command line names: `-` is standard input, anything
    /// else a file.
    #[must_use]
    pub fn from_argument(argument: &OsStr) -> Entry {
        if argument == "-" { Entry::stdin() } else { Entry::file(argument) }
    }

    /// The path as it was given.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Ending of the file name in lower case, without the dot; empty when
    /// there is none.
    #[must_use]
    pub fn extension(&self) -> String {
        Path::new(&self.path)
            .extension()
            .map(|ending| ending.to_string_lossy().to_lowercase())
            .unwrap_or_default()
    }

    /// Number of bytes, where it is known without reading.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match &self.source {
            Source::File(path) => std::fs::metadata(path).ok().map(|data| data.len()),
            Source::Stdin | Source::Opener(_) => None,
            Source::Bytes(bytes) => Some(bytes.len() as u64),
        }
    }

    /// Whether it can be opened a second time.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        match &self.source {
            // A pipe or a device has a path, too, but is gone once read.
            Source::File(path) => std::fs::metadata(path).is_ok_and(|data| data.is_file()),
            Source::Stdin => false,
            Source::Bytes(_) | Source::Opener(_) => true,
        }
    }

    /// Whether it is the file of a database, or one that SQLite keeps beside
    /// it.
    pub(crate) fn belongs_to(&self, database: &Path) -> bool {
        let Source::File(path) = &self.source else { return false };
        let (Some(name), Some(own)) = (path.file_name(), database.file_name()) else {
            return false;
        };
        let (name, own) = (name.to_string_lossy(), own.to_string_lossy());
        let beside = |ending: &&str| name.strip_prefix(&*own) == Some(*ending);
        if !["", "-wal", "-shm", "-journal"].iter().any(beside) {
            return false;
        }
        let folder = |path: &Path| match path.parent() {
            Some(parent) if parent != Path::new("") => parent.canonicalize(),
            _ => Path::new(".").canonicalize(),
        };
        folder(path).is_ok_and(|one| folder(database).is_ok_and(|other| one == other))
    }

    /// Opens it from the beginning.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match &self.source {
            Source::File(path) => Box::new(File::open(path)?),
            Source::Stdin => Box::new(io::stdin()),
            Source::Bytes(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
            Source::Opener(Opener(open)) => open()?,
        })
    }

    /// The hash of all its bytes.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn hash(&self) -> io::Result<FileHash> {
        hash_all(self.open()?)
    }
}

impl From<&Path> for Entry {
    fn from(path: &Path) -> Entry {
        Entry::file(path)
    }
}
