//! `qipu show`: one game.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use qipu::db::Database;
use qipu::finding::Lang;
use qipu::game::Game;
use qipu::import::{ReadOptions, read_file};
use qipu::notation::{Notation, Style};
use qipu::report::json::GameJson;
use qipu::report::moves::{MainLine, notated};
use qipu::report::{BoardText, FindingText, GameText, PieceSet, Tone};

use super::database::failed;
use super::inputs::InputFile;
use super::reading::{FixArgs, ReadingArgs};
use super::{CliError, Done, Exit, Output};

/// Arguments of `show`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu show game.pgn
  qipu show games.pgn:12 --notation wxf
  qipu show 42 --db my.db
  qipu show game.xqf --ply 24
  qipu show game.xqf --boards 10 --lang zh")]
pub(crate) struct Args {
    /// A file, with the number of the game after a colon: games.pgn:12; the
    /// number of a game in the database; or `-` for standard input
    #[arg(value_name = "GAME")]
    game: String,
    /// The database, for a game by its number
    #[arg(long, value_name = "FILE", default_value = "qipu.db")]
    db: PathBuf,
    /// Notation of the moves; `qipu notations` lists them
    #[arg(long, value_name = "NOTATION", default_value = "chinese")]
    notation: Notation,
    /// House style of the notation, such as traditional or fullwidth; several
    /// with commas between
    #[arg(long, value_name = "STYLE", default_value = "")]
    style: Style,
    /// Draw the board after this ply; 0 is the start, may be given again
    #[arg(long, value_name = "PLY")]
    ply: Vec<u32>,
    /// Draw the board after every so many plies, and at the end
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    boards: Option<u32>,
    /// Draw FEN letters (K A B N R C P) instead of characters
    #[arg(long)]
    letters: bool,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    fixes: FixArgs,
    /// Leave the variations out
    #[arg(long)]
    main_line: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let (path, game, more) = match args.game.parse() {
        Ok(id) if !Path::new(&args.game).exists() => {
            let (path, game) = load_game(&args.db, id, out)?;
            (path, game, false)
        }
        _ => {
            let (path, number) = split(&args.game);
            let mut options = args.reading.options()?;
            options.replay.answers = args.fixes.answers(number);
            let (game, more) = read_game(path, number, &options, out)?;
            (path.to_owned(), game, more && args.game == path)
        }
    };
    let lang = out.lang();
    if out.is_json() {
        out.json(&GameJson::new(&path, &game, lang))?;
        return Ok(Exit::Fine);
    }
    show(&args, &path, &game, out)?;
    if more {
        out.remark(match lang {
            Lang::En => format!("The file has more games: qipu show {path}:2"),
            Lang::Zh => format!("文件中还有其他棋局：qipu show {path}:2"),
        });
    }
    Ok(Exit::Fine)
}

/// Splits `games.pgn:12`; a name that is a file as it stands stays whole.
fn split(game: &str) -> (&str, u32) {
    if let Some((path, number)) = game.rsplit_once(':')
        && let Ok(number) = number.parse()
        && !Path::new(game).exists()
    {
        return (path, number);
    }
    (game, 1)
}

/// Takes a game, and the path of its source, out of the database.
fn load_game(db: &Path, id: i64, out: &Output) -> Result<(String, Game), CliError> {
    let db = Database::open(db).map_err(|error| failed(&error))?;
    let game = db.game(id).map_err(|error| failed(&error))?;
    let source = db.source_of(id).map_err(|error| failed(&error))?;
    let path = source.map_or_else(String::new, |source| source.path);
    game.map(|game| (path, game)).ok_or_else(|| {
        let lang = out.lang();
        CliError::usage(
            match lang {
                Lang::En => format!("there is no game {id} in the database"),
                Lang::Zh => format!("数据库中没有第 {id} 局"),
            },
            lang.pick("`qipu find` lists the games", "`qipu find` 列出棋局"),
        )
    })
}

/// Reads one game of a file, and whether another follows.
fn read_game(
    path: &str,
    number: u32,
    options: &ReadOptions,
    out: &Output,
) -> Result<(Game, bool), CliError> {
    let input = if path == "-" { InputFile::stdin()? } else { InputFile::file(Path::new(path)) };
    let mut wanted = None;
    let mut more = false;
    let report = read_file(&input.entry, options, &mut |game| {
        if wanted.is_some() {
            more = true;
            return ControlFlow::Break(());
        }
        if game.origin.game == number {
            wanted = Some(game);
        }
        ControlFlow::Continue(())
    })
    .map_err(|error| CliError::input(&error.path, error.source))?;
    if let Some(game) = wanted {
        return Ok((game, more));
    }
    let lang = out.lang();
    let told: Vec<String> = report.findings.iter().map(|f| f.message(lang)).collect();
    let message = match lang {
        Lang::En => format!("{path} has {} games, no game {number}", report.games),
        Lang::Zh => format!("{path} 有 {} 局棋，没有第 {number} 局", report.games),
    };
    Err(CliError::usage(message, told.join("; ")))
}

fn show(args: &Args, path: &str, game: &Game, out: &mut Output) -> Result<(), CliError> {
    let (lang, paint) = (out.lang(), out.paint());
    let text = GameText::new(path, game, lang, paint)
        .notation(args.notation, args.style)
        .variations(!args.main_line);
    write!(out, "{text}")?;
    let last = game.main_line().count() as u32;
    let wanted = |ply: u32| {
        args.ply.contains(&ply)
            || args.boards.is_some_and(|every| ply.is_multiple_of(every) || ply == last)
    };
    let pieces = if args.letters { PieceSet::Letters } else { PieceSet::Hanzi };
    let after = |ply: u32| match lang {
        Lang::En => format!("After ply {ply}"),
        Lang::Zh => format!("第 {ply} 步之后"),
    };
    if wanted(0) {
        writeln!(out, "\n{}", paint.tone(Tone::Heading, after(0)))?;
        write!(out, "{}", BoardText::new(&game.start).pieces(pieces).paint(paint))?;
    }
    for step in MainLine::new(game).filter(|step| wanted(step.ply)) {
        let mv = step.mv.map_or_else(
            || qipu::report::json::GAP.to_owned(),
            |mv| notated(args.notation, mv, &step.before, args.style),
        );
        let position = step.after();
        let head = format!("{} {mv}", after(step.ply));
        writeln!(out, "\n{}", paint.tone(Tone::Heading, head))?;
        let board = BoardText::new(&position).last_move(step.mv).pieces(pieces).paint(paint);
        writeln!(out, "{board}{}", position.fen())?;
    }
    if !game.findings.is_empty() {
        writeln!(out)?;
    }
    for finding in &game.findings {
        writeln!(out, "{}", FindingText::of_game(path, game, finding, lang, paint).short())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_number_of_a_game_stands_after_a_colon() {
        assert_eq!(super::split("a.pgn:12"), ("a.pgn", 12));
        assert_eq!(super::split("a.pgn"), ("a.pgn", 1));
        assert_eq!(super::split("c:/a.pgn"), ("c:/a.pgn", 1));
    }
}
