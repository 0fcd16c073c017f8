//! `qipu formats`: what this build reads and writes.

use std::io::Write as _;

use qipu::finding::Lang;
use qipu::formats;
use qipu::report::table;
use serde::Serialize;

use super::{Done, Exit, Output};

/// Arguments of `formats`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    title: &'static str,
    title_zh: &'static str,
    extensions: &'static [&'static str],
    reads: bool,
    writes: bool,
}

/// Runs the command.
pub(crate) fn run(_: Args, out: &mut Output) -> Done {
    let lang = out.lang();
    let infos = formats::all().iter().map(|format| format.info());
    if out.is_json() {
        for info in infos {
            out.json(&Row {
                name: info.id.name(),
                title: info.title,
                title_zh: info.title_zh,
                extensions: info.extensions,
                reads: info.reads,
                writes: info.writes,
            })?;
        }
        return Ok(Exit::Fine);
    }
    let head = match lang {
        Lang::En => ["format", "what it is", "file names", "reads", "writes"],
        Lang::Zh => ["格式", "说明", "文件名", "读", "写"],
    };
    let yes = |is: bool| if is { lang.pick("yes", "是") } else { "-" };
    let rows = infos.map(|info| {
        let names: Vec<String> = info.extensions.iter().map(|e| format!(".{e}")).collect();
        vec![
            info.id.name().to_owned(),
            lang.pick(info.title, info.title_zh).to_owned(),
            names.join(" "),
            yes(info.reads).to_owned(),
            yes(info.writes).to_owned(),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[]))?;
    Ok(Exit::Fine)
}
