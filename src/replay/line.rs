//! Plays the lines of a record: the main line, then the variations, each from
//! its parent position. Iterative, so that a tree of any depth is safe.

use super::ReplayOptions;
use super::ahead::Fill;
use super::answers::Answers;
use super::clock;
use super::dialect::Dialect;
use super::findings::{Findings, place, place_after};
use super::numbers::Numbers;
use super::sheet::Plan;
use super::start::Opening;
use super::token::{Heard, Script};
use super::work::Work;
use crate::board::{Color, Move, Position, PositionKey};
use crate::finding::{Code, Finding, Severity};
use crate::game::GameTree;
use crate::notation::{Notation, Slips, Style, render};
use crate::record::{NodeId, Record};

/// Half-moves in a row that may be left out before it is a foul (article 7.1).
const FOUL_RUN: u32 = 4;

/// Of a record about which nobody was asked.
const NO_ANSWERS: &Answers = &Answers::none();

/// A point in a line that is being played.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    pub(super) position: Position,
    pub(super) in_check: bool,
    /// Whether the side that is not to move is in no check, as after every
    /// legal move; then only the next move itself can give one.
    other_safe: bool,
    /// Plies played so far, missing ones included.
    pub(super) ply: u32,
    /// The last move in the tree of the game.
    at: NodeId,
    /// Half-moves that each side left out in a row.
    missing: [u32; 2],
    /// Illegal moves in a row that were gone over.
    pub(super) illegal: u32,
}

impl Cursor {
    fn new(position: Position) -> Cursor {
        let mut cursor = Cursor {
            position,
            in_check: false,
            other_safe: false,
            ply: 0,
            at: NodeId::ROOT,
            missing: [0; 2],
            illegal: 0,
        };
        cursor.look();
        cursor
    }

    /// Finds out who is in check, where no legal move has led here.
    fn look(&mut self) {
        let side = self.position.side();
        self.in_check = self.position.in_check();
        self.other_safe = self.position.checkers(side.other()).is_empty();
    }

    /// The ply of the next move.
    pub(super) fn next_ply(&self) -> u32 {
        self.ply + 1
    }
}

/// A variation that waits for its turn.
struct Branch {
    node: NodeId,
    cursor: Cursor,
}

/// How to go on after a written move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// With the move after it.
    Next,
    /// With the move after the next: both have been played.
    Over,
    /// With the same word: what was missing before it is in its place.
    Same,
    /// Not at all.
    Stop,
}

/// How to begin the record again.
#[derive(Clone, Debug)]
pub(super) enum Retry {
    /// In another dialect; whether the search that found it was cut short.
    Dialect(Dialect, bool),
    /// With what the decoder or the search for mistakes found.
    Plan(Plan),
}

/// What the decoder says to the main line.
#[derive(Clone, Debug)]
pub(super) enum Planned {
    /// It was not asked yet.
    Unasked,
    /// Every word can be read by itself.
    Plain,
    /// It chose.
    Plan(Plan),
}

impl Planned {
    /// The plan, if there is one.
    pub(super) fn plan(&self) -> Option<&Plan> {
        match self {
            Planned::Plan(plan) => Some(plan),
            Planned::Unasked | Planned::Plain => None,
        }
    }
}

/// Plays one record.
pub(super) struct Player<'a> {
    pub(super) script: Script<'a>,
    pub(super) options: &'a ReplayOptions,
    pub(super) findings: Findings,
    /// What may still be spent on searches.
    pub(super) work: &'a mut Work,
    pub(super) numbers: Numbers,
    /// The start position, for trying another dialect.
    pub(super) start: &'a Position,
    /// Whether other dialects may still be tried.
    pub(super) may_change: bool,
    /// Whether the line that is played is the main line.
    pub(super) main: bool,
    /// Gaps that the layout showed.
    pub(super) gaps: u32,
    /// What the decoder chose, on a sheet without directions; made when the
    /// first ambiguous move asks for it.
    pub(super) plan: Planned,
    /// What people said.
    pub(super) answers: &'a Answers,
    /// Whether mistakes may still be put right by beginning again.
    pub(super) may_repair: bool,
    /// How to begin again, once that is decided.
    pub(super) retry: Option<Retry>,
    /// Whether the main line may be decoded: not where the FEN lists moves
    /// of its own.
    pub(super) may_plan: bool,
    /// The word after one that a person took to be no move.
    pub(super) passed_over: Option<NodeId>,
    /// Whether plan or answers may change how words of the main line are
    /// taken.
    pub(super) guided: bool,
    pub(super) tree: GameTree,
    /// The game's node for each node of the record that was played.
    pub(super) map: Vec<Option<NodeId>>,
    branches: Vec<Branch>,
    /// Keys of the main line's positions since the last unknown half-move,
    /// and the ply of the first of them.
    keys: Vec<PositionKey>,
    keys_from: u32,
    unplayed: Vec<String>,
    /// The natural limit, and whether it was met with all checks counted.
    limit_plies: u32,
    limit_met: bool,
}

