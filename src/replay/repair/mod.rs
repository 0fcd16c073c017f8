//! When a line of clear words fails, the mistake often lies before the word
//! that cannot be played. The search goes back from there, tries what people
//! do (a wrong character, a half-move left out, two words changed over, one
//! too many) and keeps what lets the *whole* rest be played.

mod mistakes;
mod weigh;

use smallvec::SmallVec;

use mistakes::Trial;
use weigh::{made, ranked};

use super::answers::{Answers, Meant};
use super::lattice::Step;
use super::prior::Prior;
use super::token::{Heard, Script};
use super::work::Work;
use crate::board::{Move, Position};
use crate::record::NodeId;

/// What was done wrong when the record was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EditKind {
    /// A half-move was made and not written.
    LeftOut,
    /// A half-move that was known to be missing was this one.
    Filled,
    /// Another move was meant than the word says.
    Misread,
    /// The word stands for no move.
    TooMany,
    /// The word and the next have changed places.
    Swapped,
}

impl EditKind {
    /// Stable name, the `reason` of findings.
    pub(super) const fn name(self) -> &'static str {
        match self {
            EditKind::LeftOut | EditKind::Filled => "left-out",
            EditKind::Misread => "misread",
            EditKind::TooMany => "too-many",
            EditKind::Swapped => "swapped",
        }
    }

    /// Whether it only says that a move is not known.
    pub(super) const fn is_gap(self) -> bool {
        matches!(self, EditKind::LeftOut | EditKind::Filled)
    }
}

/// A departure from the words.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    /// The word concerned; the one after a half-move that was left out.
    pub(super) node: NodeId,
    /// The ply, from 1, with everything before it repaired.
    pub(super) ply: u32,
    /// What happened.
    pub(super) kind: EditKind,
    /// The move, and what else it could be.
    pub(super) step: Step,
    /// Whether everything was tried, so that nothing else can fit.
    pub(super) proved: bool,
}

/// A way to make the whole rest of the line playable.
#[derive(Clone, Debug)]
pub(super) struct Repair {
    /// In the order of the line.
    pub(super) edits: Vec<Edit>,
    /// Among all that were found, 0 to 1.
    pub(super) probability: f32,
    /// Whether the record itself shows that moves are missing there.
    pub(super) shown: bool,
}

/// A half-move of the line that is repaired.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    /// A written move, as it reads.
    Word(NodeId),
    /// A half-move that is not known; its word, if it has one, and the move
    /// that is assumed.
    Blank(Option<NodeId>, Option<Move>),
    /// A move put in place of a word, or where there is none.
    Put(Option<NodeId>, Move),
}

impl Repair {
    /// Whether it only says what can have been left out.
    pub(super) fn is_gap(&self) -> bool {
        self.edits.iter().all(|edit| edit.kind.is_gap())
    }

    /// Whether the two fill the same gaps, maybe with other moves.
    fn fills_as(&self, other: &Repair) -> bool {
        let places = |repair: &Repair| -> SmallVec<[(u32, EditKind); 4]> {
            repair.edits.iter().map(|edit| (edit.ply, edit.kind)).collect()
        };
        self.is_gap() && places(self) == places(other)
    }
}

/// Half-moves that may be tried, in all: a bound on the time.
const WORK: u32 = 40_000;
const WIDE_WORK: u32 = 20_000;

/// Work of weighing a repair.
const APPLIED: u32 = 500;

/// Repairs that are weighed, and lines that are repaired a second time.
const WEIGH: usize = 40;
const AGAIN: usize = 5;

/// Longest line that is repaired; far longer than any game.
const LONGEST: usize = 4000;

/// Most mistakes in one line that are repaired together.
const DEEPEST: usize = 3;

/// How near to the failing word a gap of more than two half-moves is sought.
const WIDE_GAPS: usize = 4;

/// One way to read the line so far.
#[derive(Clone, Debug)]
struct Line {
    items: Vec<Item>,
    /// Position before each item up to the one that fails.
    positions: Vec<Position>,
    edits: Vec<(usize, EditKind, NodeId, Option<Move>)>,
    /// Where the search may begin: behind the last edit.
    from: usize,
    weight: f32,
    shown: bool,
}

/// What is kept of a line that can be played to its end.
#[derive(Clone, Debug)]
struct Found {
    edits: Vec<(usize, EditKind, NodeId, Option<Move>)>,
    weight: f32,
    shown: bool,
}

impl From<Line> for Found {
    fn from(line: Line) -> Found {
        Found { edits: line.edits, weight: line.weight, shown: line.shown }
    }
}

