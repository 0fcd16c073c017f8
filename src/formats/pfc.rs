//! PFC, the XML of 鹏飞象棋: nested `n` elements, each a move; read.

use std::ops::ControlFlow;

use super::markup::{self, Lexer, Token};
use super::text_input::{self, TextInput, span_of};
use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, common};
use crate::finding::{Code, Finding, Place};
use crate::record::{FormatId, NodeId, Record, Start, Written};

const ID: FormatId = FormatId("pfc");

/// The format.
#[derive(Debug)]
pub struct Pfc;

impl Format for Pfc {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "Pengfei XML record",
            title_zh: "鹏飞象棋",
            extensions: &["pfc"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let finds = |needle: &[u8]| memchr::memmem::find(head.bytes, needle).is_some();
        if finds(b"[pfchessrecord]") || finds(b"<n version=") {
            Confidence::Certain
        } else {
            Confidence::No
        }
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

/// An element before it is put into the tree, where the preferred reply comes
/// first whatever its place in the file.
struct Element<'t> {
    parent: usize,
    attributes: &'t str,
    preferred: bool,
    children: Vec<usize>,
}

fn read(record: &mut Record, text: &str, limits: &Limits) {
    // The whole is often wrapped in a comment, which hides no content here.
    let inner = text.find("<n").and_then(|at| text.get(at..)).unwrap_or("");
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut closed = false;
    let mut lexer = Lexer::new(inner);
    for (at, token) in lexer.by_ref() {
        match token {
            Token::Open { name: "n", attributes, empty } => {
                if elements.len() > limits.moves {
                    let place = span_of(text, inner).start as usize + at;
                    let offset = record.origin.map.point(text, place).offset;
                    common::over_limit(record, offset, "moves", limits.moves);
                    break;
                }
                let index = elements.len();
                let parent = open.last().copied().unwrap_or(0);
                let preferred = markup::attributes(attributes)
                    .any(|(name, value)| name == "default" && value.eq_ignore_ascii_case("true"));
                elements.push(Element { parent, attributes, preferred, children: Vec::new() });
                if let Some(element) = elements.get_mut(parent).filter(|_| index > 0) {
                    element.children.push(index);
                }
                if !empty {
                    open.push(index);
                } else if index == 0 {
                    closed = true;
                }
            }
            Token::Close("n") => {
                open.pop();
                if open.is_empty() {
                    closed = true;
                    break;
                }
            }
            _ => {}
        }
    }
    if elements.is_empty() {
        record.findings.push(Finding::new(Code::NoGame, Place::WHOLE));
        return;
    }
    // The comment around the whole may lack its end, an element may not.
    if !closed || lexer.open_end.is_some() {
        let offset = record.origin.map.point(text, text.len()).offset;
        common::damage(record, Code::Truncated, offset, "element-open");
    }
    plant(record, text, &elements, limits);
}

/// Puts the elements into the tree of the record, depth first.
fn plant(record: &mut Record, text: &str, elements: &[Element<'_>], limits: &Limits) {
    let mut nodes = vec![NodeId::ROOT; elements.len()];
    let mut stack = vec![0];
    let mut unknown = None;
    while let Some(index) = stack.pop() {
        let Some(element) = elements.get(index) else { continue };
        let attributes = || markup::attributes(element.attributes);
        // The move first: attributes come in any order. What belongs to an
        // element without one belongs to the move before it.
        let parent = nodes.get(element.parent).copied().unwrap_or(NodeId::ROOT);
        let written = attributes().find(|(name, _)| *name == "m" && index > 0);
        let node = written.map_or(parent, |(_, value)| {
            record.tree.add(parent, Written::Text(span_of(text, value)))
        });
        if let Some(slot) = nodes.get_mut(index) {
            *slot = node;
        }
        for (name, value) in attributes() {
            match name {
                "m" if index == 0 => {
                    let span = span_of(text, value);
                    let fen = markup::unescape(value).trim().to_owned();
                    if !fen.is_empty() {
                        record.start = Start::Fen { text: fen, span };
                    }
                }
                "c" => {
                    let words = text_input::plain_lines(&markup::unescape(value));
                    let kept = text_input::cut_at(&words, limits.comment_bytes);
                    if !kept.trim().is_empty() {
                        record.tree.comment(node, false, kept);
                    }
                    if kept.len() < words.len() {
                        let at = span_of(text, value).start as usize;
                        let offset = record.origin.map.point(text, at).offset;
                        common::over_limit(record, offset, "comment-bytes", kept.len());
                    }
                }
                "version" if index == 0 => record.origin.version = Some(value.to_owned()),
                "m" | "default" => {}
                _ if index == 0 && !value.is_empty() => {
                    let span = span_of(text, value);
                    record.headers.push(text_input::header(name, markup::unescape(value), span));
                }
                _ if value.is_empty() => {}
                _ => unknown = unknown.or(Some(name)),
            }
        }
        // The stack gives back the last one first.
        let is_preferred = |child: &&usize| elements.get(**child).is_some_and(|e| e.preferred);
        stack.extend(element.children.iter().rev().filter(|child| !is_preferred(child)));
        stack.extend(element.children.iter().rev().filter(is_preferred));
    }
    if let Some(name) = unknown {
        let place = record.origin.map.point(text, span_of(text, name).start as usize);
        record.findings.push(
            Finding::new(Code::DialectRead, Place::at(place))
                .reason("unknown-attribute")
                .param("name", name),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Record {
        let head = Head { bytes: text.as_bytes(), complete: true, extension: "" };
        assert_eq!(Pfc.sniff(&head), Confidence::Certain);
        let piece = Piece { bytes: text.into(), line: 1, ..Piece::default() };
        let mut records = Vec::new();
        Pfc.read(&piece, &Limits::default(), &mut |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        records.remove(0)
    }

    #[test]
    fn the_preferred_reply_is_the_main_line() {
        let record = parse(
            "<!--<?xml version=\"1.0\"?><n version=\"2\" win=\"r\" c=\"开局\" \
             m=\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\">\
             <n m=\"c3c4\"/><n m=\"h2e2\" c=\"中炮&amp;\" default=\"true\"><n m=\"h9g7\"/></n></n>-->",
        );
        assert!(record.findings.is_empty(), "{:?}", record.findings);
        let line: Vec<&str> = record
            .tree
            .main_line()
            .map(|node| match record.tree.node(node).written {
                Written::Text(span) => record.slice(span),
                _ => "",
            })
            .collect();
        assert_eq!(line, ["h2e2", "h9g7"]);
        assert_eq!(record.tree.len(), 3);
        let comments: Vec<&str> =
            record.tree.comments.iter().map(|comment| comment.text.as_str()).collect();
        assert_eq!(comments, ["开局", "中炮&"]);
        assert_eq!(record.header("win"), Some("r"));
        assert!(matches!(record.start, Start::Fen { .. }));
    }

    #[test]
    fn attributes_come_in_any_order() {
        let record = parse(
            "<n version=\"2\" m=\"\"><n c=\"中炮\" m=\"h2e2\" x=\"\">\
             <n c=\"无着\"><n z=\"1\" m=\"h9g7\"/></n></n></n>",
        );
        let line: Vec<_> = record.tree.main_line().collect();
        assert_eq!((line.len(), record.tree.len()), (2, 2));
        let comments: Vec<_> =
            record.tree.comments.iter().map(|c| (c.node, c.text.as_str())).collect();
        assert_eq!(comments, [(line[0], "中炮"), (line[0], "无着")]);
        let codes: Vec<_> = record.findings.iter().map(|f| (f.code, f.reason)).collect();
        assert_eq!(codes, [(Code::DialectRead, Some("unknown-attribute"))]);
    }

    #[test]
    fn a_file_that_ends_early_keeps_what_was_read() {
        let record = parse("<n version=\"2\" m=\"\"><n m=\"h2e2\"><n m=\"h9");
        assert_eq!(record.findings[0].code, Code::Truncated);
        assert_eq!(record.tree.len(), 2);
    }
}
