//! Looks through all games on all cores.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, available_parallelism};

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};

use super::Pattern;
use crate::db::error::Result;
use crate::db::index::GameId;
use crate::db::lines::LineReader;

/// Games of a piece of work.
const PIECE: i64 = 2048;
/// More threads than this only wait for the disk.
const THREADS: usize = 16;

/// Which games one piece of work looks at.
enum Work<'a> {
    /// All with ids in this range, copies among them or not.
    Range { from: GameId, to: GameId, copies: bool },
    /// These, ascending.
    Listed(&'a [GameId]),
}

/// The games that hold the question, ascending.
pub(crate) fn scan(
    connection: &Connection,
    pattern: &Pattern,
    copies: bool,
) -> Result<Vec<GameId>> {
    let last: GameId =
        connection.query_row("SELECT ifnull(max(id), 0) FROM game", [], |row| row.get(0))?;
    let pieces: Vec<Work<'_>> = (0..=last / PIECE)
        .map(|piece| Work::Range { from: piece * PIECE, to: piece * PIECE + PIECE - 1, copies })
        .collect();
    spread(connection, pattern, &pieces)
}

/// Of some games, in the order of their ids, those that hold the question.
pub(crate) fn retain(
    connection: &Connection,
    pattern: &Pattern,
    ids: &[GameId],
) -> Result<Vec<GameId>> {
    let pieces: Vec<Work<'_>> = ids.chunks(PIECE as usize).map(Work::Listed).collect();
    spread(connection, pattern, &pieces)
}

/// Does the work, on several threads where the database is a file that others
/// can open, too.
fn spread(connection: &Connection, pattern: &Pattern, pieces: &[Work<'_>]) -> Result<Vec<GameId>> {
    let path = connection.path().filter(|path| !path.is_empty()).map(PathBuf::from);
    let threads = available_parallelism().map_or(1, usize::from).min(THREADS).min(pieces.len());
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    // What this connection has written and not committed others cannot see.
    let path = path.filter(|_| threads > 1 && connection.is_autocommit());
    let Some(path) = path else {
        work(connection, pattern, pieces, &next, &found)?;
        return Ok(sorted(found));
    };
    thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads)
            .map(|_| {
                scope.spawn(|| {
                    let connection = reader(&path)?;
                    work(&connection, pattern, pieces, &next, &found)
                })
            })
            .collect();
        let own = work(connection, pattern, pieces, &next, &found);
        for helper in helpers {
            // A panic of a helper is a fault of ours; let it be seen.
            match helper.join() {
                Ok(done) => done?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        own
    })?;
    Ok(sorted(found))
}

fn sorted(found: Mutex<Vec<GameId>>) -> Vec<GameId> {
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    found
}

fn reader(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(crate::db::BUSY)?;
    Ok(connection)
}

/// Takes pieces of work until none is left.
fn work(
    connection: &Connection,
    pattern: &Pattern,
    pieces: &[Work<'_>],
    next: &AtomicUsize,
    found: &Mutex<Vec<GameId>>,
) -> Result<()> {
    let mut own = Vec::new();
    while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
        match piece {
            Work::Range { from, to, copies } => {
                let condition = if *copies {
                    "id BETWEEN ? AND ?"
                } else {
                    "id BETWEEN ? AND ? AND duplicate_of IS NULL"
                };
                look(connection, pattern, condition, [*from, *to].as_slice(), &mut own)?;
            }
            Work::Listed(ids) => {
                for id in *ids {
                    look(connection, pattern, "id = ?", &[*id], &mut own)?;
                }
            }
        }
    }
    found.lock().unwrap_or_else(PoisonError::into_inner).append(&mut own);
    Ok(())
}

fn look(
    connection: &Connection,
    pattern: &Pattern,
    condition: &str,
    ids: &[GameId],
    found: &mut Vec<GameId>,
) -> Result<()> {
    let values: Vec<Value> = ids.iter().map(|id| Value::from(*id)).collect();
    LineReader::each_where(connection, condition, &values, &mut |id, stored| {
        if pattern.first_in(stored)?.is_some() {
            found.push(id);
        }
        Ok(())
    })
}

/// Where a game first holds the question.
pub(crate) fn first_ply(
    connection: &Connection,
    pattern: &Pattern,
    id: GameId,
) -> Result<Option<u32>> {
    let mut ply = None;
    LineReader::each_where(connection, "id = ?", &[Value::from(id)], &mut |_, stored| {
        ply = pattern.first_in(stored)?;
        Ok(())
    })?;
    Ok(ply)
}
