//! Writes PGN.

use std::io::Write;

use crate::board::Position;
use crate::finding::{Code, Finding, Place};
use crate::formats::movetext::{Manner, Writer, assumed, not_written};
use crate::formats::{WriteError, WriteOptions};
use crate::game::Game;
use crate::notation::Notation;

const CHINESE_CHESS: &str = "Chinese Chess";

/// Tags that the writer makes itself.
const OWN: [&str; 5] = ["Game", "FEN", "Format", "SetUp", "Variant"];

pub(super) fn write(
    game: &Game,
    options: &WriteOptions,
    output: &mut dyn Write,
) -> Result<Vec<Finding>, WriteError> {
    let manner = Manner::new(options, Notation::Chinese)?;
    let mut findings = Vec::new();
    let mut text = tags(game, manner, &mut findings);
    text.push('\n');
    let clocks = game.tree.clocks.len();
    if clocks > 0 {
        findings.push(not_written("clocks", clocks));
    }
    assumed(game, &mut findings);
    text.push_str(&Writer::new(game, manner).run(&mut findings));
    text.push('\n');
    output.write_all(&manner.encode(&text, &mut findings))?;
    Ok(findings)
}

/// The tags in their usual order (pgn.md, 1): the roster always, the rest
/// where there is something to say. Words that normalising would have lost
/// follow as tags of their own, also where the name is there already: a reader
/// takes the first.
fn tags(game: &Game, manner: Manner, findings: &mut Vec<Finding>) -> String {
    let headers = &game.headers;
    let mut tags = Tags { text: String::new(), findings };
    let date = headers.date.map(|date| date.to_string().replace('-', "."));
    let value = |field: &Option<String>| field.clone().unwrap_or_default();
    tags.push("Game", CHINESE_CHESS);
    tags.push("Event", &value(&headers.event));
    tags.push("Round", &value(&headers.round));
    tags.push("Date", &value(&date));
    tags.push("Site", &value(&headers.site));
    tags.some("RedTeam", &value(&headers.red_team));
    tags.push("Red", &value(&headers.red));
    tags.some("BlackTeam", &value(&headers.black_team));
    tags.push("Black", &value(&headers.black));
    tags.push("Result", headers.result.code());
    tags.some("ECCO", &value(&headers.ecco));
    tags.some("Title", &value(&headers.title));
    tags.some("Annotator", &value(&headers.annotator));
    for (name, value) in &headers.other {
        if OWN.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            if name.eq_ignore_ascii_case("Game") && value != CHINESE_CHESS {
                tags.findings.push(not_written("game-tag", 1));
            }
            continue;
        }
        for line in value.lines() {
            tags.push(name, line);
        }
    }
    if game.start != Position::start() {
        tags.push("FEN", &game.start.fen());
    }
    if manner.notation != Notation::Chinese {
        tags.push("Format", &manner.notation.name().to_ascii_uppercase());
    }
    tags.text
}

struct Tags<'a> {
    text: String,
    findings: &'a mut Vec<Finding>,
}

impl Tags<'_> {
    fn some(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.push(name, value);
        }
    }

    fn push(&mut self, name: &str, value: &str) {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let mut key: String = name.chars().map(|c| if plain(c) { c } else { '_' }).collect();
        if !key.starts_with(char::is_alphabetic) {
            key.insert(0, 'X');
        }
        if key != name {
            self.findings
                .push(Finding::new(Code::NotWritten, Place::WHOLE).reason("tag-name").text(name));
        }
        self.text.push('[');
        self.text.push_str(&key);
        self.text.push_str(" \"");
        escape(value, &mut self.text);
        self.text.push_str("\"]\n");
    }
}

/// A quote gets a backslash, and a backslash only where it would be taken for
/// an escape: readers that know no escapes see the value as it is.
fn escape(value: &str, out: &mut String) {
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' if matches!(chars.peek(), None | Some('"' | '\\')) => out.push_str("\\\\"),
            // A tag is one line.
            '\r' => {}
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        for (value, written) in [
            ("甲", "甲"),
            (r#"a "b""#, r#"a \"b\""#),
            (r"C:\谱", r"C:\谱"),
            (r"C:\", r"C:\\"),
            (r"a\\b", r"a\\\b"),
            ("a\nb", "a b"),
        ] {
            let mut out = String::new();
            escape(value, &mut out);
            assert_eq!(out, written);
        }
    }
}
