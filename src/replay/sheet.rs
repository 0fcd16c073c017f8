//! Sheets that leave moves open (简写 without directions, damaged
//! characters): the whole main line is decoded at once, so that later moves
//! and the model of likely moves choose between readings that are all legal
//! (`docs/accuracy.md`).

use super::ReplayOptions;
use super::answers::{Answers, Meant};
use super::damage::Pattern;
use super::lattice::{At, Channel, Decoder, Gap, Step};
use super::repair::{Edit, EditKind};
use super::token::Script;
use super::work::Work;
use crate::board::{Color, Move, Position};
use crate::notation::{
    Candidates, Context, Notation, Reading, Resolution, Slips, Syntax, parse, resolve,
};
use crate::record::{NodeId, Written};

/// Longest main line that is decoded; far longer than any game.
const MAX_TOKENS: usize = 2000;

/// Log cost (nats) of a reading that takes the text as sloppy.
const SLOPPY: f32 = -4.0;

/// Log cost of a half-move left out where the layout shows a gap.
const SHOWN: f32 = -1.0;

/// Log cost of a half-move left out anywhere near the place where a line
/// fails.
const UNSEEN: f32 = -7.0;

/// Log cost of a clear word that is taken to be a mistake.
const MISTAKEN: f32 = -6.0;

/// Tokens before the one that fails in which anything may be wrong.
const BACK: usize = 14;

/// Places of failure that are mended in one sheet.
const MENDED: usize = 4;

/// What the decoder chose for each move of the main line.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// By node of the record.
    steps: Vec<Option<Step>>,
    /// Where the decoder departs from the words, in the order of the line.
    edits: Vec<Edit>,
    /// Whether it rests on a search that was cut short.
    cut: bool,
}

/// A written move as the decoder sees it.
enum Token {
    Said(Syntax),
    Squares(Move),
    /// A move that cannot be read, but for some characters.
    Damaged(Pattern),
    /// A move that cannot be read at all.
    Unknown,
}

struct Sheet<'a> {
    tokens: Vec<Token>,
    nodes: Vec<NodeId>,
    /// Before which tokens the layout shows a gap.
    gaps: Vec<bool>,
    /// Stretches in which every word may be wrong.
    weak: Vec<(usize, usize)>,
    notation: Notation,
    /// The habits of the writer, as the replay has them.
    context: Context,
    answers: &'a Answers,
}

impl Plan {
    /// A plan that only departs from the words and chooses no readings; `cut`
    /// tells whether the search for them was cut short.
    pub(super) fn of_edits(edits: Vec<Edit>, cut: bool) -> Plan {
        Plan { steps: Vec::new(), edits, cut }
    }

    /// Whether it rests on a search that was cut short.
    pub(super) fn was_cut(&self) -> bool {
        self.cut
    }

    /// The step for a written move.
    pub(super) fn step(&self, id: NodeId) -> Option<&Step> {
        self.steps.get(id.index())?.as_ref()
    }

    /// Where the plan departs from the words.
    pub(super) fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The departures at a written move.
    pub(super) fn edits_at(&self, id: NodeId) -> impl Iterator<Item = &Edit> {
        self.edits.iter().filter(move |edit| edit.node == id)
    }

    /// Decodes the main line of a record from its start position. `None`
    /// where every written move can be read and has a direction: then one
    /// move is read at a time.
    pub(super) fn of(
        script: &Script<'_>,
        start: &Position,
        options: &ReplayOptions,
        answers: &Answers,
        work: &mut Work,
    ) -> Option<Plan> {
        let mut sheet = Sheet::of(script, start.side(), answers)?;
        let mut decoder = Decoder::new(start, &options.prior, &options.lattice);
        decoder.read(&sheet, work);
        let mut decoding = decoder.decoding(&sheet);
        let mut cut = decoder.was_cut();
        for _ in 0..MENDED {
            let failed = decoding.tokens_read;
            if failed >= sheet.tokens.len() {
                break;
            }
            let from = failed.saturating_sub(BACK);
            sheet.weak.push((from, failed));
            decoder.reread(from, &sheet, work);
            if decoder.reached() <= failed {
                // It might have been a better reading.
                cut |= decoder.was_cut();
                break;
            }
            cut = decoder.was_cut();
            decoding = decoder.decoding(&sheet);
        }
        if cut {
            work.note_cut();
        }
        let mut plan = Plan { steps: Vec::new(), edits: Vec::new(), cut };
        plan.steps.resize_with(script.record.tree.len() + 1, || None);
        let whole = decoding.tokens_read >= sheet.tokens.len();
        plan.take(decoding.steps, &sheet, start, whole);
        Some(plan)
    }

