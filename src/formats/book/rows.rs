//! The rows of a book, out of its SQLite file.

use std::fmt::Write as _;
use std::io::Read as _;

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::board::{Move, Square};

/// A row: a position by its key, a move in it, and what the book thinks of it.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The key as a number, where it is one.
    pub(super) key: Option<u64>,
    /// The move, where its code names two squares.
    pub(super) mv: Option<Move>,
    /// All columns but the move, as `name=value`.
    pub(super) words: String,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The names of the tables that hold rows of a book.
    pub(super) names: Vec<String>,
    /// The rows in the order of the file.
    pub(super) rows: Vec<Row>,
    /// The limit that was met, by its reason, and what it is.
    pub(super) over: Option<(&'static str, usize)>,
    /// What SQLite said where it had to stop.
    pub(super) broken: Option<String>,
}

/// Bytes of the words of all rows. Rows of a hostile file may all lead
/// to the same pages, so the size of the file is no bound.
const MOST_WORDS: usize = 256 << 20;

/// Reads up to `limit` rows.
pub(super) fn read(bytes: &[u8], limit: usize) -> Table {
    let mut table = Table::default();
    if let Err(error) = fill(bytes, limit, &mut table) {
        table.broken = Some(error.to_string());
    }
    table
}

fn fill(bytes: &[u8], limit: usize, table: &mut Table) -> rusqlite::Result<()> {
    /// Where a database says that it has a log of writes beside it. A copy in
    /// memory has none, and SQLite would look for it.
    const JOURNAL: usize = 18;
    let (Some(head), Some(tail)) = (bytes.get(..JOURNAL), bytes.get(JOURNAL + 2..)) else {
        return Ok(());
    };
    let copy = head.chain([1u8, 1].as_slice()).chain(tail);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_MEMORY;
    let mut database = Connection::open_in_memory_with_flags(flags)?;
    // The file may come from anywhere: nothing of its schema is run.
    database.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    database.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    database.deserialize_read_exact("main", copy, bytes.len(), true)?;
    database.pragma_update(None, "cell_size_check", true)?;
    let mut tables = database.prepare(
        "SELECT name FROM main.sqlite_schema \
         WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY rowid",
    )?;
    let names: Vec<String> =
        tables.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut words = 0;
    for name in names {
        let Some(columns) = columns(&database, &name)? else { continue };
        let quoted = name.replace('"', "\"\"");
        table.names.push(name);
        let mut statement = database.prepare(&format!("SELECT * FROM main.\"{quoted}\""))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if table.rows.len() >= limit {
                table.over = Some(("moves", limit));
                return Ok(());
            }
            let mut found = Row { key: None, mv: None, words: String::new() };
            for (at, column) in columns.iter().enumerate() {
                let value = row.get_ref(at)?;
                match column {
                    Column::Id => {}
                    Column::Key => {
                        found.key = key(value);
                        match found.key {
                            Some(key) => push(&mut found.words, "key", &format!("0x{key:016x}")),
                            None => push_value(&mut found.words, "key", value),
                        }
                    }
                    Column::Move => {
                        found.mv = mv(value);
                        if found.mv.is_none() {
                            push_value(&mut found.words, "move", value);
                        }
                    }
                    Column::Other(name) => push_value(&mut found.words, name, value),
                }
            }
            words += found.words.len();
            table.rows.push(found);
            if words > MOST_WORDS {
                table.over = Some(("game-bytes", MOST_WORDS));
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A column by its name.
enum Column {
    /// The number of the row.
    Id,
    /// The key of the position.
    Key,
    /// The move.
    Move,
    /// Anything else, under its name without the `v` that all have in front.
    Other(String),
}

/// The columns of a table that is one of a book: it has keys and moves, and no
/// column that is worked out from others.
fn columns(database: &Connection, table: &str) -> rusqlite::Result<Option<Vec<Column>>> {
    let mut statement =
        database.prepare("SELECT name, pk, hidden, type FROM pragma_table_xinfo(?1)")?;
    let mut rows = statement.query([table])?;
    let mut columns = Vec::new();
    let (mut keys, mut moves) = (false, false);
    while let Some(row) = rows.next()? {
        let (name, pk, hidden, kind): (String, i64, i64, String) =
            (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        if hidden != 0 {
            return Ok(None);
        }
        columns.push(match name.to_ascii_lowercase().as_str() {
            "vkey" => {
                keys = true;
                Column::Key
            }
            "vmove" => {
                moves = true;
                Column::Move
            }
            "id" if pk == 1 && kind.eq_ignore_ascii_case("integer") => Column::Id,
            other => Column::Other(other.strip_prefix('v').unwrap_or(other).to_owned()),
        });
    }
    Ok((keys && moves).then_some(columns))
}

/// A key. Those whose highest bit is set are stored as floating-point numbers
/// with the same 64 bits, so all of these are negative. One that was rounded to
/// a positive number is no key any more.
fn key(value: ValueRef<'_>) -> Option<u64> {
    match value {
        ValueRef::Integer(key) => Some(key.cast_unsigned()),
        ValueRef::Real(key) if key.is_sign_negative() => Some(key.to_bits()),
        ValueRef::Text(text) => {
            let text = std::str::from_utf8(text).ok()?.trim();
            let signed = || text.parse::<i64>().ok().map(i64::cast_unsigned);
            text.parse::<u64>().ok().or_else(signed)
        }
        _ => None,
    }
}

/// A move: from-square * 256 + to-square.
fn mv(value: ValueRef<'_>) -> Option<Move> {
    let code = match value {
        ValueRef::Integer(code) => u16::try_from(code).ok()?,
        ValueRef::Text(text) => std::str::from_utf8(text).ok()?.trim().parse().ok()?,
        _ => return None,
    };
    let [from, to] = code.to_be_bytes();
    let (from, to) = (square(from)?, square(to)?);
    (from != to).then(|| Move::new(from, to))
}

/// A square of a board of 16 by 16, whose upper left corner a9 is 3 from the
/// left and 3 from the top.
fn square(code: u8) -> Option<Square> {
    let (row, column) = (i16::from(code >> 4) - 3, i16::from(code & 15) - 3);
    Square::at(column as i8, (9 - row) as i8)
}

fn push_value(words: &mut String, name: &str, value: ValueRef<'_>) {
    match value {
        ValueRef::Null => {}
        ValueRef::Integer(number) => push(words, name, &number.to_string()),
        ValueRef::Real(number) => push(words, name, &format!("{number:e}")),
        ValueRef::Text([]) => {}
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => push(words, name, text),
            // Which encoding it is nobody says; its bytes are kept.
            Err(_) => push_bytes(words, name, text),
        },
        ValueRef::Blob(bytes) => push_bytes(words, name, bytes),
    }
}

fn push_bytes(words: &mut String, name: &str, bytes: &[u8]) {
    let mut hex = String::from("0x");
    for byte in bytes {
        let _ = write!(hex, "{byte:02x}");
    }
    push(words, name, &hex);
}

fn push(words: &mut String, name: &str, value: &str) {
    let _ = write!(words, "{}{name}={value}", if words.is_empty() { "" } else { " " });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_lie_in_a_board_of_sixteen() {
        for (code, name) in
            [(0x33, "a9"), (0x3b, "i9"), (0xc3, "a0"), (0xcb, "i0"), (0xaa, "h2"), (0xa7, "e2")]
        {
            assert_eq!(square(code).map(|square| square.to_string()).as_deref(), Some(name));
        }
        for off in [0x00, 0x32, 0x3c, 0x23, 0xd3, 0xff] {
            assert_eq!(square(off), None, "{off:#x}");
        }
        let cannon = mv(ValueRef::Integer(0xaaa7)).map(|mv| mv.to_string());
        assert_eq!(cannon.as_deref(), Some("h2e2"));
        assert_eq!(mv(ValueRef::Integer(0xaaaa)), None);
        assert_eq!(mv(ValueRef::Integer(0x1_aaa7)), None);
        assert_eq!(mv(ValueRef::Integer(-1)), None);
    }

    #[test]
    fn text_in_another_encoding_keeps_its_bytes() {
        let mut words = String::new();
        push_value(&mut words, "memo", ValueRef::Text("中炮".as_bytes()));
        // 中炮 in GBK.
        push_value(&mut words, "memo", ValueRef::Text(b"\xd6\xd0\xc5\xda"));
        assert_eq!(words, "memo=中炮 memo=0xd6d0c5da");
    }

    #[test]
    fn keys_are_numbers_of_64_bits() {
        let high = 0xa0ce_2af9_0c45_2f58_u64;
        assert_eq!(key(ValueRef::Integer(7)), Some(7));
        assert_eq!(key(ValueRef::Integer(high.cast_signed())), Some(high));
        for bits in [high, 0xffe1_2345_6789_abcd] {
            assert_eq!(key(ValueRef::Real(f64::from_bits(bits))), Some(bits));
        }
        assert_eq!(key(ValueRef::Text(b"11587222222222222222")), Some(11_587_222_222_222_222_222));
        assert_eq!(key(ValueRef::Text(b"-1")), Some(u64::MAX));
        // Rounded: which key it was is not known.
        assert_eq!(key(ValueRef::Real(1.158e19)), None);
        assert_eq!(key(ValueRef::Null), None);
    }
}
