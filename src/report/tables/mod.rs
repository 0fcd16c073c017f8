//! The database as tables for other programs: `games`, `moves`, `positions`.
//!
//! `docs/export.md` describes every column; its tables are held to the lists
//! here by a test. A [`Sink`] writes rows in one file format.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;
mod rows;

use std::io;

pub use csv::{CsvRows, csv_head};
#[cfg(feature = "parquet")]
pub use parquet::ParquetTable;

use crate::db::StoredGame;

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// A row a game.
    Games,
    /// A row a half-move of the main line.
    Moves,
    /// A row a position of the main line, the start among them, up to the
    /// first half-move that is not known.
    Positions,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers of 64 bits.
    Number,
    /// UTF-8.
    Text,
    /// Yes or no.
    Flag,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name, in the files and in `docs/export.md`.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether the value may be absent.
    pub optional: bool,
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    /// There is none.
    Absent,
    /// A number.
    Number(i64),
    /// A text.
    Text(&'a str),
    /// Yes or no.
    Flag(bool),
}

/// Takes the rows of one table.
pub trait Sink {
    /// Writes a row that has a cell for each column of the table.
    ///
    /// # Errors
    /// When the output cannot be written.
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// Writes what was held back.
    ///
    /// # Errors
    /// When the output cannot be written.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Table {
    /// All tables.
    pub const ALL: [Table; 3] = [Table::Games, Table::Moves, Table::Positions];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Table::Games => "games",
            Table::Moves => "moves",
            Table::Positions => "positions",
        }
    }

    /// Its columns in their order.
    #[must_use]
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Table::Games => rows::GAMES,
            Table::Moves => rows::MOVES,
            Table::Positions => rows::POSITIONS,
        }
    }

    /// Writes the rows that a game has in this table.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(self, stored: &StoredGame, sink: &mut dyn Sink) -> io::Result<()> {
        match self {
            Table::Games => rows::game(stored, sink),
            Table::Moves => rows::moves(stored, sink),
            Table::Positions => rows::positions(stored, sink),
        }
    }
}

impl std::str::FromStr for Table {
    type Err = String;

    fn from_str(name: &str) -> Result<Table, String> {
        Table::ALL.into_iter().find(|table| table.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Table::ALL.iter().map(|table| table.name()).collect();
            format!("one of {} is expected", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_lists_the_columns() {
        let page = include_str!("../../../docs/export.md");
        for table in Table::ALL {
            let part = page.split(&format!("**`{}`**", table.name())).nth(1).expect("a heading");
            let part = part.split("**`").next().unwrap_or(part);
            let listed: Vec<(&str, &str, bool)> = part
                .lines()
                .filter_map(|line| line.strip_prefix("| `"))
                .map(|line| {
                    let mut cells = line.split('|').map(str::trim);
                    let name = cells.next().unwrap_or("").trim_end_matches('`');
                    let kind = cells.next().unwrap_or("");
                    (name, kind.trim_end_matches('?'), kind.ends_with('?'))
                })
                .collect();
            let columns: Vec<(&str, &str, bool)> = table
                .columns()
                .iter()
                .map(|column| {
                    let kind = match column.kind {
                        Kind::Number => "number",
                        Kind::Text => "text",
                        Kind::Flag => "flag",
                    };
                    (column.name, kind, column.optional)
                })
                .collect();
            assert_eq!(listed, columns, "docs/export.md, {}", table.name());
        }
    }
}
