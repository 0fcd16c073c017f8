//! OBK and YFK, opening books of engines in SQLite: rows of a key, a move and
//! what the book thinks of it. The key stands for a position, by random numbers
//! that only the program knows; [`link`] tells the boards from the keys where
//! that can be done, and the rest of the rows is kept as remarks.

mod link;
mod numbers;
mod rows;

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, common};
use crate::board::Position;
use crate::finding::{Code, Finding, Place, Severity};
use crate::record::{FormatId, NodeId, Record, Written};
use link::{Boards, Group};
use rows::Row;

const ID: FormatId = FormatId("obk");

/// No position has so many legal moves: 5 pawns, 2 of each other piece.
const MOST_LEGAL: usize = 128;

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
            reads: true,
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

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let mut record = common::record(ID, piece);
        let table = rows::read(&piece.bytes, limits.moves);
        if let Some(message) = table.broken {
            record.findings.push(
                Finding::new(Code::Corrupt, Place::offset(piece.offset))
                    .reason("book-rows")
                    .param("rows", table.rows.len())
                    .param("error", message),
            );
        }
        if let Some((reason, limit)) = table.over {
            common::over_limit(&mut record, piece.offset, reason, limit);
        }
        for name in table.names {
            common::header(&mut record, "Table", name);
        }
        let book = Rows::new(table.rows);
        let boards = link::boards(&book.groups);
        if boards.over {
            record.findings.push(
                Finding::new(Code::LimitExceeded, Place::offset(piece.offset))
                    .reason("book-search")
                    .severity(Severity::Warning),
            );
        }
        let placed = book.grow(&boards, &mut record);
        let left = book.remark(&placed, &mut record, limits);
        let count = book.list.len();
        let told = |code, rows: usize| {
            Finding::new(code, Place::offset(piece.offset))
                .reason("opening-book")
                .param("rows", rows)
                .param("all", count)
        };
        if left < count {
            record.findings.push(told(Code::DialectRead, count - left));
        }
        if left > 0 {
            record.findings.push(told(Code::UnsupportedFormat, left).severity(Severity::Note));
        }
        let _ = emit(record);
    }
}

/// The rows of a book, by their keys.
struct Rows {
    list: Vec<Row>,
    /// The keys, in the order in which they come in the file.
    groups: Vec<Group>,
    /// The rows of each group.
    of: Vec<Vec<usize>>,
}

impl Rows {
    fn new(rows: Vec<Row>) -> Rows {
        let mut index: FxHashMap<u64, usize> = FxHashMap::default();
        let mut book = Rows { list: rows, groups: Vec::new(), of: Vec::new() };
        for (at, row) in book.list.iter().enumerate() {
            let Some(key) = row.key else { continue };
            let group = *index.entry(key).or_insert_with(|| {
                book.groups.push(Group { key, moves: Vec::new() });
                book.of.push(Vec::new());
                book.groups.len() - 1
            });
            if let (Some(group), Some(of)) = (book.groups.get_mut(group), book.of.get_mut(group)) {
                // One more than any position has, so that none fits.
                if group.moves.len() <= MOST_LEGAL {
                    group.moves.extend(row.mv.filter(|mv| !group.moves.contains(mv)));
                }
                of.push(at);
            }
        }
        book
    }

    /// Puts the rows whose positions are known into the tree, and says which
    /// these are. Each position grows where it is met first; where another order
    /// of moves leads to it, its key is told instead.
    fn grow(&self, boards: &Boards, record: &mut Record) -> Vec<bool> {
        let mut placed = vec![false; self.list.len()];
        let mut met = vec![false; self.groups.len()];
        let mut queue = VecDeque::new();
        let start = Position::start();
        if let Some(root) = boards.group.get(&start.key()) {
            queue.push_back((*root, NodeId::ROOT));
            met[*root] = true;
        }
        while let Some((group, parent)) = queue.pop_front() {
            let Some(Some(position)) = boards.of.get(group) else { continue };
            for at in self.of.get(group).into_iter().flatten() {
                let Some(row) = self.list.get(*at) else { continue };
                let Some(mv) = row.mv else { continue };
                let node = record.tree.add(parent, Written::Squares { mv, offset: 0 });
                let mut words = row.words.clone();
                if let Some(next) = boards.after(position, mv)
                    && let Some(met) = met.get_mut(next)
                {
                    if std::mem::replace(met, true) {
                        let key = self.groups.get(next).map_or(0, |group| group.key);
                        words += &format!(" to=0x{key:016x}");
                    } else {
                        queue.push_back((next, node));
                    }
                }
                record.tree.comment(node, false, words);
                placed[*at] = true;
            }
        }
        placed
    }

    /// Keeps the other rows word for word as remarks on the book as a whole,
    /// a key a line, and says how many these are.
    fn remark(&self, placed: &[bool], record: &mut Record, limits: &Limits) -> usize {
        /// Longer remarks are parted.
        const LONG: usize = 1 << 15;
        let left: Vec<&Row> = self
            .list
            .iter()
            .zip(placed)
            .filter(|(_, placed)| !**placed)
            .map(|(row, _)| row)
            .collect();
        let mut text = String::new();
        for row in &left {
            if !text.is_empty() {
                text.push('\n');
            }
            if let Some(mv) = row.mv {
                text += &format!("move={mv} ");
            }
            text += &row.words;
            if text.len() > LONG.min(limits.comment_bytes) {
                record.tree.comment(NodeId::ROOT, false, std::mem::take(&mut text));
            }
        }
        if !text.is_empty() {
            record.tree.comment(NodeId::ROOT, false, text);
        }
        left.len()
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
        // What only begins like one is told.
        let piece = Piece { bytes: book.to_vec(), ..Piece::default() };
        let mut codes = Vec::new();
        Book.read(&piece, &Limits::default(), &mut |record| {
            codes.extend(record.findings.iter().map(|finding| finding.code));
            ControlFlow::Continue(())
        });
        assert_eq!(codes, [Code::Corrupt]);
    }
}
