//! `qipu runs`: the imports that filled the database, and taking back.

use std::io::Write as _;
use std::ops::RangeInclusive;

use clap::Subcommand;
use qipu::db::{RunRow, Undone};
use qipu::finding::Lang;
use qipu::report::table;
use serde::Serialize;

use super::database::{DatabaseArg, failed};
use super::{Done, Exit, Output};

/// Arguments of `runs`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  qipu runs
  qipu runs undo 3
  qipu runs journal
  qipu runs revert 7
  qipu runs revert 7..12"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    database: DatabaseArg,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Take a run back: everything it brought goes, exactly
    Undo {
        /// Number of the run
        #[arg(value_name = "RUN")]
        run: i64,
        #[command(flatten)]
        database: DatabaseArg,
    },
    /// List what was undone and put together by hand
    Journal {
        #[command(flatten)]
        database: DatabaseArg,
    },
    /// Take a step of the journal back, or several at once
    Revert {
        /// Number of the step, or of the first and the last: 7, 7..12
        #[arg(value_name = "STEP", value_parser = parse_steps)]
        steps: RangeInclusive<i64>,
        #[command(flatten)]
        database: DatabaseArg,
    },
}

#[derive(Serialize)]
struct Object<'a> {
    run: i64,
    started: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undone: Option<&'a str>,
    version: &'a str,
    options: serde_json::Value,
    state: &'a str,
    files: u64,
    files_skipped: u64,
    files_failed: u64,
    games: u64,
    new: u64,
    duplicates: u64,
    with_errors: u64,
    plies: u64,
}

impl<'a> Object<'a> {
    fn new(run: &'a RunRow) -> Object<'a> {
        Object {
            run: run.id,
            started: &run.started,
            finished: run.finished.as_deref(),
            undone: run.undone.as_deref(),
            version: &run.version,
            options: serde_json::from_str(&run.options).unwrap_or_default(),
            state: &run.state,
            files: run.counts.files,
            files_skipped: run.counts.files_skipped,
            files_failed: run.counts.files_failed,
            games: run.counts.games,
            new: run.counts.new,
            duplicates: run.counts.duplicates,
            with_errors: run.counts.with_errors,
            plies: run.counts.plies,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    match args.action {
        None => list(&args.database, out),
        Some(Action::Undo { run, database }) => undo(run, &database, out),
        Some(Action::Journal { database }) => journal(&database, out),
        Some(Action::Revert { steps, database }) => revert(&steps, &database, out),
    }
}

/// Reads `7` or `7..12`, both ends included.
fn parse_steps(text: &str) -> Result<RangeInclusive<i64>, String> {
    let number = |text: &str| text.trim().parse().map_err(|_| "a step, or two: 7, 7..12");
    Ok(match text.split_once("..") {
        None => {
            let step = number(text)?;
            step..=step
        }
        Some((from, to)) => number(from)?..=number(to)?,
    })
}

fn revert(steps: &RangeInclusive<i64>, database: &DatabaseArg, out: &mut Output) -> Done {
    let db = database.open_to_write()?;
    let (first, last) = (*steps.start(), *steps.end());
    let number =
        if first == last { db.revert(first).map(|()| 1) } else { db.revert_all(steps.clone()) };
    let number = number.map_err(|error| failed(&error))?;
    db.close().map_err(|error| failed(&error))?;
    if out.is_json() {
        let mut object = serde_json::json!({ "step": first, "reverted": true });
        if first != last {
            object =
                serde_json::json!({ "steps": [first, last], "reverted": true, "number": number });
        }
        out.json(&object)?;
        return Ok(Exit::Fine);
    }
    let text = match out.lang() {
        Lang::En if first == last => format!("step {first} was taken back"),
        Lang::Zh if first == last => format!("已撤回第 {first} 步"),
        Lang::En => format!("{number} steps of {first} to {last} were taken back"),
        Lang::Zh => format!("已撤回第 {first} 至 {last} 步中的 {number} 步"),
    };
    writeln!(out, "{text}")?;
    Ok(Exit::Fine)
}

fn undo(run: i64, database: &DatabaseArg, out: &mut Output) -> Done {
    let db = database.open_to_write()?;
    let undone = db.undo_run(run).map_err(|error| failed(&error))?;
    db.close().map_err(|error| failed(&error))?;
    if out.is_json() {
        out.json(&undone)?;
        return Ok(Exit::Fine);
    }
    let Undone { files, games, promoted, .. } = undone;
    let text = match out.lang() {
        Lang::En => format!(
            "Run {run} was taken back: {files} files, {games} games. {promoted} games that were \
             copies of them now count themselves."
        ),
        Lang::Zh => format!(
            "已撤销第 {run} 次导入：{files} 个文件，{games} 局。{promoted} 局原为其重复，现独立计入。"
        ),
    };
    writeln!(out, "{text}")?;
    Ok(Exit::Fine)
}

fn journal(database: &DatabaseArg, out: &mut Output) -> Done {
    let steps = database.open()?.journal().map_err(|error| failed(&error))?;
    if out.is_json() {
        for step in &steps {
            out.json(&serde_json::json!({
                "step": step.id,
                "at": step.at,
                "action": step.action,
                "detail": serde_json::from_str::<serde_json::Value>(&step.detail).ok(),
                "undone": step.undone,
            }))?;
        }
        return Ok(Exit::Fine);
    }
    let head = match out.lang() {
        Lang::En => ["step", "when", "what", "taken back", "detail"],
        Lang::Zh => ["步", "时间", "内容", "撤回于", "细节"],
    };
    let rows = steps.iter().map(|step| {
        vec![
            step.id.to_string(),
            step.at.clone(),
            step.action.clone(),
            step.undone.clone().unwrap_or_default(),
            step.detail.clone(),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[0]))?;
    Ok(Exit::Fine)
}

fn list(database: &DatabaseArg, out: &mut Output) -> Done {
    let db = database.open()?;
    let runs = db.runs().map_err(|error| failed(&error))?;
    if out.is_json() {
        for run in &runs {
            out.json(&Object::new(run))?;
        }
        return Ok(Exit::Fine);
    }
    let head = match out.lang() {
        Lang::En => ["run", "began", "state", "files", "skipped", "games", "new", "errors"],
        Lang::Zh => ["次", "开始", "状态", "文件", "跳过", "对局", "新增", "有错误"],
    };
    let lang = out.lang();
    let state = |name: &str| {
        let zh = match name {
            "running" => "进行中",
            "finished" => "完成",
            "undone" => "已撤销",
            "interrupted" => "中断",
            _ => "失败",
        };
        lang.pick(name, zh).to_owned()
    };
    let rows = runs.iter().map(|run| {
        vec![
            run.id.to_string(),
            run.started.clone(),
            state(if run.undone.is_some() { "undone" } else { &run.state }),
            run.counts.files.to_string(),
            run.counts.files_skipped.to_string(),
            run.counts.games.to_string(),
            run.counts.new.to_string(),
            run.counts.with_errors.to_string(),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[0, 3, 4, 5, 6, 7]))?;
    Ok(Exit::Fine)
}
