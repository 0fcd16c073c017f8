//! `qipu convert`: games in another format or notation.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;

use qipu::finding::Lang;
use qipu::formats::{self, Format, WriteError, WriteOptions};
use qipu::game::Game;
use qipu::import::{ReadOptions, read_file};
use qipu::notation::Notation;
use qipu::report::{FindingText, counted};

use super::inputs::{InputFile, files};
use super::lost::Lost;
use super::reading::{FixArgs, ReadingArgs};
use super::sink::Sink;
use super::{CliError, Done, Exit, Output};

/// Arguments of `convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu convert game.xqf --to pgn -o game.pgn
  qipu convert games/ --to text --notation wxf > games.txt
  qipu convert game.pgn --to xqf --style keyed -o game.xqf
  qipu convert game.pgn --to pgn --style traditional,fullwidth --encoding gb18030 -o old.pgn

What the target format cannot carry is told on standard error, before the file
gets its name; --dry-run tells it and writes nothing. `qipu formats` lists the
formats, `qipu notations` the notations.")]
pub(crate) struct Args {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "IN", required = true)]
    paths: Vec<OsString>,
    /// Format to write, such as pgn, text or xqf
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// Notation of the moves, where the format leaves a choice
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// House style, such as traditional or fullwidth, several with commas
    /// between; for xqf `keyed` or `keyed-12`
    #[arg(long, value_name = "STYLE")]
    style: Option<String>,
    /// Character encoding, such as utf-8, gb18030 or big5
    #[arg(long, value_name = "ENCODING")]
    encoding: Option<String>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    fixes: FixArgs,
    /// File to write, or a folder that gets a file for each game [default:
    /// standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write nothing, and tell what the format could not carry
    #[arg(long)]
    dry_run: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let format = format(&args.to, out)?;
    let mut reading = args.reading.options()?;
    reading.replay.answers = args.fixes.answers(1);
    let options = WriteOptions {
        notation: args.notation,
        style: args.style,
        encoding: args.encoding,
        continued: false,
    };
    let folder = args.output.as_ref().filter(|path| path.is_dir()).cloned();
    let sink = match &args.output {
        Some(path) if folder.is_none() && !args.dry_run => Some(Sink::create(path)?),
        _ => None,
    };
    let mut convert = Convert {
        out,
        format,
        reading,
        options,
        sink,
        folder: folder.clone(),
        dry_run: args.dry_run,
        games: 0,
        failed: false,
        lost: Lost::default(),
    };
    for file in files(&args.paths) {
        match file {
            Ok(file) => convert.file(&file)?,
            Err(error) => {
                convert.failed = true;
                error.print(convert.out);
            }
        }
    }
    let Convert { sink, games, failed, lost, .. } = convert;
    lost.tell(out);
    if args.dry_run {
        out.remark(match out.lang() {
            Lang::En => format!("{} read, nothing written", counted(games, "game", "games")),
            Lang::Zh => format!("读取了 {games} 局棋，没有写出"),
        });
        return if failed { Err(CliError::Told) } else { Ok(Exit::Fine) };
    }
    let path = sink.map(Sink::finish).transpose()?.or(folder);
    if let Some(path) = path {
        out.remark(match out.lang() {
            Lang::En => {
                format!("{} written to {}", counted(games, "game", "games"), path.display())
            }
            Lang::Zh => format!("{games} 局棋已写入 {}", path.display()),
        });
    }
    if failed { Err(CliError::Told) } else { Ok(Exit::Fine) }
}

/// The format of this name, which can be written.
pub(crate) fn format(name: &str, out: &Output) -> Result<&'static dyn Format, CliError> {
    let lang = out.lang();
    let hint = || {
        let names: Vec<&str> = formats::all()
            .iter()
            .map(|format| format.info())
            .filter(|info| info.writes)
            .map(|info| info.id.name())
            .collect();
        format!("{}: {}", lang.pick("this build writes", "本版可写"), names.join(", "))
    };
    match formats::by_name(name) {
        None => Err(CliError::usage(
            match lang {
                Lang::En => format!("no format is called `{name}`"),
                Lang::Zh => format!("没有名为 `{name}` 的格式"),
            },
            hint(),
        )),
        Some(format) if !format.info().writes => Err(CliError::usage(
            match lang {
                Lang::En => format!("`{name}` can be read but not written"),
                Lang::Zh => format!("`{name}` 只能读取，不能写出"),
            },
            hint(),
        )),
        Some(format) => Ok(format),
    }
}

