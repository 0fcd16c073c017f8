//! `qipu prior train`: makes the model of likely moves.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use qipu::board::{Move, Position};
use qipu::db::{Database, DbError, Query};
use qipu::finding::Lang;
use qipu::game::Game;
use qipu::import::{ReadOptions, read_file};
use qipu::replay::prior::{TrainOptions, train};
use serde::Serialize;

use super::database::failed;
use super::inputs::files;
use super::progress::Progress;
use super::{CliError, Done, Exit, Output};

/// Shortest game that is learned from, in plies: shorter ones are puzzles and
/// fragments.
const SHORTEST: usize = 20;

/// Arguments of `prior`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Learn from the games of files or of a database; the same games give the
    /// same bytes
    #[command(after_help = "Examples:
  qipu prior train my-games/ -o my.prior
  qipu prior train --db my.db -o my.prior
  qipu check --prior my.prior sheet.txt")]
    Train(Train),
}

#[derive(Debug, clap::Args)]
struct Train {
    /// Files and folders of games
    #[arg(value_name = "PATH", required_unless_present = "db")]
    paths: Vec<OsString>,
    /// A database whose games are learned from, too
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Where to write the model
    #[arg(short, long, value_name = "MODEL")]
    output: PathBuf,
    /// How often every game is seen
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().epochs)]
    epochs: u32,
    /// log2 of the model's size in bytes
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().bits,
          value_parser = clap::value_parser!(u32).range(10..=24))]
    bits: u32,
}

#[derive(Serialize)]
struct Summary {
    games: usize,
    plies: u64,
    bits_per_ply: Vec<f64>,
    bytes: usize,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let Command::Train(args) = args.command;
    let mut games = distinct_games(&args.paths)?;
    if let Some(path) = &args.db {
        games_of_database(path, &mut games).map_err(|error| failed(&error))?;
    }
    let set: Vec<(Position, &[Move])> =
        games.iter().map(|moves| (Position::start(), moves.as_slice())).collect();
    let options = TrainOptions { bits: args.bits, epochs: args.epochs, ..TrainOptions::default() };
    let mut progress = Progress::new(Some(u64::from(args.epochs)));
    let trained = train(&set, &options, |epoch, bits| {
        progress.set(u64::from(epoch));
        progress.message(format!("{bits:.3} bits a ply"));
    });
    drop(progress);
    let bytes = trained.model.to_bytes();
    std::fs::write(&args.output, &bytes)
        .map_err(|source| CliError::Output { path: Some(args.output.clone()), source })?;
    let summary = Summary {
        games: games.len(),
        plies: trained.plies,
        bits_per_ply: trained.bits_per_ply,
        bytes: bytes.len(),
    };
    if out.is_json() {
        out.json(&summary)?;
        return Ok(Exit::Fine);
    }
    let last = summary.bits_per_ply.last().copied().unwrap_or_default();
    let (games, plies, path) = (summary.games, summary.plies, args.output.display());
    match out.lang() {
        Lang::En => writeln!(
            out,
            "{path}: learned from {games} distinct games, {plies} plies; {last:.3} bits a ply"
        )?,
        Lang::Zh => {
            writeln!(out, "{path}：学习了 {games} 局不同的棋、{plies} 步；每步 {last:.3} 比特")?;
        }
    }
    Ok(Exit::Fine)
}

/// The legal main lines from the ordinary start position, each once, in an
/// order that does not depend on that of the files.
fn distinct_games(paths: &[OsString]) -> Result<BTreeSet<Vec<Move>>, CliError> {
    let mut games = BTreeSet::new();
    let options = ReadOptions::default();
    let mut progress = Progress::new(None);
    for (done, file) in files(paths).enumerate() {
        let file = file?;
        progress.set(done as u64);
        let path = file.entry.path().to_owned();
        read_file(&file.entry, &options, &mut |game| {
            take(&game, &mut games);
            ControlFlow::Continue(())
        })
        .map_err(|error| CliError::input(path, error.source))?;
    }
    Ok(games)
}

/// Adds the games of a database. Games with faults lend their legal
/// beginnings, as those of files do.
fn games_of_database(path: &Path, games: &mut BTreeSet<Vec<Move>>) -> Result<(), DbError> {
    let db = Database::open(path)?;
    let mut ids = Vec::new();
    db.find(&Query::default(), &mut |row| {
        ids.push(row.id);
        ControlFlow::Continue(())
    })?;
    let mut progress = Progress::new(Some(ids.len() as u64));
    for (done, id) in ids.into_iter().enumerate() {
        progress.set(done as u64);
        if let Some(game) = db.game(id)? {
            take(&game, games);
        }
    }
    Ok(())
}

/// Adds the legal main line of a game from the ordinary start position.
fn take(game: &Game, games: &mut BTreeSet<Vec<Move>>) {
    if game.start == Position::start() {
        let moves: Vec<Move> = game.main_line().map_while(|mv| mv).collect();
        if moves.len() >= SHORTEST {
            games.insert(moves);
        }
    }
}
