//! `qipu man`: the manual page.

use std::io::Write as _;

use super::help::named;
use super::{Done, Exit, Output};

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu man | man -l -
  qipu man check > qipu-check.1")]
pub(crate) struct Args {
    /// The page of one command instead of the whole program's
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let command = named(args.command.as_deref(), out)?;
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    out.write_all(&page)?;
    Ok(Exit::Fine)
}
