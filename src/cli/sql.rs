//! `qipu sql`: a question in SQL.

use std::fmt::Write as _;
use std::io::Write as _;

use qipu::finding::Lang;
use qipu::report::table;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

use super::database::DatabaseArg;
use super::{CliError, Done, Exit, Output};

/// Arguments of `sql`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu sql 'SELECT red, black, result FROM game_view WHERE year = 1960'
  qipu sql 'SELECT move, count(*) AS games FROM move_view WHERE ply = 1 GROUP BY move' --json

docs/schema.md describes the tables and views. Nothing can be written.")]
pub(crate) struct Args {
    #[command(flatten)]
    database: DatabaseArg,
    /// A statement that reads
    #[arg(value_name = "SELECT")]
    statement: String,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let db = args.database.open()?;
    let lang = out.lang();
    let wrong = |error: rusqlite::Error| {
        let hint = lang.pick("docs/schema.md describes the tables", "docs/schema.md 说明各表");
        CliError::usage(error.to_string(), hint)
    };
    db.connection().pragma_update(None, "query_only", true).map_err(wrong)?;
    let mut statement = db.connection().prepare(&args.statement).map_err(wrong)?;
    if !statement.readonly() || statement.column_count() == 0 {
        let (message, hint) = match lang {
            Lang::En => ("`qipu sql` only reads", "begin with SELECT"),
            Lang::Zh => ("`qipu sql` 只能查询", "请以 SELECT 开头"),
        };
        return Err(CliError::usage(message, hint));
    }
    let names: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
    let mut rows = statement.query([]).map_err(wrong)?;
    let mut lines = Vec::new();
    while let Some(row) = rows.next().map_err(wrong)? {
        if out.is_json() {
            let mut object = Map::new();
            for (column, name) in names.iter().enumerate() {
                object.insert(name.clone(), value(row.get_ref(column).map_err(wrong)?));
            }
            out.json(&object)?;
            continue;
        }
        let mut cells = Vec::with_capacity(names.len());
        for column in 0..names.len() {
            cells.push(match value(row.get_ref(column).map_err(wrong)?) {
                Value::Null => String::new(),
                Value::String(text) => text,
                other => other.to_string(),
            });
        }
        lines.push(cells);
    }
    if !out.is_json() {
        let head: Vec<&str> = names.iter().map(String::as_str).collect();
        writeln!(out, "{}", table(&head, lines, &[]))?;
    }
    Ok(Exit::Fine)
}

/// Bytes are shown as hexadecimal digits.
fn value(cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::from(number),
        ValueRef::Real(number) => Value::from(number),
        ValueRef::Text(text) => Value::from(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => {
            let mut digits = String::with_capacity(2 * bytes.len());
            for byte in bytes {
                let _ = write!(digits, "{byte:02x}");
            }
            Value::from(digits)
        }
    }
}
