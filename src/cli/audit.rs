//! `qipu audit`: the arbiter's report on one or both players' score sheets.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use qipu::audit::{
    Audit, AuditOptions, Claim, ClockOptions, Foul, Plan, Reads, Sheet, SheetFile, audit,
    audit_both, read_sheets, seconds,
};
use qipu::board::Color;
use qipu::finding::{Lang, Severity};
use qipu::report::PieceSet;
use qipu::report::audit::{AuditText, html};
use qipu::report::json::{AuditJson, FileJson};

use super::inputs::InputFile;
use super::reading::{FixArgs, ReadingArgs};
use super::sink::Sink;
use super::{CliError, Done, Exit, Output};

/// Arguments of `audit`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu audit sheet.pgn
  qipu audit sheet.txt --of red --clock 6.1 --used red=1:29:40 --used black=1:12:05
  qipu audit red.txt --other black.txt --of red --html report.html
  qipu audit games.pgn:3 --foul red:9.1.3@20 --claim black:natural-limit@168

Plans for --clock: 6.1, 6.2, 6.3, 6.4, 6.5-MINUTES, asian-60, asian-90, 2007-odds,
or a file of your own (docs/audit.md).

Exit status 1 means that a finding of severity `error` was made.")]
pub(crate) struct Args {
    /// The sheet: any file that qipu reads; FILE:N is its game N; `-` is
    /// standard input. Of a file with several games each is reported on
    #[arg(value_name = "SHEET")]
    sheet: String,
    /// The other player's sheet of the same game, FILE or FILE:N
    #[arg(long, value_name = "SHEET2")]
    other: Option<String>,
    /// Who kept SHEET: red or black; unrecorded moves are then that player's,
    /// and SHEET2 is the opponent's
    #[arg(long, value_name = "SIDE", value_parser = side)]
    of: Option<Color>,
    /// The plan for the clocks, by name or as a file
    #[arg(long, value_name = "PLAN")]
    clock: Option<String>,
    /// Time used at the end, from the clock: red=1:29:40
    #[arg(long, value_name = "SIDE=TIME", value_parser = time)]
    used: Vec<(Color, u32)>,
    /// What the times on the sheet tell: used, left, or each (for each move)
    /// [default: what they look like]
    #[arg(long, value_name = "WHAT")]
    times: Option<Reads>,
    /// Times in two parts are hours and minutes, not minutes and seconds
    #[arg(long)]
    hours: bool,
    /// A foul that was announced: SIDE:ARTICLE@PLY, such as red:7.1@34; may be
    /// given again
    #[arg(long, value_name = "FOUL")]
    foul: Vec<Foul>,
    /// A claim to be checked: SIDE:natural-limit@PLY or SIDE:repetition@PLY,
    /// at the end without @PLY; may be given again
    #[arg(long, value_name = "CLAIM")]
    claim: Vec<Claim>,
    /// Write the report as a page that stands alone and prints on A4
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Draw no boards
    #[arg(long)]
    no_boards: bool,
    /// Draw FEN letters (K A B N R C P) instead of characters
    #[arg(long)]
    letters: bool,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    fixes: FixArgs,
}

fn side(text: &str) -> Result<Color, String> {
    match text {
        "red" | "红" | "红方" => Ok(Color::Red),
        "black" | "黑" | "黑方" => Ok(Color::Black),
        _ => Err("a side is red or black".to_owned()),
    }
}

fn time(text: &str) -> Result<(Color, u32), String> {
    let wrong = || "a time is SIDE=H:MM:SS, such as red=1:29:40".to_owned();
    let (who, when) = text.split_once('=').ok_or_else(wrong)?;
    let whole = when.chars().all(|c| c.is_ascii_digit() || c == ':');
    let when = seconds(when, true).filter(|_| whole).ok_or_else(wrong)?;
    Ok((side(who)?, when))
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let options = options(&args, out)?;
    let mut file = read(&args.sheet, &args, out)?;
    for sheet in &mut file.sheets {
        sheet.keeper = args.of;
    }
    if let Some(other) = &args.other {
        return both(file, other, &args, &options, out);
    }
    let mut faults = file.findings.iter().any(|finding| finding.severity == Severity::Error);
    let more = file.more;
    let mut reports = Vec::new();
    for sheet in file.sheets {
        faults |= sheet.game.findings.iter().any(|f| f.severity == Severity::Error);
        reports.push(audit(sheet, &options));
    }
    show(&reports, &args, out)?;
    if more {
        let sheet = &args.sheet;
        out.remark(match out.lang() {
            Lang::En => format!("The file has more games; name one: qipu audit {sheet}:N"),
            Lang::Zh => format!("文件中还有其他棋局，请指明：qipu audit {sheet}:N"),
        });
    }
    Ok(if faults { Exit::Faults } else { Exit::Fine })
}

