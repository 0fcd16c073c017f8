//! Positions, one in each line, in the dialects of FEN; with a name before
//! (`name|FEN`) or behind (`FEN ; name`), and with moves (`FEN moves h2e2`).

use std::ops::ControlFlow;

use super::{add_moves, each_line, find_board, head_text, is_board, is_move, slice_header};
use crate::finding::{Code, Finding, Place, Severity};
use crate::formats::text_input::span_of;
use crate::formats::{Confidence, Format, FormatInfo, Head, Limits, Piece};
use crate::game::GameResult;
use crate::record::{FormatId, Record, Start};

const ID: FormatId = FormatId("fen");

/// The format.
#[derive(Debug)]
pub struct Fen;

impl Format for Fen {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "list of positions (FEN, EPD)",
            title_zh: "局面表",
            extensions: &["fen", "epd"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let text = head_text(head);
        let (mut boards, mut others) = (0, 0);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()).take(64) {
            match find_board(line) {
                Some(board) if line.starts_with(board) || line.contains('|') => {
                    boards += usize::from(is_board(board));
                }
                _ => others += 1,
            }
        }
        if boards > 0 && others * 10 <= boards { Confidence::Likely } else { Confidence::No }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let Some(bytes) = one_encoding(&piece.bytes) else {
            each_line(ID, piece, limits, emit, &mut line);
            return;
        };
        let mut piece = Piece { bytes, encoding: Some("gb18030"), ..piece.clone() };
        piece.findings.push(
            Finding::new(Code::EncodingMixed, Place::offset(piece.offset))
                .severity(Severity::Note)
                .reason("two-titles"),
        );
        each_line(ID, &piece, limits, emit, &mut line);
    }
}

/// Some lists have two titles in each line, `GBK|Big5`: the bytes with all in
/// GB18030, where every line can be taken so and no place moves by it.
fn one_encoding(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut pairs = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Some(bar) = bar(line) else {
            out.extend_from_slice(line);
            continue;
        };
        let (simplified, traditional) = line.split_at(bar);
        encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(simplified)?;
        let text =
            encoding_rs::BIG5.decode_without_bom_handling_and_without_replacement(traditional)?;
        let (same, _, lost) = encoding_rs::GB18030.encode(&text);
        if lost || same.len() != traditional.len() {
            return None;
        }
        pairs += usize::from(!traditional.is_ascii() && !simplified.is_ascii());
        out.extend_from_slice(simplified);
        out.extend_from_slice(&same);
    }
    (pairs > 0).then_some(out)
}

/// The bar between two titles: the first byte `|` behind the semicolon that is
/// no part of a GBK character.
fn bar(line: &[u8]) -> Option<usize> {
    let mut at = memchr::memchr(b';', line)?;
    while let Some(byte) = line.get(at) {
        match byte {
            b'|' => return Some(at),
            0x81..=0xfe => at += 2,
            _ => at += 1,
        }
    }
    None
}

/// Reads a line. Each line is a position, also one that cannot be read, so
/// that nothing is passed over in silence.
fn line(record: &mut Record, text: &str, limits: &Limits) -> bool {
    let board = find_board(text);
    let begin = board.map_or(0, |board| span_of(text, board).start as usize);
    let (before, rest) = text.split_at(begin);
    let name = before.trim_end_matches(['|', ';', ',', ' ', '\t', '"']);
    slice_header(record, text, "Title", name);
    let (fen, name) = match rest.find(';') {
        Some(at) => (rest.get(..at).unwrap_or(rest), rest.get(at + 1..).unwrap_or("")),
        None => (rest, ""),
    };
    for name in name.split('|') {
        slice_header(record, text, "Title", name);
    }
    let (fen, moves, tail) = match fen.split_once(" moves ") {
        Some((fen, moves)) => (fen, moves, ""),
        None => glued_moves(fen).unwrap_or((fen, "", "")),
    };
    let fen = fen.trim().trim_end_matches(',').trim_end();
    record.start = Start::Fen { text: fen.to_owned(), span: span_of(text, fen) };
    add_moves(record, text, words(moves).map(|(_, word)| word), limits);
    let tail = tail.trim_matches([' ', ',']);
    let result = GameResult::parse(tail).is_some();
    slice_header(record, text, if result { "Result" } else { "Tail" }, tail);
    true
}

