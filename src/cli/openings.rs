//! `qipu openings`: what was played at a position.

use std::io::Write as _;

use qipu::board::Position;
use qipu::db::{PositionTree, Query};
use qipu::finding::Lang;
use qipu::game::ecco;
use qipu::report::moves::chinese;
use qipu::report::table;
use serde::Serialize;

use super::database::{DatabaseArg, Filters, PositionArg, failed};
use super::{Done, Exit, Output};

/// Arguments of `openings`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu openings
  qipu openings --moves '炮二平五 马8进7'
  qipu openings --moves 'h2e2 h9g7' --player 胡荣华 --mirror
  qipu openings --codes --year 1990..

Positions reached by another order of moves count. The score is Red's share of
the points in games with a known result, a draw counting one half. The rating is
the mean of the players who made the move, where the games tell it.")]
pub(crate) struct Args {
    #[command(flatten)]
    database: DatabaseArg,
    #[command(flatten)]
    position: PositionArg,
    #[command(flatten)]
    filters: Filters,
    /// Count the mirror image (left and right exchanged), too
    #[arg(long)]
    mirror: bool,
    /// List opening codes (ECCO) with their names rather than moves
    #[arg(long)]
    codes: bool,
    /// Replay every game rather than ask the position index
    #[arg(long)]
    no_index: bool,
}

#[derive(Serialize)]
struct Tree {
    fen: String,
    games: u64,
    moves: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
    games: u64,
    red_wins: u64,
    draws: u64,
    black_wins: u64,
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_year: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_year: Option<u16>,
    last_game: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_rating: Option<f64>,
}

impl Tree {
    fn new(position: &Position, tree: &PositionTree) -> Tree {
        let rounded = |number: f64, to: f64| (number * to).round() / to;
        let rows = tree.moves.iter().map(|stats| Row {
            mv: stats.mv.to_string(),
            chinese: chinese(stats.mv, position),
            games: stats.games,
            red_wins: stats.red_wins,
            draws: stats.draws,
            black_wins: stats.black_wins,
            score: stats.score().map(|score| rounded(score, 10_000.0)),
            mean_year: stats.mean_year().map(|year| rounded(year, 10.0)),
            last_year: stats.last_year,
            last_game: stats.last_game,
            mean_rating: stats.ratings[position.side().index()]
                .mean()
                .map(|rating| rounded(rating, 10.0)),
        });
        Tree { fen: position.fen(), games: tree.games, moves: rows.collect() }
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let position = args.position.position(out)?;
    if args.codes {
        let query = Query {
            position,
            mirror: args.mirror,
            no_index: args.no_index,
            ..args.filters.query()
        };
        return list_codes(&args.database, &query, out);
    }
    let position = position.unwrap_or_default();
    let query = Query { mirror: args.mirror, no_index: args.no_index, ..args.filters.query() };
    let db = if query.no_index {
        args.database.open()?
    } else {
        args.database.open_for_positions(out)?
    };
    let tree = db.openings(&position, &query).map_err(|error| failed(&error))?;
    let tree = Tree::new(&position, &tree);
    if out.is_json() {
        out.json(&tree)?;
        return Ok(Exit::Fine);
    }
    let lang = out.lang();
    writeln!(out, "{}", tree.fen)?;
    match lang {
        Lang::En => writeln!(out, "{} games", tree.games)?,
        Lang::Zh => writeln!(out, "{} 局", tree.games)?,
    }
    if tree.moves.is_empty() {
        return Ok(Exit::Fine);
    }
    let mut head = match lang {
        Lang::En => {
            vec!["move", "", "games", "red wins", "draws", "black wins", "score", "year", "last"]
        }
        Lang::Zh => {
            vec!["着法", "", "局数", "红胜", "和", "黑胜", "红方得分", "平均年份", "最近"]
        }
    };
    // Few games tell the ratings of their players.
    let rated = tree.moves.iter().any(|row| row.mean_rating.is_some());
    if rated {
        head.push(lang.pick("rating", "等级分"));
    }
    let rows = tree.moves.iter().map(|row| {
        let mut cells = vec![
            row.chinese.clone(),
            row.mv.clone(),
            row.games.to_string(),
            row.red_wins.to_string(),
            row.draws.to_string(),
            row.black_wins.to_string(),
            row.score.map(|score| format!("{:.1} %", score * 100.0)).unwrap_or_default(),
            row.mean_year.map(|year| format!("{year:.0}")).unwrap_or_default(),
            row.last_year.map(|year| year.to_string()).unwrap_or_default(),
        ];
        if rated {
            cells.push(row.mean_rating.map(|rating| format!("{rating:.0}")).unwrap_or_default());
        }
        cells
    });
    writeln!(out, "\n{}", table(&head, rows, &[2, 3, 4, 5, 6, 7, 8, 9]))?;
    Ok(Exit::Fine)
}

#[derive(Serialize)]
struct CodeRow<'a> {
    code: &'a str,
    chinese: &'a str,
    english: &'a str,
    games: u64,
    red_wins: u64,
    draws: u64,
    black_wins: u64,
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_year: Option<u16>,
}

/// The opening codes of the games that match.
fn list_codes(database: &DatabaseArg, query: &Query, out: &mut Output) -> Done {
    let stats = database.open()?.opening_codes(query).map_err(|error| failed(&error))?;
    let codes: Vec<CodeRow<'_>> = stats
        .iter()
        .map(|stats| {
            let opening = ecco::opening(&stats.code);
            CodeRow {
                code: &stats.code,
                chinese: opening.map_or("", |opening| opening.chinese),
                english: opening.map_or("", |opening| opening.english),
                games: stats.games,
                red_wins: stats.red_wins,
                draws: stats.draws,
                black_wins: stats.black_wins,
                score: stats.score().map(|score| (score * 10_000.0).round() / 10_000.0),
                last_year: stats.last_year,
            }
        })
        .collect();
    if out.is_json() {
        for code in &codes {
            out.json(code)?;
        }
        return Ok(Exit::Fine);
    }
    let lang = out.lang();
    let head = match lang {
        Lang::En => {
            ["code", "games", "red wins", "draws", "black wins", "score", "last", "opening"]
        }
        Lang::Zh => ["编号", "局数", "红胜", "和", "黑胜", "红方得分", "最近", "开局"],
    };
    let rows = codes.iter().map(|code| {
        vec![
            code.code.to_owned(),
            code.games.to_string(),
            code.red_wins.to_string(),
            code.draws.to_string(),
            code.black_wins.to_string(),
            code.score.map(|score| format!("{:.1} %", score * 100.0)).unwrap_or_default(),
            code.last_year.map(|year| year.to_string()).unwrap_or_default(),
            lang.pick(code.english, code.chinese).to_owned(),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[1, 2, 3, 4, 5, 6]))?;
    Ok(Exit::Fine)
}
