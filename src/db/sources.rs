//! The files that were imported.

use std::ops::ControlFlow;

use rusqlite::{Connection, Row};

use super::error::Result;
use super::load::SourceRow;
use crate::finding::Code;

/// Which files; what is `None` does not matter.
#[derive(Clone, Debug, Default)]
pub struct SourceQuery {
    /// Its name contains this.
    pub path: Option<String>,
    /// A finding of this kind, in a game of the file or outside of its games.
    pub finding: Option<Code>,
    /// Only files without a game.
    pub without_games: bool,
}

/// The columns that [`read`] reads.
pub(crate) const COLUMNS: &str =
    "source.id, source.path, source.sha256, source.bytes, source.format, source.games,
     source.run_id";

/// A row that begins with [`COLUMNS`].
pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<SourceRow> {
    Ok(SourceRow {
        id: row.get(0)?,
        path: row.get(1)?,
        sha256: row.get(2)?,
        bytes: row.get::<_, Option<i64>>(3)?.map(i64::unsigned_abs),
        format: row.get(4)?,
        games: row.get::<_, i64>(5)?.unsigned_abs(),
        run: row.get(6)?,
    })
}

/// Shows the files in the order in which they were imported; `each` may stop.
pub(crate) fn find(
    connection: &Connection,
    query: &SourceQuery,
    each: &mut dyn FnMut(SourceRow) -> ControlFlow<()>,
) -> Result<()> {
    let mut select = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM source
         WHERE (?1 IS NULL OR instr(path, ?1) > 0)
           AND (?2 IS NULL OR id IN (SELECT source_id FROM finding WHERE code = ?2))
           AND (NOT ?3 OR games = 0)
         ORDER BY id"
    ))?;
    let code = query.finding.map(Code::name);
    let mut rows = select.query((&query.path, code, query.without_games))?;
    while let Some(row) = rows.next()? {
        if each(read(row)?).is_break() {
            break;
        }
    }
    Ok(())
}
