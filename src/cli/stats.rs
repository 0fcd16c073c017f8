//! `qipu stats`: what is in the database.

use std::io::Write as _;

use qipu::db::Stats;
use qipu::finding::Lang;
use qipu::report::table;
use serde::Serialize;
use std::collections::BTreeMap;

use super::database::{DatabaseArg, failed};
use super::{Done, Exit, Output};

/// Arguments of `stats`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    database: DatabaseArg,
}

#[derive(Serialize)]
struct Object<'a> {
    runs: u64,
    files: u64,
    games: u64,
    duplicates: u64,
    with_errors: u64,
    plies: u64,
    variations: u64,
    comments: u64,
    players: u64,
    events: u64,
    positions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_year: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_year: Option<u16>,
    results: BTreeMap<&'a str, u64>,
    formats: Vec<Format<'a>>,
    findings: BTreeMap<&'a str, u64>,
}

#[derive(Serialize)]
struct Format<'a> {
    #[serde(rename = "format")]
    name: Option<&'a str>,
    files: u64,
    games: u64,
}

impl<'a> Object<'a> {
    fn new(stats: &'a Stats) -> Object<'a> {
        Object {
            runs: stats.runs,
            files: stats.sources,
            games: stats.games,
            duplicates: stats.duplicates,
            with_errors: stats.with_errors,
            plies: stats.plies,
            variations: stats.variations,
            comments: stats.comments,
            players: stats.players,
            events: stats.events,
            positions: stats.positions,
            first_year: stats.years.map(|years| years.0),
            last_year: stats.years.map(|years| years.1),
            results: stats.results.iter().map(|(name, count)| (name.as_str(), *count)).collect(),
            formats: stats
                .formats
                .iter()
                .map(|(format, files, games)| Format {
                    name: format.as_deref(),
                    files: *files,
                    games: *games,
                })
                .collect(),
            findings: stats.findings.iter().map(|(name, count)| (name.as_str(), *count)).collect(),
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let db = args.database.open()?;
    let stats = db.stats().map_err(|error| failed(&error))?;
    if out.is_json() {
        out.json(&Object::new(&stats))?;
        return Ok(Exit::Fine);
    }
    let lang = out.lang();
    let years = stats.years.map_or_else(String::new, |(first, last)| format!("{first}–{last}"));
    let rows = [
        ("games", "对局", stats.games.to_string()),
        ("  copies of others", "  其中重复", stats.duplicates.to_string()),
        ("  with errors", "  其中有错误", stats.with_errors.to_string()),
        ("files", "文件", stats.sources.to_string()),
        ("runs of import", "导入次数", stats.runs.to_string()),
        ("plies", "步数", stats.plies.to_string()),
        ("variations", "变着", stats.variations.to_string()),
        ("comments", "注释", stats.comments.to_string()),
        ("players", "棋手", stats.players.to_string()),
        ("events", "赛事", stats.events.to_string()),
        ("positions indexed", "已索引局面", stats.positions.to_string()),
        ("years", "年份", years),
    ];
    let rows = rows.map(|(en, zh, value)| vec![lang.pick(en, zh).to_owned(), value]);
    writeln!(out, "{}", table(&["", ""], rows, &[1]).trim_start_matches('\n'))?;
    let mut section = |head: [&str; 3], rows: Vec<Vec<String>>| {
        if rows.is_empty() {
            return Ok(());
        }
        let columns = if rows.iter().all(|row| row.len() == 2) { 2 } else { 3 };
        writeln!(out, "\n{}", table(&head[..columns], rows, &[1, 2]))
    };
    let pairs = |list: &[(String, u64)]| {
        list.iter().map(|(name, count)| vec![name.clone(), count.to_string()]).collect()
    };
    let (results, formats, findings) = match lang {
        Lang::En => {
            (["result", "games", ""], ["format", "files", "games"], ["finding", "number", ""])
        }
        Lang::Zh => (["结果", "局数", ""], ["格式", "文件", "局数"], ["发现", "数量", ""]),
    };
    section(results, pairs(&stats.results))?;
    let unknown = lang.pick("(unknown)", "（未知）");
    section(
        formats,
        stats
            .formats
            .iter()
            .map(|(format, files, games)| {
                let name = format.as_deref().unwrap_or(unknown);
                vec![name.to_owned(), files.to_string(), games.to_string()]
            })
            .collect(),
    )?;
    section(findings, pairs(&stats.findings))?;
    Ok(Exit::Fine)
}
