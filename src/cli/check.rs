//! `qipu check`: what is wrong in files, without a database.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::ops::ControlFlow;

use qipu::finding::{Code, Finding, Lang, Severity};
use qipu::game::Game;
use qipu::import::{ReadOptions, read_file};
use qipu::notation::Notation;
use qipu::report::json::{FileJson, GameJson};
use qipu::report::{Excerpt, FindingText, Tally, Tone, heading, printable};
use qipu::text::Encoding;

use super::ask;
use super::inputs::{InputFile, files};
use super::reading::{FixArgs, ReadingArgs};
use super::{CliError, Done, Exit, Output};

/// Findings of one code that are shown of one file, unless `--all`.
const SHOWN: usize = 10;

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu check game.pgn
  qipu check my-games/ --lang zh
  qipu check - < sheet.txt
  qipu check sheet.txt --fix 12=车一平二 --fix 31=C2.5
  qipu check sheet.txt --ask
  qipu check my-games/ --json | grep illegal-move

Exit status 1 means that a finding of severity `error` was made, 3 that a file
could not be read. docs/findings/ explains every code.")]
pub(crate) struct Args {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<OsString>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    fixes: FixArgs,
    /// Put what is in doubt to you, the least certain first, and read again
    /// with each answer; on a terminal
    #[arg(long, conflicts_with = "json")]
    ask: bool,
    /// Read the moves in this notation and try no other; `qipu notations`
    /// lists them
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// Show every finding, not only the first ten of a kind in each file
    #[arg(long)]
    all: bool,
    /// Show findings of this severity and above
    #[arg(long, value_name = "SEVERITY", default_value = "note")]
    at_least: Level,
}

/// A severity on the command line.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Level {
    Note,
    Warning,
    Error,
}

impl Level {
    const fn severity(self) -> Severity {
        match self {
            Level::Note => Severity::Note,
            Level::Warning => Severity::Warning,
            Level::Error => Severity::Error,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let mut check = Check {
        out,
        tally: Tally::default(),
        hinted: BTreeSet::new(),
        all: args.all,
        least: args.at_least.severity(),
        shown: BTreeMap::new(),
        told_path: false,
    };
    let mut options = args.reading.options()?;
    options.replay.notation = args.notation;
    options.replay.answers = args.fixes.answers(1);
    if args.ask {
        return ask::run(&args.paths, options, check.out);
    }
    if !options.replay.answers.is_empty() {
        one_file(&args.paths, check.out.lang())?;
    }
    for file in files(&args.paths) {
        match file {
            Ok(file) => check.file(&file, &options)?,
            Err(error) => check.failed(&error),
        }
    }
    check.finish()
}

/// Answers are about one file.
pub(super) fn one_file(paths: &[OsString], lang: Lang) -> Result<(), CliError> {
    let folder = |path: &OsString| std::path::Path::new(path).is_dir();
    if paths.len() == 1 && !paths.iter().any(folder) {
        return Ok(());
    }
    Err(CliError::usage(
        lang.pick("--fix and --ask take one file at a time", "--fix 和 --ask 一次只用于一个文件"),
        lang.pick(
            "In a file of several games, write --fix GAME:PLY=MOVE.",
            "文件中有多局时，写 --fix 局号:步数=着法。",
        ),
    ))
}

struct Check<'a> {
    out: &'a mut Output,
    tally: Tally,
    /// Advice that has been given.
    hinted: BTreeSet<String>,
    all: bool,
    least: Severity,
    /// Findings of the present file by code.
    shown: BTreeMap<Code, usize>,
    told_path: bool,
}

impl Check<'_> {
    fn failed(&mut self, error: &CliError) {
        self.tally.failed += 1;
        let _ = self.out.flush();
        error.print(self.out);
    }

