//! The main line of a stored game.

use rusqlite::{CachedStatement, Connection, OptionalExtension, Row};

use super::error::{DbError, Result, corrupt};
use super::index::GameId;
use super::moves::{self, Coding, HalfMove};
use crate::board::{Move, Position};
use crate::game::GameResult;

/// Start and moves of a game, with what the statistics need.
#[derive(Debug)]
pub(crate) struct StoredLine {
    pub(crate) start: Position,
    pub(crate) line: Vec<Option<Move>>,
    pub(crate) result: GameResult,
    pub(crate) year: Option<u16>,
}

const COLUMNS: &str = "start_fen, coding, moves, result, year, id";

/// Reads main lines one after the other.
pub(crate) struct LineReader<'c> {
    select: CachedStatement<'c>,
    stored: StoredLine,
}

impl<'c> LineReader<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Result<LineReader<'c>> {
        let sql = format!("SELECT {COLUMNS} FROM game WHERE id = ? AND duplicate_of IS NULL");
        Ok(LineReader { select: connection.prepare_cached(&sql)?, stored: StoredLine::new() })
    }

    /// A game that counts; `None` when there is none with this id or it is
    /// linked to an earlier copy.
    pub(crate) fn counted(&mut self, game: GameId) -> Result<Option<&StoredLine>> {
        let stored = &mut self.stored;
        let read = self.select.query_row([game], |row| Ok(stored.read(row))).optional()?;
        match read {
            None => Ok(None),
            Some(read) => read.map(|()| Some(&*stored)),
        }
    }

    /// All games that count, by id.
    pub(crate) fn each_counted(
        connection: &Connection,
        each: &mut dyn FnMut(GameId, &StoredLine),
    ) -> Result<()> {
        let sql = format!("SELECT {COLUMNS} FROM game WHERE duplicate_of IS NULL ORDER BY id");
        let mut select = connection.prepare_cached(&sql)?;
        let mut rows = select.query([])?;
        let mut stored = StoredLine::new();
        while let Some(row) = rows.next()? {
            stored.read(row)?;
            each(row.get(5)?, &stored);
        }
        Ok(())
    }
}

impl StoredLine {
    fn new() -> StoredLine {
        StoredLine {
            start: Position::start(),
            line: Vec::new(),
            result: GameResult::Unknown,
            year: None,
        }
    }

    /// Reads [`COLUMNS`].
    fn read(&mut self, row: &Row<'_>) -> Result<()> {
        self.start = start_of(row.get_ref(0)?.as_str_or_null().map_err(DbError::from_sql)?)?;
        let bytes = row.get_ref(2)?.as_blob().map_err(DbError::from_sql)?;
        self.line.clear();
        let line = &mut self.line;
        decode_line(&self.start, row.get(1)?, bytes, &mut |half| line.push(half.known()))?;
        let result = row.get_ref(3)?.as_str().map_err(DbError::from_sql)?;
        self.result = result_of(result)?;
        self.year = row.get(4)?;
        Ok(())
    }
}

/// The start position of a row.
pub(crate) fn start_of(fen: Option<&str>) -> Result<Position> {
    fen.map_or_else(
        || Ok(Position::start()),
        |fen| Position::from_canonical_fen(fen).map_err(|error| corrupt(format!("{fen}: {error}"))),
    )
}

/// Unpacks the moves of a row.
pub(crate) fn decode_line(
    start: &Position,
    coding: i64,
    bytes: &[u8],
    each: &mut dyn FnMut(HalfMove),
) -> Result<()> {
    let coding = match coding {
        0 => Coding::Slots,
        1 => Coding::Squares,
        other => return Err(corrupt(format!("moves coded in way {other}"))),
    };
    moves::decode(start, coding, bytes, each).map_err(|_| corrupt("the moves of a game"))
}

/// The result of a row.
pub(crate) fn result_of(code: &str) -> Result<GameResult> {
    [GameResult::RedWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown]
        .into_iter()
        .find(|result| result.code() == code)
        .ok_or_else(|| corrupt(format!("the result `{code}`")))
}
