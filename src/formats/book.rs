//! OBK and YFK, opening books of engines in SQLite. They are known, counted
//! and not read: a book stores keys of positions, from which no position and
//! no game can be made.

use std::ops::ControlFlow;

use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, common};
use crate::finding::{Code, Finding, Place};
use crate::record::{FormatId, Record};

const ID: FormatId = FormatId("obk");

/// The format.
#[derive(Debug)]
pub struct Book;

impl Format for Book {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "opening book of an engine (SQLite)",
            title_zh: "引擎开局库",
            extensions: &["obk", "yfk"],
            reads: false,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let finds = |needle: &[u8]| memchr::memmem::find(head.bytes, needle).is_some();
        let sqlite = head.bytes.starts_with(b"SQLite format 3\0");
        if sqlite && finds(b"vkey") && finds(b"vmove") {
            Confidence::Certain
        } else {
            Confidence::No
        }
    }

    fn read(&self, piece: &Piece, _: &Limits, emit: &mut dyn FnMut(Record) -> ControlFlow<()>) {
        let mut record = common::record(ID, piece);
        record.findings.push(
            Finding::new(Code::UnsupportedFormat, Place::offset(piece.offset))
                .reason("opening-book"),
        );
        let _ = emit(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_database_with_the_columns_of_a_book_is_one() {
        let sniff = |bytes: &[u8]| Book.sniff(&Head { bytes, complete: true, extension: "" });
        let book = b"SQLite format 3\0...CREATE TABLE bhobk (vkey INTEGER, vmove INTEGER)";
        assert_eq!(sniff(book), Confidence::Certain);
        assert_eq!(sniff(b"SQLite format 3\0...CREATE TABLE game (id)"), Confidence::No);
        let piece = Piece { bytes: book.to_vec(), ..Piece::default() };
        let mut codes = Vec::new();
        Book.read(&piece, &Limits::default(), &mut |record| {
            codes.extend(record.findings.iter().map(|finding| finding.code));
            ControlFlow::Continue(())
        });
        assert_eq!(codes, [Code::UnsupportedFormat]);
    }
}
