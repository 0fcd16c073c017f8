//! Main line and branches of a block to a tree.

use std::collections::HashMap;

use crate::board::{Move, Square};
use crate::finding::{Code, Finding, Place};
use crate::formats::Limits;
use crate::formats::{common, text_input};
use crate::record::{NodeId, Record, Span, Written};
use crate::text::Cursor;

/// One `move_P_S_B`: branch `number` leaves branch `parent`, and its first move
/// replaces ply `ply` of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branch<'a> {
    pub parent: u32,
    pub ply: u32,
    pub number: u32,
    pub digits: &'a str,
    /// Where the digits begin in the text of the record.
    pub at: usize,
}

/// The moves of a line: its nodes, and the line and ply that it leaves.
#[derive(Debug)]
struct Line {
    parent: u32,
    first_ply: usize,
    nodes: Vec<NodeId>,
}

/// The lines of a game by their numbers.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: HashMap<u32, Line>,
}

/// Where moves go and what bounds them.
#[derive(Debug)]
pub(super) struct Target<'r> {
    pub record: &'r mut Record,
    /// Finds places of the text of the record.
    pub cursor: Cursor<'r>,
    pub limits: &'r Limits,
    /// Ranks count from Red's side, as in some bare move lists, not from the
    /// top.
    pub from_red: bool,
}

impl Target<'_> {
    /// The square of two digits: file from Red's left, then rank.
    fn square(&self, file: u8, rank: u8) -> Option<Square> {
        Square::at(file as i8, if self.from_red { rank as i8 } else { 9 - rank as i8 })
    }

    /// Offset in the file of a byte of the text.
    fn offset(&mut self, at: usize) -> u64 {
        self.cursor.point(at).offset
    }

    /// A finding at a byte of the text, unless there are too many already.
    pub(super) fn found(&mut self, at: usize, code: Code, add: impl FnOnce(Finding) -> Finding) {
        if self.record.findings.len() < self.limits.findings {
            let place = Place::at(self.cursor.point(at));
            self.record.findings.push(add(Finding::new(code, place)));
        }
    }
}

impl Lines {
    /// Adds the main line and all branches, whatever their order.
    pub(super) fn build(
        main: Option<Branch<'_>>,
        branches: &[Branch<'_>],
        to: &mut Target<'_>,
    ) -> Lines {
        let mut lines = Lines::default();
        let first = Branch { parent: 0, ply: 1, number: 0, digits: "", at: 0 };
        let main = main.unwrap_or(first);
        let nodes = add(main, NodeId::ROOT, to);
        lines.lines.insert(0, Line { parent: 0, first_ply: 1, nodes });
        // In the order of the file; those whose parent comes later wait for it.
        let mut waiting: HashMap<u32, Vec<Branch<'_>>> = HashMap::new();
        for branch in branches {
            if lines.lines.contains_key(&branch.parent) {
                lines.attach(*branch, &mut waiting, to);
            } else {
                waiting.entry(branch.parent).or_default().push(*branch);
            }
        }
        let mut lost: Vec<Branch<'_>> = waiting.into_values().flatten().collect();
        lost.sort_by_key(|branch| branch.at);
        for branch in lost {
            complain(branch, "branch-without-parent", to);
        }
        lines
    }

    /// Adds a branch and those that waited for it.
    fn attach<'a>(
        &mut self,
        branch: Branch<'a>,
        waiting: &mut HashMap<u32, Vec<Branch<'a>>>,
        to: &mut Target<'_>,
    ) {
        let mut ready = vec![branch];
        while let Some(branch) = ready.pop() {
            let before = (branch.ply as usize).checked_sub(1);
            match before.and_then(|ply| self.node(branch.parent, ply, to.limits)) {
                Some(node) => {
                    let nodes = add(branch, node, to);
                    let first_ply = branch.ply as usize;
                    let line = Line { parent: branch.parent, first_ply, nodes };
                    if branch.number == 0 || self.lines.contains_key(&branch.number) {
                        complain(branch, "branch-number-twice", to);
                        continue;
                    }
                    self.lines.insert(branch.number, line);
                    let mut freed = waiting.remove(&branch.number).unwrap_or_default();
                    freed.reverse();
                    ready.append(&mut freed);
                }
                None => complain(branch, "branch-ply", to),
            }
        }
    }

    /// The node after `ply` plies of a line; ply 0 is the start position.
    pub(super) fn node(&self, number: u32, ply: usize, limits: &Limits) -> Option<NodeId> {
        if ply == 0 {
            return Some(NodeId::ROOT);
        }
        let mut number = number;
        for _ in 0..=limits.depth {
            let line = self.lines.get(&number)?;
            if let Some(own) = ply.checked_sub(line.first_ply) {
                return line.nodes.get(own).copied();
            }
            number = line.parent;
        }
        None
    }