struct Convert<'a> {
    out: &'a mut Output,
    format: &'static dyn Format,
    reading: ReadOptions,
    options: WriteOptions,
    /// Where games go; standard output without it.
    sink: Option<Sink>,
    /// Where each game gets a file of its own.
    folder: Option<PathBuf>,
    /// Whether only the losses are wanted.
    dry_run: bool,
    games: u64,
    failed: bool,
    /// What the format could not carry.
    lost: Lost,
}

impl Convert<'_> {
    fn file(&mut self, file: &InputFile) -> Result<(), CliError> {
        let path = file.entry.path();
        let mut written = Ok(());
        let read = read_file(&file.entry, &self.reading.clone(), &mut |game| {
            written = self.game(path, &game);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        written?;
        let lang = self.out.lang();
        match read {
            Ok(report) => {
                for finding in &report.findings {
                    let paint = self.out.stderr_paint();
                    let text = FindingText::of_file(path, finding, lang, paint).short();
                    self.out.remark(text);
                }
            }
            Err(error) => {
                self.failed = true;
                CliError::input(&error.path, error.source).print(self.out);
            }
        }
        Ok(())
    }

    fn game(&mut self, path: &str, game: &Game) -> Result<(), CliError> {
        self.games += 1;
        self.options.continued = self.games > 1 && self.folder.is_none();
        if let Some(folder) = self.folder.as_ref().filter(|_| !self.dry_run) {
            self.sink = Some(Sink::create(&folder.join(self.file_name(path, game)))?);
        } else if self.games > 1 && self.format.one_game() && self.folder.is_none() {
            return Err(one_game(self.format, self.out));
        }
        let written = match &mut self.sink {
            _ if self.dry_run => self.format.write(game, &self.options, &mut std::io::sink()),
            Some(sink) => self.format.write(game, &self.options, sink),
            None => self.format.write(game, &self.options, self.out),
        };
        let lost = written.map_err(|error| match (error, &self.sink) {
            (WriteError::Io(source), Some(sink)) => Sink::failed(sink.path(), source),
            (WriteError::Io(source), None) => CliError::from(source),
            (other, _) => CliError::usage(other.to_string(), ""),
        })?;
        let number = game.origin.game;
        let place = match self.out.lang() {
            Lang::En => format!("{path}, game {number}"),
            Lang::Zh => format!("{path}，第 {number} 局"),
        };
        self.lost.add(&place, lost);
        if self.folder.is_some()
            && let Some(sink) = self.sink.take()
        {
            sink.finish()?;
        }
        Ok(())
    }

    /// The name of the input, the number of the game in it, and one more
    /// number where another input left that name.
    fn file_name(&self, path: &str, game: &Game) -> String {
        let name = path.rsplit(['/', '\\', '!']).next().unwrap_or(path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let ending = self.format.info().extensions.first().copied().unwrap_or("txt");
        let mut file = format!("{stem}-{}.{ending}", game.origin.game);
        let taken = |file: &str| self.folder.as_ref().is_some_and(|dir| dir.join(file).exists());
        let mut copy = 1;
        while taken(&file) {
            copy += 1;
            file = format!("{stem}-{}-{copy}.{ending}", game.origin.game);
        }
        file
    }
}

/// A second game would be lost behind the first.
pub(crate) fn one_game(format: &dyn Format, out: &Output) -> CliError {
    let (lang, name) = (out.lang(), format.info().id.name());
    CliError::usage(
        match lang {
            Lang::En => format!("a file of `{name}` holds one game, and there are more"),
            Lang::Zh => format!("`{name}` 文件只能存一局棋，而输入不止一局"),
        },
        lang.pick(
            "name a folder with `convert -o`: each game gets a file of its own",
            "请用 `convert -o` 指定一个文件夹，每局各存一个文件",
        ),
    )
}
