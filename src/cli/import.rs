//! `qipu import`: files into the database.

use std::ffi::OsString;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use qipu::db::Database;
use qipu::finding::{Code, Lang};
use qipu::import::{self, ImportOptions, ReadError, Summary, size_of, walk};
use qipu::report::{Tone, table};

use super::database::{db_words, failed};
use super::reading::ReadingArgs;
use super::{CliError, Done, Exit, Output, Progress};

/// Arguments of `import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu import games.pgn
  qipu import my-games/ --db my.db
  qipu import - < games.pgn

Files that are in the database already are skipped, so the same command may be
given again at any time. Control-C stops after the file at hand; what is done
stays, and the next run goes on there.")]
pub(crate) struct Args {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<OsString>,
    /// The database; it is made when there is none
    #[arg(long, value_name = "FILE", default_value = "qipu.db")]
    db: PathBuf,
    /// Do not keep the bytes of the files in the database
    #[arg(long)]
    no_originals: bool,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Threads that read [default: one for each core]
    #[arg(long, value_name = "NUMBER")]
    workers: Option<NonZeroUsize>,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let lang = out.lang();
    let mut options = ImportOptions {
        keep_originals: !args.no_originals,
        note: serde_json::json!({
            "paths": args.paths.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>(),
            "originals": !args.no_originals,
            "infer": args.reading.infer,
            "rules": args.reading.rules.name(),
            "prior": args.reading.prior,
        })
        .to_string(),
        read: args.reading.options()?,
        ..ImportOptions::default()
    };
    if let Some(workers) = args.workers {
        options.workers = workers;
    }
    let stop = stop_on_interrupt();
    let db = Database::create(&args.db).map_err(|error| failed(&error))?;
    let (summary, unreadable) = with_bar(&args.paths, lang, |bar| {
        import::import(&db, walk(&args.paths), &options, bar, &stop)
    });
    let summary = summary.map_err(|error| failed(&error))?;
    db.close().map_err(|error| failed(&error))?;
    if out.is_json() {
        out.json(&summary)?;
    } else {
        write!(out, "{}", text(&summary, lang))?;
        tell_next(&summary, &args.db, out)?;
    }
    for (path, message) in &unreadable {
        let error = std::io::Error::other(message.clone());
        CliError::input(path, error).print(out);
    }
    if summary.interrupted {
        out.remark(lang.pick(
            "stopped; what is done stays, and the same command goes on from here",
            "已停止；已完成的部分保留，再次运行同一命令即可继续",
        ));
        return Err(CliError::Told);
    }
    if summary.files_failed > 0 { Err(CliError::Told) } else { Ok(Exit::Fine) }
}

/// Set by the first Control-C; the second one ends the program at once, which
/// the database survives.
fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Where no handler can be set, Control-C simply kills.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(130);
        }
    });
    stop
}

/// Runs an import under a bar, and gives what it gives and the files that could
/// not be read. How much there is to do is found out while the work goes on.
fn with_bar<T>(
    paths: &[OsString],
    lang: Lang,
    work: impl FnOnce(&mut Bar) -> T,
) -> (T, Vec<(String, String)>) {
    let total = OnceLock::new();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let _ = total.set(size_of(paths, &done));
        });
        let mut bar = Bar::new(lang, &total);
        let result = work(&mut bar);
        done.store(true, Ordering::Relaxed);
        (result, bar.finish())
    })
}

/// Shows bytes, games and the file at hand.
struct Bar<'a> {
    progress: Progress,
    total: &'a OnceLock<u64>,
    told: bool,
    bytes: u64,
    games: u64,
    lang: Lang,
    path: String,
    unreadable: Vec<(String, String)>,
}

