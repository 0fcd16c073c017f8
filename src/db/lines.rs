//! The main line of a stored game.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, params_from_iter};

use super::error::{DbError, Result, corrupt};
use super::index::{GameFacts, GameId};
use super::moves::{self, Coding, HalfMove};
use super::walk::{Reached, Walk, reach};
use crate::board::{Move, Position};
use crate::game::GameResult;

/// Start and moves of a game, with what the statistics need.
#[derive(Clone, Debug)]
pub(crate) struct StoredLine {
    pub(crate) start: Position,
    ordinary: bool,
    pub(crate) coding: Coding,
    pub(crate) moves: Vec<u8>,
    pub(crate) facts: GameFacts,
}

const COLUMNS: &str = "start_fen, coding, moves, result, year, id, red_rating, black_rating";

/// Reads main lines one after the other.
pub(crate) struct LineReader<'c> {
    select: CachedStatement<'c>,
    stored: StoredLine,
}

impl<'c> LineReader<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Result<LineReader<'c>> {
        static SQL: LazyLock<String> = LazyLock::new(|| {
            format!("SELECT {COLUMNS} FROM game WHERE id = ? AND duplicate_of IS NULL")
        });
        Ok(LineReader { select: connection.prepare_cached(&SQL)?, stored: StoredLine::new() })
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
        each: &mut dyn FnMut(GameId, &StoredLine) -> Result<()>,
    ) -> Result<()> {
        LineReader::each_where(connection, "duplicate_of IS NULL", &[], each)
    }

    /// The games that meet a condition in SQL, by id.
    pub(crate) fn each_where(
        connection: &Connection,
        condition: &str,
        values: &[Value],
        each: &mut dyn FnMut(GameId, &StoredLine) -> Result<()>,
    ) -> Result<()> {
        let sql = format!("SELECT {COLUMNS} FROM game WHERE {condition} ORDER BY id");
        let mut select = connection.prepare_cached(&sql)?;
        let mut rows = select.query(params_from_iter(values))?;
        let mut stored = StoredLine::new();
        while let Some(row) = rows.next()? {
            stored.read(row)?;
            each(row.get(5)?, &stored)?;
        }
        Ok(())
    }
}

impl StoredLine {
    fn new() -> StoredLine {
        StoredLine {
            start: ordinary_start().clone(),
            ordinary: true,
            coding: Coding::Slots,
            moves: Vec::new(),
            facts: GameFacts::default(),
        }
    }

    /// Reads [`COLUMNS`].
    fn read(&mut self, row: &Row<'_>) -> Result<()> {
        let fen = row.get_ref(0)?.as_str_or_null().map_err(DbError::from_sql)?;
        // Nearly all games begin at the ordinary start: keep it.
        if !(fen.is_none() && self.ordinary) {
            self.start = start_of(fen)?;
            self.ordinary = fen.is_none();
        }
        self.coding = coding_of(row.get(1)?)?;
        self.moves.clear();
        self.moves.extend_from_slice(row.get_ref(2)?.as_blob().map_err(DbError::from_sql)?);
        let result = row.get_ref(3)?.as_str().map_err(DbError::from_sql)?;
        self.facts = GameFacts {
            result: result_of(result)?,
            year: row.get(4)?,
            ratings: [row.get(6)?, row.get(7)?],
        };
        Ok(())
    }

    /// The half-moves.
    pub(crate) fn line(&self) -> Result<Vec<Option<Move>>> {
        let mut line = Vec::with_capacity(self.moves.len());
        let mut each = |half: HalfMove| {
            line.push(half.known());
            ControlFlow::Continue(())
        };
        moves::decode(&self.start, self.coding, &self.moves, &mut each).map_err(|_| bad_moves())?;
        Ok(line)
    }

    /// Where the line reaches a position.
    pub(crate) fn reach(&self, target: &Walk) -> Result<Option<Reached>> {
        reach(&self.start, self.coding, &self.moves, target)
    }
}

/// The ordinary start position, made once.
pub(crate) fn ordinary_start() -> &'static Position {
    static START: LazyLock<Position> = LazyLock::new(Position::start);
    &START
}

/// The start position of a row.
pub(crate) fn start_of(fen: Option<&str>) -> Result<Position> {
    fen.map_or_else(
        || Ok(ordinary_start().clone()),
        |fen| Position::from_canonical_fen(fen).map_err(|error| corrupt(format!("{fen}: {error}"))),
    )
}

/// Unpacks the moves of a row.
pub(crate) fn decode_line(
    start: &Position,
    coding: i64,
    bytes: &[u8],
    mut each: impl FnMut(HalfMove),
) -> Result<()> {
    let mut all = |half| {
        each(half);
        ControlFlow::Continue(())
    };
    moves::decode(start, coding_of(coding)?, bytes, &mut all).map_err(|_| bad_moves())
}

/// The coding of a row.
pub(crate) fn coding_of(coding: i64) -> Result<Coding> {
    match coding {
        0 => Ok(Coding::Slots),
        1 => Ok(Coding::Squares),
        other => Err(corrupt(format!("moves coded in way {other}"))),
    }
}

/// The bytes of a row are no moves.
pub(crate) fn bad_moves() -> DbError {
    corrupt("the moves of a game")
}

/// The result of a row.
pub(crate) fn result_of(code: &str) -> Result<GameResult> {
    [GameResult::RedWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown]
        .into_iter()
        .find(|result| result.code() == code)
        .ok_or_else(|| corrupt(format!("the result `{code}`")))
}
