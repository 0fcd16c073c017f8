//! `qipu export`: the games of the database as files for other programs.

#[cfg(feature = "parquet")]
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};

#[cfg(feature = "parquet")]
use qipu::db::GameId;
use qipu::db::{Database, Query, StoredGame};
use qipu::finding::Lang;
use qipu::formats::{Format, WriteError, WriteOptions};
use qipu::notation::Notation;
use qipu::report::counted;
use qipu::report::tables::{CsvRows, Table, csv_head};

use super::convert::{format, one_game};
use super::database::{DatabaseArg, failed};
use super::lost::Lost;
use super::selection::Selection;
use super::sink::Sink;
use super::{CliError, Done, Exit, Output, Progress};

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu export > all.pgn
  qipu export --player 胡荣华 --to jsonl -o hu.jsonl
  qipu export --to csv --table moves > moves.csv
  qipu export --to parquet -o games/

Copies of a game that is there already are left out, unless --duplicates,
--finding or --text asks for them. docs/export.md describes the tables.")]
pub(crate) struct Args {
    #[command(flatten)]
    database: DatabaseArg,
    /// csv, parquet, or a format that `qipu formats` says it writes
    #[arg(long, value_name = "FORMAT", default_value = "pgn")]
    to: String,
    /// The table, for csv and parquet: games, moves or positions [default:
    /// games for csv, all for parquet]
    #[arg(long, value_name = "TABLE")]
    table: Vec<Table>,
    /// File to write, folder for parquet [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Notation of the moves, where the format leaves a choice
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// House style, such as traditional or fullwidth; several with commas
    /// between
    #[arg(long, value_name = "STYLE")]
    style: Option<String>,
    /// Character encoding, such as utf-8, gb18030 or big5
    #[arg(long, value_name = "ENCODING")]
    encoding: Option<String>,
    #[command(flatten)]
    selection: Selection,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let kind = Target::of(&args, out)?;
    let query = args.selection.query(out)?;
    let db = args.database.open()?;
    let games = match kind {
        Target::Parquet(tables) => {
            let Some(folder) = &args.output else { return Err(folder_wanted(out)) };
            parquet(&db, &query, &tables, folder)?
        }
        Target::Csv(table) => {
            let mut begin = |out: &mut dyn Write| Ok(csv_head(table, out)?);
            let mut write =
                |game: &StoredGame, out: &mut dyn Write| Ok(table.write(game, &mut CsvRows(out))?);
            one_file(&db, &query, args.output.as_deref(), out, &mut begin, &mut write)?
        }
        Target::Games(format) => {
            let mut options = WriteOptions {
                notation: args.notation,
                style: args.style,
                encoding: args.encoding,
                continued: false,
            };
            let mut lost = Lost::default();
            if format.one_game() && db.matching(&query).is_ok_and(|ids| ids.len() > 1) {
                return Err(one_game(format, out));
            }
            let mut write = |stored: &StoredGame, out: &mut dyn Write| {
                let place = format!("#{}", stored.id);
                lost.add(&place, format.write(&stored.game, &options, out)?);
                options.continued = true;
                Ok(())
            };
            let path = args.output.as_deref();
            let games = one_file(&db, &query, path, out, &mut |_| Ok(()), &mut write)?;
            lost.tell(out);
            games
        }
    };
    let lang = out.lang();
    let written = match lang {
        Lang::En => format!("{} written", counted(games, "game", "games")),
        Lang::Zh => format!("已写出 {games} 局棋"),
    };
    match &args.output {
        Some(path) => {
            let path = path.display();
            out.remark(match lang {
                Lang::En => format!("{written} to {path}"),
                Lang::Zh => format!("{written}：{path}"),
            });
        }
        None if games == 0 => out.remark(lang.pick("no game matches", "没有符合条件的对局")),
        None => {}
    }
    Ok(Exit::Fine)
}

