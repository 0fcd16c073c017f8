//! Vertical text (直排): each move goes down, the columns go from the right
//! to the left, as old books are printed.

use crate::board::Position;
use crate::finding::SourcePoint;
use crate::formats::movetext::{Kind, Lexer};
use crate::notation::{Context, Resolution, lex_chinese, resolve};
use crate::text::{Decoded, SourceMap};

/// A character of a block and its place in the text.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// First column, in half-width units.
    column: usize,
    row: usize,
    at: usize,
    character: char,
}

/// Moves that have to come to light before a text is believed to be vertical.
const ENOUGH: usize = 4;

/// The text read the other way, with the places of its characters in the
/// file, when it holds moves only so.
pub(super) fn turned(decoded: &Decoded) -> Option<(String, SourceMap)> {
    const LONGEST: usize = 1 << 20;
    let text = decoded.text.as_str();
    let directions = text.chars().filter(|c| matches!(c, '平' | '进' | '進' | '退'));
    if text.len() > LONGEST || directions.take(ENOUGH).count() < ENOUGH || moves(text) > 0 {
        return None;
    }
    let mut best: Option<(usize, Vec<usize>, String)> = None;
    for leftwards in [true, false] {
        for glued in [false, true] {
            let (turned, places) = turn(text, leftwards, glued);
            let found = moves(&turned);
            let rank = found + plies(&turned);
            if found < ENOUGH {
                continue;
            }
            if best.as_ref().is_none_or(|(found, ..)| rank > *found) {
                best = Some((rank, places, turned));
            }
        }
    }
    let (_, places, turned) = best?;
    let map = SourceMap::scattered(&turned, &points(decoded, &places), decoded.encoding);
    Some((turned, map))
}

/// Number of Chinese moves that can be seen.
fn moves(text: &str) -> usize {
    let mut lexer = Lexer::new(text, 0);
    let mut count = 0;
    loop {
        match lexer.next().kind {
            Kind::Move(shapes) => count += usize::from(!shapes.is_damaged()),
            Kind::End => return count,
            _ => {}
        }
    }
}

/// How many moves can be played from the start position: tells in which
/// direction the columns follow each other.
fn plies(text: &str) -> usize {
    let mut lexer = Lexer::new(text, 0);
    let mut position = Position::start();
    let mut count = 0;
    loop {
        let lexeme = lexer.next();
        match lexeme.kind {
            Kind::Move(_) => {
                let word = text.get(lexeme.start..lexeme.end);
                let Some((syntax, _)) = word.and_then(lex_chinese) else { return count };
                match resolve(syntax, &position, Context::of(&position)) {
                    Resolution::Legal { mv, .. } => position.make(mv),
                    _ => return count,
                };
                count += 1;
            }
            Kind::End => return count,
            _ => {}
        }
    }
}

/// Block by block, a block ending at an empty line: its columns one after the
/// other, and for each character its byte in the text. `glued` columns run on
/// without a line end between them. A block without moves, such as a heading,
/// is left as it is.
fn turn(text: &str, leftwards: bool, glued: bool) -> (String, Vec<usize>) {
    let mut out = (String::with_capacity(text.len()), Vec::new());
    let mut cells: Vec<Cell> = Vec::new();
    let (mut at, mut begin) = (0, 0);
    for (row, line) in text.split_inclusive('\n').chain(["\n"]).enumerate() {
        if line.trim().is_empty() {
            let block = text.get(begin..at).unwrap_or("");
            put_block(block, begin, &mut cells, leftwards, glued, &mut out);
            begin = at;
        }
        let mut column = 0;
        for (i, character) in line.char_indices() {
            if !character.is_whitespace() && character != '\u{FEFF}' {
                cells.push(Cell { column, row, at: at + i, character });
            }
            column += if character.is_ascii() { 1 } else { 2 };
        }
        at += line.len();
    }
    out
}

fn put_block(
    block: &str,
    begin: usize,
    cells: &mut Vec<Cell>,
    leftwards: bool,
    glued: bool,
    (text, places): &mut (String, Vec<usize>),
) {
    if leftwards {
        cells.sort_by_key(|cell| (std::cmp::Reverse(cell.column), cell.row));
    } else {
        cells.sort_by_key(|cell| (cell.column, cell.row));
    }
    let (length, count) = (text.len(), places.len());
    let mut before = None;
    for cell in cells.drain(..) {
        if before.is_some_and(|column| column != cell.column) && !glued {
            text.push('\n');
            places.push(cell.at);
        }
        before = Some(cell.column);
        text.push(cell.character);
        places.push(cell.at);
    }
    text.push('\n');
    places.push(begin + block.len());
    if moves(text.get(length..).unwrap_or("")) == 0 {
        text.truncate(length);
        places.truncate(count);
        text.push_str(block);
        places.extend(block.char_indices().map(|(i, _)| begin + i));
    }
}

/// The point of the file for each place, in their order.
fn points(decoded: &Decoded, places: &[usize]) -> Vec<SourcePoint> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|i| places.get(*i));
    let mut points = vec![SourcePoint::default(); places.len()];
    let mut cursor = decoded.map.cursor(&decoded.text);
    for i in order {
        if let (Some(place), Some(point)) = (places.get(i), points.get_mut(i)) {
            *point = cursor.point(*place);
        }
    }
    points
}
