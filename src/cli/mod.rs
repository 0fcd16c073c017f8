//! The command line: a file for each command, and what they share.

mod ask;
mod audit;
mod check;
mod completions;
mod convert;
mod database;
mod error;
mod events;
mod export;
mod files;
mod find;
mod formats;
mod help;
mod identities;
mod import;
mod inputs;
mod judge;
mod localize;
mod lost;
mod man;
mod moves;
mod notations;
mod openings;
mod output;
mod perft;
mod players;
mod position;
mod prior;
mod progress;
mod reading;
mod rules;
mod runs;
mod selection;
mod show;
mod sink;
mod sql;
mod stats;
mod twins;
mod verify;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use qipu::finding::Lang;

pub(crate) use error::CliError;
pub(crate) use output::Output;
pub(crate) use progress::Progress;

/// How a command that worked ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Exit status 0.
    Fine,
    /// Exit status 1: `check` or `audit` found faults of severity `error`.
    Faults,
}

/// What a command returns.
pub(crate) type Done = Result<Exit, CliError>;

/// Turns any record of a xiangqi (Chinese chess, 象棋) game into a checked
/// game.
#[derive(Debug, Parser)]
#[command(name = "qipu", version, max_term_width = 100, disable_help_subcommand = true)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Debug, clap::Args)]
struct Global {
    /// Print JSON Lines on standard output: one object a game, position or
    /// answer
    #[arg(long, global = true)]
    json: bool,
    /// Language of messages: en or zh [default: from the locale]
    #[arg(long, global = true, value_name = "LANG")]
    lang: Option<Lang>,
    /// When to use colours; auto is on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

macro_rules! commands {
    ($($(#[$doc:meta])* $variant:ident($module:ident);)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$doc])* $variant($module::Args),)*
        }

        impl Command {
            fn run(self, out: &mut Output) -> Done {
                match self { $(Command::$variant(args) => $module::run(args, out),)* }
            }
        }
    };
}

// A command is a module with `Args` (derive `clap::Args`) and
// `run(args: Args, out: &mut Output) -> Done`. The first doc line is its
// summary.
commands! {
    /// Read files into the database; what is there already is skipped
    Import(import);
    /// Find games by players, event, year, result, position, finding or text
    Find(find);
    /// Show what was played at a position, and how the games ended
    Openings(openings);
    /// Tell what is in the database
    Stats(stats);
    /// List the files that were imported, and give their bytes back
    Files(files);
    /// List people and their names; put names of one person together
    Players(players);
    /// List events and their names; put names of one event together
    Events(events);
    /// List records that may be of one game; put them together
    Twins(twins);
    /// List the runs of import; undo one
    Runs(runs);
    /// Check the database against itself and the files stored in it
    Verify(verify);
    /// Read and replay files, and say what is wrong in them; no database
    Check(check);
    /// Show one game: headers, moves, boards, findings
    Show(show);
    /// Write games in another format or notation
    Convert(convert);
    /// Write the games of the database as files for other programs
    Export(export);
    /// Ask the database in SQL
    Sql(sql);
    /// Judge the repetition in a line of moves, ply by ply
    Judge(judge);
    /// Write the arbiter's report on one or both score sheets of a game
    Audit(audit);
    /// Draw a position, list its legal moves and say what state it is in
    Position(position);
    /// Count legal move paths, to verify and time the move generator
    Perft(perft);
    /// List the file formats this build reads and writes
    Formats(formats);
    /// List the notations of moves this build reads and writes
    Notations(notations);
    /// Make the model of likely moves that reads abbreviated sheets
    Prior(prior);
    /// List the rule sets by which repetition is judged
    Rules(rules);
    /// Print the completion script of a shell
    Completions(completions);
    /// Print the manual page
    Man(man);
    /// Explain a command, as --help does
    Help(help);
}

/// The whole command line as clap sees it, with its help in `lang`.
fn command(lang: Lang) -> clap::Command {
    localize::localized(Cli::command(), lang)
}

/// The language that is asked for, before the command line is understood:
/// even a wrong one is answered in it.
fn lang_of(arguments: &[OsString]) -> Lang {
    let mut asked = None;
    let mut before = "";
    for argument in arguments.iter().filter_map(|argument| argument.to_str()) {
        let value =
            if before == "--lang" { Some(argument) } else { argument.strip_prefix("--lang=") };
        asked = value.and_then(|value| value.parse().ok()).or(asked);
        before = argument;
    }
    asked.unwrap_or_else(output::lang_of_environment)
}

/// Runs the program with the arguments it was started with.
pub(crate) fn run() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let lang = lang_of(&arguments);
    let parsed = command(lang)
        .try_get_matches_from(&arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too, with status 0.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let lang = cli.global.lang.unwrap_or(lang);
    let mut out = Output::new(cli.global.json, lang, cli.global.color);
    let done = cli.command.run(&mut out);
    let done = out.flush().map_err(CliError::from).and(done);
    match done {
        Ok(Exit::Fine) => ExitCode::SUCCESS,
        Ok(Exit::Faults) => ExitCode::from(1),
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            let _ = out.flush();
            error.print(&out);
            ExitCode::from(error.exit_code())
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_well_formed() {
        super::command(qipu::finding::Lang::En).debug_assert();
    }
}
