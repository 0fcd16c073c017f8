//! `qipu completions`: the completion script of a shell.

use std::io::Write as _;

use clap_complete::Shell;

use super::{Done, Exit, Output};

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu completions bash > ~/.local/share/bash-completion/completions/qipu
  qipu completions zsh > ~/.zfunc/_qipu
  qipu completions fish > ~/.config/fish/completions/qipu.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    // The generator panics when its writer fails, so it gets a buffer.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(out.lang()), "qipu", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Fine)
}
