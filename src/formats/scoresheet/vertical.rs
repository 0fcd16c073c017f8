//! Vertical text (直排): each move goes down, the columns go from the right
//! to the left, as old books are printed.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::rounds::{self, Placed};
use crate::board::Position;
use crate::finding::SourcePoint;
use crate::formats::movetext::{Kind, Lexer};
use crate::notation::{Context, Resolution, lex_chinese, resolve};
use crate::text::{Decoded, SourceMap};

/// A character of a block and its place in the text.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// First column, in half-width units or characters.
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
    let mut best: Option<(usize, Placed)> = None;
    for grid in [Grid::Widths, Grid::Characters] {
        for leftwards in [true, false] {
            for glued in [false, true] {
                let turned = turn(text, grid, leftwards, glued);
                let found = moves(&turned.text);
                let rank = found + plies(&turned.text);
                if found >= ENOUGH && best.as_ref().is_none_or(|(found, _)| rank > *found) {
                    best = Some((rank, turned));
                }
            }
        }
    }
    let (_, turned) = best?;
    let map =
        SourceMap::scattered(&turned.text, &points(decoded, &turned.places), decoded.encoding);
    Some((turned.text, map))
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

/// What makes a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grid {
    /// The same distance from the margin.
    Widths,
    /// The same number of characters before it: digits are narrower than the
    /// characters above and below them, and nothing makes up for it.
    Characters,
}

/// Block by block, a block ending at an empty line: its columns one after the
/// other, and for each character its byte in the text. `glued` columns run on
/// without a line end between them. A block without moves, such as a heading,
/// is left as it is.
fn turn(text: &str, grid: Grid, leftwards: bool, glued: bool) -> Placed {
    let mut out = Placed { text: String::with_capacity(text.len()), places: Vec::new() };
    let mut cells: Vec<Cell> = Vec::new();
    let (mut at, mut begin) = (0, 0);
    let mut round = 1;
    for (row, line) in text.split_inclusive('\n').chain(["\n"]).enumerate() {
        if line.trim().is_empty() {
            let block = text.get(begin..at).unwrap_or("");
            put_block(block, begin, &mut cells, leftwards, glued, &mut round, &mut out);
            begin = at;
        }
        put_row(line, row, at, grid, &mut cells);
        at += line.len();
    }
    out
}

/// The cells of a row. Digits side by side, 12, are one cell.
fn put_row(line: &str, row: usize, at: usize, grid: Grid, cells: &mut Vec<Cell>) {
    let mut column = 0;
    let mut digits = None;
    for (i, character) in line.char_indices() {
        let number = if character.is_ascii_digit() { digits.or(Some(column)) } else { None };
        let goes_on = digits.is_some() && number.is_some();
        digits = number;
        if !character.is_whitespace() && character != '\u{FEFF}' {
            cells.push(Cell { column: number.unwrap_or(column), row, at: at + i, character });
        }
        column += match grid {
            Grid::Widths => 2 - usize::from(character.is_ascii()),
            Grid::Characters => usize::from(!goes_on),
        };
    }
}

/// Puts narrow characters into the column that they stand in the right half
/// of.
fn straighten(cells: &mut [Cell]) {
    let wide: BTreeSet<usize> =
        cells.iter().filter(|cell| !cell.character.is_ascii()).map(|cell| cell.column).collect();
    for cell in cells.iter_mut().filter(|cell| cell.character.is_ascii()) {
        if let Some(left) = cell.column.checked_sub(1)
            && !wide.contains(&cell.column)
            && wide.contains(&left)
        {
            cell.column = left;
        }
    }
}

fn put_block(
    block: &str,
    begin: usize,
    cells: &mut Vec<Cell>,
    leftwards: bool,
    glued: bool,
    round: &mut u32,
    out: &mut Placed,
) {
    straighten(cells);
    if leftwards {
        cells.sort_by_key(|cell| (Reverse(cell.column), cell.row, cell.at));
    } else {
        cells.sort_by_key(|cell| (cell.column, cell.row, cell.at));
    }
    let mut turned = Placed::default();
    let mut columns = Vec::new();
    let mut before = None;
    for cell in cells.drain(..) {
        if before != Some(cell.column) {
            if before.is_some() && !glued {
                turned.push('\n', cell.at);
            }
            columns.push(turned.text.len());
        }
        before = Some(cell.column);
        turned.push(upright(cell.character), cell.at);
    }
    let mut due = *round;
    let mut turned = rounds::parted(&turned, &columns, &mut due);
    turned.push('\n', begin + block.len());
    if moves(&turned.text) > 0 {
        *round = due;
        out.append(&turned);
    } else {
        out.text.push_str(block);
        out.places.extend(block.char_indices().map(|(i, _)| begin + i));
    }
}

/// A sign as it stands in a line, for its form in vertical text.
const fn upright(character: char) -> char {
    match character {
        '︐' => '，',
        '︑' => '、',
        '︒' => '。',
        '︓' => '：',
        '︵' => '（',
        '︶' => '）',
        '︹' => '〔',
        '︺' => '〕',
        '︻' => '【',
        '︼' => '】',
        other => other,
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
