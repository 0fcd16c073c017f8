//! Lines to records.

use std::ops::ControlFlow;

use serde_json::{Map, Value};

use crate::board::{Move, Position};
use crate::finding::{Code, Finding, Place};
use crate::formats::text_input::{TextInput, header};
use crate::formats::{Limits, Piece, common};
use crate::record::{Clock, NodeId, Record, Span, Start, Written};

pub(super) fn read(
    piece: &Piece,
    limits: &Limits,
    emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
) {
    // JSON is UTF-8 unless a byte order mark says otherwise.
    let piece = &Piece { encoding: piece.encoding.or(Some("utf-8")), ..piece.clone() };
    let input = TextInput::decode(piece);
    let mut cursor = input.cursor();
    let mut at = 0;
    let mut game = 0;
    let mut before = piece.findings.clone();
    for line in input.text().split_inclusive('\n') {
        let range = at..at + line.trim_end().len();
        at += line.len();
        if line.trim().is_empty() {
            continue;
        }
        game += 1;
        let mut record = input.record(super::ID, range, game, &mut cursor, limits);
        record.findings.splice(0..0, std::mem::take(&mut before));
        if game > limits.games {
            let offset = record.origin.offset;
            common::over_limit(&mut record, offset, "games", limits.games as usize);
            let _ = emit(record);
            return;
        }
        match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(object)) => fill(&mut record, &object, limits),
            Ok(Value::Array(pairs)) => pairs_of_moves(&mut record, &pairs, limits),
            Ok(_) => record.findings.push(
                Finding::new(Code::Corrupt, Place::offset(record.origin.offset))
                    .reason("json-shape"),
            ),
            Err(error) => {
                let code = if error.is_eof() { Code::Truncated } else { Code::Corrupt };
                record.findings.push(
                    Finding::new(code, Place::offset(record.origin.offset))
                        .reason("json")
                        .param("error", error),
                );
            }
        }
        if emit(record).is_break() {
            return;
        }
    }
    if game == 0 && !before.is_empty() {
        let mut record = input.record(super::ID, 0..0, 1, &mut input.cursor(), limits);
        record.findings.splice(0..0, before);
        let _ = emit(record);
    }
}

/// A field of a game whose shape is not as it should be.
fn odd(record: &mut Record, name: &str) {
    let offset = record.origin.offset;
    record.findings.push(
        Finding::new(Code::Corrupt, Place::offset(offset)).reason("json-shape").param("name", name),
    );
}

fn fill(record: &mut Record, object: &Map<String, Value>, limits: &Limits) {
    if let Some(Value::String(fen)) = object.get("initial_fen") {
        record.start = Start::Fen { text: fen.clone(), span: Span::default() };
    }
    match object.get("headers") {
        Some(Value::Object(headers)) => fields(record, headers),
        None => {}
        Some(_) => odd(record, "headers"),
    }
    let mut nodes = vec![NodeId::ROOT];
    match object.get("moves") {
        Some(Value::Array(moves)) => line(record, NodeId::ROOT, moves, &mut nodes, limits),
        None => {}
        Some(_) => odd(record, "moves"),
    }
    for branch in array(object, "branches") {
        let after = branch.get("after").and_then(Value::as_u64);
        let after = after.and_then(|after| nodes.get(after as usize).copied());
        match (after, branch.get("moves")) {
            (Some(after), Some(Value::Array(moves))) => {
                line(record, after, moves, &mut nodes, limits);
            }
            _ => odd(record, "branches"),
        }
    }
    if let Some(Value::Object(assumed)) = object.get("assumed") {
        assumed_moves(record, assumed, &nodes);
    }
    for name in ["remarks", "glyphs", "clocks"] {
        for note in array(object, name) {
            let node = note.get("node").and_then(Value::as_u64);
            let node = node.and_then(|node| nodes.get(node as usize).copied());
            let (Some(node), Some(text)) = (node, note.get("text").and_then(Value::as_str)) else {
                odd(record, name);
                continue;
            };
            match name {
                "remarks" => {
                    let before = note.get("before").and_then(Value::as_bool).unwrap_or(false);
                    record.tree.comment(node, before, text);
                }
                "glyphs" => record.tree.glyphs.push((node, text.to_owned())),
                _ => record.tree.clocks.push(Clock { node, text: text.to_owned() }),
            }
        }
    }
    // What was not played stands behind the line it belongs to.
    let mut last = record.tree.main_line().last().unwrap_or(NodeId::ROOT);
    for word in array(object, "unplayed").iter().filter_map(Value::as_str) {
        let begin = record.text.find(word).unwrap_or(0);
        let span = Span::new(begin, begin + word.len());
        last = record.tree.add(last, Written::Text(span));
    }
    if let Some(token) = object.get("result_token").and_then(Value::as_str) {
        let begin = record.text.find(token).unwrap_or(0);
        record.result = Some((token.to_owned(), Span::new(begin, begin + token.len())));
    }
    if let Some(trailer) = object.get("trailer").and_then(Value::as_str) {
        record.trailer = place(&record.text, trailer);
    }
}