/// The words between blanks and commas, and where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split([' ', '\t', ',', '\r'])
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// Moves directly behind a position, without a word between: the position, the
/// moves, and the rest (`… w, g4g8 d8d9, 1-0`). An operation of EPD with a
/// move (`bm h2e2`) is none.
fn glued_moves(fen: &str) -> Option<(&str, &str, &str)> {
    let field = |word: &str| {
        matches!(word, "w" | "b" | "r" | "-" | "moves") || word.bytes().all(|b| b.is_ascii_digit())
    };
    let mut words = words(fen).skip(1).skip_while(|(_, word)| field(word)).peekable();
    let from = words.peek().filter(|(_, word)| is_move(word))?.0;
    let end = words.take_while(|(_, word)| is_move(word)).last()?;
    let end = end.0 + end.1.len();
    let before = fen.get(..from)?.trim_end_matches([' ', ',', '\t']);
    let before = before.strip_suffix("moves").unwrap_or(before).trim_end_matches([' ', ',', '\t']);
    Some((before, fen.get(from..end)?, fen.get(end..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Record> {
        let piece = Piece { bytes: text.into(), line: 1, ..Piece::default() };
        let mut records = Vec::new();
        Fen.read(&piece, &Limits::default(), &mut |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        records
    }

    #[test]
    fn names_stand_before_or_behind_and_moves_follow() {
        let text = "渴骥饮泉|4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1\n\
                    4k4/9/9/9/9/9/9/9/9/3K5 b ; 第二局\r\n\n\
                    4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves d0d1 e9e8\n";
        let head = Head { bytes: text.as_bytes(), complete: true, extension: "" };
        assert_eq!(Fen.sniff(&head), Confidence::Likely);
        let records = read(text);
        let titles: Vec<_> = records.iter().map(|record| record.header("title")).collect();
        assert_eq!(titles, [Some("渴骥饮泉"), Some("第二局"), None]);
        let fens: Vec<_> = records
            .iter()
            .map(|record| match &record.start {
                Start::Fen { text, span } => {
                    assert_eq!(record.slice(*span), text);
                    text.as_str()
                }
                _ => "",
            })
            .collect();
        assert_eq!(
            fens,
            [
                "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1",
                "4k4/9/9/9/9/9/9/9/9/3K5 b",
                "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"
            ]
        );
        assert_eq!(records[2].tree.len(), 2);
        assert_eq!(records[2].origin.line, Some(4));
    }

    #[test]
    fn moves_stand_directly_behind_a_position() {
        let fen = "4k4/9/9/9/9/9/9/9/9/3K5";
        for (line, start, moves, result, tail) in [
            (", d0d1 e9e8, 1-0", "", 2, Some("1-0"), None),
            (" w, d0d1 e9e8 d1d2 1/2-1/2", " w", 3, Some("1/2-1/2"), None),
            (" w - - 0 1 d0d1", " w - - 0 1", 1, None, None),
            (" b - - 0 1, moves e9e8,d0d1", " b - - 0 1", 2, None, None),
            (" w d0d1 und so weiter", " w", 1, None, Some("und so weiter")),
            // What a program should find is no game.
            (" w - - bm d0d1", " w - - bm d0d1", 0, None, None),
            (" w - - 0 1", " w - - 0 1", 0, None, None),
        ] {
            let records = read(&format!("{fen}{line}\n"));
            assert_eq!(records.len(), 1, "{line}");
            let Start::Fen { text, span } = &records[0].start else { panic!("{line}") };
            assert_eq!(text, &format!("{fen}{start}"), "{line}");
            assert_eq!(records[0].slice(*span), text, "{line}");
            assert_eq!(records[0].tree.len(), moves, "{line}");
            assert_eq!(records[0].header("result"), result, "{line}");
            assert_eq!(records[0].header("tail"), tail, "{line}");
        }
    }

    #[test]
    fn two_titles_in_two_encodings_are_told_apart() {
        let (left, _, _) = encoding_rs::GB18030.encode("4k4/9/9/9/9/9/9/9/9/3K5 w ; 一夫当关|");
        let (right, _, _) = encoding_rs::BIG5.encode("一夫當關\n");
        let piece = Piece { bytes: [left, right].concat(), line: 1, ..Piece::default() };
        let mut titles = Vec::new();
        Fen.read(&piece, &Limits::default(), &mut |record| {
            titles.extend(record.headers.iter().map(|header| header.value.clone()));
            assert_eq!(record.findings[0].code, Code::EncodingMixed);
            ControlFlow::Continue(())
        });
        assert_eq!(titles, ["一夫当关", "一夫當關"]);
    }

    #[test]
    fn prose_with_a_board_in_it_is_no_list() {
        let text = "The position\nbelow is easy:\n4k4/9/9/9/9/9/9/9/9/3K5 w\n";
        let head = Head { bytes: text.as_bytes(), complete: true, extension: "fen" };
        assert_eq!(Fen.sniff(&head), Confidence::No);
    }
}
