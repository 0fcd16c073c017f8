//! Tables of names, each name stored once.

use std::collections::HashMap;

use rusqlite::{CachedStatement, Connection, OptionalExtension, params};

use super::error::Result;
use super::fold::{folded, sound};

/// Names remembered before the table is asked again; bounds the memory.
const REMEMBERED: usize = 1 << 16;

/// By what a table finds a name besides the name itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// Nothing.
    None,
    /// The folded name.
    Folded,
    /// The folded name and how it sounds.
    FoldedAndSound,
}

/// The ids of one table of names.
pub(crate) struct Names<'c> {
    select: CachedStatement<'c>,
    insert: CachedStatement<'c>,
    keys: Keys,
    connection: &'c Connection,
    known: HashMap<String, i64>,
}

impl<'c> Names<'c> {
    /// For a table with the columns `id` and `name`, and what `keys` asks.
    pub(crate) fn new(
        connection: &'c Connection,
        table: &'static str,
        keys: Keys,
    ) -> Result<Names<'c>> {
        let columns = match keys {
            Keys::None => "(name) VALUES (?)",
            Keys::Folded => "(name, folded) VALUES (?, ?)",
            Keys::FoldedAndSound => "(name, folded, pinyin) VALUES (?, ?, ?)",
        };
        Ok(Names {
            select: connection.prepare_cached(&format!("SELECT id FROM {table} WHERE name = ?"))?,
            insert: connection.prepare_cached(&format!("INSERT INTO {table} {columns}"))?,
            keys,
            connection,
            known: HashMap::new(),
        })
    }

    /// The id of a name, which is added when it is new.
    pub(crate) fn id(&mut self, name: Option<&str>) -> Result<Option<i64>> {
        let Some(name) = name else { return Ok(None) };
        if let Some(id) = self.known.get(name) {
            return Ok(Some(*id));
        }
        let stored = self.select.query_row([name], |row| row.get(0)).optional()?;
        let id = if let Some(id) = stored {
            id
        } else {
            match self.keys {
                Keys::None => self.insert.execute([name])?,
                Keys::Folded => self.insert.execute([name, &folded(name)])?,
                Keys::FoldedAndSound => {
                    let folded = folded(name);
                    self.insert.execute(params![name, folded, sound(&folded)])?
                }
            };
            self.connection.last_insert_rowid()
        };
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(name.to_owned(), id);
        Ok(Some(id))
    }

    /// Forgets what was remembered, after a transaction was taken back.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }
}
