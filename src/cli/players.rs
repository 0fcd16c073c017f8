//! `qipu players`: people, their names, and who may be whom.

use qipu::db::Named;

use super::identities::{self, Asked};
use super::{Done, Output};

/// Arguments of `players`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  qipu players
  qipu players huronghua
  qipu players --suggest
  qipu players merge 胡荣华 'Hu Ronghua'

A name is found in either script, without blanks and titles, and in pinyin. A
merge changes no game; `qipu runs revert STEP` takes it back."
)]
pub(crate) struct Args {
    #[command(flatten)]
    asked: Asked,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    identities::run(Named::Player, args.asked, out)
}
