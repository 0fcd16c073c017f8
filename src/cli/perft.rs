//! `qipu perft`: counting legal move paths.

use std::io::Write as _;
use std::time::Instant;

use qipu::board;
use qipu::report::json::{PerftJson, PerftMoveJson};

use super::position::parse_fen;
use super::{Done, Exit, Output};

/// Arguments of `perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu perft 4
  qipu perft 3 --divide
  qipu perft 5 --fen \"4k4/9/4P4/9/4C4/9/9/9/9/3K5 b\" --json")]
pub(crate) struct Args {
    /// Length of the paths in plies (half-moves)
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// Where the paths begin [default: the start position]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Count the paths of every first move
    #[arg(long)]
    divide: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let start = parse_fen(args.fen.as_deref().unwrap_or("startpos"), out)?.position();
    let begun = Instant::now();
    let (nodes, moves) = if args.divide && args.depth > 0 {
        let moves = board::perft_divide(&start, args.depth);
        (moves.iter().map(|(_, nodes)| nodes).sum(), moves)
    } else {
        (board::perft(&start, args.depth), Vec::new())
    };
    let seconds = begun.elapsed().as_secs_f64();
    if out.is_json() {
        let moves = args.divide.then(|| {
            moves
                .iter()
                .map(|(mv, nodes)| PerftMoveJson { mv: mv.to_string(), nodes: *nodes })
                .collect()
        });
        out.json(&PerftJson { fen: start.fen(), depth: args.depth, nodes, seconds, moves })?;
        return Ok(Exit::Fine);
    }
    for (mv, nodes) in &moves {
        writeln!(out, "{mv} {nodes:>14}")?;
    }
    let lang = out.lang();
    let millions = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(
        out,
        "{nodes} {}  {seconds:.3} s  {millions:.1} {}",
        lang.pick("paths", "条路径"),
        lang.pick("million a second", "百万条/秒")
    )?;
    Ok(Exit::Fine)
}