pub(super) struct Workshop<'a> {
    pub(super) script: Script<'a>,
    pub(super) prior: &'a Prior,
    pub(super) answers: &'a Answers,
    work: u32,
    game: &'a mut Work,
    /// Whether one of several readings was taken somewhere: then nothing is
    /// proved.
    guessed: std::cell::Cell<bool>,
}

impl<'a> Workshop<'a> {
    pub(super) fn new(
        script: Script<'a>,
        prior: &'a Prior,
        answers: &'a Answers,
        game: &'a mut Work,
    ) -> Workshop<'a> {
        let guessed = std::cell::Cell::new(false);
        Workshop { script, prior, answers, work: WORK.min(game.left()), game, guessed }
    }

    /// Ways to make the whole line playable, the likeliest first.
    pub(super) fn repairs(&mut self, start: &Position, items: Vec<Item>) -> Vec<Repair> {
        let before = self.work;
        let repairs = self.search(start, items);
        self.game.pay(before - self.work);
        // Its own bound only says that there is no repair near; the reading is
        // the same.
        if self.work == 0 && before < WORK {
            self.game.note_cut();
        }
        repairs
    }

    fn search(&mut self, start: &Position, items: Vec<Item>) -> Vec<Repair> {
        if items.len() > LONGEST {
            self.game.note_cut();
            return Vec::new();
        }
        let mut positions = Vec::with_capacity(items.len() + 1);
        let reach = self.run(start.clone(), 0, &items, Some(&mut positions));
        if reach == items.len() {
            return Vec::new();
        }
        let mut lines =
            vec![Line { items, positions, edits: Vec::new(), from: 0, weight: 0.0, shown: true }];
        for depth in 1..=DEEPEST {
            let mut done: Vec<Found> = Vec::new();
            let mut next: Vec<(usize, Line)> = Vec::new();
            for line in &lines {
                let (complete, partial) = self.trials(line);
                self.game.pay((complete.len() + partial.len()) as u32 * APPLIED);
                done.extend(complete.iter().map(|trial| Found::from(self.apply(line, trial))));
                if complete.is_empty() && depth < DEEPEST {
                    let applied = |trial: &Trial| (trial.understood(), self.apply(line, trial));
                    next.extend(partial.iter().map(applied));
                    next.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.weight.total_cmp(&a.1.weight)));
                    next.truncate(AGAIN);
                }
            }
            if !done.is_empty() {
                let tried = depth == 1 && self.work > 0 && done.len() < WEIGH;
                let proved = tried && !self.guessed.get();
                return ranked(done, proved);
            }
            lines = next.into_iter().map(|(_, line)| line).collect();
        }
        Vec::new()
    }

    /// Plays one item.
    fn play(&self, item: Item, position: &mut Position, ply: u32) -> bool {
        match item {
            Item::Word(id) => {
                if !self.answers.is_empty()
                    && let Some(Meant::Move(mv)) = self.answers.meant(ply, position)
                {
                    position.make(mv);
                    return true;
                }
                let in_check = position.in_check();
                let mv = match self.script.hear(id, position, in_check) {
                    Heard::Legal { mv, .. } => mv,
                    Heard::Ambiguous(candidates) => match candidates.first() {
                        Some(reading) => {
                            self.guessed.set(true);
                            reading.mv
                        }
                        None => return false,
                    },
                    Heard::Missing | Heard::Placeholder => {
                        position.pass();
                        return true;
                    }
                    _ => return false,
                };
                position.make(mv);
                true
            }
            Item::Put(_, mv) => {
                let legal = position.legality(mv).is_ok();
                if legal {
                    position.make(mv);
                }
                legal
            }
            Item::Blank(_, assumed) => {
                match assumed.filter(|mv| position.legality(*mv).is_ok()) {
                    Some(mv) => {
                        position.make(mv);
                    }
                    None => position.pass(),
                }
                true
            }
        }
    }

    /// Plays items from `from` on; the index of the first that cannot be
    /// played.
    fn run(
        &mut self,
        mut position: Position,
        from: usize,
        items: &[Item],
        mut keep: Option<&mut Vec<Position>>,
    ) -> usize {
        for (at, item) in items.iter().enumerate().skip(from) {
            if let Some(keep) = keep.as_deref_mut() {
                keep.push(position.clone());
            }
            if self.work == 0 {
                return at;
            }
            self.work -= 1;
            if !self.play(*item, &mut position, at as u32 + 1) {
                return at;
            }
        }
        items.len()
    }

    /// How far the line goes with a mistake put right.
    fn try_out(&mut self, line: &Line, mut trial: Trial) -> Option<Trial> {
        let mut position = line.positions[trial.at].clone();
        for (i, item) in trial.put.iter().enumerate() {
            self.work = self.work.saturating_sub(1);
            if matches!(item, Item::Blank(None, None)) && position.in_check() {
                // Whoever is in check does not stand still.
                return None;
            }
            if !self.play(*item, &mut position, (trial.at + i) as u32 + 1) {
                return None;
            }
        }
        let rest = trial.at + trial.consumed;
        let reach = self.run(position, rest, &line.items, None);
        trial.reach = reach + trial.put.len() - trial.consumed;
        Some(trial)
    }

    /// Everything that lets the line go on; what lets it go to its end, and
    /// the rest.
    fn trials(&mut self, line: &Line) -> (Vec<Trial>, Vec<Trial>) {
        let failed = line.positions.len() - 1;
        let (mut complete, mut partial): (Vec<Trial>, Vec<Trial>) = (Vec::new(), Vec::new());
        for at in (line.from..=failed).rev() {
            if self.work == 0 {
                break;
            }
            for trial in self.possible(line, at, failed) {
                self.sort(line, trial, &mut complete, &mut partial);
            }
        }
        let far = |trial: &Trial| trial.understood() > failed + 2;
        if complete.is_empty() && !partial.iter().any(far) {
            let spend = WIDE_WORK.min(self.work);
            let rest = self.work - spend;
            self.work = spend;
            for at in (line.from.max(failed.saturating_sub(WIDE_GAPS))..=failed).rev() {
                for trial in Self::wide_gaps(line, at) {
                    self.sort(line, trial, &mut complete, &mut partial);
                }
            }
            self.work += rest;
        }
        complete.sort_by(|a, b| b.cost.total_cmp(&a.cost).then(b.at.cmp(&a.at)));
        complete.truncate(WEIGH);
        let order = |t: &Trial| (t.understood(), (t.cost * 16.0) as i32, t.at);
        partial.sort_by_key(|trial| std::cmp::Reverse(order(trial)));
        partial.truncate(AGAIN);
        (complete, partial)
    }

    /// Tries a mistake out, and keeps it when the line goes on with it.
    fn sort(
        &mut self,
        line: &Line,
        trial: Trial,
        complete: &mut Vec<Trial>,
        partial: &mut Vec<Trial>,
    ) {
        if self.work == 0 {
            return;
        }
        let Some(trial) = self.try_out(line, trial) else { return };
        if trial.completes(line) && self.work > 0 {
            complete.push(trial);
        } else if trial.understood() > line.positions.len() - 1 {
            partial.push(trial);
        }
    }

    /// The line with a mistake put right.
    fn apply(&self, line: &Line, trial: &Trial) -> Line {
        let mut items = line.items[..trial.at].to_vec();
        items.extend(trial.put.iter().copied());
        items.extend(line.items[trial.at + trial.consumed..].iter().copied());
        let mut positions = line.positions[..trial.at].to_vec();
        let mut position = line.positions[trial.at].clone();
        for (at, item) in items.iter().enumerate().skip(trial.at) {
            positions.push(position.clone());
            if !self.play(*item, &mut position, at as u32 + 1) {
                break;
            }
        }
        let weight = line.weight + trial.cost + self.weigh(line, trial, &items, &positions);
        let word = |item: &Item| match item {
            Item::Word(id) => Some(*id),
            Item::Blank(id, _) | Item::Put(id, _) => *id,
        };
        let node = line.items[trial.at..].iter().find_map(word).unwrap_or(NodeId::ROOT);
        let fills = trial.kind.is_gap() && trial.consumed == 1;
        let mut edits = line.edits.clone();
        if trial.put.is_empty() {
            edits.push((trial.at, trial.kind, node, None));
        }
        for (i, item) in trial.put.iter().enumerate() {
            let mv = match item {
                Item::Blank(_, mv) => *mv,
                Item::Put(_, mv) => Some(*mv),
                Item::Word(_) => made(&positions, trial.at + i),
            };
            match edits.iter_mut().find(|edit| edit.0 == trial.at + i) {
                // A gap that was put in before turns out to be this move.
                Some(edit) if fills => edit.3 = mv,
                _ => edits.push((trial.at + i, trial.kind, node, mv)),
            }
            if trial.kind == EditKind::Swapped {
                break;
            }
        }
        // Behind the mistake; a gap that was put in may still be filled.
        let from = trial.at + if trial.kind.is_gap() { 1 } else { trial.put.len() };
        let shown = fills || self.numbers_jump(line, trial.at);
        Line { items, positions, edits, from, weight, shown: line.shown && shown }
    }
}
