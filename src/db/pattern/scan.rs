//! Looks through all games on all cores.
//!
//! One thread reads, so that all games are of one state of the database,
//! whoever writes meanwhile; the others look.

use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, available_parallelism};

use rusqlite::Connection;
use rusqlite::types::Value;

use super::Pattern;
use crate::db::error::Result;
use crate::db::index::GameId;
use crate::db::lines::{LineReader, StoredLine};

/// Games that are handed over together.
const PIECE: usize = 256;
/// More threads than this only wait for the reader.
const THREADS: usize = 16;

/// Games to look at.
type Piece = Vec<(GameId, StoredLine)>;

/// The games that hold the question, ascending.
pub(crate) fn scan(
    connection: &Connection,
    pattern: &Pattern,
    copies: bool,
) -> Result<Vec<GameId>> {
    let condition = if copies { "1" } else { "duplicate_of IS NULL" };
    spread(pattern, &mut |each| LineReader::each_where(connection, condition, &[], each))
}

/// Of some games, in the order of their ids, those that hold the question.
pub(crate) fn retain(
    connection: &Connection,
    pattern: &Pattern,
    ids: &[GameId],
) -> Result<Vec<GameId>> {
    spread(pattern, &mut |each| {
        for id in ids {
            LineReader::each_where(connection, "id = ?", &[Value::from(*id)], each)?;
        }
        Ok(())
    })
}

/// Takes a game.
type Each<'a> = dyn FnMut(GameId, &StoredLine) -> Result<()> + 'a;

/// Shows every game that `read` gives to one of several threads.
fn spread(
    pattern: &Pattern,
    read: &mut dyn FnMut(&mut Each<'_>) -> Result<()>,
) -> Result<Vec<GameId>> {
    let threads = available_parallelism().map_or(1, usize::from).min(THREADS);
    let (send, receive) = sync_channel::<Piece>(2 * threads);
    let receive = Arc::new(Mutex::new(receive));
    let mut found = thread::scope(|scope| {
        let lookers: Vec<_> = (0..threads)
            .map(|_| {
                let receive = Arc::clone(&receive);
                scope.spawn(move || look(pattern, &receive))
            })
            .collect();
        // Should all of them panic, nobody is left to send to.
        drop(receive);
        let mut piece = Piece::with_capacity(PIECE);
        let done = read(&mut |id, stored| {
            piece.push((id, stored.clone()));
            if piece.len() == PIECE {
                let full = std::mem::replace(&mut piece, Piece::with_capacity(PIECE));
                // Nobody takes it when all have panicked, which is seen below.
                let _ = send.send(full);
            }
            Ok(())
        });
        let _ = send.send(piece);
        drop(send);
        let mut found = Vec::new();
        for looker in lookers {
            match looker.join() {
                Ok(games) => found.append(&mut games?),
                // A panic of a thread is a fault of ours; let it be seen.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done.map(|()| found)
    })?;
    found.sort_unstable();
    Ok(found)
}

/// Looks at games until none come.
fn look(pattern: &Pattern, receive: &Mutex<Receiver<Piece>>) -> Result<Vec<GameId>> {
    let mut found = Ok(Vec::new());
    loop {
        let next = receive.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(piece) = next else { return found };
        for (id, stored) in &piece {
            // After an error the rest is taken and left, so that the reader ends.
            let Ok(games) = &mut found else { break };
            match pattern.first_in(stored) {
                Ok(Some(_)) => games.push(*id),
                Ok(None) => {}
                Err(error) => found = Err(error),
            }
        }
    }
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
