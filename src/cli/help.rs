//! `qipu help`: as `--help`, in the language of the messages.

use std::io::Write as _;

use super::{CliError, Done, Exit, Output};

/// Arguments of `help`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command to explain [default: the whole program]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let mut command = named(args.command.as_deref(), out)?;
    let help = command.render_long_help();
    if out.paint().on {
        writeln!(out, "{}", help.ansi().to_string().trim_end())?;
    } else {
        writeln!(out, "{}", help.to_string().trim_end())?;
    }
    Ok(Exit::Fine)
}

/// A command by its name, the whole program without one.
pub(crate) fn named(name: Option<&str>, out: &Output) -> Result<clap::Command, CliError> {
    let lang = out.lang();
    let mut whole = super::command(lang);
    whole.build();
    let Some(name) = name else { return Ok(whole) };
    whole.find_subcommand(name).cloned().ok_or_else(|| {
        CliError::usage(
            match lang {
                qipu::finding::Lang::En => format!("no command is called `{name}`"),
                qipu::finding::Lang::Zh => format!("没有名为 `{name}` 的命令"),
            },
            lang.pick("`qipu help` lists the commands", "`qipu help` 列出所有命令"),
        )
    })
}
