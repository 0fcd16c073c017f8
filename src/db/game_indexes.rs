//! The indexes of the table `game` that a first import makes at its end.
//!
//! To keep five indexes in order while games come in no order costs more than
//! to sort each of them once. So the first transaction of an import into a
//! database without games drops them, and the last one makes them together with
//! the segment of the position index. Answers do not depend on them. After a
//! kill the next import, undo or merge makes up for them.

use rusqlite::Connection;

use super::error::Result;

/// Name and column of each. `game_by_content` is not one of them: an import
/// asks it for copies of every game.
const LATE: [(&str, &str); 5] = [
    ("game_by_red", "red_id"),
    ("game_by_black", "black_id"),
    ("game_by_event", "event_id"),
    ("game_by_year", "year"),
    ("game_by_opening", "opening"),
];

/// Drops them.
pub(crate) fn put_off(connection: &Connection) -> Result<()> {
    for (name, _) in LATE {
        connection.execute_batch(&format!("DROP INDEX IF EXISTS {name}"))?;
    }
    Ok(())
}

/// Makes those that are missing; tells whether any was.
pub(crate) fn make_up(connection: &Connection) -> Result<bool> {
    let mut made = false;
    let mut is_there = connection
        .prepare_cached("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?")?;
    for (name, column) in LATE {
        if !is_there.exists([name])? {
            connection.execute_batch(&format!("CREATE INDEX {name} ON game ({column})"))?;
            made = true;
        }
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Database;

    fn indexes(connection: &Connection) -> Vec<(String, String)> {
        let mut select = connection
            .prepare(
                "SELECT name, sql FROM sqlite_schema
                 WHERE type = 'index' AND tbl_name = 'game' AND sql IS NOT NULL ORDER BY name",
            )
            .unwrap();
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(|row| row.unwrap()).collect()
    }

    /// What the migrations say of them is what is made here.
    #[test]
    fn they_come_back_as_the_migrations_made_them() {
        let db = Database::in_memory().unwrap();
        let before = indexes(db.connection());
        put_off(db.connection()).unwrap();
        assert_eq!(indexes(db.connection()).len(), before.len() - LATE.len());
        put_off(db.connection()).unwrap();
        assert!(make_up(db.connection()).unwrap());
        assert!(!make_up(db.connection()).unwrap());
        assert_eq!(indexes(db.connection()), before);
    }
}
