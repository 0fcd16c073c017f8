//! XQN: tags, then moves with an engine's score in a tag before each; read.
//! It looks like PGN, but a tag among the moves belongs to the move behind it.

use std::ops::ControlFlow;

use super::text_input::{TextInput, header, span_of};
use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, common};
use crate::board::Move;
use crate::finding::{Code, Finding, Place};
use crate::record::{FormatId, NodeId, Record, Span, Written};

const ID: FormatId = FormatId("xqn");

/// The format.
#[derive(Debug)]
pub struct Xqn;

impl Format for Xqn {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "XQN record with scores",
            title_zh: "XQN 棋谱",
            extensions: &["xqn"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let found = memchr::memmem::find(head.bytes, b"[Score \"").and_then(|at| {
            // A move on the same line, behind the tag.
            let rest = head.bytes.get(at..)?;
            let line = rest.split(|byte| *byte == b'\n').next()?;
            let end = memchr::memchr(b']', line)?;
            let after = line.get(end + 1..)?.trim_ascii();
            (!after.is_empty() && !after.starts_with(b"[")).then_some(())
        });
        if found.is_some() { Confidence::Certain } else { Confidence::No }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let input = TextInput::decode(piece);
        let mut record = input.record(ID, 0..input.text().len(), 1, &mut input.cursor(), limits);
        record.findings.splice(0..0, piece.findings.iter().cloned());
        let text = std::mem::take(&mut record.text);
        read(&mut record, &text, limits);
        record.text = text;
        let _ = emit(record);
    }
}

fn read(record: &mut Record, text: &str, limits: &Limits) {
    let map = record.origin.map.clone();
    let mut cursor = map.cursor(text);
    let mut last = NodeId::ROOT;
    let mut score: Option<&str> = None;
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some((name, value, after)) = tag(rest) {
            rest = after;
            if name.eq_ignore_ascii_case("Score") {
                score = Some(value);
            } else if !value.trim().is_empty() {
                record.headers.push(header(name, value, span_of(text, value)));
            }
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || c == '[').unwrap_or(rest.len());
            let (word, after) = rest.split_at(end.max(1).min(rest.len()));
            rest = after;
            let mv = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let mv = mv.trim_end_matches(['+', '#', '!', '?']);
            if mv.is_empty() {
                rest = rest.trim_start();
                continue;
            }
            if record.tree.len() >= limits.moves {
                let offset = cursor.point(span_of(text, word).start as usize).offset;
                common::over_limit(record, offset, "moves", limits.moves);
                return;
            }
            let span = span_of(text, mv);
            let offset = cursor.point(span.start as usize).offset;
            last = record.tree.add(last, written(mv, span, offset));
            if let Some(score) = score.take() {
                record.tree.comment(last, false, format!("[Score \"{score}\"]"));
            }
        }
        rest = rest.trim_start();
    }
    if record.tree.is_empty() && record.headers.is_empty() {
        record.findings.push(Finding::new(Code::NoGame, Place::WHOLE));
    }
}

/// `[Name "value"]` at the beginning; the value ends with the line at the
/// latest.
fn tag(text: &str) -> Option<(&str, &str, &str)> {
    let inner = text.strip_prefix('[')?;
    let line = inner.split('\n').next()?;
    let (name, value) = line.split_once('"')?;
    let name = name.trim();
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let end = value.find("\"]")?;
    let used = line.len() - value.len() + end + 2;
    Some((name, value.get(..end)?, inner.get(used..)?))
}

/// Squares with a dash, or a cross where a piece is taken; any other text is
/// left to its notation.
fn written(mv: &str, span: Span, offset: u64) -> Written {
    match mv.replace('x', "-").parse::<Move>() {
        Ok(mv) => Written::Squares { mv, offset },
        Err(_) => Written::Text(span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_belongs_to_the_move_behind_it() {
        let text = "[Title \"a vs b\"]\n[Result \"\"]\n[Score \"10=0\"] 1.H2-E2  [Score \"10=-3\"] H9-G7\n\
                    [Score \"9=1\"] 2.E2xE6+\n";
        let head = Head { bytes: text.as_bytes(), complete: true, extension: "" };
        assert_eq!(Xqn.sniff(&head), Confidence::Certain);
        let piece = Piece { bytes: text.into(), line: 1, ..Piece::default() };
        let mut records = Vec::new();
        Xqn.read(&piece, &Limits::default(), &mut |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        let record = &records[0];
        assert_eq!(record.header("title"), Some("a vs b"));
        assert_eq!(record.tree.len(), 3);
        assert_eq!(common::legal_plies(record), 3);
        let comments: Vec<&str> =
            record.tree.comments.iter().map(|comment| comment.text.as_str()).collect();
        assert_eq!(comments, ["[Score \"10=0\"]", "[Score \"10=-3\"]", "[Score \"9=1\"]"]);
    }
}
