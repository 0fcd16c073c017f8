//! What the commands that ask a database share.

use std::path::{Path, PathBuf};

use qipu::board::Position;
use qipu::db::{Database, DbError, Query};
use qipu::finding::{Code, Lang};
use qipu::game::GameResult;

use super::moves::play;
use super::position::parse_fen;
use super::{CliError, Output};

/// Which database.
#[derive(Debug, clap::Args)]
pub(crate) struct DatabaseArg {
    /// The database
    #[arg(long, value_name = "FILE", default_value = "qipu.db")]
    pub(crate) db: PathBuf,
}

impl DatabaseArg {
    /// Opens it to ask it.
    pub(crate) fn open(&self) -> Result<Database, CliError> {
        Database::open(&self.db).map_err(|error| failed(&error))
    }
}

/// With so many games to replay a question is felt to be slow.
const MANY: u64 = 20_000;

impl DatabaseArg {
    /// Opens it to ask for positions, and says so when that will take long.
    pub(crate) fn open_for_positions(&self, out: &mut Output) -> Result<Database, CliError> {
        let db = self.open()?;
        let games = db.unindexed_games().map_err(|error| failed(&error))?;
        if games >= MANY {
            let command = format!("qipu import{} …", db_words(&self.db));
            out.remark(match out.lang() {
                Lang::En => format!(
                    "{games} games of an import that is at work or was cut short are not in the \
                     position index yet, so this is slower; `{command}` run to its end puts \
                     them there"
                ),
                Lang::Zh => format!(
                    "有 {games} 局来自正在进行或中断的导入，尚未编入局面索引，因此较慢；\
                     把 `{command}` 运行完毕即可编入"
                ),
            });
        }
        Ok(db)
    }
}

impl DatabaseArg {
    /// Opens it to change it.
    pub(crate) fn open_to_write(&self) -> Result<Database, CliError> {
        if !self.db.exists() {
            return self.open();
        }
        Database::create(&self.db).map_err(|error| failed(&error))
    }
}

/// The database could not be read or written.
pub(crate) fn failed(error: &DbError) -> CliError {
    CliError::Database(error.to_string())
}

/// How the next command names the database: not at all where it is the usual
/// one.
pub(crate) fn db_words(path: &Path) -> String {
    if path == Path::new("qipu.db") {
        return String::new();
    }
    let text = path.display().to_string();
    if text.contains(char::is_whitespace) {
        format!(" --db '{text}'")
    } else {
        format!(" --db {text}")
    }
}

/// Which games.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Filters {
    /// Games of this player, or whose name contains this
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Games in which this player has the red pieces
    #[arg(long, value_name = "NAME")]
    red: Option<String>,
    /// Games in which this player has the black pieces
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Games of this event, or whose name contains this
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Games of a year, or of years: 1956, 1956..1960, ..1960, 1956..
    #[arg(long, value_name = "YEARS", value_parser = parse_years)]
    year: Option<Years>,
    /// Games with this result: 1-0, 0-1, 1/2-1/2 or *
    #[arg(long, value_name = "RESULT", value_parser = parse_result)]
    result: Option<GameResult>,
    /// Games with this opening code, or whose code begins so: C20, C2, C
    #[arg(long, value_name = "CODE")]
    ecco: Option<String>,
}

/// Years on the command line, either end open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Years {
    from: Option<u16>,
    to: Option<u16>,
}

fn parse_years(text: &str) -> Result<Years, String> {
    let year = |text: &str| match text.trim() {
        "" => Ok(None),
        digits => digits.parse().map(Some).map_err(|_| format!("`{digits}` is not a year")),
    };
    match text.split_once("..") {
        Some((from, to)) => {
            Ok(Years { from: year(from)?, to: year(to.strip_prefix('=').unwrap_or(to))? })
        }
        None => year(text).map(|year| Years { from: year, to: year }),
    }
}

fn parse_result(text: &str) -> Result<GameResult, String> {
    [GameResult::RedWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown]
        .into_iter()
        .find(|result| result.code() == text)
        .ok_or_else(|| "one of 1-0, 0-1, 1/2-1/2 and * is expected".to_owned())
}

/// Reads the name of a finding.
pub(crate) fn parse_code(text: &str) -> Result<Code, String> {
    text.parse().map_err(|_| format!("no finding is called `{text}`; docs/findings/ lists them"))
}

impl Filters {
    /// As the database takes it.
    pub(crate) fn query(self) -> Query {
        Query {
            player: self.player,
            red: self.red,
            black: self.black,
            event: self.event,
            from_year: self.year.and_then(|years| years.from),
            to_year: self.year.and_then(|years| years.to),
            result: self.result,
            ecco: self.ecco,
            ..Query::default()
        }
    }
}

/// Which position.
#[derive(Debug, clap::Args)]
pub(crate) struct PositionArg {
    /// A position as FEN [default: the start position]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// The position after these moves, in any notation
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl PositionArg {
    /// The position, when any was given.
    pub(crate) fn position(&self, out: &Output) -> Result<Option<Position>, CliError> {
        if self.fen.is_none() && self.moves.is_none() {
            return Ok(None);
        }
        let start = match &self.fen {
            Some(fen) => parse_fen(fen, out)?.position(),
            None => Position::start(),
        };
        match &self.moves {
            Some(moves) => play(&start, moves, out).map(Some),
            None => Ok(Some(start)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_may_be_open_at_either_end() {
        let years = |from, to| Ok(Years { from, to });
        assert_eq!(parse_years("1956"), years(Some(1956), Some(1956)));
        assert_eq!(parse_years("1956..1960"), years(Some(1956), Some(1960)));
        assert_eq!(parse_years("..1960"), years(None, Some(1960)));
        assert_eq!(parse_years("1956.."), years(Some(1956), None));
        assert!(parse_years("last").is_err());
    }
}
