//! `qipu judge`: the repetition in a line of moves, ply by ply, and its end.

use std::io::Write as _;

use qipu::board::{Move, Position};
use qipu::finding::Lang;
use qipu::finding::catalogue::words::side;
use qipu::game::{Game, OutcomeKind};
use qipu::replay::ReplayOptions;
use qipu::report::json::{JudgeJson, OutcomeJson};
use qipu::report::moves::{MainLine, chinese};
use qipu::report::{BoardText, PieceSet, Tone, judgement_words as words, outcome};
use qipu::rules::{Judgement, PlyJudgement, RuleSet, judge};

use super::position::parse_fen;
use super::{CliError, Done, Exit, Output, moves};

/// Arguments of `judge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu judge --moves \"h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0 g7h9\"
  qipu judge --rules axf --fen \"5k3/9/9/9/c8/9/9/1R7/9/4K4 w\" \\
    --moves \"b2a2 a5b5 a2b2 b5a5 b2a2 a5b5 a2b2 b5a5 b2a2 a5b5 a2b2 b5a5\"")]
pub(crate) struct Args {
    /// The moves, in any notation
    #[arg(long, value_name = "MOVES")]
    moves: String,
    /// The position from which they are played [default: the start position]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Rules: cn1999, cn2020, axf or wxf; `qipu rules` lists them
    #[arg(long, value_name = "SET", default_value_t)]
    rules: RuleSet,
    /// Rounds in a row without a capture that make the natural limit
    /// (4.2.4) [default: what the rules say, 60]
    #[arg(long, value_name = "ROUNDS", value_parser = clap::value_parser!(u32).range(1..))]
    natural_limit: Option<u32>,
    /// Draw no boards
    #[arg(long)]
    no_boards: bool,
    /// Draw FEN letters (K A B N R C P) instead of characters
    #[arg(long)]
    letters: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let start = match &args.fen {
        Some(fen) => parse_fen(fen, out)?.position(),
        None => Position::start(),
    };
    let options = ReplayOptions {
        rules: args.rules,
        natural_limit: args.natural_limit,
        ..ReplayOptions::default()
    };
    let game = moves::game(&start, &args.moves, &options, out)?;
    let line: Vec<Move> = MainLine::new(&game).map_while(|step| step.mv).collect();
    if line.len() < MainLine::new(&game).count() {
        return Err(CliError::usage(
            out.lang().pick("a line with a missing move cannot be judged", "缺着的着法无法判定"),
            "",
        ));
    }
    let judgement = judge(&game.start, &line, args.rules);
    let positions = positions(&game.start, &line, &judgement);
    if out.is_json() {
        let outcome = OutcomeJson::new(&game.outcome);
        let object = JudgeJson::new(&judgement, &positions, outcome, out.lang());
        out.json(&object)?;
        return Ok(Exit::Fine);
    }
    explain(&judgement, &positions, &args, out)?;
    end(&game, out)?;
    Ok(Exit::Fine)
}

/// The position before each ply of the loop, and the one after the last.
fn positions(start: &Position, line: &[Move], judgement: &Judgement) -> Vec<Position> {
    let Some(cycle) = judgement.cycle else { return Vec::new() };
    let mut position = start.clone();
    let mut positions = Vec::with_capacity(judgement.plies.len() + 1);
    for (ply, mv) in (1..).zip(line) {
        if ply > cycle.to_ply {
            break;
        }
        if ply >= cycle.from_ply {
            positions.push(position.clone());
        }
        position.make(*mv);
    }
    positions.push(position);
    positions
}

/// The loop ply by ply, what either side does, and the verdict.
fn explain(
    judgement: &Judgement,
    positions: &[Position],
    args: &Args,
    out: &mut Output,
) -> Result<(), CliError> {
    let lang = out.lang();
    let paint = out.paint();
    let title = lang.pick(judgement.rules.title(), judgement.rules.title_zh());
    writeln!(out, "{}", paint.tone(Tone::Heading, title))?;
    let Some(cycle) = judgement.cycle else {
        writeln!(out, "{}", words::verdict(judgement, lang))?;
        return Ok(());
    };
    match lang {
        Lang::En => writeln!(
            out,
            "The loop: {} plies, {} to {}. The position stands on the board {} times.",
            cycle.length(),
            cycle.from_ply,
            cycle.to_ply,
            cycle.times
        )?,
        Lang::Zh => writeln!(
            out,
            "循环：第 {} 至 {} 步，共 {} 步；同一局面出现 {} 次。",
            cycle.from_ply,
            cycle.to_ply,
            cycle.length(),
            cycle.times
        )?,
    }
    let pieces = if args.letters { PieceSet::Letters } else { PieceSet::Hanzi };
    let board = |out: &mut Output, position: &Position, last: Option<Move>| {
        if args.no_boards {
            return Ok(());
        }
        let drawn = BoardText::new(position).last_move(last).pieces(pieces).paint(paint);
        write!(out, "\n{drawn}")
    };
    if let Some(first) = positions.first() {
        board(out, first, None)?;
    }
    let steps = positions.iter().zip(positions.iter().skip(1));
    for (ply, (before, after)) in judgement.plies.iter().zip(steps) {
        writeln!(out)?;
        tell(ply, before, after, out)?;
        board(out, after, Some(ply.mv))?;
    }
    writeln!(out)?;
    for (color, conduct) in
        qipu::board::Color::ALL.into_iter().zip([judgement.red, judgement.black])
    {
        let colon = lang.pick(": ", "：");
        writeln!(out, "{}{colon}{}", side(color, lang), words::conduct(conduct, lang))?;
    }
    writeln!(out, "{}", paint.tone(Tone::Heading, words::verdict(judgement, lang)))?;
    if let Some(point) = judgement.open {
        writeln!(out, "{}", words::open_point(point, lang))?;
    }
    Ok(())
}

/// One ply: number, move, class, article, and why.
fn tell(
    ply: &PlyJudgement,
    before: &Position,
    after: &Position,
    out: &mut Output,
) -> Result<(), CliError> {
    let lang = out.lang();
    let paint = out.paint();
    let color = side(ply.side, lang);
    let name = words::class(ply, lang);
    let tone = if words::attacks(ply.class) { Tone::Warning } else { Tone::Help };
    let written = chinese(ply.mv, before);
    write!(out, "{:>3}. {color} {written} ({})  ", ply.ply, ply.mv)?;
    writeln!(out, "{} {}", paint.tone(tone, name), paint.tone(Tone::Dim, ply.article))?;
    writeln!(out, "     {}", words::why(ply, after, lang))?;
    if ply.bounded {
        writeln!(out, "     {}", paint.tone(Tone::Dim, words::bounded(lang)))?;
    }
    Ok(())
}

/// How the line ends, the repetition apart.
fn end(game: &Game, out: &mut Output) -> Result<(), CliError> {
    if game.outcome.kind == OutcomeKind::Repetition {
        return Ok(());
    }
    if let Some(words) = outcome(game, out.lang()) {
        writeln!(out, "{words}")?;
    }
    Ok(())
}
