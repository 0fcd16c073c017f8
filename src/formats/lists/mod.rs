//! Lists with a position or a game in each line: FEN and EPD, CSV tables,
//! coordinate move lists, UCCI logs. All are read only.

mod csv;
mod fen;
mod moves;
mod ucci;

pub use csv::Csv;
pub use fen::Fen;
pub use moves::Moves;
pub use ucci::Ucci;

use std::ops::{ControlFlow, Range};

use super::text_input::TextInput;
use super::{Limits, Piece, common};
use crate::record::{FormatId, Record, Span, Written};

/// The part of a head that ends with a whole line, as text; bytes that are no
/// UTF-8 become U+FFFD, which no mark of these formats contains.
fn head_text<'a>(head: &super::Head<'a>) -> std::borrow::Cow<'a, str> {
    let bytes = head.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head.bytes);
    let end = if head.complete {
        bytes.len()
    } else {
        memchr::memrchr(b'\n', bytes).unwrap_or(bytes.len())
    };
    String::from_utf8_lossy(bytes.get(..end).unwrap_or(bytes))
}

/// The lines of a text with their places, without line ends.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    })
}

/// Reads a record from each line that `fill` accepts.
fn each_line(
    id: FormatId,
    piece: &Piece,
    limits: &Limits,
    emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    fill: &mut dyn FnMut(&mut Record, &str, &Limits) -> bool,
) {
    let input = TextInput::decode(piece);
    let mut cursor = input.cursor();
    let mut game = 0;
    let mut before = piece.findings.clone();
    for range in lines(input.text()) {
        let line = input.text().get(range.clone()).unwrap_or("");
        if line.trim().is_empty() {
            continue;
        }
        let mut record = input.record(id, range, game + 1, &mut cursor, limits);
        if game >= limits.games {
            let offset = record.origin.offset;
            common::over_limit(&mut record, offset, "games", limits.games as usize);
            let _ = emit(record);
            return;
        }
        let text = std::mem::take(&mut record.text);
        let accepted = fill(&mut record, &text, limits);
        record.text = text;
        if accepted {
            game += 1;
            record.findings.splice(0..0, std::mem::take(&mut before));
            if emit(record).is_break() {
                return;
            }
        }
    }
    if game == 0 {
        let mut record = input.record(id, 0..0, 1, &mut input.cursor(), limits);
        record.findings = before;
        record.findings.push(crate::finding::Finding::new(
            crate::finding::Code::NoGame,
            crate::finding::Place::WHOLE,
        ));
        let _ = emit(record);
    }
}

/// Adds the moves of a line that names squares, such as `h2e2`.
fn add_moves<'t>(
    record: &mut Record,
    text: &str,
    words: impl Iterator<Item = &'t str>,
    limits: &Limits,
) {
    let mut last = crate::record::NodeId::ROOT;
    for word in words {
        if record.tree.len() >= limits.moves {
            let offset = record.origin.offset;
            common::over_limit(record, offset, "moves", limits.moves);
            return;
        }
        let span = super::text_input::span_of(text, word);
        last = record.tree.add(last, Written::Text(span));
    }
}

/// Whether a word has the form of a board in FEN: ten ranks, nine points each
/// not asked.
fn is_board(word: &str) -> bool {
    word.bytes().filter(|byte| *byte == b'/').count() == 9
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/*.".contains(&byte))
}

/// Where in a line a FEN begins, and its board: the first word with slashes
/// between letters and digits. Damaged boards, with a rank more or less, count.
fn find_board(line: &str) -> Option<&str> {
    line.split(|c: char| c.is_whitespace() || matches!(c, '|' | ',' | ';' | '"' | '\t')).find(|w| {
        let slashes = w.bytes().filter(|byte| *byte == b'/').count();
        (7..=11).contains(&slashes)
            && w.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/*.-".contains(&byte))
    })
}

/// Whether a word is a move by squares, in ICCS or UCI.
fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let plain = |b: &[u8]| match b {
        [a, b, c, d] => {
            (b'a'..=b'i').contains(&a.to_ascii_lowercase())
                && b.is_ascii_digit()
                && (b'a'..=b'i').contains(&c.to_ascii_lowercase())
                && d.is_ascii_digit()
        }
        _ => false,
    };
    match bytes {
        [a, b, b'-', c, d] => plain(&[*a, *b, *c, *d]),
        _ => plain(bytes),
    }
}

/// A header whose value is a slice of the text of the record.
fn slice_header(record: &mut Record, text: &str, name: &str, value: &str) {
    let value = value.trim();
    if !value.is_empty() {
        let span: Span = super::text_input::span_of(text, value);
        record.headers.push(super::text_input::header(name, value, span));
    }
}
