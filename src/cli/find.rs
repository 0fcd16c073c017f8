//! `qipu find`: games that match.

use std::io::Write as _;
use std::ops::ControlFlow;

use qipu::db::{Database, DbError, GameRow, Novelty, Query, SideLines, SourceQuery};
use qipu::finding::{Code, Lang};
use qipu::report::moves::chinese;
use qipu::report::table;
use serde::Serialize;

use super::database::{DatabaseArg, db_words, failed};
use super::selection::Selection;
use super::{CliError, Done, Exit, Output};

/// Arguments of `find`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu find --player 胡荣华 --year 1960..1965
  qipu find --moves '炮二平五 马8进7' --result 1-0
  qipu find --fen 'r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w'
  qipu find --pattern 'N@c-g5-9>=2; turn red' --mirror
  qipu find --sequence '炮二平五 … 马八进七' --within 12
  qipu find --finding illegal-move --json
  qipu find --player 胡荣华 --novelty

Copies of a game that is there already are not listed, unless --duplicates,
--finding or --text asks for them.")]
pub(crate) struct Args {
    #[command(flatten)]
    database: DatabaseArg,
    #[command(flatten)]
    selection: Selection,
    /// Tell where each game left what earlier games had played
    #[arg(long)]
    novelty: bool,
    /// List at most so many games [default: 50; all with --json]
    #[arg(long, value_name = "NUMBER")]
    limit: Option<usize>,
}

#[derive(Serialize)]
struct Found<'a> {
    id: i64,
    source: Source<'a>,
    headers: Headers<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<&'a str>,
    plies: u32,
    errors: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_of: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    novelty: Option<NoveltyJson>,
}

#[derive(Serialize)]
struct NoveltyJson {
    ply: u32,
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
}

/// The novelty of a game, with the move in Chinese.
fn novelty_of(
    db: &Database,
    id: i64,
    side_lines: Option<&SideLines>,
) -> Result<Option<NoveltyJson>, DbError> {
    let novelty = match side_lines {
        Some(lines) => db.novelty_beside(id, lines)?,
        None => db.novelty(id)?,
    };
    let Some(Novelty { ply, mv }) = novelty else { return Ok(None) };
    let Some(game) = db.game(id)? else { return Ok(None) };
    let mut before = game.start.clone();
    for mv in game.main_line().take(ply as usize - 1).flatten() {
        before.make(mv);
    }
    Ok(Some(NoveltyJson { ply, mv: mv.to_string(), chinese: chinese(mv, &before) }))
}

#[derive(Serialize)]
struct Source<'a> {
    path: &'a str,
    game: u32,
}

#[derive(Serialize)]
struct Headers<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    red: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<&'a str>,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ecco: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
}

