//! Opens and closes the file of a database.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::error::{DbError, Result};
use super::{Database, functions, schema};

/// Bytes of a page of a new database. Twice the usual size takes half as many
/// calls to write an import.
const PAGE_SIZE: u32 = 8192;
/// Marks a file as a qipu database (`PRAGMA application_id`): ASCII `qipu`.
const APPLICATION_ID: i64 = 0x7169_7075;

/// How long a program waits for another that holds the database.
const BUSY: Duration = Duration::from_secs(10);
/// Memory for pages, in KiB; negative because SQLite counts pages otherwise.
const CACHE_KIB: i64 = -32 * 1024;

impl Database {
    /// Opens a database for reading and writing, and makes it when there is
    /// none. Until [`Database::close`] it keeps a write-ahead log beside it.
    ///
    /// # Errors
    /// When the file cannot be opened, belongs to another program, or was
    /// written by a newer qipu.
    pub fn create(path: &Path) -> Result<Database> {
        let mut connection = Connection::open(path)?;
        check(&connection, path)?;
        prepare(&connection)?;
        // Of a new file only: one that has pages keeps their size.
        connection.pragma_update(None, "page_size", PAGE_SIZE)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        schema::migrate(&mut connection)?;
        Ok(Database { connection, path: path.to_owned() })
    }

    /// Opens an existing database to ask it.
    ///
    /// # Errors
    /// When there is no such file, and as [`Database::create`].
    pub fn open(path: &Path) -> Result<Database> {
        if !path.exists() {
            return Err(DbError::Missing(path.to_owned()));
        }
        let connection = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        if check(&connection, path)? < schema::VERSION {
            drop(connection);
            return Database::create(path);
        }
        prepare(&connection)?;
        Ok(Database { connection, path: path.to_owned() })
    }

    /// A database in memory, for tests and short questions.
    ///
    /// # Errors
    /// When memory is short.
    pub fn in_memory() -> Result<Database> {
        let mut connection = Connection::open_in_memory()?;
        prepare(&connection)?;
        schema::migrate(&mut connection)?;
        Ok(Database { connection, path: PathBuf::from(":memory:") })
    }

    /// Closes the database and folds the write-ahead log into the file, so
    /// that one file is all there is.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn close(self) -> Result<()> {
        // While another program reads, the log has to stay. That is no fault.
        let mode: rusqlite::Result<String> =
            self.connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0));
        match mode {
            Ok(_) | Err(rusqlite::Error::SqliteFailure(_, _)) => {}
            Err(error) => return Err(error.into()),
        }
        self.connection.close().map_err(|(_, error)| error.into())
    }
}

/// Answers a question from one state of the database, whoever writes
/// meanwhile. It is also quicker: the file is locked and looked at once, not
/// for each statement.
pub(crate) fn at_once<T>(connection: &Connection, work: impl FnOnce() -> Result<T>) -> Result<T> {
    if !connection.is_autocommit() {
        return work();
    }
    connection.prepare_cached("BEGIN")?.execute([])?;
    let done = work();
    // Nothing was written, so either end of the transaction is the same.
    let ended = connection.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
    let done = done?;
    ended?;
    Ok(done)
}

/// Settings of every connection.
fn prepare(connection: &Connection) -> Result<()> {
    connection.set_prepared_statement_cache_capacity(64);
    // Else a statement with `IS ?` is compiled again at every use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "cache_size", CACHE_KIB)?;
    functions::register(connection)
}

/// Whether the file is ours; gives its schema version, 0 when it is empty.
fn check(connection: &Connection, path: &Path) -> Result<i64> {
    connection.busy_timeout(BUSY)?;
    let foreign = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => DbError::Foreign(path.to_owned()),
        _ => DbError::Sqlite(error),
    };
    let pragma = |name: &str| -> Result<i64> {
        connection.pragma_query_value(None, name, |row| row.get(0)).map_err(foreign)
    };
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(foreign)?;
    if tables == 0 {
        return Ok(0);
    }
    if pragma("application_id")? != APPLICATION_ID {
        return Err(DbError::Foreign(path.to_owned()));
    }
    let (found, known) = (pragma("user_version")?, schema::VERSION);
    if found > known {
        return Err(DbError::Newer { path: path.to_owned(), found, known });
    }
    Ok(found)
}
