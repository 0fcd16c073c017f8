//! What a text is full of, for sniffing.

use super::lexer::{Kind, Lexer};
use super::shape::Shapes;
use super::tally::Tally;
use crate::notation::Notation;

/// Counts of what a text holds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evidence {
    /// Moves in Chinese characters, with and without a direction.
    chinese: u32,
    short: u32,
    /// Moves in Latin letters and digits.
    latin: u32,
    tally: Tally,
    /// Moves that begin with a letter for a piece that chess does not have.
    foreign: u32,
    /// Words that are no moves, in Latin letters and in Chinese.
    words: u32,
    prose: u32,
    /// Signs that text does not have.
    junk: u32,
    /// Arrows between moves, as a chart of variations has.
    arrows: u32,
}

impl Evidence {
    /// Reads a text.
    pub(crate) fn of(text: &str) -> Evidence {
        let mut evidence = Evidence::default();
        let mut lexer = Lexer::new(text, 0);
        loop {
            let lexeme = lexer.next();
            match lexeme.kind {
                Kind::Move(shapes) => {
                    evidence.count(shapes);
                    let first = text.as_bytes().get(lexeme.start);
                    evidence.foreign += u32::from(matches!(first, Some(b'A' | b'C' | b'E' | b'H')));
                }
                Kind::Prose => {
                    let first = text.as_bytes().get(lexeme.start);
                    if first.is_some_and(u8::is_ascii) {
                        evidence.words += 1;
                    } else {
                        evidence.prose += 1;
                    }
                }
                Kind::Junk => {
                    evidence.junk += 1;
                    let arrow = text.get(lexeme.start..).is_some_and(|t| t.starts_with('↓'));
                    evidence.arrows += u32::from(arrow);
                }
                Kind::Tag => {
                    let end = lexer.line_end(lexeme.start);
                    lexer.seek(end);
                }
                Kind::End => return evidence,
                _ => {}
            }
        }
    }

    fn count(&mut self, shapes: Shapes) {
        self.tally.add(shapes);
        if shapes == Shapes::CHINESE {
            self.chinese += 1;
        } else if shapes == Shapes::ABBREVIATED {
            self.short += 1;
        } else if !shapes.is_damaged() {
            self.latin += 1;
        }
    }

    /// Whether these are moves of Xiangqi, and not words that happen to look
    /// like some.
    pub(crate) fn has_moves(&self) -> bool {
        self.chinese > 0
            || self.short >= 2 && self.short * 2 > self.prose
            || self.latin >= 2 && self.latin * 2 > self.words && !self.is_chess()
    }

    /// Whether all moves could be moves of chess.
    fn is_chess(&self) -> bool {
        self.foreign == 0 && self.tally.notation(None) == Some(Notation::San)
    }

    /// Whether the moves are written as only Xiangqi is.
    pub(crate) fn only_xiangqi(&self) -> bool {
        self.chinese > 0
            || self.short > 1
            || matches!(self.tally.notation(None), Some(Notation::Wxf | Notation::Iccs))
    }

    /// Whether there are so many moves, or so little else, that the text is a
    /// record of moves and not prose that names one.
    pub(crate) fn is_record(&self) -> bool {
        let moves = self.chinese + self.short + self.latin;
        moves >= 4 && !self.is_chess() && moves * 4 >= self.words + self.prose
    }

    /// Whether arrows stand between the moves.
    pub(crate) fn has_chart(&self) -> bool {
        self.arrows >= 2
    }
}
