//! The stored files read again: do they still give the games of the database?

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use super::entry::Entry;
use super::reading::{ReadOptions, read_file};
use crate::db::{Database, DbError, SourceQuery};
use crate::finding::Code;
use crate::game::Game;

/// What came of reading the stored files again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recheck {
    /// Files that were read again.
    pub files: u64,
    /// Everything that is wrong, in plain sentences.
    pub problems: Vec<String>,
}

/// Reads every stored file of a run with the usual options again and compares
/// its games: number, start, moves, variations, remarks, headers, outcome. Of
/// games that somebody put together with others the headers may differ. Runs
/// that filled in moves or took another model read on other grounds; of their
/// files only the number of games is compared.
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
    let merged = put_together(db)?;
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
        let usual = plain_runs.get(&source.run).copied().unwrap_or(false);
        let mut ids = db.games_of(source.id)?;
        let (mut now, mut others, mut fault) = (0, Vec::new(), None);
        let path = &source.path;
        let entry = Entry::bytes(source.path.clone(), bytes);
        let report = read_file(&entry, &ReadOptions::default(), &mut |game| {
            now += 1;
            let Some(id) = ids.next().filter(|_| usual) else { return ControlFlow::Continue(()) };
            match db.game(id) {
                Err(error) => {
                    fault = Some(error);
                    return ControlFlow::Break(());
                }
                // Missing games are told by the checks of the database itself.
                Ok(None) => {}
                Ok(Some(stored)) => {
                    if let Some(what) = difference(&game, &stored, merged.contains(&id)) {
                        others.push(format!(
                            "{path}: game {now} has other {what} than the stored bytes"
                        ));
                    }
                }
            }
            ControlFlow::Continue(())
        });
        match fault {
            // A row that cannot be is a problem to tell; the other files go on.
            Some(error @ DbError::Corrupt(_)) => {
                checked.problems.push(format!("{path}: {error}"));
                continue;
            }
            Some(error) => return Err(error),
            None => {}
        }
        match report {
            Err(error) => checked.problems.push(format!("{error}")),
            Ok(report) if report.findings.iter().any(|f| f.code == Code::UnknownFormat) => {
                checked.problems.push(format!("{path}: the stored bytes are of no known format"));
            }
            Ok(_) if now != source.games => {
                let then = source.games;
                checked
                    .problems
                    .push(format!("{path}: the stored bytes hold {now} games, not {then}"));
            }
            Ok(_) => checked.problems.append(&mut others),
        }
    }
    Ok(checked)
}

/// What of a game is not as it was read.
fn difference(read: &Game, stored: &Game, merged: bool) -> Option<&'static str> {
    if read.start.fen() != stored.start.fen() || !read.main_line().eq(stored.main_line()) {
        Some("moves")
    } else if read.tree != stored.tree {
        Some("variations or remarks")
    } else if !merged && read.headers != stored.headers {
        Some("headers")
    } else if read.outcome != stored.outcome {
        Some("outcome")
    } else if read.unplayed != stored.unplayed || read.trailer != stored.trailer {
        Some("words behind the moves")
    } else {
        None
    }
}

/// The games that took headers over from others.
fn put_together(db: &Database) -> Result<HashSet<i64>, DbError> {
    let steps = db.journal()?;
    let steps = steps.iter().filter(|step| step.action == "merge-games" && step.undone.is_none());
    Ok(steps
        .filter_map(|step| serde_json::from_str::<serde_json::Value>(&step.detail).ok())
        .filter_map(|detail| detail.get("keep")?.as_i64())
        .collect())
}
