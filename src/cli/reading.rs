//! How files are read: options of every command that reads them.

use std::path::Path;
use std::sync::Arc;

use qipu::import::ReadOptions;
use qipu::replay::prior::Prior;
use qipu::rules::RuleSet;

use super::CliError;

/// Options of reading.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Rules by which repetition is judged: cn1999, cn2020, axf or wxf
    #[arg(long, value_name = "SET", default_value_t)]
    pub(crate) rules: RuleSet,
    /// Fill in a missing half-move where only one legal move lets the rest be
    /// played
    #[arg(long)]
    pub(crate) infer: bool,
    /// Model of likely moves, for sheets that leave moves open: builtin, none,
    /// or a file that `qipu prior train` made
    #[arg(long, value_name = "MODEL", default_value = "builtin")]
    pub(crate) prior: String,
}

impl ReadingArgs {
    /// As the reader takes them.
    pub(crate) fn options(&self) -> Result<ReadOptions, CliError> {
        let mut options = ReadOptions::default();
        options.replay.rules = self.rules;
        options.replay.infer = self.infer;
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
