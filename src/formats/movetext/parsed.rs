//! The movetext of one game as it was read, on its way into a record.

use super::shape::Shapes;
use super::tally::Tally;
use crate::board::{Color, Move, Square};
use crate::finding::{Code, Finding, Place, Severity};
use crate::notation::Notation;
use crate::record::{NodeId, Record, RecordTree, Span, Written};

/// A finding whose place is not yet a point of the file.
#[derive(Clone, Debug)]
pub(super) struct Noted {
    pub(super) code: Code,
    pub(super) severity: Option<Severity>,
    pub(super) reason: &'static str,
    pub(super) span: Span,
    pub(super) node: Option<NodeId>,
}

/// The movetext of one game as it was read.
#[derive(Debug, Default)]
pub(crate) struct Movetext {
    /// The moves.
    pub(crate) tree: RecordTree,
    pub(super) tally: Tally,
    pub(super) noted: Vec<Noted>,
    /// Findings that were not kept because there are too many.
    pub(super) unkept: usize,
    /// Moves that a wide gap marks as Black's, and numbers with no such gap.
    pub(super) gaps: Vec<NodeId>,
    pub(super) plain_numbers: usize,
    pub(super) result: Option<Span>,
    pub(super) trailer: Option<usize>,
    pub(super) strays: usize,
    /// The number before a move names the move it follows (hbsxcjp).
    pub(super) by_parent: bool,
    /// Moves in four digits that are squares, rank before file (hbsxcjp).
    pub(super) squares: Vec<(NodeId, Span)>,
    /// An unusual layout that was recognised.
    pub(super) dialect: Option<&'static str>,
}

impl Movetext {
    /// Whether nothing was read that a game has.
    pub(crate) fn is_empty(&self) -> bool {
        self.tree.is_empty() && self.tree.comments.is_empty() && self.result.is_none()
    }

    /// Puts another tree in the place of the one that was read; `places` gives
    /// the new node for each old one.
    pub(crate) fn renumber(&mut self, mut tree: RecordTree, places: &[NodeId]) {
        let place = |node: NodeId| places.get(node.index()).copied().unwrap_or(NodeId::ROOT);
        tree.comments = std::mem::take(&mut self.tree.comments);
        tree.clocks = std::mem::take(&mut self.tree.clocks);
        tree.glyphs = std::mem::take(&mut self.tree.glyphs);
        tree.comments.iter_mut().for_each(|comment| comment.node = place(comment.node));
        tree.clocks.iter_mut().for_each(|clock| clock.node = place(clock.node));
        tree.glyphs.iter_mut().for_each(|(node, _)| *node = place(*node));
        for node in
            self.gaps.iter_mut().chain(self.noted.iter_mut().filter_map(|n| n.node.as_mut()))
        {
            *node = place(*node);
        }
        self.tree = tree;
        self.dialect = Some("columns");
    }

    /// Whether it was read from a chart.
    pub(crate) fn is_chart(&self) -> bool {
        self.dialect == Some("chart")
    }

    /// Counts a move that was read from a column of one side.
    pub(crate) fn count_in_column(&mut self, shapes: Shapes) {
        self.tally.add(shapes);
        self.dialect = Some("sides");
    }

    /// Says where the result stands.
    pub(crate) fn set_result(&mut self, span: Span) {
        self.result.get_or_insert(span);
    }

    /// Counts a move that was read from a chart.
    pub(crate) fn count_chinese(&mut self) {
        self.tally.add(Shapes::CHINESE);
        self.dialect = Some("chart");
    }

    /// Puts what was read into a record, whose text and origin are set. The
    /// hint is the notation that a header claims.
    pub(crate) fn put(mut self, record: &mut Record, hint: Option<Notation>) {
        if self.plain_numbers > 0 {
            for node in self.gaps {
                self.tree.node_mut(node).side = Some(Color::Black);
            }
        }
        if !self.squares.is_empty() {
            self.tally = Tally::default();
            let mut cursor = record.origin.map.cursor(&record.text);
            for (node, span) in self.squares {
                let offset = cursor.point(span.start as usize).offset;
                if let Some(mv) = record.text.get(span.range()).and_then(ranks_first) {
                    self.tree.node_mut(node).written = Written::Squares { mv, offset };
                }
            }
        }
        record.notation = self.tally.notation(hint).or(hint);
        record.result = self.result.map(|span| (record.slice(span).to_owned(), span));
        record.trailer = self.trailer.map(|from| {
            let body = record.text.get(from..).unwrap_or("");
            Span::new(from, from + body.trim_end().len())
        });
        record.tree = self.tree;
        self.noted.sort_by_key(|noted| noted.span.start);
        let mut cursor = record.origin.map.cursor(&record.text);
        for noted in self.noted {
            let place = Place {
                node: noted.node.map(|n| n.index() as u32),
                ..Place::at(cursor.point(noted.span.start as usize))
            };
            let mut finding = Finding::new(noted.code, place)
                .reason(noted.reason)
                .text(excerpt(record.text.get(noted.span.range()).unwrap_or("")));
            if let Some(severity) = noted.severity {
                finding = finding.severity(severity);
            }
            if noted.reason == "stray-sign" {
                finding = finding.param("count", self.strays);
            }
            record.findings.push(finding);
        }
        let whole = |code| Finding::new(code, Place::WHOLE);
        if let Some(dialect) = self.dialect.or(self.by_parent.then_some("parent-numbers")) {
            record.findings.push(whole(Code::DialectRead).reason(dialect));
        }
        if self.unkept > 0 {
            let finding = whole(Code::LimitExceeded).reason("findings").severity(Severity::Note);
            record.findings.push(finding.param("count", self.unkept));
        }
    }
}

/// Four digits as two squares, each rank before file, ranks from Red's home
/// rank.
fn ranks_first(text: &str) -> Option<Move> {
    let mut digits = text.bytes().map(|c| c.wrapping_sub(b'0') as i8);
    let mut square = || {
        let (rank, file) = (digits.next()?, digits.next()?);
        Square::at(file, rank)
    };
    Some(Move::new(square()?, square()?))
}

/// A finding quotes a line of text, not a page.
fn excerpt(text: &str) -> &str {
    const MAX: usize = 120;
    let mut end = text.len().min(MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or("")
}
