//! `qipu man`: the manual page.

use std::io::Write as _;

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
    let mut whole = super::command();
    whole.build();
    if let Some(name) = args.command {
        let Some(command) = whole.find_subcommand(&name) else {
            let lang = out.lang();
            return Err(super::CliError::usage(
                format!("{} `{name}`", lang.pick("no command is called", "没有这个命令：")),
                lang.pick("`qipu help` lists the commands", "`qipu help` 列出所有命令"),
            ));
        };
        whole = command.clone();
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(whole).render(&mut text)?;
    out.write_all(&text)?;
    Ok(Exit::Fine)
}