/// The report on two sheets of one game.
fn both(
    file: SheetFile,
    other: &str,
    args: &Args,
    options: &AuditOptions,
    out: &mut Output,
) -> Done {
    let lang = out.lang();
    let several = |name: &str| {
        CliError::usage(
            match lang {
                Lang::En => format!("{name} has several games"),
                Lang::Zh => format!("{name} 中有多局"),
            },
            lang.pick("name one of them: FILE:N", "请指明其中一局：文件:N"),
        )
    };
    let first = only(file).ok_or_else(|| several(&args.sheet))?;
    let second = only(read(other, args, out)?).ok_or_else(|| several(other))?;
    let second = Sheet { keeper: args.of.map(Color::other), ..second };
    let error = |sheet: &Sheet| {
        sheet.game.findings.iter().any(|finding| finding.severity == Severity::Error)
    };
    let faults = error(&first) || error(&second);
    show(&[audit_both(first, second, options)], args, out)?;
    Ok(if faults { Exit::Faults } else { Exit::Fine })
}

/// The sheet of a file that holds one game.
fn only(file: SheetFile) -> Option<Sheet> {
    let mut sheets = file.sheets.into_iter();
    let first = sheets.next()?;
    sheets.next().is_none().then_some(first)
}

fn show(reports: &[Audit], args: &Args, out: &mut Output) -> Result<(), CliError> {
    let lang = out.lang();
    if let Some(path) = &args.html {
        let mut sink = Sink::create(path)?;
        sink.write_all(html(reports, lang).as_bytes())
            .map_err(|source| Sink::failed(path, source))?;
        sink.finish()?;
        if !out.is_json() {
            let written = lang.pick("written", "已写入");
            writeln!(out, "{}: {written}", path.display())?;
            return Ok(());
        }
    }
    let pieces = if args.letters { PieceSet::Letters } else { PieceSet::Hanzi };
    for (number, report) in reports.iter().enumerate() {
        if out.is_json() {
            out.json(&AuditJson::new(report, lang))?;
            continue;
        }
        if number > 0 {
            writeln!(out, "\n{}\n", "═".repeat(60))?;
        }
        let text = AuditText::new(report, lang, out.paint()).boards(!args.no_boards);
        write!(out, "{}", text.pieces(pieces))?;
    }
    Ok(())
}

fn options(args: &Args, out: &Output) -> Result<AuditOptions, CliError> {
    let mut used = [None; 2];
    for (side, seconds) in &args.used {
        used[side.index()] = Some(*seconds);
    }
    let plan = args.clock.as_deref().map(|name| plan(name, out)).transpose()?;
    Ok(AuditOptions {
        rules: args.reading.rules,
        limit: args.reading.natural_limit.unwrap_or(args.reading.rules.natural_limit()),
        clock: ClockOptions { plan, used, reads: args.times, hours: args.hours },
        fouls: args.foul.clone(),
        claims: args.claim.clone(),
    })
}

/// A plan by its name, or from a file: the first in it.
fn plan(name: &str, out: &Output) -> Result<Plan, CliError> {
    if let Some(plan) = Plan::by_name(name) {
        return Ok(plan);
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<String> = Plan::built_in().into_iter().map(|plan| plan.name).collect();
        let lang = out.lang();
        return Err(CliError::usage(
            match lang {
                Lang::En => format!("no plan is called `{name}`, and no file either"),
                Lang::Zh => format!("没有名为 `{name}` 的计时方案，也没有这个文件"),
            },
            format!("{}: {}", lang.pick("plans", "计时方案"), names.join(", ")),
        ));
    }
    let wrong = |error: String| CliError::input(path, std::io::Error::other(error));
    let text = std::fs::read_to_string(path).map_err(|source| CliError::input(path, source))?;
    let plans = Plan::parse_all(&text).map_err(|error| wrong(error.to_string()))?;
    plans.into_iter().next().ok_or_else(|| wrong("no plan in it".to_owned()))
}

/// Reads the sheets of a file, or the one that a number names.
fn read(argument: &str, args: &Args, out: &mut Output) -> Result<SheetFile, CliError> {
    let (path, number) = split(argument);
    let mut options = args.reading.options()?;
    options.replay.answers = args.fixes.answers(number.unwrap_or(1));
    let input = if path == "-" { InputFile::stdin()? } else { InputFile::file(Path::new(path)) };
    let file = read_sheets(&input.entry, &options, number)
        .map_err(|source| CliError::input(PathBuf::from(path), source))?;
    if !file.sheets.is_empty() {
        return Ok(file);
    }
    let lang = out.lang();
    if out.is_json() && !file.findings.is_empty() {
        out.json(&FileJson::new(path, None, &file.findings, lang))?;
    }
    let told: Vec<String> = file.findings.iter().map(|f| f.message(lang)).collect();
    let message = match (number, lang) {
        (Some(number), Lang::En) => format!("{path} has no game {number}"),
        (Some(number), Lang::Zh) => format!("{path} 没有第 {number} 局"),
        (None, Lang::En) => format!("{path} has no game"),
        (None, Lang::Zh) => format!("{path} 中没有棋局"),
    };
    Err(CliError::usage(message, told.join("; ")))
}

/// Splits `games.pgn:12`; a name that is a file as it stands stays whole.
fn split(argument: &str) -> (&str, Option<u32>) {
    if let Some((path, number)) = argument.rsplit_once(':')
        && let Ok(number) = number.parse()
        && !Path::new(argument).exists()
    {
        return (path, Some(number));
    }
    (argument, None)
}
