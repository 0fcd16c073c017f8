//! SQL functions for the connections of qipu, so that questions in SQL need
//! not know how moves are packed.
//!
//! - `qipu_moves(start_fen, coding, moves)`: the main line as a JSON array of
//!   ICCS, `--` for a half-move that is not known.
//! - `qipu_fen(start_fen, coding, moves, ply)`: the canonical FEN after so
//!   many half-moves; NULL after the end of the line or a half-move that is not
//!   known.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};

use super::error::{DbError, Result};
use super::lines::{decode_line, start_of};
use super::moves::HalfMove;
use crate::board::Position;

/// Makes the functions known to a connection.
pub(crate) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("qipu_moves", 3, flags, |context| {
        let (_, line) = line_of(context).map_err(outside)?;
        let mut json = String::with_capacity(2 + 7 * line.len());
        json.push('[');
        for (i, half) in line.iter().enumerate() {
            json.push_str(if i > 0 { ",\"" } else { "\"" });
            match half.known() {
                Some(mv) => json.push_str(&mv.to_string()),
                None => json.push_str("--"),
            }
            json.push('"');
        }
        json.push(']');
        Ok(json)
    })?;
    connection.create_scalar_function("qipu_fen", 4, flags, |context| {
        let (mut position, line) = line_of(context).map_err(outside)?;
        let Ok(plies) = usize::try_from(context.get::<i64>(3)?) else { return Ok(None) };
        let Some(played) = line.get(..plies) else { return Ok(None) };
        for half in played {
            let Some(mv) = half.known() else { return Ok(None) };
            position.make(mv);
        }
        Ok(Some(position.fen()))
    })?;
    Ok(())
}

/// Start and main line from the first three arguments.
fn line_of(context: &Context<'_>) -> Result<(Position, Vec<HalfMove>)> {
    let start = start_of(context.get_raw(0).as_str_or_null().map_err(DbError::from_sql)?)?;
    let moves = context.get_raw(2).as_blob().map_err(DbError::from_sql)?;
    let mut line = Vec::with_capacity(moves.len());
    decode_line(&start, context.get(1)?, moves, |half| line.push(half))?;
    Ok((start, line))
}

fn outside(error: DbError) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(Box::new(error))
}
