//! What people do wrong when they write a line down, as far as it can have
//! been done at one half-move.

use smallvec::{SmallVec, smallvec};

use super::{EditKind, Item, Line, Workshop};
use crate::replay::damage::Pattern;

/// Log costs (nats) of mistakes.
const LEFT_OUT: f32 = -9.0;
const LEFT_OUT_MORE: f32 = -2.0;
const MISREAD: f32 = -2.0;
const TOO_MANY: f32 = -9.0;
const SWAPPED: f32 = -8.0;

/// How near to the failing word a gap is sought that the numbers do not show.
const GAPS: usize = 14;

/// A mistake that is tried: what stands in place of `consumed` items at `at`.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) at: usize,
    pub(super) kind: EditKind,
    pub(super) put: SmallVec<[Item; 4]>,
    pub(super) consumed: usize,
    pub(super) cost: f32,
    /// The item of the repaired line that cannot be played; its length when
    /// all can.
    pub(super) reach: usize,
}

impl Trial {
    /// Whether the whole line can be played.
    pub(super) fn completes(&self, line: &Line) -> bool {
        self.reach == line.items.len() + self.put.len() - self.consumed
    }

    /// How far the words are understood, in items of the line before.
    pub(super) fn understood(&self) -> usize {
        (self.reach + self.consumed).saturating_sub(self.put.len())
    }
}

impl Workshop<'_> {
    /// The mistakes that can have been made at an item.
    pub(super) fn possible(&self, line: &Line, at: usize, failed: usize) -> Vec<Trial> {
        let position = &line.positions[at];
        let ply = at as u32 + 1;
        let mut trials = Vec::new();
        let mut add = |kind, put: SmallVec<[Item; 4]>, consumed, cost| {
            trials.push(Trial { at, kind, put, consumed, cost, reach: 0 });
        };
        let answered = self.answers.at(ply).is_some();
        let legal = position.legal_moves();
        match line.items[at] {
            Item::Word(id) if !answered => {
                let words = self.script.words(id);
                let notation = self.script.dialect.notation;
                if let Some(pattern) = Pattern::of(&words) {
                    for mv in &legal {
                        if let Some(cost) = pattern.cost(*mv, position, notation)
                            && cost < 0.0
                        {
                            add(
                                EditKind::Misread,
                                smallvec![Item::Put(Some(id), *mv)],
                                1,
                                cost + MISREAD,
                            );
                        }
                    }
                }
                // That the last word is none would explain anything.
                if at + 1 < line.items.len() {
                    add(EditKind::TooMany, SmallVec::new(), 1, TOO_MANY);
                }
                for other in [1, 2] {
                    if let Some(Item::Word(_)) = line.items.get(at + other) {
                        let mut put: SmallVec<[Item; 4]> =
                            line.items[at..=at + other].iter().copied().collect();
                        put.swap(0, other);
                        add(EditKind::Swapped, put, other + 1, SWAPPED);
                    }
                }
            }
            Item::Blank(id, assumed) => {
                for mv in legal.iter().filter(|mv| Some(**mv) != assumed) {
                    // One without a word is put in again before the next word.
                    let kind = if id.is_some() { EditKind::Filled } else { EditKind::LeftOut };
                    add(kind, smallvec![Item::Blank(id, Some(*mv))], 1, 0.0);
                }
                return trials;
            }
            _ => {}
        }
        if answered {
            return trials;
        }
        let jump = self.numbers_jump(line, at);
        if !jump && at + GAPS < failed {
            return trials;
        }
        let nothing = Item::Blank(None, None);
        let first = if jump { LEFT_OUT / 4.0 } else { LEFT_OUT };
        for mv in &legal {
            let own = Item::Blank(None, Some(*mv));
            add(EditKind::LeftOut, smallvec![own], 0, first);
            add(EditKind::LeftOut, smallvec![own, nothing], 0, first + LEFT_OUT_MORE);
        }
        let mut passed = position.clone();
        passed.pass();
        for mv in &passed.legal_moves() {
            let other = Item::Blank(None, Some(*mv));
            add(EditKind::LeftOut, smallvec![nothing, other], 0, first + LEFT_OUT_MORE);
            let more = first + 2.0 * LEFT_OUT_MORE;
            add(EditKind::LeftOut, smallvec![nothing, other, nothing], 0, more);
        }
        trials
    }

    /// Gaps of three and four half-moves with two moves of one side in them.
    pub(super) fn wide_gaps(line: &Line, at: usize) -> Vec<Trial> {
        let mut trials = Vec::new();
        let mut add = |put: SmallVec<[Item; 4]>| {
            let cost = LEFT_OUT + (put.len() - 1) as f32 * LEFT_OUT_MORE;
            trials.push(Trial { at, kind: EditKind::LeftOut, put, consumed: 0, cost, reach: 0 });
        };
        let nothing = Item::Blank(None, None);
        for lead in [false, true] {
            let mut before = line.positions[at].clone();
            if lead {
                before.pass();
            }
            for one in &before.legal_moves() {
                let mut between = before.clone();
                between.make(*one);
                if between.in_check() {
                    continue;
                }
                between.pass();
                for two in &between.legal_moves() {
                    let pair = [Item::Blank(None, Some(*one)), Item::Blank(None, Some(*two))];
                    if lead {
                        add(smallvec![nothing, pair[0], nothing, pair[1]]);
                    } else {
                        add(smallvec![pair[0], nothing, pair[1]]);
                        add(smallvec![pair[0], nothing, pair[1], nothing]);
                    }
                }
            }
        }
        trials
    }

    /// Whether the number before a word is higher than that of the word
    /// before it allows.
    pub(super) fn numbers_jump(&self, line: &Line, at: usize) -> bool {
        let number = |item: &Item| match item {
            Item::Word(id) => Some(self.script.record.tree.node(*id).number).filter(|n| *n != 0),
            _ => None,
        };
        let Some(here) = number(&line.items[at]) else { return false };
        let before = line.items[..at]
            .iter()
            .rev()
            .enumerate()
            .find_map(|(i, item)| number(item).map(|n| (i as u32 + 1, n)));
        before.is_some_and(|(back, n)| here > n + back.div_ceil(2))
    }
}
