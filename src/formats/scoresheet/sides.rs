//! Sheets that list the moves of each side by themselves: a line or a column
//! for Red, then one for Black.

use crate::board::Color;
use crate::formats::Limits;
use crate::formats::movetext::{Kind, Lexer, Movetext};
use crate::record::{NodeId, Span, Written};

/// A word that heads the moves of one side, alone on its line or before a
/// colon; and the bytes it takes.
pub(super) fn head(line: &str) -> Option<(Color, usize)> {
    const HEADS: [(&str, Color); 13] = [
        ("红方", Color::Red),
        ("紅方", Color::Red),
        ("红棋", Color::Red),
        ("紅棋", Color::Red),
        ("先手", Color::Red),
        ("红", Color::Red),
        ("紅", Color::Red),
        ("黑方", Color::Black),
        ("黑棋", Color::Black),
        ("后手", Color::Black),
        ("後手", Color::Black),
        ("黑", Color::Black),
        ("应着", Color::Black),
    ];
    let lead = line.len() - line.trim_start().len();
    let words = line.trim_start();
    let (word, side) = HEADS.iter().find(|(word, _)| words.starts_with(word))?;
    let after = words.get(word.len()..)?;
    let colon = after.chars().next().filter(|c| matches!(c, ':' | '：' | '、'));
    let stands_alone =
        colon.is_some() || after.is_empty() || after.starts_with(char::is_whitespace);
    stands_alone.then(|| (*side, lead + word.len() + colon.map_or(0, char::len_utf8)))
}

/// Whether a line is such a head with moves behind it.
pub(super) fn is_line_of_moves(line: &str) -> bool {
    let Some((_, from)) = head(line) else { return false };
    let mut lexer = Lexer::new(line, from);
    let mut moves = 0;
    loop {
        match lexer.next().kind {
            Kind::Move(shapes) if !shapes.is_damaged() => moves += 1,
            Kind::Number { .. } | Kind::Punctuation | Kind::Placeholder | Kind::Result => {}
            Kind::End => return moves >= 2,
            _ => return false,
        }
    }
}

/// The moves of a side, in their order.
type Moves = Vec<Written>;

/// Reads moves that stand apart by side from `from` on; `None` when the text
/// is of another kind. Each move knows its side, so one that was left out
/// shows when the line is played.
pub(super) fn read(text: &str, from: usize, limits: &Limits) -> Option<Movetext> {
    // The head may stand on a line of its own above the moves.
    let above = text.get(..from)?.trim_end();
    let line = above.rfind('\n').map_or(0, |n| n + 1);
    let start = if head(above.get(line..)?).is_some() { line } else { from };
    let mut movetext = Movetext::default();
    let mut sides: [Moves; 2] = [Vec::new(), Vec::new()];
    let mut side = None;
    let mut at = start;
    for line in text.get(start..)?.split_inclusive('\n') {
        let mut begin = at;
        at += line.len();
        if let Some((color, len)) = head(line.trim_end()) {
            // A column of one side is not taken up again after the other's.
            if color == Color::Red && sides.iter().any(|moves| !moves.is_empty()) {
                return None;
            }
            side = Some(color);
            begin += len;
        }
        let end = begin + text.get(begin..at)?.trim_end().len();
        let mut lexer = Lexer::new(text, begin);
        while lexer.position() < end {
            let lexeme = lexer.next();
            let span = Span::new(lexeme.start, lexeme.end);
            match lexeme.kind {
                _ if lexeme.start >= end => break,
                Kind::Move(shapes) if !shapes.is_damaged() => {
                    sides.get_mut(side?.index())?.push(Written::Text(span));
                    movetext.count_in_column(shapes);
                }
                Kind::Placeholder => sides.get_mut(side?.index())?.push(Written::Placeholder(span)),
                Kind::Number { .. } | Kind::Punctuation | Kind::Open | Kind::Close => {}
                Kind::Result => movetext.set_result(span),
                Kind::End => break,
                _ => return None,
            }
        }
    }
    let [red, black] = sides;
    if red.len() < 2 || black.len() < 2 || red.len() + black.len() > limits.moves {
        return None;
    }
    let mut cur = NodeId::ROOT;
    for i in 0..red.len().max(black.len()) {
        for (moves, color) in [(&red, Color::Red), (&black, Color::Black)] {
            let Some(written) = moves.get(i) else { continue };
            cur = movetext.tree.add(cur, *written);
            movetext.tree.node_mut(cur).side = Some(color);
        }
    }
    Some(movetext)
}
