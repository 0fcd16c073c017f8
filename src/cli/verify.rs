//! `qipu verify`: is the database sound?

use std::io::Write as _;

use qipu::finding::Lang;
use qipu::import::recheck;

use super::database::{DatabaseArg, failed};
use super::{CliError, Done, Exit, Output};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Every game is replayed, every hash and the position index computed again,
every stored file unpacked and read again. Exit status 3 when something is
wrong.")]
pub(crate) struct Args {
    /// Do not read the stored files again
    #[arg(long)]
    no_originals: bool,
    #[command(flatten)]
    database: DatabaseArg,
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let db = args.database.open()?;
    let mut problems = db.problems().map_err(|error| failed(&error))?;
    let mut files = 0;
    if !args.no_originals {
        let checked = recheck(&db).map_err(|error| failed(&error))?;
        files = checked.files;
        problems.extend(checked.problems);
    }
    if out.is_json() {
        out.json(&serde_json::json!({
            "sound": problems.is_empty(), "files_read_again": files, "problems": problems,
        }))?;
    } else {
        for problem in &problems {
            writeln!(out, "{problem}")?;
        }
        let lang = out.lang();
        if problems.is_empty() {
            writeln!(
                out,
                "{}",
                match lang {
                    Lang::En => format!("sound; {files} stored files were read again"),
                    Lang::Zh => format!("完好；重新读取了 {files} 个存档文件"),
                }
            )?;
        }
    }
    if problems.is_empty() { Ok(Exit::Fine) } else { Err(CliError::Told) }
}
