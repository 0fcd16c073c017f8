//! `qipu runs`: the imports that filled the database.

use std::io::Write as _;

use qipu::db::RunRow;
use qipu::finding::Lang;
use qipu::report::table;
use serde::Serialize;

use super::database::{DatabaseArg, failed};
use super::{Done, Exit, Output};

/// Arguments of `runs`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    database: DatabaseArg,
}

#[derive(Serialize)]
struct Object<'a> {
    run: i64,
    started: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<&'a str>,
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
    let db = args.database.open()?;
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
            "interrupted" => "中断",
            _ => "失败",
        };
        lang.pick(name, zh).to_owned()
    };
    let rows = runs.iter().map(|run| {
        vec![
            run.id.to_string(),
            run.started.clone(),
            state(&run.state),
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