/// What playing a record gave.
pub(super) struct Played {
    pub(super) tree: GameTree,
    pub(super) findings: Findings,
    pub(super) unplayed: Vec<String>,
    /// The end of the main line.
    pub(super) end: Cursor,
    pub(super) keys: Vec<PositionKey>,
    pub(super) keys_from: u32,
    /// Whether the natural limit was met in the line if all checks count.
    pub(super) limit_met: bool,
    /// The game's node for each node of the record: its own, or that of the
    /// last one before it that was played.
    pub(super) map: Vec<Option<NodeId>>,
}

impl<'a> Player<'a> {
    pub(super) fn new(
        script: Script<'a>,
        options: &'a ReplayOptions,
        opening: &'a Opening,
        findings: Findings,
        work: &'a mut Work,
    ) -> Player<'a> {
        let moves = script.record.tree.len() + opening.listed.len();
        Player {
            script,
            options,
            findings,
            work,
            numbers: Numbers::new(script.record, opening.has_round),
            start: &opening.position,
            may_change: true,
            main: true,
            gaps: 0,
            plan: Planned::Unasked,
            answers: NO_ANSWERS,
            may_repair: true,
            retry: None,
            may_plan: opening.listed.is_empty(),
            passed_over: None,
            guided: false,
            tree: GameTree::with_capacity(moves),
            map: Vec::new(),
            branches: Vec::new(),
            keys: Vec::with_capacity(moves + 1),
            keys_from: 0,
            unplayed: Vec::new(),
            limit_plies: options.natural_limit().saturating_mul(2),
            limit_met: false,
        }
    }

    /// Begins with what an earlier try found.
    pub(super) fn with_plan(&mut self, plan: Option<Plan>) {
        self.guided = !self.answers.is_empty() || plan.is_some();
        self.plan = plan.map_or(Planned::Unasked, Planned::Plan);
    }

    pub(super) fn record(&self) -> &'a Record {
        self.script.record
    }

    /// Plays everything; `Err` is a way in which the record holds better.
    pub(super) fn play(mut self, opening: &Opening) -> Result<Played, Retry> {
        let record = self.record();
        self.map = vec![None; record.tree.len() + 1];
        let mut cursor = Cursor::new(opening.position.clone());
        self.keys.push(cursor.position.key());
        for mv in &opening.listed {
            self.advance(&mut cursor, *mv);
        }
        cursor.look();
        let root = cursor.at;
        let first = record.tree.first_child(NodeId::ROOT);
        if opening.playable {
            self.line(first, &mut cursor)?;
        } else {
            self.leave_unplayed(first);
        }
        self.main = false;
        let end = cursor;
        while let Some(Branch { node, mut cursor }) = self.branches.pop() {
            let before = self.tree.len();
            let parent = cursor.at;
            self.line(Some(node), &mut cursor)?;
            if self.tree.len() > before {
                let added = NodeId::from_index(before + 1);
                if self.tree.continuation(parent) == Some(added) {
                    self.tree.mark_variation(added);
                }
            }
        }
        self.map[0] = Some(root);
        Ok(self.done(end))
    }

    /// Plays a line and notes the variations that leave it.
    fn line(&mut self, first: Option<NodeId>, cursor: &mut Cursor) -> Result<(), Retry> {
        let tree = &self.script.record.tree;
        let mut next = first;
        let mut branched = None;
        while let Some(id) = next {
            if branched != Some(id)
                && let Some(node) = tree.next_sibling(id)
            {
                self.branches.push(Branch { node, cursor: cursor.clone() });
                branched = Some(id);
            }
            let guided = if self.guided && self.main { self.guided(id, cursor) } else { None };
            let step = match guided {
                Some(step) => step,
                None => match self.plain(id, cursor) {
                    Some(mv) => {
                        self.played(id, cursor, mv);
                        Step::Next
                    }
                    None => self.consider(id, cursor),
                },
            };
            // Looked at before it is taken: it is big, and hardly ever there.
            if self.retry.is_some()
                && let Some(retry) = self.retry.take()
            {
                return Err(retry);
            }
            match step {
                Step::Next => next = tree.first_child(id),
                Step::Over => next = tree.first_child(id).and_then(|id| tree.first_child(id)),
                Step::Same => {}
                Step::Stop => break,
            }
        }
        if cursor.missing != [0, 0] {
            self.note_fouls(cursor, Color::Red);
            self.note_fouls(cursor, Color::Black);
        }
        Ok(())
    }

    /// The common case: a legal move, written as it should be.
    #[inline]
    fn plain(&self, id: NodeId, cursor: &Cursor) -> Option<Move> {
        let side = cursor.position.side();
        if let Some((mv, marked)) = self.script.hear_plain(id, &cursor.position, cursor.in_check)
            && (marked || !self.script.gap_is_written(id, side))
        {
            return Some(mv);
        }
        match self.script.hear(id, &cursor.position, cursor.in_check) {
            Heard::Legal { mv, slips, marked, foreign: None }
                if slips.without_style().is_empty()
                    && (marked || !self.script.gap_is_written(id, side)) =>
            {
                Some(mv)
            }
            _ => None,
        }
    }

    /// A written move is played.
    #[inline]
    pub(super) fn played(&mut self, id: NodeId, cursor: &mut Cursor, mv: Move) {
        if self.main
            && let Some(expected) =
                self.numbers.see(self.script.record, id, &cursor.position, cursor.next_ply())
        {
            self.note_number(id, cursor, expected);
        }
        if cursor.missing != [0, 0] {
            self.note_fouls(cursor, cursor.position.side());
        }
        self.advance(cursor, mv);
        if let Some(slot) = self.map.get_mut(id.index()) {
            *slot = Some(cursor.at);
        }
    }

    #[inline]
    pub(super) fn advance(&mut self, cursor: &mut Cursor, mv: Move) {
        cursor.position.make(mv);
        cursor.in_check = if std::mem::replace(&mut cursor.other_safe, true) {
            cursor.position.in_check_after(mv)
        } else {
            cursor.position.in_check()
        };
        cursor.ply += 1;
        cursor.illegal = 0;
        cursor.at = self.tree.add(cursor.at, Some(mv));
        if self.main {
            self.keys.push(cursor.position.key());
            self.watch_limit(cursor);
        }
    }

    #[inline]
    fn watch_limit(&mut self, cursor: &Cursor) {
        self.limit_met |= cursor.position.quiet_plies() >= self.limit_plies;
    }

    /// A half-move goes by that is not known, or not legal.
    pub(super) fn unknown(
        &mut self,
        id: Option<NodeId>,
        cursor: &mut Cursor,
        assumed: Option<Move>,
    ) {
        cursor.at = self.tree.add_unknown(cursor.at, assumed);
        self.tree.node(cursor.at).play_on(&mut cursor.position);
        cursor.look();
        cursor.ply += 1;
        if let Some(id) = id
            && let Some(slot) = self.map.get_mut(id.index())
        {
            *slot = Some(cursor.at);
        }
        if self.main {
            self.keys.clear();
            self.keys.push(cursor.position.key());
            self.keys_from = cursor.ply;
            self.watch_limit(cursor);
        }
    }

    /// A half-move that is not recorded: keeps its place, and proposes what it
    /// can have been. `rest` is the move after it.
    pub(super) fn missing(
        &mut self,
        finding: Finding,
        id: Option<NodeId>,
        cursor: &mut Cursor,
        fill: &Fill,
    ) {
        let side = cursor.position.side();
        let mut finding = finding
            .param("side", side.name())
            .param("number", cursor.position.round())
            .param("legal", fill.legal);
        finding = match fill.only {
            Some(mv) => finding.candidates([mv]).param("only", mv),
            None => finding.weighed(fill.ranked.iter().copied()),
        };
        if let Some(fits) = fill.fits {
            finding = finding.param("fits", fits);
        }
        let place = finding.place;
        if finding.code == Code::MissingMove {
            cursor.missing[side.index()] += 1;
        }
        self.findings.push(finding);
        match fill.only {
            Some(mv) if self.options.infer => {
                self.findings.push(
                    Finding::new(Code::InferredMove, place)
                        .param("side", side.name())
                        .param("move", mv)
                        .candidates([mv]),
                );
                let illegal = cursor.illegal;
                self.advance(cursor, mv);
                cursor.illegal = illegal;
                if let (Some(id), at) = (id, cursor.at)
                    && let Some(slot) = self.map.get_mut(id.index())
                {
                    *slot = Some(at);
                }
            }
            _ => self.unknown(id, cursor, fill.assumed),
        }
    }

    /// The finding of a half-move that is missing before `id`.
    pub(super) fn missing_before(&self, id: NodeId, cursor: &Cursor) -> Finding {
        let before = self.record().tree.parent(id);
        Finding::new(Code::MissingMove, place_after(self.record(), before, cursor.next_ply()))
    }

    /// A run of missing half-moves of `side` is over.
    #[cold]
    fn note_fouls(&mut self, cursor: &mut Cursor, side: Color) {
        let run = std::mem::take(&mut cursor.missing[side.index()]);
        if run < FOUL_RUN {
            return;
        }
        let mut place = crate::finding::Place::WHOLE.ply(cursor.next_ply());
        if let Some(last) = self.findings.last_of(Code::MissingMove) {
            place = last;
        }
        let mut foul = Finding::new(Code::MissingMovesFoul, place)
            .param("side", side.name())
            .param("count", run)
            .param("fouls", run / FOUL_RUN);
        if clock::is_short(self.record(), place.node, side) {
            foul = foul.reason("short-of-time").article("7.2").severity(Severity::Note);
        }
        self.findings.push(foul);
    }

    #[cold]
    fn note_number(&mut self, id: NodeId, cursor: &Cursor, expected: i64) {
        let found = self.record().tree.node(id).number;
        self.findings.push(
            Finding::new(Code::MoveNumber, place(self.record(), id, cursor.next_ply()))
                .text(self.script.words(id))
                .param("found", found)
                .param("expected", expected),
        );
    }

    /// A legal move that was not written as the notation prescribes.
    pub(super) fn note_slip(
        &mut self,
        id: NodeId,
        cursor: &Cursor,
        mv: Move,
        slips: Slips,
        foreign: Option<Notation>,
    ) {
        let mut names = slips.without_style().names().chain(foreign.map(|_| "other-notation"));
        let Some(reason) = names.next() else { return };
        let mut finding =
            Finding::new(Code::NotationSlip, place(self.record(), id, cursor.next_ply()))
                .reason(reason)
                .text(self.script.words(id))
                .param("move", mv)
                .candidates([mv]);
        let notation = self.script.dialect.notation;
        let canonical = render(notation, mv, &cursor.position, Style::default())
            .or_else(|| render(Notation::Chinese, mv, &cursor.position, Style::default()));
        if let Some(canonical) = canonical {
            finding = finding.param("canonical", canonical);
        }
        let also: Vec<&str> = names.collect();
        if !also.is_empty() {
            finding = finding.param("also", also.join(", "));
        }
        if let Some(foreign) = foreign {
            finding = finding.param("notation", foreign);
        }
        self.findings.push(finding);
    }

    /// The rest of a line is left as it was written.
    pub(super) fn leave_unplayed(&mut self, from: Option<NodeId>) {
        let tree = &self.record().tree;
        let rest = std::iter::successors(from, |id| tree.first_child(*id));
        if self.main {
            self.unplayed.extend(rest.map(|id| self.script.words(id)));
        }
    }

    /// Number of written moves from `id` to the end of its line.
    pub(super) fn rest(&self, id: NodeId) -> usize {
        let tree = &self.record().tree;
        std::iter::successors(Some(id), |id| tree.first_child(*id)).count()
    }

    /// What was played.
    fn done(mut self, end: Cursor) -> Played {
        for id in self.script.record.tree.ids() {
            let Some(None) = self.map.get(id.index()) else { continue };
            let parent = self.script.record.tree.parent(id).unwrap_or(NodeId::ROOT);
            self.map[id.index()] = self.map[parent.index()];
        }
        Played {
            tree: self.tree,
            findings: self.findings,
            unplayed: self.unplayed,
            end,
            keys: self.keys,
            keys_from: self.keys_from,
            limit_met: self.limit_met,
            map: self.map,
        }
    }
}