impl<'a> Bar<'a> {
    fn new(lang: Lang, total: &'a OnceLock<u64>) -> Bar<'a> {
        Bar {
            progress: Progress::of_bytes(),
            total,
            told: false,
            bytes: 0,
            games: 0,
            lang,
            path: String::new(),
            unreadable: Vec::new(),
        }
    }

    fn show(&mut self) {
        if let Some(&total) = self.total.get().filter(|_| !self.told) {
            self.told = true;
            self.progress.set_length(total);
        }
        self.progress.set(self.bytes);
        self.progress.message(format!("{}  {}", self.counted(), self.path));
    }

    fn counted(&self) -> String {
        match self.lang {
            Lang::En if self.games == 1 => "1 game".to_owned(),
            Lang::En => format!("{} games", self.games),
            Lang::Zh => format!("{} 局", self.games),
        }
    }

    /// The files that could not be read: path and why.
    fn finish(mut self) -> Vec<(String, String)> {
        self.progress.set(self.bytes);
        self.progress.complete(self.counted());
        self.unreadable
    }
}

impl import::Progress for Bar<'_> {
    fn file_started(&mut self, path: &str) {
        path.clone_into(&mut self.path);
        self.show();
    }

    fn bytes(&mut self, more: u64) {
        self.bytes += more;
        self.show();
    }

    fn games(&mut self, more: u64) {
        self.games += more;
    }

    fn unreadable(&mut self, error: &ReadError) {
        self.unreadable.push((error.path.clone(), error.source.to_string()));
    }
}

/// The summary in words.
fn text(summary: &Summary, lang: Lang) -> String {
    let Summary { files, files_skipped, files_failed, games, new, duplicates, .. } = summary;
    let Summary { with_errors, plies, seconds, run, .. } = summary;
    let mut text = match lang {
        Lang::En => format!(
            "Run {run}: {files} files ({files_skipped} were there already, {files_failed} could \
             not be read), {seconds:.1} s\n\
             Games: {games} read, {new} new, {duplicates} copies of games that are there; \
             {with_errors} with errors; {plies} plies\n"
        ),
        Lang::Zh => format!(
            "第 {run} 次导入：{files} 个文件（{files_skipped} 个已在库中，{files_failed} 个无法读取），\
             {seconds:.1} 秒\n\
             对局：读入 {games} 局，新增 {new} 局，重复 {duplicates} 局；{with_errors} 局有错误；\
             共 {plies} 步\n"
        ),
    };
    if !summary.findings.is_empty() {
        let mut rows: Vec<(&str, u64)> =
            summary.findings.iter().map(|(code, count)| (*code, *count)).collect();
        rows.sort_by_key(|(code, count)| (std::cmp::Reverse(*count), *code));
        let severity =
            |code: &str| code.parse::<Code>().map_or("", |code| code.severity().name()).to_owned();
        let head = match lang {
            Lang::En => ["found", "number", "usually"],
            Lang::Zh => ["发现", "数量", "通常级别"],
        };
        let rows = rows
            .into_iter()
            .map(|(code, count)| vec![code.to_owned(), count.to_string(), severity(code)]);
        text.push('\n');
        text.push_str(&table(&head, rows, &[1]));
        text.push('\n');
    }
    text
}

/// What to type next.
fn tell_next(summary: &Summary, path: &Path, out: &mut Output) -> Result<(), CliError> {
    let (lang, paint, db) = (out.lang(), out.paint(), db_words(path));
    let next = lang.pick("Next", "接下来");
    writeln!(out, "\n{}", paint.tone(Tone::Heading, next))?;
    let mut lines = vec![
        (format!("qipu stats{db}"), lang.pick("what is in the database", "库中有什么")),
        (format!("qipu openings{db}"), lang.pick("what was played at the start", "开局统计")),
    ];
    if summary.findings.contains_key(Code::IllegalMove.name()) {
        lines.push((
            format!("qipu find --finding illegal-move{db}"),
            lang.pick("games with an illegal move", "含有违规着法的对局"),
        ));
    } else {
        lines.push((format!("qipu find{db}"), lang.pick("list the games", "列出对局")));
    }
    let width = lines.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    for (command, what) in lines {
        writeln!(out, "  {command:width$}  {what}")?;
    }
    Ok(())
}
