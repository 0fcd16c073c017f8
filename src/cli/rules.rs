//! `qipu rules`: by which rules repetition is judged.

use std::io::Write as _;

use qipu::finding::Lang;
use qipu::report::table;
use qipu::rules::RuleSet;
use serde::Serialize;

use super::{Done, Exit, Output};

/// Arguments of `rules`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    title: &'static str,
    title_zh: &'static str,
    /// Rounds without a capture.
    natural_limit: u32,
    default: bool,
}

/// Runs the command.
pub(crate) fn run(_: Args, out: &mut Output) -> Done {
    let lang = out.lang();
    if out.is_json() {
        for rules in RuleSet::ALL {
            out.json(&Row {
                name: rules.name(),
                title: rules.title(),
                title_zh: rules.title_zh(),
                natural_limit: rules.natural_limit(),
                default: rules == RuleSet::default(),
            })?;
        }
        return Ok(Exit::Fine);
    }
    let head = match lang {
        Lang::En => ["rules", "what they are", "natural limit", ""],
        Lang::Zh => ["规则", "说明", "自然限着", ""],
    };
    let rows = RuleSet::ALL.into_iter().map(|rules| {
        let usual = if rules == RuleSet::default() { lang.pick("default", "默认") } else { "" };
        vec![
            rules.name().to_owned(),
            lang.pick(rules.title(), rules.title_zh()).to_owned(),
            match lang {
                Lang::En => format!("{} rounds", rules.natural_limit()),
                Lang::Zh => format!("{} 回合", rules.natural_limit()),
            },
            usual.to_owned(),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[]))?;
    Ok(Exit::Fine)
}
