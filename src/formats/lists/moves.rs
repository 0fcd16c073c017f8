//! Moves by squares without anything else: `id;h2e2,h9g7` in each line, or one
//! game as `h2e2h9g7…` with its start position in the second line.

use std::ops::ControlFlow;

use super::{add_moves, each_line, head_text, is_move, lines, slice_header};
use crate::formats::text_input::{TextInput, span_of};
use crate::formats::{Confidence, Format, FormatInfo, Head, Limits, Piece};
use crate::notation::Notation;
use crate::record::{FormatId, Record, Start};

const ID: FormatId = FormatId("moves");

/// The format.
#[derive(Debug)]
pub struct Moves;

impl Format for Moves {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "bare coordinate moves",
            title_zh: "坐标着法表",
            extensions: &["txt"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let text = head_text(head);
        if is_sheet(&text) {
            return Confidence::No;
        }
        let mut seen =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).take(32).peekable();
        if seen.peek().is_some_and(|line| is_run(line, head.complete)) {
            return Confidence::Likely;
        }
        let (mut good, mut bad) = (0, 0);
        for line in seen {
            if split_line(line).is_some() { good += 1 } else { bad += 1 }
        }
        if good > 0 && bad == 0 { Confidence::Likely } else { Confidence::No }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let input = TextInput::decode(piece);
        let first = input.text().lines().map(str::trim).find(|line| !line.is_empty());
        if first.is_some_and(|line| is_run(line, true)) {
            let _ = emit(run(piece, &input, limits));
        } else {
            each_line(ID, piece, limits, emit, &mut line);
        }
    }
}

/// Whether each line is a move or a round: one game down the page, and not a
/// list with a game in each line.
fn is_sheet(text: &str) -> bool {
    const FEWEST: usize = 3;
    let short = |line: &str| {
        split_line(line).is_some_and(|(id, moves)| id.is_empty() && words(moves).count() <= 2)
    };
    let mut seen = 0;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()).take(32) {
        if !short(line) {
            return false;
        }
        seen += 1;
    }
    seen >= FEWEST
}

/// Whether a line is moves one behind the other, with nothing between. The end
/// of a long line may be out of sight.
fn is_run(line: &str, complete: bool) -> bool {
    line.is_ascii()
        && line.len() >= 4
        && (!complete || line.len().is_multiple_of(4))
        && line.as_bytes().chunks_exact(4).all(|word| std::str::from_utf8(word).is_ok_and(is_move))
}

/// A game whose first line is a run of moves; the second gives the start
/// position, with the side glued to the board in some files, and sometimes
/// the result (`--01`: Black won).
fn run(piece: &Piece, input: &TextInput, limits: &Limits) -> Record {
    let mut record = input.record(ID, 0..input.text().len(), 1, &mut input.cursor(), limits);
    record.findings.splice(0..0, piece.findings.iter().cloned());
    record.notation = Some(Notation::Uci);
    let text = std::mem::take(&mut record.text);
    let mut moved = false;
    for range in lines(&text) {
        let line = text.get(range).unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if !moved {
            moved = true;
            let words = (0..line.len()).step_by(4).filter_map(|at| line.get(at..at + 4));
            add_moves(&mut record, &text, words, limits);
        } else if let Some((fen, tail)) = glued(line) {
            record.start = Start::Fen { text: fen, span: span_of(&text, line) };
            slice_header(&mut record, &text, "Tail", tail);
        } else {
            slice_header(&mut record, &text, "Line", line);
        }
    }
    record.text = text;
    record
}

/// A board with the side directly behind it, `…/3K5w--01`, as a FEN and what
/// follows.
fn glued(line: &str) -> Option<(String, &str)> {
    let word = line.split_whitespace().next()?;
    let last = word.rfind('/')?;
    if word.bytes().filter(|byte| *byte == b'/').count() != 9 {
        return None;
    }
    let mut files = 0;
    let rank = word.get(last + 1..)?;
    for (at, byte) in rank.bytes().enumerate() {
        if files >= 9 {
            let board = word.get(..last + 1 + at)?;
            let side = if matches!(byte, b'w' | b'r' | b'b') { byte as char } else { 'w' };
            let tail = line.get(last + 1 + at..)?;
            let tail = if matches!(byte, b'w' | b'r' | b'b') { tail.get(1..)? } else { tail };
            let tail = if tail.trim_matches('-').is_empty() { "" } else { tail };
            return Some((format!("{board} {side}"), tail));
        }
        files += if byte.is_ascii_digit() { usize::from(byte - b'0') } else { 1 };
    }
    Some((line.to_owned(), ""))
}

/// `id;m,m,m` or `m,m,m` or moves between blanks, all of them by squares.
fn split_line(line: &str) -> Option<(&str, &str)> {
    let (id, moves) = line.split_once(';').unwrap_or(("", line));
    let mut words = words(moves).peekable();
    words.peek()?;
    words.all(is_move).then_some((id, moves))
}

fn words(moves: &str) -> impl Iterator<Item = &str> {
    moves.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty())
}

fn line(record: &mut Record, text: &str, limits: &Limits) -> bool {
    let (id, moves) = text.split_once(';').unwrap_or(("", text));
    record.notation = Some(Notation::Uci);
    slice_header(record, text, "Id", id);
    add_moves(record, text, words(moves), limits);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Record> {
        let head = Head { bytes: text.as_bytes(), complete: true, extension: "" };
        assert_eq!(Moves.sniff(&head), Confidence::Likely);
        let piece = Piece { bytes: text.into(), line: 1, ..Piece::default() };
        let mut records = Vec::new();
        Moves.read(&piece, &Limits::default(), &mut |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        records
    }

    #[test]
    fn a_run_of_moves_may_have_a_glued_position() {
        let records = read("c6e7e4f4\n4k4/3P5/b3n4/2N6/9/r3p4/9/9/9/5KB1Cw--01\n");
        assert_eq!(records[0].tree.len(), 2);
        let Start::Fen { text, .. } = &records[0].start else { panic!("a position") };
        assert_eq!(text, "4k4/3P5/b3n4/2N6/9/r3p4/9/9/9/5KB1C w");
        assert_eq!(records[0].header("tail"), Some("--01"));
    }

    #[test]
    fn lines_with_a_name_are_games() {
        let records = read("84b0ac2d;h2e2,h9g7\nf0d8ca35;b0c2\n");
        assert_eq!(records.len(), 2);
        assert_eq!(records[0].header("id"), Some("84b0ac2d"));
        assert_eq!(records[1].tree.len(), 1);
        assert_eq!(records[1].origin.game, 2);
    }

    #[test]
    fn words_are_no_moves() {
        // The last two are one game each, down the page.
        for text in [
            "",
            "hello",
            "h2e2 and so on",
            "1. h2e2 h9g7",
            "h2e2 h9g7\nh0g2 i9h9\ni0h0\n",
            "h2e2\nh9g7\nh0g2\n",
        ] {
            let head = Head { bytes: text.as_bytes(), complete: true, extension: "" };
            assert_eq!(Moves.sniff(&head), Confidence::No, "{text}");
        }
    }
}
