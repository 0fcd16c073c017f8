//! Sheets without directions (简写): the whole main line is decoded at once,
//! so that later moves and the model of likely moves choose between readings
//! that are all legal (`docs/accuracy.md`).

use super::lattice::{self, Channel, LatticeOptions, Step};
use super::prior::Prior;
use super::token::Script;
use crate::board::{Move, Position};
use crate::notation::{Context, Notation, Syntax, parse, readings};
use crate::record::{NodeId, Written};

/// Longest main line that is decoded; far longer than any game.
const MAX_TOKENS: usize = 2000;

/// Log cost (nats) of a reading that takes the text as sloppy.
const SLOPPY: f32 = -4.0;

/// What the decoder chose for each move of the main line.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// By node of the record.
    steps: Vec<Option<Step>>,
}

/// A written move as the decoder sees it.
enum Token {
    Said(Syntax),
    Squares(Move),
}

struct Sheet {
    tokens: Vec<Token>,
}

impl Plan {
    /// The step for a written move.
    pub(super) fn step(&self, id: NodeId) -> Option<&Step> {
        self.steps.get(id.index())?.as_ref()
    }

    /// Decodes the main line of a record from its start position, up to the
    /// first token that is no move. `None` where every written move has a
    /// direction: then one move is read at a time.
    pub(super) fn of(script: &Script<'_>, start: &Position, prior: &Prior) -> Option<Plan> {
        if !matches!(script.dialect.notation, Notation::Abbreviated | Notation::Chinese) {
            return None;
        }
        let record = script.record;
        let mut tokens = Vec::new();
        let mut nodes = Vec::new();
        let mut open = false;
        for id in record.tree.main_line().take(MAX_TOKENS) {
            let token = match record.tree.node(id).written {
                Written::Squares { mv, .. } => Token::Squares(mv),
                Written::Text(span) => {
                    let text = record.slice(span);
                    let syntax = script.parse(text).or_else(|| {
                        let other = match script.dialect.notation {
                            Notation::Chinese => Notation::Abbreviated,
                            _ => Notation::Chinese,
                        };
                        parse(other, text).ok().filter(|_| script.dialect.lenient)
                    });
                    match syntax {
                        Some(syntax) => {
                            open |= matches!(syntax, Syntax::Relative(r) if r.direction.is_none());
                            Token::Said(syntax)
                        }
                        None => break,
                    }
                }
                Written::Placeholder(_) | Written::OffBoard { .. } => break,
            };
            tokens.push(token);
            nodes.push(id);
        }
        if !open {
            return None;
        }
        let sheet = Sheet { tokens };
        let decoding = lattice::decode(start, &sheet, prior, &LatticeOptions::default());
        let mut plan = Plan { steps: Vec::new() };
        plan.steps.resize_with(record.tree.len() + 1, || None);
        for step in decoding.steps {
            if let Some(token) = step.token {
                plan.steps[nodes[token].index()] = Some(step);
            }
        }
        Some(plan)
    }
}

impl Channel for Sheet {
    fn len(&self) -> usize {
        self.tokens.len()
    }

    fn readings(
        &self,
        token: usize,
        position: &Position,
        legal: &[Move],
        out: &mut Vec<(usize, f32)>,
    ) {
        let mut add = |mv: Move, cost: f32| {
            if let Some(index) = legal.iter().position(|known| *known == mv) {
                out.push((index, cost));
            }
        };
        match self.tokens[token] {
            Token::Squares(mv) => add(mv, 0.0),
            Token::Said(syntax) => {
                let found = readings(syntax, position, Context::of(position));
                let clean = |slips: crate::notation::Slips| slips.without_style().is_empty();
                let any_clean = found.iter().any(|reading| clean(reading.slips));
                for reading in found {
                    if clean(reading.slips) {
                        add(reading.mv, 0.0);
                    } else if !any_clean {
                        add(reading.mv, SLOPPY);
                    }
                }
            }
        }
    }
}