/// What to write.
enum Target {
    Games(&'static dyn Format),
    Csv(Table),
    Parquet(Vec<Table>),
}

impl Target {
    fn of(args: &Args, out: &Output) -> Result<Target, CliError> {
        let lang = out.lang();
        let is_table = matches!(args.to.as_str(), "csv" | "parquet");
        let wrong = |option: &str| match lang {
            Lang::En => format!("`--{option}` does not go with `--to {}`", args.to),
            Lang::Zh => format!("`--{option}` 不能与 `--to {}` 同用", args.to),
        };
        let styled = [
            ("notation", args.notation.is_some()),
            ("style", args.style.is_some()),
            ("encoding", args.encoding.is_some()),
        ];
        if let Some((option, _)) = styled.iter().find(|(_, given)| is_table && *given) {
            return Err(CliError::usage(wrong(option), ""));
        }
        if !is_table && !args.table.is_empty() {
            return Err(CliError::usage(wrong("table"), ""));
        }
        let mut tables = args.table.clone();
        tables.sort_unstable();
        tables.dedup();
        Ok(match args.to.as_str() {
            "parquet" if tables.is_empty() => Target::Parquet(Table::ALL.to_vec()),
            "parquet" => Target::Parquet(tables),
            "csv" => match tables.as_slice() {
                [] => Target::Csv(Table::Games),
                [table] => Target::Csv(*table),
                _ => {
                    let what = lang.pick("csv holds one table", "csv 只能写一个表");
                    let hint = lang.pick("call qipu once for each", "请分别导出");
                    return Err(CliError::usage(what, hint));
                }
            },
            name => Target::Games(format(name, out)?),
        })
    }
}

fn folder_wanted(out: &Output) -> CliError {
    let lang = out.lang();
    CliError::usage(
        lang.pick("parquet is written to a folder", "parquet 写入文件夹"),
        lang.pick("name it with -o", "请用 -o 指定文件夹"),
    )
}

/// Writes games in a format, or one table of them as CSV, to a file or standard
/// output.
fn one_file(
    db: &Database,
    query: &Query,
    path: Option<&Path>,
    out: &mut Output,
    begin: &mut dyn FnMut(&mut dyn Write) -> Result<(), WriteError>,
    write: &mut dyn FnMut(&StoredGame, &mut dyn Write) -> Result<(), WriteError>,
) -> Result<u64, CliError> {
    let cannot = |error| match (error, path) {
        (WriteError::Io(source), Some(path)) => Sink::failed(path, source),
        (WriteError::Io(source), None) => CliError::from(source),
        (other, _) => CliError::usage(other.to_string(), ""),
    };
    let ids = db.matching(query).map_err(|error| failed(&error))?;
    let mut sink = path.map(Sink::create).transpose()?;
    let output: &mut dyn Write = match &mut sink {
        Some(sink) => sink,
        None => out,
    };
    begin(output).map_err(cannot)?;
    let mut progress = Progress::new(Some(ids.len() as u64));
    let mut done = 0;
    for id in ids {
        if let Some(stored) = db.stored_game(id).map_err(|error| failed(&error))? {
            write(&stored, output).map_err(cannot)?;
            done += 1;
        }
        progress.set(done);
    }
    if let Some(sink) = sink {
        sink.finish()?;
    }
    Ok(done)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Database, _: &Query, _: &[Table], _: &Path) -> Result<u64, CliError> {
    Err(CliError::usage(
        "this build does not write parquet",
        "cargo build --release --features parquet makes one that does",
    ))
}

/// Writes the tables into a folder that gets its name when it is whole.
#[cfg(feature = "parquet")]
fn parquet(db: &Database, query: &Query, tables: &[Table], folder: &Path) -> Result<u64, CliError> {
    let part = super::sink::part(folder);
    let cannot = |source: io::Error| Sink::failed(folder, source);
    if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        let hint = "name a folder that is not there yet";
        return Err(CliError::usage(format!("{} is not empty", folder.display()), hint));
    }
    if part.exists() {
        std::fs::remove_dir_all(&part).map_err(cannot)?;
    }
    std::fs::create_dir_all(&part).map_err(cannot)?;
    let ids = db.matching(query).map_err(|error| failed(&error))?;
    let mut progress = Progress::new(Some(ids.len() as u64));
    let mut done = 0;
    for (year, ids) in db.by_year(&ids).map_err(|error| failed(&error))? {
        write_year(db, tables, &part, year, &ids, &mut || {
            done += 1;
            progress.set(done);
        })
        .map_err(|error| match error {
            YearError::Database(error) => failed(&error),
            YearError::Output(error) => cannot(error),
        })?;
    }
    if folder.exists() {
        std::fs::remove_dir(folder).map_err(cannot)?;
    }
    std::fs::rename(&part, folder).map_err(cannot)?;
    Ok(done)
}

#[cfg(feature = "parquet")]
enum YearError {
    Database(qipu::db::DbError),
    Output(io::Error),
}

#[cfg(feature = "parquet")]
impl From<io::Error> for YearError {
    fn from(error: io::Error) -> YearError {
        YearError::Output(error)
    }
}

/// The games of one year: a file for each table.
#[cfg(feature = "parquet")]
fn write_year(
    db: &Database,
    tables: &[Table],
    folder: &Path,
    year: Option<u16>,
    ids: &[GameId],
    step: &mut dyn FnMut(),
) -> Result<(), YearError> {
    use qipu::report::tables::{ParquetTable, Sink};
    use std::fs::File;

    let mut sinks: Vec<(Table, Box<dyn Sink>)> = Vec::new();
    for table in tables {
        // The name that readers of partitioned folders know for no value.
        let year = year.map_or("__HIVE_DEFAULT_PARTITION__".to_owned(), |year| year.to_string());
        let place = folder.join(table.name()).join(format!("year={year}"));
        std::fs::create_dir_all(&place)?;
        let file = File::create(place.join(format!("{}.parquet", table.name())))?;
        sinks.push((*table, Box::new(ParquetTable::new(*table, io::BufWriter::new(file))?)));
    }
    for id in ids {
        if let Some(stored) = db.stored_game(*id).map_err(YearError::Database)? {
            for (table, sink) in &mut sinks {
                table.write(&stored, &mut **sink)?;
            }
        }
        step();
    }
    for (_, sink) in sinks {
        sink.finish()?;
    }
    Ok(())
}
