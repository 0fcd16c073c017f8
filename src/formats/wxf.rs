//! WXF text (`FORMAT WXF … START{ … }END`), the format of PlayOK, XieXie and
//! the World Xiangqi Federation's page (other-formats.md, 8).

use std::io::Write;
use std::ops::ControlFlow;

use super::common;
use super::movetext::{Builder, Habit, Manner, Writer, assumed, not_written};
use super::outgoing::is_game_tag;
use super::text_input::TextInput;
use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, WriteError, WriteOptions};
use crate::board::Position;
use crate::finding::{Code, Finding, Place, SourcePoint};
use crate::game::{Game, GameResult};
use crate::notation::Notation;
use crate::record::{FormatId, Header, NodeId, Origin, Record, Span, Start, field_name};
use crate::text::Encoding;

/// The format.
#[derive(Clone, Copy, Debug)]
pub struct Wxf;

const ID: FormatId = FormatId("wxf");

/// What begins the moves.
const START: &str = "START{";

impl Format for Wxf {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "WXF text, as PlayOK and XieXie write it",
            title_zh: "世界象棋联合会文本棋谱 (WXF)",
            extensions: &["wxf"],
            reads: true,
            writes: true,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let find = |word: &[u8]| memchr::memmem::find(head.bytes, word).is_some();
        match (find(b"FORMAT"), find(START.as_bytes())) {
            (true, true) => Confidence::Certain,
            (false, true) if find(b"RED") => Confidence::Likely,
            _ => Confidence::No,
        }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let input = TextInput::decode(piece);
        let text = input.text();
        let mut cursor = input.cursor();
        let mut held = piece.findings.clone();
        let mut games = 0;
        let mut from = 0;
        while from < text.len() {
            let rest = text.get(from..).unwrap_or("");
            let len = game_end(rest);
            let body = rest.get(..len).unwrap_or(rest);
            if body.trim().is_empty() {
                break;
            }
            games += 1;
            let mut record = input.record(ID, from..from + len, games, &mut cursor, limits);
            if games > limits.games {
                let offset = record.origin.offset;
                let mut over = Record { origin: record.origin, ..Record::default() };
                common::over_limit(&mut over, offset, "games", limits.games as usize);
                let _ = emit(over);
                return;
            }
            fill(&mut record, limits);
            record.findings.splice(0..0, held.drain(..));
            if emit(record).is_break() {
                return;
            }
            from += len;
        }
        if games == 0 {
            let base = SourcePoint { offset: piece.offset, line: piece.line.max(1), column: 1 };
            held.push(Finding::new(Code::NoGame, Place::at(base)));
            let origin = Origin { format: ID, game: 1, ..Origin::default() };
            let _ = emit(Record { origin, findings: held, ..Record::default() });
        }
    }

    fn write(
        &self,
        game: &Game,
        options: &WriteOptions,
        output: &mut dyn Write,
    ) -> Result<Vec<Finding>, WriteError> {
        write(game, options, output)
    }
}

/// Where the game at the start of a text ends: behind its `}END`, or where the
/// next one begins.
fn game_end(text: &str) -> usize {
    let Some(start) = text.find(START) else { return text.len() };
    let moves = start + START.len();
    let rest = text.get(moves..).unwrap_or("");
    let next = rest.find("\nFORMAT").map_or(text.len(), |n| moves + n + 1);
    match rest.find('}') {
        Some(close) if moves + close < next => {
            let after = text.get(moves + close..next).unwrap_or("");
            // The line of the closing bracket, and empty lines.
            let line = after.find('\n').map_or(after.len(), |n| n + 1);
            let blank = after.get(line..).unwrap_or("");
            let blank = blank.len() - blank.trim_start().len();
            moves + close + line + blank
        }
        _ => next,
    }
}

