//! Charts of variations: moves in columns, arrows from move to move, dots to
//! the alternatives on the right (as hbsxcjp's programs print).

use crate::formats::Limits;
use crate::formats::movetext::{Kind, Lexer, Movetext};
use crate::record::{NodeId, RecordTree, Span, Written};

/// A move on the chart.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// First column, in half-width units.
    column: usize,
    node: NodeId,
}

/// Columns that a move takes: four wide characters.
const WIDE: usize = 8;
/// Columns from one move to the next.
const STEP: usize = 10;

/// Reads the chart that follows `from`, if there is one.
pub(super) fn read(text: &str, from: usize, limits: &Limits) -> Option<Movetext> {
    let body = text.get(from..)?;
    if body.matches('↓').count() < 2 {
        return None;
    }
    let mut movetext = Movetext::default();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut arrows: Vec<usize> = Vec::new();
    let mut at = from;
    for line in body.split_inclusive('\n') {
        if line.trim_start().starts_with('(') {
            break;
        }
        let start = at;
        at += line.len();
        let cells = moves(text, start, line);
        if cells.is_empty() {
            if line.contains('↓') {
                arrows = columns(line, '↓');
            }
            continue;
        }
        let mut row: Vec<Cell> = Vec::new();
        for (column, span) in cells {
            if movetext.tree.len() >= limits.moves {
                break;
            }
            let under = arrows.iter().any(|a| (column..column + WIDE).contains(a));
            let above = rows.last().and_then(|r| r.iter().find(|c| c.column.abs_diff(column) < 4));
            let parent = match (under, above, row.last()) {
                (true, Some(above), _) => above.node,
                // Not under an arrow: an alternative to the move on its left.
                (_, _, Some(left)) => movetext.tree.parent(left.node).unwrap_or(NodeId::ROOT),
                (_, Some(above), None) => above.node,
                (_, None, None) => NodeId::ROOT,
            };
            let node = movetext.tree.add(parent, Written::Text(span));
            movetext.count_chinese();
            row.push(Cell { column, node });
        }
        rows.push(row);
        arrows.clear();
    }
    remarks(text.get(at.min(text.len())..)?, &rows, &mut movetext.tree);
    (!movetext.tree.is_empty()).then_some(movetext)
}

/// The moves of a line and the columns where they begin.
fn moves(text: &str, start: usize, line: &str) -> Vec<(usize, Span)> {
    let mut lexer = Lexer::new(text, start);
    let mut found = Vec::new();
    let (mut at, mut column) = (start, 0);
    loop {
        let lexeme = lexer.next();
        if lexeme.start >= start + line.len() || lexeme.kind == Kind::End {
            return found;
        }
        if matches!(lexeme.kind, Kind::Move(_)) {
            column +=
                text.get(at..lexeme.start).unwrap_or("").chars().map(cell_width).sum::<usize>();
            found.push((column, Span::new(lexeme.start, lexeme.end)));
            at = lexeme.start;
        }
    }
}

fn columns(line: &str, sign: char) -> Vec<usize> {
    let mut column = 0;
    let mut found = Vec::new();
    for c in line.chars() {
        if c == sign {
            found.push(column);
        }
        column += cell_width(c);
    }
    found
}

/// These charts count all but ASCII as wide.
fn cell_width(c: char) -> usize {
    if c.is_ascii() { 1 } else { 2 }
}

/// `(7,2): {…}`: a remark on the move in row 7, column 2, both from 0; row 0
/// is the start.
fn remarks(text: &str, rows: &[Vec<Cell>], tree: &mut RecordTree) {
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let Some(tail) = rest.get(open + 1..) else { return };
        let Some((place, after)) = tail.split_once(')') else { return };
        let body = after.trim_start_matches([':', '：', ' ']);
        let numbers = place.split_once(',').and_then(|(row, column)| {
            Some((row.trim().parse::<usize>().ok()?, column.trim().parse::<usize>().ok()?))
        });
        let (Some((row, column)), Some(body)) = (numbers, body.strip_prefix('{')) else {
            rest = tail;
            continue;
        };
        let (words, next) = body.split_once('}').unwrap_or((body, ""));
        let cell = row
            .checked_sub(1)
            .and_then(|row| rows.get(row))
            .and_then(|cells| cells.iter().find(|cell| cell.column / STEP == column));
        let node = cell.map_or(NodeId::ROOT, |cell| cell.node);
        if !words.trim().is_empty() {
            tree.comment(node, false, words.trim());
        }
        rest = next;
    }
}
