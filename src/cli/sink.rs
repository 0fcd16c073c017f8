//! Files that appear under their name once they are whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::CliError;

/// A file that appears under its name once it is whole; it may be an input.
#[derive(Debug)]
pub(crate) struct Sink {
    path: PathBuf,
    part: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Sink {
    /// Begins a file.
    pub(crate) fn create(path: &Path) -> Result<Sink, CliError> {
        let part = part(path);
        let file = File::create(&part).map_err(|source| Sink::failed(&part, source))?;
        Ok(Sink { path: path.to_owned(), part, file: Some(BufWriter::new(file)) })
    }

    /// The file could not be written.
    pub(crate) fn failed(path: &Path, source: io::Error) -> CliError {
        CliError::Output { path: Some(path.to_owned()), source }
    }

    /// The name that the file will have.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> Result<PathBuf, CliError> {
        if let Some(mut file) = self.file.take() {
            file.flush()
                .and_then(|()| std::fs::rename(&self.part, &self.path))
                .map_err(|source| Sink::failed(&self.path, source))?;
        }
        Ok(self.path.clone())
    }
}

/// What a file or folder is called until it is whole.
pub(crate) fn part(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    path.with_file_name(name)
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// What was begun and did not become whole goes away.
impl Drop for Sink {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = std::fs::remove_file(&self.part);
        }
    }
}
