//! CBF, the XML form of 象棋桥 (CCBridge): read.
//!
//! The format marks the end of a line with `end="1"`. How it marks an
//! alternative is not known, as no file with one is, so a move after an end is
//! attached where it is legal and the finding says so.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::markup::{self, Lexer, Token};
use super::text_input::{self, TextInput, span_of};
use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, common};
use crate::board::{Color, Move, Position, Square, Undo};
use crate::finding::{Code, Finding, Place};
use crate::record::{FormatId, NodeId, Record, Start, Written};

const ID: FormatId = FormatId("cbf");
const ROOT_ELEMENT: &str = "ChineseChessRecord";

/// The format.
#[derive(Debug)]
pub struct Cbf;

impl Format for Cbf {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "CCBridge XML record",
            title_zh: "象棋桥 XML 棋谱",
            extensions: &["cbf"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let start = head.bytes.get(..head.bytes.len().min(1024)).unwrap_or(&[]);
        if memchr::memmem::find(start, b"<ChineseChessRecord").is_some() {
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
        let mut reader = Reader {
            text: &text,
            limits,
            record: &mut record,
            line: Line::default(),
            ended: false,
            unknown: None,
        };
        reader.run();
        record.text = text;
        let _ = emit(record);
    }
}

/// The line that is being read and the position at its end.
#[derive(Default)]
struct Line {
    position: Option<Position>,
    /// The moves of the line; how to take back those that could be made.
    moves: Vec<(NodeId, Option<Made>)>,
}

/// A move that was made, whosever turn it was.
#[derive(Clone, Copy)]
struct Made {
    turn: Color,
    mover: Color,
    undo: Undo,
}

impl Line {
    fn last(&self) -> NodeId {
        self.moves.last().map_or(NodeId::ROOT, |(node, _)| *node)
    }

    fn push(&mut self, node: NodeId, mv: Option<Move>) {
        let Some(position) = &mut self.position else {
            self.moves.push((node, None));
            return;
        };
        let made = mv.and_then(|mv| {
            let (turn, mover) = (position.side(), position.piece_at(mv.from)?.color);
            position.set_side(mover);
            Some(Made { turn, mover, undo: position.make(mv) })
        });
        self.moves.push((node, made));
    }

    fn pop(&mut self) -> bool {
        let Some((_, made)) = self.moves.pop() else { return false };
        if let (Some(position), Some(Made { turn, mover, undo })) = (&mut self.position, made) {
            position.set_side(mover.other());
            position.unmake(undo);
            position.set_side(turn);
        }
        true
    }
}

struct Reader<'a, 'r> {
    text: &'a str,
    limits: &'a Limits,
    record: &'r mut Record,
    line: Line,
    ended: bool,
    /// The first attribute of a move that is not known.
    unknown: Option<(usize, &'a str)>,
}

impl<'a> Reader<'a, '_> {
    fn run(&mut self) {
        let mut field: Option<&'a str> = None;
        let mut head = false;
        let mut node: Option<NodeId> = None;
        let mut root_seen = false;
        let mut closed = false;
        for (at, token) in Lexer::new(self.text) {
            match token {
                Token::Open { name, attributes, empty } => match name {
                    ROOT_ELEMENT => {
                        let version = markup::attributes(attributes).find(|a| a.0 == "Version");
                        self.record.origin.version = version.map(|(_, value)| value.to_owned());
                    }
                    "Head" => head = true,
                    "MoveList" => {
                        let start = self.start();
                        self.line.position = Some(start);
                    }
                    "Move" => {
                        if self.record.tree.len() >= self.limits.moves {
                            let offset = self.offset(at);
                            common::over_limit(self.record, offset, "moves", self.limits.moves);
                            break;
                        }
                        node = if root_seen {
                            Some(self.a_move(attributes, at))
                        } else {
                            Some(self.root(attributes, at))
                        };
                        root_seen = true;
                        if empty {
                            node = None;
                        }
                    }
                    _ if head && !empty => field = Some(name),
                    _ => {}
                },
                Token::Close(name) => match name {
                    "Head" => head = false,
                    "Move" => node = None,
                    ROOT_ELEMENT => closed = true,
                    _ => field = None,
                },
                Token::Text(text) => self.words(field, node, &markup::unescape(text), text),
                Token::Verbatim(text) => self.words(field, node, &Cow::Borrowed(text), text),
                Token::Comment(_) => {}
            }
        }
        if !closed {
            let end = self.offset(self.text.len());
            common::damage(self.record, Code::Truncated, end, "element-open");
        }
        if let Some((at, name)) = self.unknown {
            let place = Place::at(self.record.origin.map.point(self.text, at));
            self.record.findings.push(
                Finding::new(Code::DialectRead, place)
                    .reason("unknown-attribute")
                    .param("name", name),
            );
        }
    }

