//! The words of a sheet as they can be read in a position that is not the
//! sheet's own.

use smallvec::SmallVec;

use super::sheet::{Sheet, WordKind};
use crate::board::{Color, Move, Position};
use crate::notation::{Context, Notation, Syntax, parse, readings};
use crate::replay::resembles;

/// What a word costs that only resembles the move.
const RESEMBLES: f32 = 1.0;

/// A written half-move.
#[derive(Clone, Debug)]
pub(super) enum Token {
    /// Two squares.
    Squares(Move),
    /// A move of the sheet's notation.
    Said(Syntax),
    /// Text that is no whole move.
    Damaged,
    /// A blank, or a sign for a move that is not known.
    Unknown,
}

/// The written half-moves of a sheet.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    sheet: &'a Sheet,
    list: Vec<Token>,
    notation: Notation,
    /// Whether numerals tell the side.
    by_side: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(sheet: &'a Sheet, most: usize) -> Tokens<'a> {
        let notation = sheet.game.notation.unwrap_or(Notation::Chinese);
        let token = |word: &super::sheet::Word| match word.kind {
            WordKind::Squares(mv) => Token::Squares(mv),
            WordKind::Unknown => Token::Unknown,
            WordKind::Text => {
                let other = match notation {
                    Notation::Chinese => Some(Notation::Abbreviated),
                    Notation::Abbreviated => Some(Notation::Chinese),
                    _ => None,
                };
                let found = std::iter::once(notation)
                    .chain(other)
                    .find_map(|notation| parse(notation, &word.text).ok());
                found.map_or(Token::Damaged, Token::Said)
            }
        };
        let list: Vec<Token> = sheet.words.iter().take(most).map(token).collect();
        let numbered = |side| {
            list.iter().any(|token| {
                matches!(token, Token::Said(Syntax::Relative(r)) if r.numeral_side() == Some(side))
            })
        };
        let by_side = numbered(Color::Red) && numbered(Color::Black);
        Tokens { sheet, list, notation, by_side }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.list.get(at)
    }

    pub(super) fn text(&self, at: usize) -> &str {
        self.sheet.words.get(at).map_or("", |word| word.text.as_str())
    }

    /// Whether the layout says that a word is not the move of `side`: it has
    /// the number of a round, or stands in the other column.
    pub(super) fn is_of_other(&self, at: usize, side: Color) -> bool {
        self.sheet.words.get(at).is_some_and(|word| match word.side {
            Some(written) => written != side,
            None => word.number != 0 && side == Color::Black,
        })
    }

    /// The moves that a word can mean, with what the reading costs.
    pub(super) fn readings(
        &self,
        at: usize,
        position: &Position,
        in_check: bool,
        legal: &[Move],
    ) -> SmallVec<[(Move, f32); 4]> {
        let mut found = SmallVec::new();
        match self.token(at) {
            Some(Token::Squares(mv)) if legal.contains(mv) => found.push((*mv, 0.0)),
            Some(Token::Said(Syntax::Relative(relative)))
                if self.by_side && relative.numeral_side() == Some(position.side().other()) => {}
            Some(Token::Said(syntax)) => {
                let context = Context { in_check, ..Context::default() };
                let all = readings(*syntax, position, context);
                let clean = |slips: crate::notation::Slips| slips.without_style().is_empty();
                let any = all.iter().any(|reading| clean(reading.slips));
                let fits = all.iter().filter(|reading| !any || clean(reading.slips));
                let cost = if any { 0.0 } else { RESEMBLES };
                found.extend(fits.map(|reading| (reading.mv, cost)));
            }
            Some(Token::Damaged) => {
                let text = self.text(at);
                let alike = |mv: &&Move| resembles(text, **mv, position, self.notation);
                found.extend(legal.iter().filter(alike).map(|mv| (*mv, RESEMBLES)));
            }
            _ => {}
        }
        found
    }
}
