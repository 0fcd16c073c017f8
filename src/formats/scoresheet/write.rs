//! Writes a move list as a person would type it.

use std::io::Write;

use crate::board::{Color, Position};
use crate::finding::Finding;
use crate::formats::movetext::{Manner, assumed, not_written};
use crate::formats::outgoing::is_game_tag;
use crate::formats::{WriteError, WriteOptions};
use crate::game::{Game, GameResult};
use crate::notation::Notation;
use crate::record::NodeId;

/// Labels in Chinese, simplified and traditional, and in English.
const LABELS: [(&str, &str, &str); 12] = [
    ("标题", "標題", "Title"),
    ("赛事", "賽事", "Event"),
    ("轮次", "輪次", "Round"),
    ("日期", "日期", "Date"),
    ("地点", "地點", "Site"),
    ("红方团体", "紅方團體", "RedTeam"),
    ("红方", "紅方", "Red"),
    ("黑方团体", "黑方團體", "BlackTeam"),
    ("黑方", "黑方", "Black"),
    ("结果", "結果", "Result"),
    ("评注", "評註", "Annotator"),
    ("ECCO", "ECCO", "ECCO"),
];

pub(super) fn write(
    game: &Game,
    options: &WriteOptions,
    output: &mut dyn Write,
) -> Result<Vec<Finding>, WriteError> {
    let manner = Manner::new(options, Notation::Chinese)?;
    let mut findings = Vec::new();
    let mut text = heading(game, manner, &mut findings);
    text.push('\n');
    moves(game, manner, &mut text);
    text.push('\n');
    let lost = game.tree.variations();
    if lost > 0 {
        findings.push(not_written("variations", lost));
    }
    for (reason, count) in [
        ("glyphs", game.tree.glyphs.len()),
        ("clocks", game.tree.clocks.len()),
        ("unplayed", game.unplayed.len()),
    ] {
        if count > 0 {
            findings.push(not_written(reason, count));
        }
    }
    assumed(game, &mut findings);
    output.write_all(&manner.encode(&text, &mut findings))?;
    Ok(findings)
}

fn heading(game: &Game, manner: Manner, findings: &mut Vec<Finding>) -> String {
    let headers = &game.headers;
    let date = headers.date.map(|date| date.to_string());
    let result = (headers.result != GameResult::Unknown).then(|| result(headers.result, manner));
    let values = [
        headers.title.as_deref(),
        headers.event.as_deref(),
        headers.round.as_deref(),
        date.as_deref(),
        headers.site.as_deref(),
        headers.red_team.as_deref(),
        headers.red.as_deref(),
        headers.black_team.as_deref(),
        headers.black.as_deref(),
        result,
        headers.annotator.as_deref(),
        headers.ecco.as_deref(),
    ];
    let mut text = String::new();
    for ((simplified, traditional, english), value) in LABELS.into_iter().zip(values) {
        let Some(value) = value else { continue };
        let (label, colon) = match (manner.is_chinese(), manner.is_traditional()) {
            (false, _) => (english, ": "),
            (true, false) => (simplified, "："),
            (true, true) => (traditional, "："),
        };
        let line: String = value.split(['\r', '\n']).collect::<Vec<_>>().join(" ");
        text.push_str(&format!("{label}{colon}{line}\n"));
    }
    if game.start != Position::start() {
        text.push_str(&format!("FEN: {}\n", game.start.fen()));
    }
    let other = headers.other.iter().filter(|(name, value)| !is_game_tag(name, value));
    let other: Vec<&str> = other.map(|(name, _)| name.as_str()).collect();
    if !other.is_empty() {
        findings.push(not_written("headers", other.len()).param("fields", other.join(", ")));
    }
    text
}

fn result(result: GameResult, manner: Manner) -> &'static str {
    match (manner.is_chinese(), manner.is_traditional(), result) {
        (true, false, GameResult::RedWins) => "红胜",
        (true, false, GameResult::BlackWins) => "黑胜",
        (true, true, GameResult::RedWins) => "紅勝",
        (true, true, GameResult::BlackWins) => "黑勝",
        (true, _, GameResult::Draw) => "和棋",
        (_, _, other) => other.code(),
    }
}

/// A round a line; remarks on lines of their own, behind a sign.
fn moves(game: &Game, manner: Manner, text: &mut String) {
    let mut position = game.start.clone();
    let mut interrupted = true;
    remarks(game, NodeId::ROOT, text);
    for node in game.tree.main_line() {
        let red = position.side() == Color::Red;
        if red || interrupted {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&position.round().to_string());
            text.push_str(if red { ". " } else { ". ... " });
        } else {
            text.push(' ');
        }
        let entry = game.tree.node(node);
        manner.spell(entry, &position, text);
        interrupted = remarks(game, node, text);
        entry.play_on(&mut position);
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
}

/// Writes the remarks on a move; true if there are any.
fn remarks(game: &Game, node: NodeId, text: &mut String) -> bool {
    let mut any = false;
    for comment in game.tree.comments.iter().filter(|comment| comment.node == node) {
        for line in comment.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str("* ");
            text.push_str(line);
            text.push('\n');
            any = true;
        }
    }
    any
}
