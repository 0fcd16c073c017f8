//! Tables with a game or position in each row; the first line names the
//! columns, among them `fen` or `moves`.

use std::ops::ControlFlow;

use super::{head_text, lines, slice_header};
use crate::finding::{Code, Finding, Place};
use crate::formats::text_input::{TextInput, header, span_of};
use crate::formats::{Confidence, Format, FormatInfo, Head, Limits, Piece, common};
use crate::record::{FormatId, NodeId, Record, Start, Written};

const ID: FormatId = FormatId("csv");

/// The format.
#[derive(Debug)]
pub struct Csv;

impl Format for Csv {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "table of games (CSV, TSV)",
            title_zh: "棋谱表格",
            extensions: &["csv", "tsv"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let text = head_text(head);
        let first = text.lines().next().unwrap_or("");
        let names: Vec<_> =
            cells(first, separator(first)).into_iter().map(str::to_ascii_lowercase).collect();
        let has = |name: &str| names.iter().any(|column| column == name);
        if names.len() > 1 && (has("fen") || has("moves")) {
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
        let text = input.text();
        let mut cursor = input.cursor();
        let mut rows =
            lines(text).filter(|row| !text.get(row.clone()).unwrap_or("").trim().is_empty());
        let first = rows.next().and_then(|row| text.get(row)).unwrap_or("");
        let separator = separator(first);
        let columns = cells(first, separator);
        let mut before = piece.findings.clone();
        let mut game = 0;
        for row in rows {
            game += 1;
            let mut record = input.record(ID, row, game, &mut cursor, limits);
            record.findings.splice(0..0, std::mem::take(&mut before));
            if game > limits.games {
                let offset = record.origin.offset;
                common::over_limit(&mut record, offset, "games", limits.games as usize);
                let _ = emit(record);
                return;
            }
            let line = std::mem::take(&mut record.text);
            fill(&mut record, &line, &columns, separator, limits);
            record.text = line;
            if emit(record).is_break() {
                return;
            }
        }
        if game == 0 {
            let mut record = input.record(ID, 0..text.len(), 1, &mut input.cursor(), limits);
            record.findings.splice(0..0, before);
            record.findings.push(Finding::new(Code::NoGame, Place::WHOLE));
            let _ = emit(record);
        }
    }
}

fn separator(line: &str) -> char {
    let count = |c: char| line.matches(c).count();
    if count('\t') > count(',') {
        '\t'
    } else if count(';') > count(',') {
        ';'
    } else {
        ','
    }
}

/// The cells of a row. A cell in quotes may contain the separator; blanks
/// around a cell do not count.
fn cells(line: &str, separator: char) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let start = rest.trim_start_matches([' ', '\u{feff}']);
        if let Some(inner) = start.strip_prefix('"') {
            let end = closing_quote(inner);
            cells.push(inner.get(..end).unwrap_or(inner));
            let after = inner.get(end + 1..).unwrap_or("");
            match after.split_once(separator) {
                Some((_, next)) => rest = next,
                None => return cells,
            }
        } else if let Some((cell, next)) = start.split_once(separator) {
            cells.push(cell.trim());
            rest = next;
        } else {
            cells.push(start.trim());
            return cells;
        }
    }
}

/// Where the quote is that ends a cell; a doubled one is a part of it.
fn closing_quote(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, bytes.get(at + 1)) {
            (b'"', Some(b'"')) => at += 2,
            (b'"', _) => return at,
            _ => at += 1,
        }
    }
    text.len()
}

fn fill(record: &mut Record, line: &str, columns: &[&str], separator: char, limits: &Limits) {
    for (number, cell) in cells(line, separator).into_iter().enumerate() {
        let name = columns.get(number).copied().unwrap_or("");
        if cell.is_empty() {
            continue;
        }
        match name.to_ascii_lowercase().as_str() {
            "fen" | "initial_fen" => {
                record.start = Start::Fen { text: cell.to_owned(), span: span_of(line, cell) };
            }
            "moves" => branches(record, line, cell, limits),
            "" => slice_header(record, line, &format!("Column{}", number + 1), cell),
            _ if cell.contains("\"\"") => {
                let span = span_of(line, cell);
                record.headers.push(header(name, cell.replace("\"\"", "\""), span));
            }
            _ => slice_header(record, line, name, cell),
        }
    }
}

/// Lines with a bar between them, each from the first move on; what two of them
/// share they have in common in the tree.
fn branches(record: &mut Record, line: &str, cell: &str, limits: &Limits) {
    for moves in cell.split('|') {
        let mut last = NodeId::ROOT;
        for word in moves.split_whitespace() {
            let same = record.tree.children(last).find(|child| {
                matches!(record.tree.node(*child).written,
                    Written::Text(span) if line.get(span.range()) == Some(word))
            });
            if record.tree.len() >= limits.moves {
                let offset = record.origin.offset;
                common::over_limit(record, offset, "moves", limits.moves);
                return;
            }
            last =
                same.unwrap_or_else(|| record.tree.add(last, Written::Text(span_of(line, word))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_quotes_and_blanks() {
        assert_eq!(cells("a, b ,\"c, \"\"d\"\"\", ", ','), ["a", "b", "c, \"\"d\"\"", ""]);
        assert_eq!(cells("\"open", ','), ["open"]);
    }

    #[test]
    fn rows_are_games_under_the_names_of_the_columns() {
        let text = "title, hint, fen, moves\n一步杀, 兵胜, 4k4/5P3/9/9/9/9/9/9/3K5/9 w, d1d2 e9d9|d1d2 e9e8\n";
        let head = Head { bytes: text.as_bytes(), complete: true, extension: "" };
        assert_eq!(Csv.sniff(&head), Confidence::Certain);
        let piece = Piece { bytes: text.into(), line: 1, ..Piece::default() };
        let mut records = Vec::new();
        Csv.read(&piece, &Limits::default(), &mut |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].header("title"), Some("一步杀"));
        assert_eq!(records[0].header("hint"), Some("兵胜"));
        assert_eq!(records[0].tree.len(), 3);
        assert_eq!(records[0].tree.main_line().count(), 2);
        assert!(matches!(&records[0].start, Start::Fen { text, .. } if text.ends_with(" w")));
        assert_eq!(records[0].origin.line, Some(2));
    }
}
