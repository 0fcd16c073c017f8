//! A line that is played with help: on the word of a person, or with
//! mistakes put right; and what is proposed where a line fails.

use super::ahead::{Fill, Reach};
use super::answers::Meant;
use super::damage::Pattern;
use super::findings::place;
use super::lattice;
use super::line::{Cursor, Planned, Player, Retry, Step};
use super::repair::{Edit, EditKind, Item, Repair, Workshop};
use super::sheet::Plan;
use super::token::Heard;
use crate::board::{IllegalReason, Move};
use crate::finding::{Code, Finding, Severity};
use crate::record::NodeId;

/// Places at which a mistake is proposed for one failure.
const PROPOSED: usize = 5;

/// From this probability on a gap that the numbers show is believed.
const BELIEVED: f32 = 0.5;

/// Least probability of a proposal.
const LEAST: f32 = 0.15;

impl Player<'_> {
    /// What a person or the plan says about the word that comes next.
    pub(super) fn guided(&mut self, id: NodeId, cursor: &mut Cursor) -> Option<Step> {
        if !self.answers.is_empty()
            && let Some(step) = self.answered(id, cursor)
        {
            return Some(step);
        }
        self.planned(id, cursor)
    }

    /// A person has said what was played at this ply.
    fn answered(&mut self, id: NodeId, cursor: &mut Cursor) -> Option<Step> {
        let ply = cursor.next_ply();
        let answer = self.answers.at(ply)?;
        let at = place(self.record(), id, ply);
        if answer.is_no_move() {
            if self.passed_over == Some(id) {
                return None;
            }
            self.passed_over = self.record().tree.first_child(id);
            self.findings.push(
                Finding::new(Code::InferredMove, at)
                    .reason("too-many")
                    .severity(Severity::Note)
                    .text(self.script.words(id)),
            );
            return Some(Step::Next);
        }
        let mv = match self.answers.meant(ply, &cursor.position)? {
            Meant::Move(mv) => mv,
            Meant::Several(several) => {
                // The words and the rest of the line may decide.
                let heard = self.script.hear(id, &cursor.position, cursor.in_check);
                match heard {
                    Heard::Legal { mv, .. } if several.contains(&mv) => mv,
                    _ => {
                        self.findings.push(
                            Finding::new(Code::AmbiguousMove, at)
                                .text(answer.said.as_str())
                                .candidates(several),
                        );
                        return None;
                    }
                }
            }
            Meant::Nothing(reason) => {
                let reason = reason.unwrap_or(IllegalReason::NoSuchPiece);
                let finding = Finding::illegal_move(at, &cursor.position, None, reason);
                self.findings.push(finding.text(answer.said.as_str()));
                return None;
            }
        };
        let heard = self.script.hear(id, &cursor.position, cursor.in_check);
        match heard {
            Heard::Legal { mv: written, .. } if written == mv => return None,
            Heard::Ambiguous(candidates) if candidates.iter().any(|r| r.mv == mv) => {}
            _ => {
                // Was this the word, or something that is missing before it?
                let mut after = cursor.position.clone();
                after.make(mv);
                let rest = self.record().tree.first_child(id);
                let instead = self.script.reach(&after, rest, self.work);
                let before = self.script.reach(&after, Some(id), self.work);
                let gap = self.script.gap_is_written(id, cursor.position.side());
                let notation = self.script.dialect.notation;
                let alike = Pattern::of(&self.script.words(id))
                    .is_some_and(|word| word.cost(mv, &cursor.position, notation).is_some());
                // The numbers show that something is left out here.
                let number = self.record().tree.node(id).number;
                let other = !alike && number > cursor.position.round();
                if gap || other || goes_on_better(before, instead) {
                    self.note_answer(at, String::new(), mv);
                    self.advance(cursor, mv);
                    return Some(Step::Same);
                }
            }
        }
        self.note_answer(at, self.script.words(id), mv);
        self.played(id, cursor, mv);
        Some(Step::Next)
    }

    fn note_answer(&mut self, at: crate::finding::Place, text: String, mv: Move) {
        self.findings.push(
            Finding::new(Code::InferredMove, at)
                .reason("answered")
                .severity(Severity::Note)
                .text(text)
                .candidates([mv]),
        );
    }

    /// The plan departs from the words here.
    fn planned(&mut self, id: NodeId, cursor: &mut Cursor) -> Option<Step> {
        let plan = self.plan.plan()?;
        let edits: Vec<Edit> =
            plan.edits_at(id).filter(|e| e.ply == cursor.next_ply()).cloned().collect();
        let edit = edits.into_iter().next()?;
        let at = place(self.record(), id, cursor.next_ply());
        let inferred = |reason| {
            Finding::new(Code::InferredMove, at).reason(reason).text(self.script.words(id))
        };
        match edit.kind {
            EditKind::LeftOut => {
                let finding = self.missing_before(id, cursor);
                let fill = Self::fill_of(&edit, cursor);
                self.missing(finding, None, cursor, &fill);
                Some(Step::Same)
            }
            EditKind::Filled => {
                let heard = self.script.hear(id, &cursor.position, cursor.in_check);
                let blank = heard == Heard::Missing;
                let finding = if blank {
                    Finding::new(Code::MissingMove, at)
                } else {
                    Finding::new(Code::UnreadableMove, at)
                        .reason("placeholder")
                        .text(self.script.words(id))
                };
                let fill = Self::fill_of(&edit, cursor);
                self.missing(finding, Some(id), cursor, &fill);
                Some(Step::Next)
            }
            EditKind::TooMany => {
                self.findings.push(inferred("too-many"));
                Some(Step::Next)
            }
            EditKind::Misread => {
                let mv = edit.step.mv.filter(|mv| cursor.position.legality(*mv).is_ok())?;
                self.findings.push(inferred("misread").candidates([mv]));
                self.played(id, cursor, mv);
                Some(Step::Next)
            }
            EditKind::Swapped => {
                let first = edit.step.mv.filter(|mv| cursor.position.legality(*mv).is_ok())?;
                let next = self.record().tree.first_child(id)?;
                let mut after = cursor.position.clone();
                after.make(first);
                let in_check = after.in_check();
                let Heard::Legal { mv, .. } = self.script.hear(id, &after, in_check) else {
                    return None;
                };
                self.findings.push(inferred("swapped").candidates([first]));
                self.played(next, cursor, first);
                self.played(id, cursor, mv);
                Some(Step::Over)
            }
        }
    }

    /// What the plan knows about a half-move that is missing.
    fn fill_of(edit: &Edit, cursor: &Cursor) -> Fill {
        let readings = &edit.step.readings;
        let assumed = edit.step.mv.filter(|mv| cursor.position.legality(*mv).is_ok());
        let only = assumed.filter(|_| readings.len() == 1 && edit.proved);
        let lone = readings.len() == 1 && !edit.proved;
        Fill {
            legal: cursor.position.legal_moves().len() as u32,
            fits: (!readings.is_empty() && edit.proved).then_some(readings.len() as u32),
            only,
            // One of which nobody knows whether it is alone proves nothing.
            ranked: readings
                .iter()
                .filter(|_| !lone)
                .map(|r| (r.mv, r.probability))
                .take(8)
                .collect(),
            assumed,
            ..Fill::default()
        }
    }

    /// The step of the decoder for a word, when the sheet is one that leaves
    /// moves open. Decodes it when that is first asked for.
    pub(super) fn decoded(&mut self, id: NodeId) -> Option<lattice::Step> {
        if !self.main || !self.may_plan {
            return None;
        }
        if matches!(self.plan, Planned::Unasked) {
            let plan = Plan::of(&self.script, self.start, self.options, self.answers, self.work);
            if let Some(plan) = &plan
                && self.may_repair
                && self.may_apply(plan)
            {
                self.retry = Some(Retry::Plan(plan.clone()));
            }
            self.plan = plan.map_or(Planned::Plain, Planned::Plan);
        }
        self.plan.plan()?.step(id).cloned()
    }

    /// Whether what a plan changes may be done: gaps keep their places, and
    /// a mistake is put right only on request and where there is one way.
    fn may_apply(&self, plan: &Plan) -> bool {
        let certain =
            |edit: &Edit| edit.kind.is_gap() || self.options.infer && edit.step.readings.len() <= 1;
        !plan.edits().is_empty() && plan.edits().iter().all(certain)
    }

    /// Characters of a word cannot be read: what it can have been, in a sheet
    /// that the decoder has read. `reason` is that of the finding.
    pub(super) fn damaged(
        &mut self,
        id: NodeId,
        cursor: &mut Cursor,
        reason: &'static str,
    ) -> Option<Step> {
        let step = self.decoded(id)?;
        if self.retry.is_some() {
            return Some(Step::Stop);
        }
        let mv = step.mv.filter(|mv| cursor.position.legality(*mv).is_ok())?;
        let mut finding =
            Finding::new(Code::UnreadableMove, place(self.record(), id, cursor.next_ply()))
                .reason(reason)
                .text(self.script.words(id))
                .param("percent", percent(step.probability));
        finding.confidence = Some(step.probability);
        let only = step.readings.len() == 1;
        let fill = Fill {
            legal: cursor.position.legal_moves().len() as u32,
            fits: Some(step.readings.len() as u32),
            only: Some(mv).filter(|_| only),
            ranked: step.readings.iter().map(|r| (r.mv, r.probability)).take(8).collect(),
            assumed: Some(mv),
            ..Fill::default()
        };
        self.missing(finding, Some(id), cursor, &fill);
        Some(Step::Next)
    }

    /// The main line cannot go on at `id`: looks for the mistake, often some
    /// plies before. Either begins again with it put right, or adds to the
    /// findings where it can be.
    pub(super) fn stuck(&mut self, id: NodeId, cursor: &Cursor, finding: Finding) -> Finding {
        if !self.main || !self.may_plan || !self.may_repair {
            return finding;
        }
        if let Some(plan) = self.plan.plan()
            && !plan.edits().is_empty()
            && plan.step(id).is_some()
        {
            // The decoder has been through the whole sheet already.
            let edits = plan.edits().to_vec();
            let whole = Repair {
                probability: edits.iter().map(|e| e.step.probability).fold(1.0, f32::min),
                shown: false,
                edits,
            };
            return self.propose(cursor, &[whole], finding);
        }
        let items = self.items(id);
        let prior = std::sync::Arc::clone(&self.options.prior);
        let before = self.work.begin();
        let mut workshop = Workshop::new(self.script, &prior, self.answers, self.work);
        let repairs = workshop.repairs(self.start, items);
        let cut = self.work.end(before);
        let Some(best) = repairs.first() else { return finding };
        let gaps_at = |repair: &Repair| -> Option<Vec<(NodeId, EditKind)>> {
            let gaps = repair.edits.iter().all(|edit| edit.kind.is_gap());
            gaps.then(|| repair.edits.iter().map(|edit| (edit.node, edit.kind)).collect())
        };
        let first = gaps_at(best);
        let agreeing = repairs.iter().filter(|repair| gaps_at(repair) == first);
        let odds: f32 = agreeing.map(|repair| repair.probability).sum();
        let same_gaps = best.shown && first.is_some() && odds >= BELIEVED;
        let certain = best.edits.iter().all(|edit| edit.proved);
        if same_gaps || repairs.len() == 1 && certain && self.options.infer {
            let mut edits = best.edits.clone();
            for (at, edit) in edits.iter_mut().enumerate() {
                edit.step.readings.clear();
                for repair in repairs.iter().filter(|repair| gaps_at(repair) == first) {
                    let Some(step) = repair.edits.get(at).map(|edit| &edit.step) else { continue };
                    let Some(mv) = step.mv else { continue };
                    match edit.step.readings.iter_mut().find(|r| r.mv == mv) {
                        Some(reading) => reading.probability += repair.probability,
                        None => edit
                            .step
                            .readings
                            .push(lattice::Reading { mv, probability: repair.probability }),
                    }
                }
            }
            let known = self.plan.plan();
            let cut = cut || known.is_some_and(Plan::was_cut);
            let known = known.map_or_else(Vec::new, |plan| plan.edits().to_vec());
            let edits = known.into_iter().chain(edits).collect();
            self.retry = Some(Retry::Plan(Plan::of_edits(edits, cut)));
            return finding;
        }
        self.propose(cursor, &repairs, finding)
    }

    /// The main line as it was played, and the rest as it is written.
    fn items(&self, id: NodeId) -> Vec<Item> {
        let tree = &self.record().tree;
        let mut word_of = vec![None; self.tree.len() + 1];
        for word in tree.main_line() {
            if let Some(Some(node)) = self.map.get(word.index())
                && let Some(slot) = word_of.get_mut(node.index())
            {
                *slot = Some(word);
            }
        }
        let mut position = self.start.clone();
        let mut items = Vec::new();
        for (ply, node) in self.tree.main_line().enumerate() {
            let played = *self.tree.node(node);
            let word: Option<NodeId> = word_of.get(node.index()).copied().flatten();
            let item = match (played.mv, word) {
                (None, word) => Item::Blank(word, played.assumed),
                (Some(mv), Some(word)) if self.answers.at(ply as u32 + 1).is_none() => {
                    let in_check = position.in_check();
                    match self.script.hear(word, &position, in_check) {
                        Heard::Legal { mv: heard, .. } if heard == mv => Item::Word(word),
                        _ => Item::Put(Some(word), mv),
                    }
                }
                (Some(mv), word) => Item::Put(word, mv),
            };
            items.push(item);
            played.play_on(&mut position);
        }
        items.extend(std::iter::successors(Some(id), |id| tree.first_child(*id)).map(Item::Word));
        items
    }

    /// Says where the mistake can be, and what was meant there.
    fn propose(&mut self, cursor: &Cursor, repairs: &[Repair], finding: Finding) -> Finding {
        struct Group {
            node: NodeId,
            ply: u32,
            kind: EditKind,
            gap: usize,
            moves: Vec<(Move, f32)>,
            probability: f32,
        }
        let mut groups: Vec<Group> = Vec::new();
        for repair in repairs {
            let Some(first) = repair.edits.first() else { continue };
            let gap = repair.edits.iter().filter(|edit| edit.node == first.node).count();
            let known = groups
                .iter()
                .position(|g| (g.node, g.kind, g.gap) == (first.node, first.kind, gap));
            let index = known.unwrap_or_else(|| {
                groups.push(Group {
                    node: first.node,
                    ply: first.ply,
                    kind: first.kind,
                    gap,
                    moves: Vec::new(),
                    probability: 0.0,
                });
                groups.len() - 1
            });
            let group = &mut groups[index];
            group.probability += repair.probability;
            if let Some(mv) = first.step.mv {
                match group.moves.iter_mut().find(|(known, _)| *known == mv) {
                    Some((_, odds)) => *odds += repair.probability,
                    None => group.moves.push((mv, repair.probability)),
                }
            }
        }
        groups.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        groups.retain(|group| group.probability >= LEAST);
        groups.truncate(PROPOSED);
        let mut all: Vec<(Move, f32)> = Vec::new();
        for group in &groups {
            let here = group.ply == cursor.next_ply();
            for (mv, odds) in &group.moves {
                if !all.iter().any(|(known, _)| known == mv) {
                    all.push((*mv, *odds));
                }
            }
            if here && group.kind == EditKind::Misread {
                continue;
            }
            let mut doubtful =
                Finding::new(Code::DoubtfulMove, place(self.record(), group.node, group.ply))
                    .reason(group.kind.name())
                    .text(self.script.words(group.node))
                    .param("percent", percent(group.probability))
                    .weighed(group.moves.iter().copied());
            if group.gap > 1 {
                doubtful = doubtful.param("gap", group.gap);
            }
            doubtful.confidence = Some(1.0 - group.probability.min(1.0));
            self.findings.push(doubtful);
        }
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        finding.weighed(all)
    }
}

fn goes_on_better(one: Reach, other: Reach) -> bool {
    one.beats(other) && one.is_complete()
}

/// A probability as a number of percent.
pub(super) fn percent(probability: f32) -> String {
    format!("{:.1}", f64::from(probability.min(1.0)) * 100.0)
}
