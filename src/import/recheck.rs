//! The stored files read again: do they still give the games of the database?

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::entry::Entry;
use super::reading::{ReadOptions, read_file};
use crate::db::{Database, DbError, SourceQuery, content_hash};
use crate::finding::Code;

/// What came of reading the stored files again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recheck {
    /// Files that were read again.
    pub files: u64,
    /// Everything that is wrong, in plain sentences.
    pub problems: Vec<String>,
}

/// Reads every stored file of a run with the usual options again and compares
/// its games: number, start and moves. Runs that filled in moves or took
/// another model read on other grounds; of their files only the number of
/// games is compared.
///
/// # Errors
/// When the database cannot be read.
pub fn recheck(db: &Database) -> Result<Recheck, DbError> {
    let mut plain_runs: HashMap<i64, bool> = HashMap::new();
    for run in db.runs()? {
        let options: serde_json::Value = serde_json::from_str(&run.options).unwrap_or_default();
        let usual = options.get("infer").and_then(serde_json::Value::as_bool) != Some(true)
            && options.get("prior").and_then(serde_json::Value::as_str).unwrap_or("builtin")
                == "builtin"
            && run.version == env!("CARGO_PKG_VERSION");
        plain_runs.insert(run.id, usual);
    }
    let mut checked = Recheck::default();
    let mut sources = Vec::new();
    db.sources(&SourceQuery::default(), &mut |source| {
        sources.push(source);
        ControlFlow::Continue(())
    })?;
    for source in sources {
        let mut bytes = Vec::new();
        if source.games == 0 || !db.original(source.id, &mut bytes)? {
            continue;
        }
        checked.files += 1;
        let stored = db.source_hashes(source.id)?;
        let mut read = Vec::new();
        let entry = Entry::bytes(source.path.clone(), bytes);
        let report = read_file(&entry, &ReadOptions::default(), &mut |game| {
            read.push(content_hash(&game.start, game.main_line()));
            ControlFlow::Continue(())
        });
        let path = &source.path;
        match report {
            Err(error) => checked.problems.push(format!("{error}")),
            Ok(report) if report.findings.iter().any(|f| f.code == Code::UnknownFormat) => {
                checked.problems.push(format!("{path}: the stored bytes are of no known format"));
            }
            Ok(_) if read.len() != stored.len() => {
                let (now, then) = (read.len(), stored.len());
                checked
                    .problems
                    .push(format!("{path}: the stored bytes hold {now} games, not {then}"));
            }
            Ok(_) if plain_runs.get(&source.run).copied().unwrap_or(false) => {
                for (number, (now, then)) in read.iter().zip(&stored).enumerate() {
                    if now != then {
                        let number = number + 1;
                        checked.problems.push(format!(
                            "{path}: game {number} has other moves than the stored bytes"
                        ));
                    }
                }
            }
            Ok(_) => {}
        }
    }
    Ok(checked)
}
