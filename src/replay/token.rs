//! One written move, heard in a position.

use super::dialect::{Dialect, GUESSED};
use crate::board::{IllegalReason, Move, Position};
use crate::notation::{
    Candidates, Context, Notation, Numerals, Resolution, Slips, Syntax, lex_chinese, parse,
    resolve, resolve_plain_text,
};
use crate::record::{NodeId, Record, Written};

/// What a written move turned out to be in its position.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Heard {
    /// One legal move.
    Legal {
        /// The move.
        mv: Move,
        /// What is sloppy about the text.
        slips: Slips,
        /// Whether the text itself says that it belongs to the side to move.
        marked: bool,
        /// Its notation, when it is not that of the record.
        foreign: Option<Notation>,
    },
    /// Several legal moves.
    Ambiguous(Candidates),
    /// No legal move.
    Illegal {
        /// Why not.
        reason: IllegalReason,
        /// The move that is written, where it is one.
        mv: Option<Move>,
        /// Whether it was written as two squares.
        squares: bool,
    },
    /// A blank or dots: a half-move that was not recorded.
    Missing,
    /// A sign for a move that is not known.
    Placeholder,
    /// Not a move.
    Unreadable,
}

/// A record and the way it is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Script<'a> {
    pub(super) record: &'a Record,
    pub(super) dialect: Dialect,
    /// Whether the numbers of rounds tell whose move is missing; not when the
    /// moves have shown that they number something else.
    pub(super) numbers_tell: bool,
}

impl Script<'_> {
    /// Reads a written move for the side to move.
    #[inline]
    pub(super) fn hear(&self, id: NodeId, position: &Position, in_check: bool) -> Heard {
        match self.record.tree.node(id).written {
            Written::Text(span) => self.hear_text(self.record.slice(span), position, in_check),
            Written::Squares { mv, .. } => hear_squares(mv, position, in_check),
            Written::OffBoard { .. } => Heard::Unreadable,
            Written::Placeholder(span) => {
                let blank =
                    |c: char| c.is_whitespace() || matches!(c, '.' | '…' | '．' | '。' | '·');
                if self.record.slice(span).chars().all(blank) {
                    Heard::Missing
                } else {
                    Heard::Placeholder
                }
            }
        }
    }

    /// The common case of [`Script::hear`]: a legal move in plain Chinese
    /// notation, and whether the text says that it belongs to the side to
    /// move. `None` says nothing.
    #[inline]
    pub(super) fn hear_plain(
        &self,
        id: NodeId,
        position: &Position,
        in_check: bool,
    ) -> Option<(Move, bool)> {
        let Written::Text(span) = self.record.tree.node(id).written else { return None };
        if self.dialect.notation != Notation::Chinese {
            return None;
        }
        let text = self.record.slice(span);
        resolve_plain_text(text, position, Context { in_check, ..self.dialect.context })
    }

    #[inline]
    fn hear_text(&self, text: &str, position: &Position, in_check: bool) -> Heard {
        let context = Context { in_check, ..self.dialect.context };
        match self.parse(text) {
            Some(syntax) => heard(syntax, position, context),
            None => self.in_another_notation(text, position, in_check),
        }
    }

    #[inline]
    pub(super) fn parse(&self, text: &str) -> Option<Syntax> {
        if self.dialect.notation == Notation::Chinese
            && let Some((syntax, used)) = lex_chinese(text)
            && used == text.len()
        {
            return Some(syntax);
        }
        let syntax = parse(self.dialect.notation, text).ok()?;
        Some(match syntax {
            Syntax::Relative(relative) => Syntax::Relative(relative.with_marks(self.dialect.marks)),
            other => other,
        })
    }

    /// A token that is no move of the record's notation may be one of another.
    #[cold]
    fn in_another_notation(&self, text: &str, position: &Position, in_check: bool) -> Heard {
        if !self.dialect.lenient {
            return Heard::Unreadable;
        }
        let context = Context { in_check, ..Context::default() };
        for notation in GUESSED {
            if notation == self.dialect.notation {
                continue;
            }
            let Ok(syntax) = parse(notation, text) else { continue };
            if let Heard::Legal { mv, slips, marked, .. } = heard(syntax, position, context) {
                return Heard::Legal { mv, slips, marked, foreign: Some(notation) };
            }
        }
        Heard::Unreadable
    }

    /// The written move word for word; two squares as ICCS.
    pub(super) fn words(&self, id: NodeId) -> String {
        match self.record.tree.node(id).written {
            Written::Placeholder(span) if span.len == 0 => "--".to_owned(),
            Written::Text(span) | Written::Placeholder(span) => self.record.slice(span).to_owned(),
            Written::Squares { mv, .. } => mv.to_string(),
            Written::OffBoard { raw: (from, to), .. } => format!("{from}-{to}"),
        }
    }
}

#[inline]
fn heard(syntax: Syntax, position: &Position, context: Context) -> Heard {
    match resolve(syntax, position, context) {
        Resolution::Legal { mv, slips } => {
            let marked = match syntax {
                Syntax::Relative(relative) => {
                    context.numerals == Numerals::BySide
                        && relative.numeral_side() == Some(position.side())
                }
                _ => true,
            };
            Heard::Legal { mv, slips, marked, foreign: None }
        }
        Resolution::Ambiguous(candidates) => Heard::Ambiguous(candidates),
        Resolution::Illegal { reason, mv } => {
            Heard::Illegal { reason, mv, squares: matches!(syntax, Syntax::Squares(_)) }
        }
    }
}

#[inline]
fn hear_squares(mv: Move, position: &Position, in_check: bool) -> Heard {
    if position.is_legal_knowing(mv, in_check) {
        return Heard::Legal { mv, slips: Slips::NONE, marked: true, foreign: None };
    }
    let reason = position.legality(mv).err().unwrap_or(IllegalReason::PieceCannotMoveSo);
    Heard::Illegal { reason, mv: Some(mv), squares: true }
}
