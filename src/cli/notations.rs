//! `qipu notations`: how moves can be written.

use std::io::Write as _;

use qipu::finding::Lang;
use qipu::notation::{Notation, Style};
use qipu::report::{notation_words, table};
use serde::Serialize;

use super::{Done, Exit, Output};

/// Arguments of `notations`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    title: &'static str,
    title_zh: &'static str,
    example: &'static str,
}

/// Runs the command.
pub(crate) fn run(_: Args, out: &mut Output) -> Done {
    let lang = out.lang();
    if out.is_json() {
        for notation in Notation::ALL {
            out.json(&Row {
                name: notation.name(),
                title: notation_words::title(notation, Lang::En),
                title_zh: notation_words::title(notation, Lang::Zh),
                example: notation_words::example(notation),
            })?;
        }
        return Ok(Exit::Fine);
    }
    let head = match lang {
        Lang::En => ["notation", "what it is", "1. 炮二平五 马8进7"],
        Lang::Zh => ["记谱法", "说明", "1. 炮二平五 马8进7"],
    };
    let rows = Notation::ALL.into_iter().map(|notation| {
        vec![
            notation.name().to_owned(),
            notation_words::title(notation, lang).to_owned(),
            notation_words::example(notation).to_owned(),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[]))?;
    writeln!(out)?;
    let head = match lang {
        Lang::En => ["style", "how `--style` writes moves"],
        Lang::Zh => ["写法", "`--style` 如何书写着法"],
    };
    let rows = Style::NAMES
        .into_iter()
        .map(|name| vec![name.to_owned(), notation_words::style(name, lang).to_owned()]);
    writeln!(out, "{}", table(&head, rows, &[]))?;
    Ok(Exit::Fine)
}