    /// Sorts the decoder's steps by the word they belong to, and notes where
    /// they depart from the words.
    fn take(&mut self, steps: Vec<Step>, sheet: &Sheet<'_>, start: &Position, whole: bool) {
        let mut position = start.clone();
        let mut next = 0;
        let mut left_out: Vec<Step> = Vec::new();
        let mut ply = 0;
        for step in steps {
            let played = step.mv;
            ply += u32::from(played.is_some());
            match (step.token, played) {
                (None, _) => left_out.push(step),
                (Some(token), mv) => {
                    let node = sheet.nodes[token];
                    let ply = if mv.is_some() { ply } else { ply + 1 };
                    let first = ply - left_out.len() as u32;
                    for (before, step) in std::mem::take(&mut left_out).into_iter().enumerate() {
                        let ply = first + before as u32;
                        self.edits.push(Edit {
                            node,
                            ply,
                            kind: EditKind::LeftOut,
                            step,
                            proved: true,
                        });
                    }
                    let kind = if mv.is_none() {
                        Some(EditKind::TooMany)
                    } else if token != next {
                        Some(EditKind::Swapped)
                    } else if sheet.says(At { token, ply }, &position, mv) {
                        None
                    } else {
                        Some(EditKind::Misread)
                    };
                    match kind {
                        // A pair is one departure, at its first word.
                        Some(EditKind::Swapped) if token < next => {}
                        Some(kind) => {
                            let node =
                                if kind == EditKind::Swapped { sheet.nodes[next] } else { node };
                            self.edits.push(Edit {
                                node,
                                ply,
                                kind,
                                step: step.clone(),
                                proved: true,
                            });
                        }
                        None => {}
                    }
                    next += 1;
                    if let Some(slot) = self.steps.get_mut(node.index()) {
                        *slot = Some(step);
                    }
                }
            }
            if let Some(mv) = played {
                position.make(mv);
            }
        }
        if !whole {
            // What does not help to the end proves nothing.
            self.edits.retain(|edit| edit.kind == EditKind::LeftOut);
        }
    }
}

impl<'a> Sheet<'a> {
    /// The main line up to the first word that is no move.
    fn of(script: &Script<'_>, first: Color, answers: &'a Answers) -> Option<Sheet<'a>> {
        let record = script.record;
        let notation = script.dialect.notation;
        let mut sheet = Sheet {
            tokens: Vec::new(),
            nodes: Vec::new(),
            gaps: Vec::new(),
            weak: Vec::new(),
            notation,
            context: script.dialect.context,
            answers,
        };
        let short = matches!(notation, Notation::Abbreviated | Notation::Chinese);
        let (mut open, mut damaged) = (false, false);
        let mut side = first;
        for id in record.tree.main_line().take(MAX_TOKENS) {
            let token = match record.tree.node(id).written {
                Written::Squares { mv, .. } => Token::Squares(mv),
                Written::Text(span) => {
                    let text = record.slice(span);
                    match heard(script, text) {
                        Some(syntax) => {
                            let bare =
                                matches!(syntax, Syntax::Relative(r) if r.direction.is_none());
                            open |= bare && short;
                            Token::Said(syntax)
                        }
                        None => match Pattern::of(text).filter(Pattern::is_move) {
                            Some(pattern) => {
                                damaged = true;
                                Token::Damaged(pattern)
                            }
                            None => break,
                        },
                    }
                }
                Written::Placeholder(_) => Token::Unknown,
                Written::OffBoard { .. } => break,
            };
            let gap = script.gap_is_written(id, side);
            sheet.tokens.push(token);
            sheet.nodes.push(id);
            sheet.gaps.push(gap);
            if !gap {
                side = side.other();
            }
        }
        (open || damaged).then_some(sheet)
    }

    fn is_weak(&self, token: usize) -> bool {
        self.weak.iter().any(|(from, to)| (*from..=*to).contains(&token))
    }

    /// The moves that a clear word may mean: those that the replay would play
    /// for it. Readings beyond these would lead to a line that it cannot follow.
    fn heard(&self, syntax: Syntax, position: &Position) -> Candidates {
        let context = Context { in_check: position.in_check(), ..self.context };
        match resolve(syntax, position, context) {
            Resolution::Legal { mv, slips } => [Reading { mv, slips }].into_iter().collect(),
            Resolution::Ambiguous(found) => found,
            Resolution::Illegal { .. } => Candidates::new(),
        }
    }

    /// Whether a move is what the word says, or a person.
    fn says(&self, at: At, position: &Position, mv: Option<Move>) -> bool {
        let Some(mv) = mv else { return false };
        match &self.tokens[at.token] {
            Token::Squares(written) => *written == mv,
            Token::Said(syntax) => {
                self.answers.meant(at.ply, position).is_some()
                    || self.heard(*syntax, position).iter().any(|reading| reading.mv == mv)
            }
            Token::Damaged(_) | Token::Unknown => true,
        }
    }

    /// Adds every move as a mistake for a clear word.
    fn mistaken(
        &self,
        token: usize,
        position: &Position,
        legal: &[Move],
        out: &mut Vec<(usize, f32)>,
    ) {
        let Token::Said(syntax) = self.tokens[token] else { return };
        let Syntax::Relative(relative) = syntax else { return };
        let known = out.len();
        for (index, mv) in legal.iter().enumerate() {
            let moves_it = position.piece_at(mv.from).map(|piece| piece.kind) == relative.piece;
            let said = out.iter().take(known).any(|(i, _)| *i == index);
            if !said {
                out.push((index, if moves_it { MISTAKEN } else { 1.5 * MISTAKEN }));
            }
        }
    }
}

