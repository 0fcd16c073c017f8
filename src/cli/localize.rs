//! Help in Chinese: the same commands and options with texts from one file.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, Command};
use qipu::finding::Lang;

const TEXTS: &str = include_str!("help_zh.txt");

/// Texts by command and argument; the argument is empty for the command's own
/// summary and `after` for what follows the examples.
fn texts() -> BTreeMap<(&'static str, &'static str), &'static str> {
    let mut texts = BTreeMap::new();
    let mut command = "";
    for line in TEXTS.lines() {
        let Some((word, text)) = line.split_once(' ') else { continue };
        match word {
            "#" => {}
            "=" => command = text,
            "about" => {
                texts.insert((command, ""), text);
            }
            word => {
                texts.insert((command, word), text);
            }
        }
    }
    texts
}

/// The command line in a language.
pub(super) fn localized(command: Command, lang: Lang) -> Command {
    match lang {
        Lang::En => ending_in_a_line(command),
        Lang::Zh => in_chinese(command, &texts()),
    }
}

/// The text behind the options ends its line.
fn ending_in_a_line(command: Command) -> Command {
    let after = command.get_after_help().map(|after| format!("{after}\n"));
    let command = match after {
        Some(after) => command.after_help(after),
        None => command,
    };
    command.mut_subcommands(ending_in_a_line)
}

fn in_chinese(
    command: Command,
    texts: &BTreeMap<(&'static str, &'static str), &'static str>,
) -> Command {
    let name = command.get_name().to_owned();
    let text = |argument: &str| {
        texts.get(&(name.as_str(), argument)).or_else(|| texts.get(&("qipu", argument))).copied()
    };
    let after = command.get_after_help().map(ToString::to_string).map(|after| {
        let examples = after.split("\n\n").next().unwrap_or("").replace("Examples:", "示例：");
        match texts.get(&(name.as_str(), "after")) {
            Some(words) => format!("{examples}\n\n{words}\n"),
            None => format!("{examples}\n"),
        }
    });
    let version = command.get_version().map(|_| {
        Arg::new("version")
            .short('V')
            .long("version")
            .action(ArgAction::Version)
            .help("显示版本")
            .help_heading("选项")
    });
    let mut command = command
        .disable_version_flag(true)
        .args(version)
        .help_template("{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}")
        .subcommand_help_heading("命令")
        .subcommand_value_name("命令")
        .disable_help_flag(true)
        .arg(
            Arg::new("help")
                .short('h')
                .long("help")
                .action(ArgAction::Help)
                .help("显示帮助")
                .help_heading("选项"),
        )
        .mut_args(|argument| {
            let heading = if argument.is_positional() { "参数" } else { "选项" };
            let words = text(argument.get_id().as_str());
            let argument = argument.help_heading(heading);
            match words {
                Some(words) => argument.long_help(words).help(words),
                None => argument,
            }
        });
    if let Some(about) = texts.get(&(name.as_str(), "")) {
        command = command.about(*about).long_about(*about);
    }
    if let Some(after) = after {
        command = command.after_help(after);
    }
    command.mut_subcommands(|inner| in_chinese(inner, texts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacking(command: &Command, found: &mut Vec<String>) {
        let texts = texts();
        let name = command.get_name();
        if !texts.contains_key(&(name, "")) {
            found.push(format!("= {name}: about"));
        }
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            if !texts.contains_key(&(name, id)) && !texts.contains_key(&("qipu", id)) {
                found.push(format!("= {name}: {id}"));
            }
        }
        for inner in command.get_subcommands() {
            lacking(inner, found);
        }
    }

    #[test]
    fn every_command_and_option_has_a_chinese_text() {
        let mut found = Vec::new();
        lacking(&crate::cli::command(Lang::En), &mut found);
        assert!(found.is_empty(), "src/cli/help_zh.txt lacks\n{}", found.join("\n"));
    }

    #[test]
    fn the_chinese_command_line_is_well_formed() {
        let command = crate::cli::command(Lang::Zh);
        command.clone().debug_assert();
        let help = command.clone().render_long_help().to_string();
        assert!(help.contains("用法：") && help.contains("命令"), "{help}");
    }
}
