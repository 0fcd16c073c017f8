//! Comma-separated values (RFC 4180) in UTF-8, the columns named in the first
//! line. An absent value is empty; a flag is `true` or `false`.

use std::io::{self, Write};

use super::{Cell, Sink, Table};

/// Writes the names of the columns.
///
/// # Errors
/// When the output cannot be written.
pub fn csv_head(table: Table, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<Cell<'_>> =
        table.columns().iter().map(|column| Cell::Text(column.name)).collect();
    CsvRows(out).row(&names)
}

/// Writes rows as lines.
#[derive(Debug)]
pub struct CsvRows<W>(pub W);

impl<W: Write> Sink for CsvRows<W> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        let mut line = Vec::new();
        for (column, cell) in cells.iter().enumerate() {
            if column > 0 {
                line.push(b',');
            }
            match cell {
                Cell::Absent => {}
                Cell::Number(number) => write!(line, "{number}")?,
                Cell::Flag(flag) => write!(line, "{flag}")?,
                Cell::Text(text) => quote(text, &mut line),
            }
        }
        line.push(b'\n');
        self.0.write_all(&line)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// Quotes a text where it must be. An empty text is quoted, too, so that it
/// is told from an absent one, and so is one with blanks at its ends.
fn quote(text: &str, line: &mut Vec<u8>) {
    let plain = !text.is_empty()
        && text.trim() == text
        && !text.contains(['"', ',', ';', '\t', '\r', '\n']);
    if plain {
        line.extend_from_slice(text.as_bytes());
        return;
    }
    line.push(b'"');
    for part in text.split_inclusive('"') {
        line.extend_from_slice(part.as_bytes());
        if part.ends_with('"') {
            line.push(b'"');
        }
    }
    line.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_be_quoted_is_quoted() {
        for (text, written) in [
            ("甲", "甲"),
            ("", "\"\""),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            (" blank", "\" blank\""),
        ] {
            let mut line = Vec::new();
            quote(text, &mut line);
            assert_eq!(String::from_utf8(line).as_deref(), Ok(written));
        }
    }
}