/// A word read in the notation of the sheet, or in the long or short form
/// beside it.
fn heard(script: &Script<'_>, text: &str) -> Option<Syntax> {
    script.parse(text).or_else(|| {
        let other = match script.dialect.notation {
            Notation::Chinese => Notation::Abbreviated,
            Notation::Abbreviated => Notation::Chinese,
            _ => return None,
        };
        parse(other, text).ok().filter(|_| script.dialect.lenient)
    })
}

impl Channel for Sheet<'_> {
    fn len(&self) -> usize {
        self.tokens.len()
    }

    fn readings(&self, at: At, position: &Position, legal: &[Move], out: &mut Vec<(usize, f32)>) {
        let mut add = |mv: Move, cost: f32| {
            if let Some(index) = legal.iter().position(|known| *known == mv) {
                out.push((index, cost));
            }
        };
        match self.answers.meant(at.ply, position) {
            Some(Meant::Move(mv)) => return add(mv, 0.0),
            Some(Meant::Several(several)) => {
                return several.into_iter().for_each(|mv| add(mv, 0.0));
            }
            _ => {}
        }
        match &self.tokens[at.token] {
            Token::Squares(mv) => add(*mv, 0.0),
            Token::Said(syntax) => {
                let found = self.heard(*syntax, position);
                let clean = |slips: Slips| slips.without_style().is_empty();
                let any_clean = found.iter().any(|reading| clean(reading.slips));
                for reading in found {
                    if clean(reading.slips) {
                        add(reading.mv, 0.0);
                    } else if !any_clean {
                        add(reading.mv, SLOPPY);
                    }
                }
            }
            Token::Damaged(pattern) => {
                for (index, mv) in legal.iter().enumerate() {
                    if let Some(cost) = pattern.cost(*mv, position, self.notation) {
                        out.push((index, cost));
                    }
                }
                if out.is_empty() {
                    out.extend((0..legal.len()).map(|index| (index, 2.0 * MISTAKEN)));
                }
            }
            Token::Unknown => out.extend((0..legal.len()).map(|index| (index, 0.0))),
        }
        if self.is_weak(at.token) {
            self.mistaken(at.token, position, legal, out);
        }
    }

    fn allows(&self, ply: u32, position: &Position, mv: Move) -> bool {
        self.answers.allow(ply, position, mv)
    }

    fn gap(&self, token: usize) -> Gap {
        if self.gaps.get(token).copied().unwrap_or(false) {
            Gap { most: 1, cost: SHOWN }
        } else if self.is_weak(token) {
            Gap { most: 4, cost: UNSEEN }
        } else {
            Gap::default()
        }
    }

    fn may_skip(&self, token: usize) -> bool {
        self.is_weak(token)
    }

    fn may_swap(&self, token: usize) -> bool {
        self.is_weak(token) && self.is_weak(token + 1)
    }
}
