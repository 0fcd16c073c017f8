//! Collects findings, with a bound on their number.

use crate::finding::{Code, Finding, Place, Severity, SourcePoint};
use crate::record::{NodeId, Record, Span, Written};

/// The findings of one game.
#[derive(Clone, Debug)]
pub(super) struct Findings {
    list: Vec<Finding>,
    max: usize,
    unkept: usize,
}

impl Findings {
    pub(super) fn new(max: usize) -> Findings {
        Findings { list: Vec::new(), max, unkept: 0 }
    }

    pub(super) fn push(&mut self, finding: Finding) {
        if self.list.len() < self.max {
            self.list.push(finding);
        } else {
            self.unkept += 1;
        }
    }

    /// The place of the last finding with this code.
    pub(super) fn last_of(&self, code: Code) -> Option<Place> {
        self.list.iter().rev().find(|finding| finding.code == code).map(|finding| finding.place)
    }

    /// Those of the record and those that were added, in the order of the
    /// record; `ends` go last.
    pub(super) fn merged(self, record: Vec<Finding>, ends: Vec<Finding>) -> Vec<Finding> {
        let mut all = record;
        if all.is_empty() {
            all = self.list;
        } else {
            all.extend(self.list);
        }
        if all.len() > 1 {
            // What fails comes before what is proposed at the same place.
            all.sort_by_key(|finding| {
                let offset = finding.place.source.map_or(0, |point| point.offset);
                (offset, finding.code == Code::DoubtfulMove)
            });
        }
        all.extend(ends);
        if self.unkept > 0 {
            all.push(
                Finding::new(Code::LimitExceeded, Place::WHOLE)
                    .reason("findings")
                    .param("limit", self.max)
                    .param("count", self.unkept),
            );
        }
        all
    }
}

/// The work of a game was used up: it may not be read as well as it could be.
pub(super) fn search_cut(limit: u32) -> Finding {
    Finding::new(Code::LimitExceeded, Place::WHOLE)
        .reason("search")
        .severity(Severity::Warning)
        .param("limit", limit)
}

/// The place of a written move.
pub(super) fn place(record: &Record, id: NodeId, ply: u32) -> Place {
    let point = match record.tree.node(id).written {
        Written::Text(span) => record.point(span),
        Written::Placeholder(span) if span.len > 0 => record.point(span),
        Written::Placeholder(_) => return place_after(record, record.tree.parent(id), ply),
        Written::Squares { offset, .. } | Written::OffBoard { offset, .. } => {
            SourcePoint { offset, line: 0, column: 0 }
        }
    };
    Place { source: Some(point), ply: Some(ply), node: Some(id.index() as u32) }
}

/// The place behind a written move, where a missing one should stand.
pub(super) fn place_after(record: &Record, id: Option<NodeId>, ply: u32) -> Place {
    let node = id.filter(|id| *id != NodeId::ROOT);
    let source = node.and_then(|id| match record.tree.node(id).written {
        Written::Text(span) | Written::Placeholder(span) if span.len > 0 => {
            let end = span.end() as usize;
            Some(record.point(Span::new(end, end)))
        }
        Written::Squares { offset, .. } | Written::OffBoard { offset, .. } => {
            Some(SourcePoint { offset, line: 0, column: 0 })
        }
        _ => None,
    });
    Place { source, ply: Some(ply), node: node.map(|id| id.index() as u32) }
}

/// The place of a span; the game as a whole where there is no text.
pub(super) fn place_of_span(record: &Record, span: Span) -> Place {
    if span.len == 0 { Place::WHOLE } else { Place::at(record.point(span)) }
}
