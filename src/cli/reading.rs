//! How files are read: options of every command that reads them.

use std::path::Path;
use std::sync::Arc;

use qipu::import::ReadOptions;
use qipu::notation::MarkHabit;
use qipu::replay::Answer;
use qipu::replay::prior::Prior;
use qipu::rules::RuleSet;

use super::CliError;

/// Options of reading.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Rules by which repetition is judged: cn1999, cn2020, axf or wxf
    #[arg(long, value_name = "SET", default_value_t)]
    pub(crate) rules: RuleSet,
    /// Rounds in a row without a capture that make the natural limit
    /// (4.2.4) [default: what the rules say, 60]
    #[arg(long, value_name = "ROUNDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) natural_limit: Option<u32>,
    /// Fill in a missing half-move, or put a mistake right, where there is only
    /// one way to let the whole rest be played
    #[arg(long)]
    pub(crate) infer: bool,
    /// Model of likely moves, for sheets that leave moves open: builtin, none,
    /// or a file that `qipu prior train` made
    #[arg(long, value_name = "MODEL", default_value = "builtin")]
    pub(crate) prior: String,
    /// What bars at the digits of a short record mean: under (a bar under the
    /// digit is 进), over (a bar over it is 进) or none [default: by which of
    /// the two the game can be replayed]
    #[arg(long, value_name = "HABIT")]
    pub(crate) marks: Option<Marks>,
}

/// A habit of writing bars, as it is named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Marks {
    Under,
    Over,
    None,
}

impl Marks {
    const fn habit(self) -> MarkHabit {
        match self {
            Marks::Under => MarkHabit::UnderIsForward,
            Marks::Over => MarkHabit::OverIsForward,
            Marks::None => MarkHabit::Unmarked,
        }
    }
}

/// What the user knows about single moves.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct FixArgs {
    /// What was played at a ply, in any notation, as certain evidence; `-` for
    /// a word that is no move; GAME:PLY=MOVE in a file of several games; may
    /// be given again
    #[arg(long, value_name = "PLY=MOVE", allow_hyphen_values = true)]
    pub(crate) fix: Vec<Answer>,
}

impl FixArgs {
    /// The answers; those that name no game are for game `number`.
    pub(crate) fn answers(&self, number: u32) -> Vec<Answer> {
        let of = |answer: &Answer| Answer { game: answer.game.or(Some(number)), ..answer.clone() };
        self.fix.iter().map(of).collect()
    }
}

impl ReadingArgs {
    /// As the reader takes them.
    pub(crate) fn options(&self) -> Result<ReadOptions, CliError> {
        let mut options = ReadOptions::default();
        options.replay.rules = self.rules;
        options.replay.natural_limit = self.natural_limit;
        options.replay.infer = self.infer;
        options.replay.marks = self.marks.map(Marks::habit);
        match self.prior.as_str() {
            "builtin" => {}
            "none" => options.replay.prior = Arc::new(Prior::uniform()),
            file => options.replay.prior = Arc::new(load(Path::new(file))?),
        }
        Ok(options)
    }
}

fn load(path: &Path) -> Result<Prior, CliError> {
    let bytes = std::fs::read(path).map_err(|source| CliError::input(path, source))?;
    Prior::from_bytes(&bytes)
        .map_err(|error| CliError::input(path, std::io::Error::other(error.to_string())))
}
