//! `qipu position`: a position drawn, with its legal moves and state.

use std::io::Write as _;

use qipu::audit::{TouchError, TouchRuling, Touched, touch};
use qipu::board::{Position, Status};
use qipu::finding::{Finding, Lang, Place};
use qipu::report::json::{PositionJson, sorted_moves};
use qipu::report::{BoardText, PieceSet, Tone, position_words, touch_words};
use qipu::rules::RuleSet;

use super::{CliError, Done, Exit, Output};

/// Arguments of `position`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu position
  qipu position \"4k4/9/4P4/9/4C4/9/9/9/9/3K5 b\"
  qipu position startpos moves h2e2 h9g7
  qipu position startpos --touched h2,h9
  qipu position --json 4k4/9/9/9/9/9/9/9/9/3RK4 b - - 0 1")]
pub(crate) struct Args {
    /// The position as FEN, quoted or in several words; a UCCI line `startpos
    /// moves …` works too [default: the start position]
    #[arg(value_name = "FEN")]
    fen: Vec<String>,
    /// Draw FEN letters (K A B N R C P) instead of characters
    #[arg(long)]
    letters: bool,
    /// Which moves a player who has touched these points is bound to, in this
    /// order (article 5): h2,h9; or h2+h9 for both at once
    #[arg(long, value_name = "SQUARES")]
    touched: Option<Touched>,
    /// Rules for --touched: cn1999, cn2020, axf or wxf
    #[arg(long, value_name = "SET", default_value_t, requires = "touched")]
    rules: RuleSet,
}

/// What follows from touching, where that is asked.
fn ruling(args: &Args, position: &Position, out: &Output) -> Result<Option<TouchRuling>, CliError> {
    let Some(touched) = &args.touched else { return Ok(None) };
    touch(position, touched, args.rules).map(Some).map_err(|TouchError::Empty(at)| {
        let lang = out.lang();
        CliError::usage(
            match lang {
                Lang::En => format!("no piece stands on {at}"),
                Lang::Zh => format!("{at} 没有棋子"),
            },
            lang.pick("`qipu position FEN` draws the board", "`qipu position FEN` 画出局面"),
        )
    })
}

/// Reads a FEN from the command line.
pub(crate) fn parse_fen(text: &str, out: &Output) -> Result<qipu::board::ParsedFen, CliError> {
    Position::parse_fen(text).map_err(|error| {
        let finding = Finding::bad_fen(Place::WHOLE, &error);
        let lang = out.lang();
        let what = lang.pick("this is not a position", "局面无法识别");
        CliError::usage(format!("{what}: {}", finding.message(lang)), finding.hint(lang))
    })
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let text = if args.fen.is_empty() { "startpos".to_owned() } else { args.fen.join(" ") };
    let parsed = parse_fen(&text, out)?;
    let position = parsed.position();
    let lang = out.lang();
    let touched = ruling(&args, &position, out)?;
    let faults = position.faults();
    let status = position.status();
    let reasons: Vec<String> = faults
        .iter()
        .map(|fault| Finding::illegal_position(Place::WHOLE, *fault).message(lang))
        .collect();
    if out.is_json() {
        let named = faults
            .iter()
            .zip(&reasons)
            .map(|(fault, reason)| format!("{}: {reason}", fault.name()))
            .collect();
        let object = PositionJson::new(&position, status, named);
        out.json(&match &touched {
            Some(ruling) => object.touched(ruling),
            None => object,
        })?;
        return Ok(Exit::Fine);
    }
    let paint = out.paint();
    let pieces = if args.letters { PieceSet::Letters } else { PieceSet::Hanzi };
    let last = parsed.moves.last().copied();
    write!(out, "{}", BoardText::new(&position).last_move(last).pieces(pieces).paint(paint))?;
    writeln!(out)?;
    writeln!(out, "{}", position.fen())?;
    writeln!(out, "{}", position_words::state(&position, status, lang))?;
    for reason in &reasons {
        writeln!(out, "  {}", paint.tone(Tone::Error, reason))?;
    }
    for note in parsed.notes.iter().filter(|_| !args.fen.is_empty() && text != "startpos") {
        let label = paint.tone(Tone::Note, lang.pick("note", "说明"));
        writeln!(out, "{label}: {}", Finding::fen_note(Place::WHOLE, *note).message(lang))?;
    }
    if let Some(ruling) = touched {
        writeln!(out)?;
        for line in touch_words::ruling(&ruling, &position, lang) {
            writeln!(out, "{line}")?;
        }
        return Ok(Exit::Fine);
    }
    let moves = sorted_moves(&position);
    if status == Status::Illegal || moves.is_empty() {
        return Ok(Exit::Fine);
    }
    writeln!(out)?;
    writeln!(out, "{}", position_words::moves_heading(moves.len(), lang))?;
    let mut from = None;
    for mv in moves {
        if from != Some(mv.from) {
            if from.is_some() {
                writeln!(out)?;
            }
            let hanzi = position.piece_at(mv.from).map_or('?', qipu::board::Piece::hanzi);
            write!(out, "  {hanzi} {} ", mv.from)?;
            from = Some(mv.from);
        }
        write!(out, " {}", mv.to)?;
    }
    writeln!(out)?;
    Ok(Exit::Fine)
}