/// Where a word of the game stands in its line, if JSON left it as it was.
fn place(text: &str, word: &str) -> Option<Span> {
    text.find(word).map(|begin| Span::new(begin, begin + word.len()))
}

fn array<'v>(object: &'v Map<String, Value>, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn fields(record: &mut Record, headers: &Map<String, Value>) {
    for (name, value) in headers {
        match value {
            Value::Object(other) if name == "other" => fields(record, other),
            Value::String(value) => {
                // The names of the line are those of the contract.
                let name = match name.as_str() {
                    "red_team" => "RedTeam",
                    "black_team" => "BlackTeam",
                    name => name,
                };
                record.headers.push(header(name, value.clone(), Span::default()));
            }
            Value::Null => {}
            value => record.headers.push(header(name, value.to_string(), Span::default())),
        }
    }
}

fn line(
    record: &mut Record,
    after: NodeId,
    moves: &[Value],
    nodes: &mut Vec<NodeId>,
    limits: &Limits,
) {
    let mut last = after;
    for value in moves {
        if record.tree.len() >= limits.moves {
            let offset = record.origin.offset;
            common::over_limit(record, offset, "moves", limits.moves);
            return;
        }
        let Some(word) = value.as_str() else {
            odd(record, "moves");
            continue;
        };
        last = record.tree.add(last, written(&record.text, word, record.origin.offset));
        nodes.push(last);
    }
}

fn written(text: &str, word: &str, offset: u64) -> Written {
    if word == "--" {
        return Written::Placeholder(Span::default());
    }
    match (word.parse::<Move>(), place(text, word)) {
        (Ok(mv), _) => Written::Squares { mv, offset },
        (Err(_), Some(span)) => Written::Text(span),
        (Err(_), None) => Written::Placeholder(Span::default()),
    }
}

/// Half-moves that are no claim but were played on the board. An illegal move
/// is read by its squares, and found illegal again; a legal one filled a gap,
/// which stays a gap.
fn assumed_moves(record: &mut Record, assumed: &Map<String, Value>, nodes: &[NodeId]) {
    for (number, value) in assumed {
        let node = number.parse::<usize>().ok().and_then(|number| nodes.get(number).copied());
        let mv = value.as_str().and_then(|mv| mv.parse::<Move>().ok());
        let (Some(node), Some(mv)) = (node.filter(|node| *node != NodeId::ROOT), mv) else {
            odd(record, "assumed");
            continue;
        };
        if !is_legal_at(record, node, mv) {
            let offset = record.origin.offset;
            record.tree.node_mut(node).written = Written::Squares { mv, offset };
        }
    }
}

/// Whether a move is legal in the position before a node.
fn is_legal_at(record: &Record, node: NodeId, mv: Move) -> bool {
    let mut position = match &record.start {
        Start::Fen { text, .. } => match Position::parse_fen(text) {
            Ok(fen) => fen.start,
            Err(_) => return false,
        },
        _ => Position::start(),
    };
    let tree = &record.tree;
    let mut path: Vec<NodeId> =
        std::iter::successors(tree.parent(node), |node| tree.parent(*node)).collect();
    path.reverse();
    for before in path.into_iter().filter(|before| *before != NodeId::ROOT) {
        match tree.node(before).written {
            Written::Squares { mv, .. } if position.piece_at(mv.from).is_some() => {
                position.make(mv);
            }
            _ => position.pass(),
        }
    }
    position.is_legal(mv)
}

/// `[{"0": "炮二平五", "1": "马8进7"}, …]`: rounds of words. They become the text
/// of the record, as JSON may have written them as escapes.
fn pairs_of_moves(record: &mut Record, pairs: &[Value], limits: &Limits) {
    let mut text = String::new();
    let mut spans = Vec::new();
    for pair in pairs {
        for key in ["0", "1"] {
            match pair.get(key) {
                Some(Value::String(word)) => {
                    let start = text.len();
                    text.push_str(word);
                    spans.push(Span::new(start, text.len()));
                    text.push(' ');
                }
                None => {}
                Some(_) => odd(record, key),
            }
        }
    }
    let base = record.origin.map.base();
    record.origin.map = crate::text::SourceMap::new(
        crate::finding::SourcePoint { offset: base.offset, line: 0, column: 0 },
        crate::text::Encoding::Utf8,
    );
    record.text = text;
    let mut last = NodeId::ROOT;
    for span in spans {
        if record.tree.len() >= limits.moves {
            let offset = record.origin.offset;
            common::over_limit(record, offset, "moves", limits.moves);
            return;
        }
        last = record.tree.add(last, Written::Text(span));
    }
}