impl<'a> Found<'a> {
    fn new(row: &'a GameRow, novelty: Option<NoveltyJson>) -> Found<'a> {
        Found {
            id: row.id,
            source: Source { path: &row.path, game: row.number },
            headers: Headers {
                event: row.event.as_deref(),
                date: row.date.as_deref(),
                round: row.round.as_deref(),
                red: row.red.as_deref(),
                black: row.black.as_deref(),
                result: row.result.code(),
                ecco: row.ecco.as_deref(),
                title: row.title.as_deref(),
            },
            opening: row.opening.as_deref(),
            plies: row.plies,
            errors: row.errors,
            ply: row.ply,
            duplicate_of: row.duplicate_of,
            novelty,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let query = args.selection.query(out)?;
    let db = if args.novelty || (query.position.is_some() && !query.no_index) {
        args.database.open_for_positions(out)?
    } else {
        args.database.open()?
    };
    // Read once, for all games of the list.
    let side_lines = (args.novelty && query.variations).then(|| db.side_lines()).transpose();
    let side_lines = side_lines.map_err(|error| failed(&error))?;
    let limit = args.limit.unwrap_or(if out.is_json() { usize::MAX } else { 50 });
    let mut rows = Vec::new();
    let mut listed = 0;
    let mut more = false;
    let mut written = Ok(());
    db.find(&query, &mut |row| {
        if listed == limit {
            more = true;
            return ControlFlow::Break(());
        }
        listed += 1;
        let novelty =
            match args.novelty.then(|| novelty_of(&db, row.id, side_lines.as_ref())).transpose() {
                Ok(novelty) => novelty.flatten(),
                Err(error) => {
                    written = Err(failed(&error));
                    return ControlFlow::Break(());
                }
            };
        if out.is_json() {
            written = out.json(&Found::new(&row, novelty)).map_err(CliError::from);
            if written.is_err() {
                return ControlFlow::Break(());
            }
        } else {
            rows.push((row, novelty));
        }
        ControlFlow::Continue(())
    })
    .map_err(|error| failed(&error))?;
    written?;
    if !out.is_json() {
        list(&rows, &query, args.novelty, out)?;
        let lang = out.lang();
        if rows.is_empty() {
            out.remark(lang.pick("no game matches", "没有符合条件的对局"));
        } else if more {
            out.remark(match lang {
                Lang::En => format!("the first {limit}; --limit shows more"),
                Lang::Zh => format!("只列出前 {limit} 局；用 --limit 可显示更多"),
            });
        }
        if let Some(code) = query.finding {
            tell_of_files(&db, code, &args.database, out)?;
        }
    }
    Ok(Exit::Fine)
}

/// Files without a game have findings, too.
fn tell_of_files(
    db: &Database,
    code: Code,
    database: &DatabaseArg,
    out: &mut Output,
) -> Result<(), CliError> {
    let query = SourceQuery { finding: Some(code), without_games: true, ..SourceQuery::default() };
    let mut files = 0;
    db.sources(&query, &mut |_| {
        files += 1;
        ControlFlow::Continue(())
    })
    .map_err(|error| failed(&error))?;
    if files > 0 {
        let command =
            format!("qipu files --finding {code} --without-games{}", db_words(&database.db));
        out.remark(match out.lang() {
            Lang::En if files == 1 => format!("1 file without a game has this finding: {command}"),
            Lang::En => format!("{files} files without a game have this finding: {command}"),
            Lang::Zh => format!("另有 {files} 个没有棋局的文件有此发现：{command}"),
        });
    }
    Ok(())
}

fn list(
    rows: &[(GameRow, Option<NoveltyJson>)],
    query: &Query,
    with_novelty: bool,
    out: &mut Output,
) -> Result<(), CliError> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut head = match out.lang() {
        Lang::En => {
            vec!["game", "date", "red", "black", "result", "plies", "opening", "event", "source"]
        }
        Lang::Zh => vec!["编号", "日期", "红方", "黑方", "结果", "步数", "开局", "赛事", "来源"],
    };
    if query.position.is_some() || query.pattern.is_some() {
        head.insert(6, out.lang().pick("at ply", "第几步"));
    }
    if with_novelty {
        head.push(out.lang().pick("new", "新着"));
    }
    let cells = rows.iter().map(|(row, novelty)| {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let mut cells = vec![
            row.id.to_string(),
            text(&row.date),
            text(&row.red),
            text(&row.black),
            row.result.code().to_owned(),
            row.plies.to_string(),
            text(&row.opening),
            row.event.clone().or_else(|| row.title.clone()).unwrap_or_default(),
            format!("{}:{}", row.path, row.number),
        ];
        if query.position.is_some() || query.pattern.is_some() {
            cells.insert(6, row.ply.map(|ply| ply.to_string()).unwrap_or_default());
        }
        if with_novelty {
            let words = |new: &NoveltyJson| format!("{} {}", new.ply, new.chinese);
            cells.push(novelty.as_ref().map(words).unwrap_or_default());
        }
        cells
    });
    let right: &[usize] =
        if query.position.is_some() || query.pattern.is_some() { &[0, 5, 6] } else { &[0, 5] };
    writeln!(out, "{}", table(&head, cells, right))?;
    Ok(())
}
