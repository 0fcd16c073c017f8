//! The files that a command line names.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use walkdir::{DirEntry, WalkDir};

use super::archive::{ArchiveLimits, open_archives};
use super::entry::Entry;
use super::reading::ReadError;

/// Hands over the files that `paths` name: a file as it is, a folder with
/// everything below it in the order of the names, an archive as its members,
/// `-` as standard input. What cannot be entered comes as an error and does not
/// stop the rest. In folders, links to other folders are not followed, and what
/// is no file (a pipe, a socket) is passed over.
pub fn walk(paths: &[OsString]) -> impl Iterator<Item = Result<Entry, ReadError>> + use<'_> {
    let named = paths.iter().flat_map(|path| -> Box<dyn Iterator<Item = _> + Send> {
        if path == "-" || !Path::new(path).is_dir() {
            return Box::new(std::iter::once(Ok(Entry::from_argument(path))));
        }
        let found = WalkDir::new(path).sort_by_file_name().into_iter();
        Box::new(found.filter_map(|entry| match entry {
            Ok(entry) => is_file(&entry).then(|| Ok(Entry::file(entry.into_path()))),
            Err(error) => Some(Err(ReadError {
                path: error.path().map(|path| path.display().to_string()).unwrap_or_default(),
                source: error.into(),
            })),
        }))
    });
    open_archives(named, ArchiveLimits::default())
}

/// The bytes of the files that `paths` name, as far as the system tells;
/// standard input and what is forbidden count for nothing. Ends early with
/// what it has when `stop` becomes true.
pub fn size_of(paths: &[OsString], stop: &AtomicBool) -> u64 {
    let entries = paths.iter().filter(|path| *path != "-").flat_map(WalkDir::new);
    let sizes = entries.take_while(|_| !stop.load(Ordering::Relaxed)).filter_map(|entry| {
        let entry = entry.ok().filter(is_file)?;
        fs::metadata(entry.path()).ok().map(|data| data.len())
    });
    sizes.sum()
}

/// Also what is gone or forbidden, so that opening it tells why.
fn is_file(entry: &DirEntry) -> bool {
    let kind = entry.file_type();
    kind.is_file() || kind.is_symlink() && entry.path().metadata().map_or(true, |d| d.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_files_and_folders_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("a/b");
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join("one"), [0; 30]).unwrap();
        fs::write(folder.path().join("two"), [0; 12]).unwrap();
        let paths = [
            folder.path().as_os_str().to_owned(),
            folder.path().join("two").into_os_string(),
            folder.path().join("gone").into_os_string(),
            "-".into(),
        ];
        assert_eq!(size_of(&paths, &AtomicBool::new(false)), 30 + 12 + 12);
        assert_eq!(size_of(&paths, &AtomicBool::new(true)), 0);
    }
}
