//! What a file *says*, before it is believed: headers as written, start
//! position, a tree of written moves with comments, and where each stood.
//! This room knows nothing of legality.

mod origin;
mod tree;

pub use origin::{FormatId, Origin, Span};
pub use tree::{Clock, Comment, Node, NodeId, RecordTree, Written};

use std::borrow::Cow;

use crate::board::Position;
use crate::finding::Finding;
use crate::notation::Notation;

/// A header field as the file wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The format's own name of the field, such as `RedTeam` or `DhtmlXQ_red`.
    pub name: Cow<'static, str>,
    /// The value, decoded and unescaped, otherwise word for word.
    pub value: String,
    /// Where the value stands in [`Record::text`]; empty in binary formats.
    pub span: Span,
}

/// A field's name, without a copy where it is one of those that nearly every
/// game has.
#[must_use]
pub fn field_name(name: &str) -> Cow<'static, str> {
    const USUAL: [&str; 14] = [
        "Game",
        "Event",
        "Site",
        "Date",
        "Round",
        "Red",
        "Black",
        "RedTeam",
        "BlackTeam",
        "Result",
        "ECCO",
        "Opening",
        "Variation",
        "FEN",
    ];
    match USUAL.into_iter().find(|usual| *usual == name) {
        Some(usual) => Cow::Borrowed(usual),
        None => Cow::Owned(name.to_owned()),
    }
}

/// The start position as the file gave it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Start {
    /// Not given: the ordinary start position.
    #[default]
    Standard,
    /// A FEN in one of its dialects, not parsed yet.
    Fen {
        /// The text.
        text: String,
        /// Where it stands in [`Record::text`].
        span: Span,
    },
    /// A board in a binary format. `side_known` is false when the format does
    /// not say who moves first and evidence has to decide.
    Board {
        /// The pieces, and the side where it is known.
        position: Box<Position>,
        /// Whether the format says who is to move.
        side_known: bool,
    },
}

/// One game as written.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Decoded text of the game, to which all spans refer; empty in binary
    /// formats. Stays as long as the record: it is the evidence.
    pub text: String,
    /// Where the game comes from.
    pub origin: Origin,
    /// Header fields in their order, repeated and unknown ones kept.
    pub headers: Vec<Header>,
    /// The start position.
    pub start: Start,
    /// The notation that the file claims or that its reader recognised.
    pub notation: Option<Notation>,
    /// The written moves.
    pub tree: RecordTree,
    /// The result token at the end of the moves (`1-0`, `红胜`, …) and its place.
    pub result: Option<(String, Span)>,
    /// What follows the end of the game and belongs to no game (advertising).
    pub trailer: Option<Span>,
    /// What the reader found.
    pub findings: Vec<Finding>,
}

impl Record {
    /// The text of a span; empty when it does not lie in the text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// The value of the first header with this name, compared without case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case(name))
            .map(|header| header.value.as_str())
    }

    /// The point of the source file where a span begins.
    #[must_use]
    pub fn point(&self, span: Span) -> crate::finding::SourcePoint {
        self.origin.map.point(&self.text, span.start as usize)
    }
}
