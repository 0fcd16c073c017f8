//! What to do with a written move that is not plainly a legal move of the
//! side to move.

use super::ahead::{Reach, belongs_to_other};
use super::dialect::may_be_san;
use super::edited::percent;
use super::findings::place;
use super::lattice::Decided;
use super::line::{Cursor, Player, Retry, Step};
use super::prior::Trail;
use super::token::Heard;
use crate::board::{IllegalReason, Move, Position, Status};
use crate::finding::{Code, Finding, Severity};
use crate::notation::{Candidates, Notation, Numerals};
use crate::record::{NodeId, Written};

/// Illegal moves in a row that are gone over where squares are written; more
/// mean that the position is not the one that was meant.
const ILLEGAL_RUN: u32 = 3;

/// From so many gaps on the layout is believed without another look.
const GAPS_ARE_HABIT: u32 = 2;

impl Player<'_> {
    /// Weighs a written move that is not plain.
    #[cold]
    pub(super) fn consider(&mut self, id: NodeId, cursor: &mut Cursor) -> Step {
        let heard = self.script.hear(id, &cursor.position, cursor.in_check);
        if let Some(step) = self.consider_gap(id, cursor, &heard) {
            return step;
        }
        // A gap may have been put in, or the habit of numerals given up.
        let heard = self.script.hear(id, &cursor.position, cursor.in_check);
        match heard {
            Heard::Legal { mv, slips, foreign, .. } => {
                self.note_slip(id, cursor, mv, slips, foreign);
                self.played(id, cursor, mv);
                Step::Next
            }
            Heard::Missing => self.blank(id, cursor),
            Heard::Placeholder => self.placeholder(id, cursor),
            failed => {
                if let Some(step) = self.other_dialect(cursor) {
                    return step;
                }
                match failed {
                    Heard::Ambiguous(candidates) => self.ambiguous(id, cursor, &candidates),
                    Heard::Illegal { reason, mv, squares } => {
                        self.illegal(id, cursor, reason, mv, squares)
                    }
                    _ => self.unreadable(id, cursor),
                }
            }
        }
    }

    /// Is a half-move missing before this one? Puts its place in when it is.
    /// Returns a step only when the line ends here.
    fn consider_gap(&mut self, id: NodeId, cursor: &mut Cursor, heard: &Heard) -> Option<Step> {
        let side = cursor.position.side();
        let written = self.script.gap_is_written(id, side);
        let marked = matches!(heard, Heard::Legal { marked: true, .. });
        let (other, squares) = match heard {
            Heard::Illegal { reason, squares, .. } => (belongs_to_other(*reason), *squares),
            _ => (false, false),
        };
        if marked || !(written || other) {
            return None;
        }
        let fill = self.script.fill(&cursor.position, Some(id), self.work);
        // A sheet that has left out several half-moves in this way will do so
        // again.
        if !written || self.gaps < GAPS_ARE_HABIT {
            let here = self.reach_by_habit(&cursor.position, id, heard);
            if here.beats(fill.best) && here.plies > 0 {
                // The line goes on better without a gap: layout and numerals
                // are not to be trusted here.
                self.script.dialect.context.numerals = Numerals::Any;
                self.script.numbers_tell &= !here.is_complete();
                return None;
            }
        }
        let possible = squares || self.script.gap_is_possible(id, side, self.numbers.numbered);
        let last = self.record().tree.first_child(id).is_none();
        let wanted = if written || last { 1 } else { 2 };
        if !possible || fill.best.plies < wanted {
            return None;
        }
        self.gaps += u32::from(written);
        let finding = self.missing_before(id, cursor);
        self.missing(finding, None, cursor, &fill);
        None
    }

    /// How far the line goes when the move is one of the side to move, whatever
    /// its numerals say.
    fn reach_by_habit(&mut self, position: &Position, id: NodeId, heard: &Heard) -> Reach {
        if matches!(heard, Heard::Illegal { reason: IllegalReason::NotYourPiece, .. }) {
            return Reach::default();
        }
        let mut any = self.script;
        any.dialect.context.numerals = Numerals::Any;
        any.reach_freely(position, Some(id), self.work)
    }

    /// A column that is blank.
    fn blank(&mut self, id: NodeId, cursor: &mut Cursor) -> Step {
        let rest = self.record().tree.first_child(id);
        if rest.is_none() {
            // The game just ends here.
            return Step::Stop;
        }
        let fill = self.script.fill(&cursor.position, rest, self.work);
        let finding = Finding::new(Code::MissingMove, place(self.record(), id, cursor.next_ply()));
        self.missing(finding, Some(id), cursor, &fill);
        Step::Next
    }

    /// `--` or `？？？？`: somebody saw a move and could not read it.
    fn placeholder(&mut self, id: NodeId, cursor: &mut Cursor) -> Step {
        if let Some(step) = self.damaged(id, cursor, "placeholder") {
            return step;
        }
        let rest = self.record().tree.first_child(id);
        let fill = self.script.fill(&cursor.position, rest, self.work);
        let finding = self.finding(Code::UnreadableMove, id, cursor).reason("placeholder");
        self.missing(finding, Some(id), cursor, &fill);
        Step::Next
    }

    /// Text that is no move: a half-move that cannot be read, or a word that
    /// is none at all. The rest of the line decides.
    fn unreadable(&mut self, id: NodeId, cursor: &mut Cursor) -> Step {
        if let Some(step) = self.damaged(id, cursor, "damaged") {
            return step;
        }
        let mut finding = self.finding(Code::UnreadableMove, id, cursor);
        if matches!(self.record().tree.node(id).written, Written::OffBoard { .. }) {
            finding = finding.reason("off-board");
        }
        let Some(rest) = self.record().tree.first_child(id) else {
            self.findings.push(finding);
            self.leave_unplayed(Some(id));
            return Step::Stop;
        };
        let fill = self.script.fill(&cursor.position, Some(rest), self.work);
        let without = self.script.reach(&cursor.position, Some(rest), self.work);
        if without.beats(fill.reach) {
            self.findings.push(finding.reason("not-a-move"));
            return Step::Next;
        }
        if fill.reach.plies == 0 {
            let finding = self.stuck(id, cursor, finding);
            self.findings.push(finding);
            self.leave_unplayed(Some(id));
            return Step::Stop;
        }
        self.missing(finding, Some(id), cursor, &fill);
        Step::Next
    }

    /// Several legal readings: what comes later decides, or nothing does.
    fn ambiguous(&mut self, id: NodeId, cursor: &mut Cursor, candidates: &Candidates) -> Step {
        if let Some(step) = self.by_plan(id, cursor, candidates) {
            return step;
        }
        let finding = self
            .finding(Code::AmbiguousMove, id, cursor)
            .candidates(candidates.iter().map(|reading| reading.mv));
        let rest = self.record().tree.first_child(id);
        let mut best = (Reach::default(), None, 0);
        for reading in candidates {
            let mut after = cursor.position.clone();
            after.make(reading.mv);
            let ahead = self.script.reach(&after, rest, self.work);
            if ahead.beats(best.0) || best.1.is_none() {
                best = (ahead, Some(reading.mv), 1);
            } else if !best.0.beats(ahead) {
                best.2 += 1;
            }
        }
        let (reach, chosen, equals) = best;
        let decided = equals == 1 && reach.plies > 0;
        let usual = self.script.dialect.notation == Notation::Abbreviated;
        match chosen {
            Some(mv) if decided || usual => {
                let mut finding = finding.severity(Severity::Warning).param("chosen", mv);
                if decided {
                    finding = finding.reason("decided-by-later-moves").param("plies", reach.plies);
                } else {
                    finding.confidence = Some(1.0 / equals as f32);
                }
                self.findings.push(finding);
                self.played(id, cursor, mv);
                Step::Next
            }
            _ => {
                let finding = finding.weighed(self.weighed(candidates, cursor));
                self.findings.push(finding);
                self.leave_unplayed(Some(id));
                Step::Stop
            }
        }
    }

    /// Candidates by how likely they are played, the likeliest first; for a
    /// person who is asked, never to choose one.
    fn weighed(&self, candidates: &Candidates, cursor: &Cursor) -> Vec<(Move, f32)> {
        let ranked = self.options.prior.ranked(&cursor.position, Trail::default());
        let mut found: Vec<(Move, f32)> = ranked
            .into_iter()
            .filter(|(mv, _)| candidates.iter().any(|reading| reading.mv == *mv))
            .map(|(mv, log)| (mv, log.exp()))
            .collect();
        let total: f32 = found.iter().map(|(_, odds)| odds).sum();
        for (_, odds) in &mut found {
            *odds /= total.max(f32::MIN_POSITIVE);
        }
        found
    }

    /// What the decoder chose when it read the whole sheet. A reading that the
    /// rest of the sheet does not settle is played with a warning.
    fn by_plan(
        &mut self,
        id: NodeId,
        cursor: &mut Cursor,
        candidates: &Candidates,
    ) -> Option<Step> {
        let step = self.decoded(id)?;
        if self.retry.is_some() {
            return Some(Step::Stop);
        }
        let mv = step.mv.filter(|mv| candidates.iter().any(|reading| reading.mv == *mv))?;
        if step.decided == Decided::Prior && step.readings.len() > 1 {
            let mut finding = self
                .finding(Code::AmbiguousMove, id, cursor)
                .severity(Severity::Warning)
                .reason("likeliest-played")
                .param("chosen", mv)
                .param("percent", percent(step.probability))
                .weighed(step.readings.iter().map(|reading| (reading.mv, reading.probability)));
            finding.confidence = Some(step.probability);
            self.findings.push(finding);
        }
        self.played(id, cursor, mv);
        Some(Step::Next)
    }

    /// No legal reading.
    fn illegal(
        &mut self,
        id: NodeId,
        cursor: &mut Cursor,
        reason: IllegalReason,
        mv: Option<Move>,
        squares: bool,
    ) -> Step {
        let at = place(self.record(), id, cursor.next_ply());
        let ended = match cursor.position.end_of_play() {
            Status::Checkmate => Some(("after-checkmate", "4.1.1")),
            Status::Stalemate => Some(("after-stalemate", "4.1.3")),
            _ => None,
        };
        if let Some((reason, article)) = ended {
            self.findings.push(
                Finding::new(Code::MovesAfterEnd, at)
                    .reason(reason)
                    .article(article)
                    .text(self.script.words(id))
                    .param("count", self.rest(id)),
            );
            self.leave_unplayed(Some(id));
            return Step::Stop;
        }
        let finding =
            Finding::illegal_move(at, &cursor.position, mv, reason).text(self.script.words(id));
        // Where squares are written it is certain what was moved, and the
        // line can go on (docs/decisions/0004-what-is-played.md).
        let side = cursor.position.side();
        let moves_own_piece = mv.is_some_and(|mv| {
            mv.from != mv.to
                && cursor.position.piece_at(mv.from).is_some_and(|piece| piece.color == side)
        });
        if !squares || !moves_own_piece || cursor.illegal >= ILLEGAL_RUN {
            let finding = finding.param("unplayed", self.rest(id));
            let finding = if squares { finding } else { self.stuck(id, cursor, finding) };
            self.findings.push(finding);
            self.leave_unplayed(Some(id));
            return Step::Stop;
        }
        self.findings.push(finding);
        cursor.illegal += 1;
        self.unknown(Some(id), cursor, mv);
        Step::Next
    }

    /// When the record does not go on: would it go further in another dialect?
    fn other_dialect(&mut self, cursor: &Cursor) -> Option<Step> {
        if !self.may_change || !self.main {
            return None;
        }
        self.may_change = false;
        let first = self.record().tree.first_child(NodeId::ROOT);
        let mut best = (cursor.ply, None);
        let before = self.work.begin();
        let san = self.script.dialect.notation == Notation::San || may_be_san(self.record());
        for dialect in self.script.dialect.alternatives() {
            if dialect.notation == Notation::San && !san {
                continue;
            }
            let mut other = self.script;
            other.dialect = dialect;
            let reach = other.reach(self.start, first, self.work);
            if reach.plies > best.0 {
                best = (reach.plies, Some(dialect));
            }
        }
        let cut = self.work.end(before);
        best.1.map(|dialect| {
            self.retry = Some(Retry::Dialect(dialect, cut));
            Step::Stop
        })
    }

    fn finding(&self, code: Code, id: NodeId, cursor: &Cursor) -> Finding {
        Finding::new(code, place(self.record(), id, cursor.next_ply()))
            .text(self.script.words(id))
            .param("side", cursor.position.side().name())
    }
}
