//! `qipu files`: the files that were imported, and their bytes.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use qipu::db::{Database, DbError, SourceQuery, SourceRow};
use qipu::finding::{Code, Finding, Lang};
use qipu::report::table;
use serde::Serialize;

use super::database::{DatabaseArg, failed, parse_code};
use super::sink::Sink;
use super::{CliError, Done, Exit, Output};

/// Arguments of `files`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu files
  qipu files --without-games
  qipu files --finding unknown-format --json
  qipu files --original 12 -o game.xqf

The bytes of each file are kept in the database as they were, unless it was
imported with --no-originals. Of files over 8 MiB that no format knew only the
hash is kept.")]
pub(crate) struct Args {
    #[command(flatten)]
    database: DatabaseArg,
    /// Files whose name contains this
    #[arg(long, value_name = "TEXT")]
    path: Option<String>,
    /// Files with a finding of this code, in a game or outside of any
    #[arg(long, value_name = "CODE", value_parser = parse_code)]
    finding: Option<Code>,
    /// Files in which no game was found
    #[arg(long)]
    without_games: bool,
    /// List at most so many files [default: 50; all with --json]
    #[arg(long, value_name = "NUMBER")]
    limit: Option<usize>,
    /// Write the bytes of the file with this number, as they were imported
    #[arg(long, value_name = "FILE_ID", conflicts_with_all = ["path", "finding", "without_games", "limit"])]
    original: Option<i64>,
    /// Where to write them [default: standard output]
    #[arg(long, short, value_name = "OUT", requires = "original")]
    output: Option<PathBuf>,
}

#[derive(Serialize)]
struct Object<'a> {
    id: i64,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'a str>,
    games: u64,
    /// Codes of what was found outside of the games.
    findings: Vec<&'static str>,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let db = args.database.open()?;
    if let Some(id) = args.original {
        return write_original(&db, id, args.output, out);
    }
    let query =
        SourceQuery { path: args.path, finding: args.finding, without_games: args.without_games };
    let limit = args.limit.unwrap_or(if out.is_json() { usize::MAX } else { 50 });
    let mut rows = Vec::new();
    let mut more = false;
    let mut listed = 0;
    let mut written = Ok(());
    db.sources(&query, &mut |source| {
        if listed == limit {
            more = true;
            return ControlFlow::Break(());
        }
        listed += 1;
        written = take(&db, &source, &mut rows, out);
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
    .map_err(|error| failed(&error))?;
    written?;
    if out.is_json() {
        return Ok(Exit::Fine);
    }
    let lang = out.lang();
    if rows.is_empty() {
        out.remark(lang.pick("no file matches", "没有符合条件的文件"));
        return Ok(Exit::Fine);
    }
    let head = match lang {
        Lang::En => ["file", "format", "bytes", "games", "found outside of games", "path"],
        Lang::Zh => ["文件", "格式", "字节", "对局", "对局之外的发现", "路径"],
    };
    writeln!(out, "{}", table(&head, rows, &[0, 2, 3]))?;
    if more {
        out.remark(match lang {
            Lang::En => format!("the first {limit}; --limit shows more"),
            Lang::Zh => format!("只列出前 {limit} 个文件；用 --limit 可显示更多"),
        });
    }
    Ok(Exit::Fine)
}

/// Writes one file as JSON, or makes its row.
fn take(
    db: &Database,
    source: &SourceRow,
    rows: &mut Vec<Vec<String>>,
    out: &mut Output,
) -> Result<(), CliError> {
    let findings = db.source_findings(source.id).map_err(|error| failed(&error))?;
    let mut codes: Vec<&str> =
        findings.iter().map(|finding: &Finding| finding.code.name()).collect();
    codes.sort_unstable();
    codes.dedup();
    if out.is_json() {
        out.json(&Object {
            id: source.id,
            path: &source.path,
            sha256: source.sha256.as_deref(),
            bytes: source.bytes,
            format: source.format.as_deref(),
            games: source.games,
            findings: codes,
        })?;
        return Ok(());
    }
    rows.push(vec![
        source.id.to_string(),
        source.format.clone().unwrap_or_else(|| "?".to_owned()),
        source.bytes.map_or_else(String::new, |bytes| bytes.to_string()),
        source.games.to_string(),
        codes.join(", "),
        source.path.clone(),
    ]);
    Ok(())
}

fn write_original(db: &Database, id: i64, path: Option<PathBuf>, out: &mut Output) -> Done {
    let fault = |error: DbError, path: Option<PathBuf>| match error {
        DbError::Output(source) => CliError::Output { path, source },
        error => failed(&error),
    };
    let lang = out.lang();
    let missing = || {
        CliError::usage(
            match lang {
                Lang::En => format!("the database has no bytes of file {id}"),
                Lang::Zh => format!("数据库中没有第 {id} 号文件的内容"),
            },
            lang.pick(
                "`qipu files` lists the files; `import --no-originals` keeps no bytes",
                "`qipu files` 列出文件；`import --no-originals` 不保存内容",
            ),
        )
    };
    // What is not there must not leave an empty file behind.
    if !db.has_original(id).map_err(|error| failed(&error))? {
        return Err(missing());
    }
    let Some(path) = path else {
        let mut stdout = io::stdout().lock();
        db.original(id, &mut stdout).map_err(|error| fault(error, None))?;
        stdout.flush()?;
        return Ok(Exit::Fine);
    };
    // An original may be the only one: nothing is written over.
    if path.exists() {
        return Err(Sink::failed(&path, io::ErrorKind::AlreadyExists.into()));
    }
    let mut sink = Sink::create(&path)?;
    db.original(id, &mut sink).map_err(|error| fault(error, Some(path)))?;
    sink.finish()?;
    Ok(Exit::Fine)
}
