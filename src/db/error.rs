//! What can go wrong with a database.

use std::path::PathBuf;

use rusqlite::ErrorCode;

/// A fault of the database or the disk. Faults of the input are findings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DbError {
    /// SQLite says no.
    #[error("{}", in_words(.0))]
    Sqlite(#[from] rusqlite::Error),
    /// The schema could not be brought up to date.
    #[error("the database could not be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// There is no such file.
    #[error("there is no database `{}`; `qipu import PATH --db {}` makes one", .0.display(), .0.display())]
    Missing(PathBuf),
    /// An SQLite database of another program.
    #[error("`{}` is a database of another program", .0.display())]
    Foreign(PathBuf),
    /// Written by a newer qipu.
    #[error("`{}` was written by a newer qipu (schema {found}, this one knows {known})", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest version this build knows.
        known: i64,
    },
    /// What was asked cannot be done, and why.
    #[error("{0}")]
    Refused(String),
    /// A row contradicts `docs/schema.md`.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    /// The stored bytes could not be packed or unpacked.
    #[error("an original could not be packed or unpacked: {0}")]
    Compression(std::io::Error),
    /// A scratch file beside the database could not be written or read.
    #[error("a scratch file: {0}")]
    Scratch(std::io::Error),
    /// A dump could not be written.
    #[error("cannot write: {0}")]
    Output(std::io::Error),
}

/// What SQLite says, for those who do not know SQLite.
fn in_words(error: &rusqlite::Error) -> String {
    let words = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program is writing to it; try again when that one is done"
        }
        Some(ErrorCode::ReadOnly) => "it may be read, but not written",
        Some(ErrorCode::DiskFull) => "the disk is full; what was not committed is not there",
        Some(ErrorCode::DatabaseCorrupt) => "it is damaged; `qipu verify` tells where",
        Some(ErrorCode::CannotOpen) => "it cannot be opened, or not be made there",
        Some(ErrorCode::SystemIoFailure) => "the disk cannot be read or written",
        _ => return error.to_string(),
    };
    format!("{words} ({error})")
}

/// The result of asking a database.
pub type Result<T> = std::result::Result<T, DbError>;

/// A row that cannot be.
pub(crate) fn corrupt(what: impl Into<String>) -> DbError {
    DbError::Corrupt(what.into())
}

impl DbError {
    /// A column of another type than the schema says.
    pub(crate) fn from_sql(error: rusqlite::types::FromSqlError) -> DbError {
        DbError::Corrupt(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sqlite_says_is_told_in_words() {
        // Result codes of https://www.sqlite.org/rescode.html.
        for (code, words) in [
            (5, "another program"),
            (6, "another program"),
            (8, "not written"),
            (10, "the disk"),
            (11, "damaged"),
            (13, "the disk is full"),
            (14, "cannot be opened"),
        ] {
            let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            let text = DbError::from(error).to_string();
            assert!(text.contains(words), "{code}: {text}");
        }
    }
}