    fn offset(&self, at: usize) -> u64 {
        self.record.origin.map.point(self.text, at).offset
    }

    /// Text of a header or of a move.
    fn words(&mut self, field: Option<&'a str>, node: Option<NodeId>, value: &str, raw: &str) {
        if value.trim().is_empty() {
            return;
        }
        let span = span_of(self.text, raw);
        match (node, field) {
            (Some(node), _) => {
                let kept = text_input::cut_at(value, self.limits.comment_bytes);
                if kept.len() < value.len() {
                    let offset = self.offset(span.start as usize);
                    common::over_limit(self.record, offset, "comment-bytes", kept.len());
                }
                self.record.tree.comment(node, false, text_input::plain_lines(kept));
            }
            (None, Some("FEN")) => {
                self.record.start = Start::Fen { text: value.trim().to_owned(), span };
            }
            (None, Some("RecordResult")) => {
                if let Ok(code) = value.trim().parse() {
                    common::result_code(self.record, code);
                } else {
                    self.record.headers.push(text_input::header("RecordResult", value, span));
                }
            }
            (None, Some(name)) => self.record.headers.push(text_input::header(name, value, span)),
            (None, None) => {}
        }
    }

    /// The position in which the first move is made.
    fn start(&self) -> Position {
        match &self.record.start {
            Start::Fen { text, .. } => {
                Position::parse_fen(text).map_or_else(|_| Position::start(), |fen| fen.start)
            }
            _ => Position::start(),
        }
    }

    /// The first element is no move: its text is on the start position. A
    /// file that leaves it out begins with a move.
    fn root(&mut self, attributes: &'a str, at: usize) -> NodeId {
        let value = markup::attributes(attributes).find(|a| a.0 == "value");
        if value.is_none_or(|(_, value)| value.trim() == "00-00") {
            self.ended = markup::attributes(attributes).any(|a| a == ("end", "1"));
            return NodeId::ROOT;
        }
        self.a_move(attributes, at)
    }

    fn a_move(&mut self, attributes: &'a str, at: usize) -> NodeId {
        let mut value = "";
        let mut end = false;
        for (name, text) in markup::attributes(attributes) {
            match name {
                "value" => value = text,
                "end" => end = text == "1",
                _ if self.unknown.is_none() => self.unknown = Some((at, name)),
                _ => {}
            }
        }
        let offset = self.offset(at);
        let (written, mv) = match squares(value) {
            Some(mv) => (Written::Squares { mv, offset }, Some(mv)),
            None => (Written::Text(span_of(self.text, value)), None),
        };
        if self.ended {
            self.attach(mv, at);
        }
        let node = self.record.tree.add(self.line.last(), written);
        self.line.push(node, mv);
        self.ended = end;
        node
    }

    /// Goes back to the latest position in which the move is legal and not the
    /// move that was made; the start when there is none.
    fn attach(&mut self, mv: Option<Move>, at: usize) {
        let place = Place::at(self.record.origin.map.point(self.text, at));
        while self.line.pop() {
            let legal = match (mv, &self.line.position) {
                (Some(mv), Some(position)) => position.is_legal(mv),
                _ => false,
            };
            if legal {
                break;
            }
        }
        self.record
            .findings
            .push(Finding::new(Code::DialectRead, place).reason("alternative-by-legality"));
    }
}

/// `77-47`: file from Red's left, rank from the top.
fn squares(value: &str) -> Option<Move> {
    let [a, b, b'-', c, d] = *value.trim().as_bytes() else { return None };
    let square = |file: u8, rank: u8| {
        let digit = |byte: u8| byte.is_ascii_digit().then(|| (byte - b'0') as i8);
        Square::at(digit(file)?, 9 - digit(rank)?)
    };
    Some(Move::new(square(a, b)?, square(c, d)?))
}