    fn file(&mut self, file: &InputFile, options: &ReadOptions) -> Result<(), CliError> {
        self.shown.clear();
        self.told_path = false;
        let path = file.entry.path();
        let mut written = Ok(());
        let read = read_file(&file.entry, options, &mut |game| {
            written = self.game(file, &game);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        written?;
        let report = match read {
            Ok(report) => report,
            Err(error) => {
                self.failed(&CliError::input(&error.path, error.source));
                return Ok(());
            }
        };
        self.tally.files += 1;
        self.tally.findings(&report.findings);
        if self.out.is_json() {
            if report.games == 0 || !report.findings.is_empty() {
                let lang = self.out.lang();
                self.out.json(&FileJson::new(path, report.format, &report.findings, lang))?;
            }
            return Ok(());
        }
        for finding in &report.findings {
            self.finding(file, None, finding, Encoding::Utf8)?;
        }
        self.rest(path)?;
        Ok(())
    }

    fn game(&mut self, file: &InputFile, game: &Game) -> io::Result<()> {
        self.tally.game(game);
        let path = file.entry.path();
        if self.out.is_json() {
            let lang = self.out.lang();
            return self.out.json(&GameJson::new(path, game, lang));
        }
        let encoding =
            game.origin.encoding.and_then(|name| name.parse().ok()).unwrap_or(Encoding::Utf8);
        let mut headed = false;
        for finding in &game.findings {
            if finding.severity >= self.least && !std::mem::replace(&mut headed, true) {
                self.heading(path, game)?;
            }
            self.finding(file, Some(game), finding, encoding)?;
        }
        Ok(())
    }

    /// The path once a file, and the game.
    fn heading(&mut self, path: &str, game: &Game) -> io::Result<()> {
        self.path(path)?;
        let who = heading(game, self.out.lang());
        if !who.is_empty() {
            let number = match self.out.lang() {
                qipu::finding::Lang::En => format!("game {}", game.origin.game),
                qipu::finding::Lang::Zh => format!("第 {} 局", game.origin.game),
            };
            writeln!(self.out, "{number}{} {who}", self.out.lang().pick(":", "："))?;
        }
        Ok(())
    }

    fn path(&mut self, path: &str) -> io::Result<()> {
        if !std::mem::replace(&mut self.told_path, true) {
            let paint = self.out.paint();
            writeln!(self.out, "{}", paint.tone(Tone::Heading, printable(path)))?;
        }
        Ok(())
    }

    fn finding(
        &mut self,
        file: &InputFile,
        game: Option<&Game>,
        finding: &Finding,
        encoding: Encoding,
    ) -> io::Result<()> {
        if finding.severity < self.least {
            return Ok(());
        }
        let shown = self.shown.entry(finding.code).or_default();
        *shown += 1;
        if *shown > SHOWN && !self.all {
            return Ok(());
        }
        let path = file.entry.path();
        self.path(path)?;
        let (lang, paint) = (self.out.lang(), self.out.paint());
        let text = match game {
            Some(game) => FindingText::of_game(path, game, finding, lang, paint),
            None => FindingText::of_file(path, finding, lang, paint),
        };
        if finding.severity == Severity::Note {
            return writeln!(self.out, "{}", text.short());
        }
        // An excerpt that cannot be read again is no reason to stop.
        let excerpt = finding.place.source.and_then(|point| {
            let mut source = file.open().ok()?;
            Excerpt::read(&mut *source, point, encoding, &finding.text).ok()?
        });
        let hint = self.hinted.insert(finding.hint(lang));
        writeln!(self.out, "{}", text.excerpt(excerpt).hint(hint))
    }

    /// Says how many findings of the file were not shown.
    fn rest(&mut self, path: &str) -> io::Result<()> {
        let lang = self.out.lang();
        let hidden: Vec<String> = self
            .shown
            .iter()
            .filter(|(_, count)| **count > SHOWN && !self.all)
            .map(|(code, count)| format!("{} {code}", count - SHOWN))
            .collect();
        if hidden.is_empty() {
            return Ok(());
        }
        let more = lang.pick("more findings like these", "其余同类");
        let help = lang.pick("`--all` shows them", "用 `--all` 全部列出");
        writeln!(self.out, "{}: {more}: {} ({help})", printable(path), hidden.join(", "))
    }

    fn finish(self) -> Done {
        if !self.out.is_json() {
            writeln!(self.out, "{}", self.tally.summary(self.out.lang()))?;
        }
        if self.tally.failed > 0 {
            return Err(CliError::Told);
        }
        if self.tally.of(Severity::Error) > 0 {
            return Ok(Exit::Faults);
        }
        Ok(Exit::Fine)
    }
}