    /// The last node of a line.
    pub(super) fn last(&self, number: u32) -> Option<NodeId> {
        self.lines.get(&number)?.nodes.last().copied()
    }
}

fn complain(branch: Branch<'_>, reason: &'static str, to: &mut Target<'_>) {
    to.found(branch.at, Code::Corrupt, |finding| {
        finding
            .reason(reason)
            .param("branch", branch.number)
            .param("parent", branch.parent)
            .param("first_ply", branch.ply)
            .text(text_input::cut_at(branch.digits, 200))
    });
}

/// Adds the moves of a line behind a node. Digits are taken one by one, so
/// line breaks from mail and forums do not matter; a minus belongs to the
/// digit behind it and makes the move one that is off the board.
fn add(branch: Branch<'_>, after: NodeId, to: &mut Target<'_>) -> Vec<NodeId> {
    let mut nodes = Vec::with_capacity(branch.digits.len() / 4);
    let mut last = after;
    let mut values = [0u8; 4];
    let mut minus = [false; 4];
    let mut count = 0;
    let mut begin = 0;
    let mut pending_minus = None;
    for (at, byte) in branch.digits.bytes().enumerate() {
        match byte {
            b'-' => pending_minus = pending_minus.or(Some(at)),
            b'0'..=b'9' => {
                if count == 0 {
                    begin = pending_minus.unwrap_or(at);
                }
                values[count] = byte - b'0';
                minus[count] = pending_minus.take().is_some();
                count += 1;
            }
            _ => {}
        }
        if count < 4 {
            continue;
        }
        count = 0;
        if to.record.tree.len() >= to.limits.moves {
            let offset = to.offset(branch.at + begin);
            common::over_limit(to.record, offset, "moves", to.limits.moves);
            return nodes;
        }
        let written = if minus == [false; 4] {
            let offset = to.offset(branch.at + begin);
            match (to.square(values[0], values[1]), to.square(values[2], values[3])) {
                (Some(from), Some(into)) => Written::Squares { mv: Move::new(from, into), offset },
                _ => Written::OffBoard {
                    raw: (values[0] * 10 + values[1], values[2] * 10 + values[3]),
                    offset,
                },
            }
        } else {
            Written::Text(Span::new(branch.at + begin, branch.at + at + 1))
        };
        minus = [false; 4];
        last = to.record.tree.add(last, written);
        nodes.push(last);
    }
    if count > 0 {
        let rest = branch.digits.get(begin..).unwrap_or("");
        to.found(branch.at + begin, Code::Corrupt, |finding| {
            finding.reason("odd-digits").text(text_input::cut_at(rest, 200))
        });
    }
    nodes
}

/// The old move list, in which each entry is four digits, the move in four
/// signs of which the third is X, Y or Z (进退平), and the number of the entry
/// after which it is played.
pub(super) fn old_list(list: Branch<'_>, to: &mut Target<'_>) -> Lines {
    let bytes = list.digits.as_bytes();
    let starts: Vec<usize> = bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| matches!(byte, b'X' | b'Y' | b'Z'))
        .filter_map(|(at, _)| at.checked_sub(6))
        .filter(|at| bytes.get(*at..at + 4).is_some_and(|d| d.iter().all(u8::is_ascii_digit)))
        .collect();
    let mut nodes: Vec<NodeId> = Vec::with_capacity(starts.len());
    for (entry, start) in starts.iter().enumerate() {
        let end = starts.get(entry + 1).copied().unwrap_or(bytes.len());
        if to.record.tree.len() >= to.limits.moves {
            let offset = to.offset(list.at + start);
            common::over_limit(to.record, offset, "moves", to.limits.moves);
            break;
        }
        let after = list.digits.get(start + 8..end).and_then(|n| n.trim().parse::<usize>().ok());
        let parent = match after {
            Some(0) => NodeId::ROOT,
            Some(number) if number <= nodes.len() => nodes[number - 1],
            _ => {
                let entry = list.digits.get(*start..end).unwrap_or("");
                to.found(list.at + start, Code::Corrupt, |finding| {
                    finding.reason("entry-number").text(entry)
                });
                nodes.last().copied().unwrap_or(NodeId::ROOT)
            }
        };
        let offset = to.offset(list.at + start);
        let digit = |at: usize| bytes.get(start + at).map_or(9, |byte| byte - b'0');
        let written = match (to.square(digit(0), digit(1)), to.square(digit(2), digit(3))) {
            (Some(from), Some(into)) => Written::Squares { mv: Move::new(from, into), offset },
            _ => Written::OffBoard {
                raw: (digit(0) * 10 + digit(1), digit(2) * 10 + digit(3)),
                offset,
            },
        };
        nodes.push(to.record.tree.add(parent, written));
    }
    // Comments of such lists count entries, as plies of line 0.
    let mut lines = Lines::default();
    lines.lines.insert(0, Line { parent: 0, first_ply: 1, nodes });
    lines
}