/// Reads the text of a record.
fn fill(record: &mut Record, limits: &Limits) {
    let text = std::mem::take(&mut record.text);
    let body = text.as_str();
    let heading_end = body.find(START).unwrap_or(body.len());
    let mut odd: Vec<(Code, &'static str, Span)> = Vec::new();
    let mut remarks = Vec::new();
    let mut hint = None;
    let mut at = 0;
    while at < heading_end {
        let rest = body.get(at..heading_end).unwrap_or("");
        let mut len = rest.find('\n').map_or(rest.len(), |n| n + 1);
        let line = rest.get(..len).unwrap_or("").trim();
        let from = at + rest.find(line).unwrap_or(0);
        if line.starts_with("/*") {
            // A remark may run over lines.
            let close = rest.find("*/").map_or(rest.len(), |n| n + 2);
            len = len.max(close);
            let words = rest.get(..close).unwrap_or(rest).trim();
            let words = words.trim_start_matches("/*").trim_end_matches("*/").trim();
            remarks.push(words.to_owned());
        } else if line.starts_with("SETUP{") {
            odd.push((Code::BadFen, "setup-block", Span::new(from, from + line.len())));
        } else if let Some((key, value)) = field(line) {
            let start = from + line.len() - value.len();
            let span = Span::new(start, start + value.len());
            match key {
                "FORMAT" => hint = format_hint(value),
                "FEN" if value.contains('/') => {
                    record.start = Start::Fen { text: value.to_owned(), span };
                }
                _ => {}
            }
            let header = Header { name: field_name(key), value: value.to_owned(), span };
            record.headers.push(header);
        } else if !line.is_empty() {
            odd.push((Code::BadHeader, "no-key", Span::new(from, from + line.len())));
        }
        at += len;
    }
    if heading_end == body.len() {
        odd.push((Code::Truncated, "no-moves", Span::new(body.trim_end().len(), body.len())));
    }
    let moves = (heading_end + START.len()).min(body.len());
    let close = body.get(moves..).and_then(|rest| rest.find('}'));
    let end = close.map_or(body.len(), |n| moves + n);
    if close.is_none() && heading_end < body.len() {
        odd.push((Code::Truncated, "moves-not-closed", Span::new(moves, moves)));
    }
    let movetext = body.get(..end).unwrap_or(body);
    let mut builder = Builder::new(movetext, moves, Habit::Pgn, limits);
    builder.run(moves);
    let read = builder.done();
    record.text = text;
    read.put(record, hint);
    let words = remarks.into_iter().filter(|words| !words.is_empty());
    let comments: Vec<String> = words.collect();
    for words in comments.into_iter().rev() {
        record.tree.comment(NodeId::ROOT, false, words);
        // Remarks of the heading come first.
        record.tree.comments.rotate_right(1);
    }
    for (code, reason, span) in odd {
        let place = Place::at(record.point(span));
        let text = record.slice(span).to_owned();
        record.findings.push(Finding::new(code, place).reason(reason).text(text));
    }
}

/// A key in capitals and its value.
fn field(line: &str) -> Option<(&str, &str)> {
    let len = line.find(|c: char| c.is_whitespace()).unwrap_or(line.len());
    let (key, value) = line.split_at_checked(len)?;
    let capitals = !key.is_empty() && key.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    capitals.then(|| (key, value.trim()))
}

/// `WXF`, `AXF`, `ICCS`, `LALG`, `SALG`, also with letters behind the name.
fn format_hint(value: &str) -> Option<Notation> {
    let name = value.split([',', ' ']).next().unwrap_or("");
    match name.to_ascii_uppercase().as_str() {
        "WXF" | "AXF" => Some(Notation::Wxf),
        "ICCS" => Some(Notation::Iccs),
        "LALG" | "SALG" => Some(Notation::San),
        _ => None,
    }
}

fn write(
    game: &Game,
    options: &WriteOptions,
    output: &mut dyn Write,
) -> Result<Vec<Finding>, WriteError> {
    let manner = Manner::new(options, Notation::Wxf)?;
    let name = match manner.notation {
        Notation::Wxf => "WXF",
        Notation::Iccs => "ICCS",
        other => return Err(WriteError::Option(format!("WXF text has no moves in `{other}`"))),
    };
    if matches!(manner.encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
        return Err(WriteError::Option(format!("wxf is not written in `{}`", manner.encoding)));
    }
    let headers = &game.headers;
    let mut findings = Vec::new();
    let mut text = String::new();
    let player = |value: &Option<String>| {
        value.as_deref().map(|name| format!("{};;;", name.replace(';', ",")))
    };
    let date = headers.date.map(|date| date.to_string());
    let result = (headers.result != GameResult::Unknown).then(|| headers.result.code().to_owned());
    let fen = (game.start != Position::start()).then(|| game.start.fen());
    for (key, value) in [
        ("FORMAT", Some(name.to_owned())),
        ("GAME", headers.title.clone()),
        ("RED", player(&headers.red)),
        ("BLACK", player(&headers.black)),
        ("RESULT", result),
        ("DATE", date),
        ("EVENT", headers.event.clone()),
        ("SITE", headers.site.clone()),
        ("ROUND", headers.round.clone()),
        ("FEN", fen),
    ] {
        if let Some(value) = value {
            let line = value.split(['\r', '\n']).collect::<Vec<_>>().join(" ");
            text.push_str(&format!("{key}\t{line}\n"));
        }
    }
    let other = headers.other.iter().filter(|(name, value)| !is_game_tag(name, value));
    let fields: Vec<&str> = [
        ("red_team", headers.red_team.is_some()),
        ("black_team", headers.black_team.is_some()),
        ("annotator", headers.annotator.is_some()),
        ("ecco", headers.ecco.is_some()),
    ]
    .into_iter()
    .filter_map(|(name, filled)| filled.then_some(name))
    .chain(other.map(|(name, _)| name.as_str()))
    .collect();
    let lost = [
        ("variations", game.tree.variations()),
        ("comments", game.tree.comments.len()),
        ("clocks", game.tree.clocks.len()),
        ("unplayed", game.unplayed.len()),
        ("glyphs", game.tree.glyphs.len()),
    ];
    findings.extend(lost.iter().filter(|(_, n)| *n > 0).map(|(what, n)| not_written(what, *n)));
    if !fields.is_empty() {
        let fields = not_written("headers", fields.len()).param("fields", fields.join(", "));
        findings.push(fields);
    }
    assumed(game, &mut findings);
    text.push_str("\nSTART{\n");
    text.push_str(&Writer::new(game, manner).plain());
    text.push_str("}END\n\n");
    output.write_all(&manner.encode(&text, &mut findings))?;
    Ok(findings)
}
