//! `qipu events`: events, their names, and which may be the same.

use qipu::db::Named;

use super::identities::{self, Asked};
use super::{Done, Output};

/// Arguments of `events`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  qipu events
  qipu events 五羊杯
  qipu events --suggest
  qipu events merge 第1届五羊杯 '1st Wuyang Cup'

A name is found in either script and without blanks. A merge changes no game;
`qipu find --event` then finds the games of all names, and `qipu runs revert
STEP` takes it back."
)]
pub(crate) struct Args {
    #[command(flatten)]
    asked: Asked,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    identities::run(Named::Event, args.asked, out)
}
