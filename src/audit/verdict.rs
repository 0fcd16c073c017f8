//! The verdict: what decides the game first, against what is recorded.

use super::claims::{CheckedClaim, Ruling};
use super::clock::ClockReport;
use super::controls::ends_game;
use super::fouls::{Counted, lost};
use super::line::Line;
use super::point::{Point, Weight};
use crate::board::Color;
use crate::finding::Lang;
use crate::finding::catalogue::{self, Part};
use crate::game::{GameResult, Outcome, OutcomeKind, Winner};

/// How sure the verdict is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// A rule decides the game.
    Decided,
    /// Nothing speaks against the recorded result.
    Recorded,
    /// It hangs on points that the arbiter has to decide.
    Open,
    /// Nothing is recorded, nothing decides.
    None,
}

impl Standing {
    /// `decided`, `recorded`, `open` or `none`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Standing::Decided => "decided",
            Standing::Recorded => "recorded",
            Standing::Open => "open",
            Standing::None => "none",
        }
    }
}

/// The verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How sure it is.
    pub standing: Standing,
    /// The result; that of the record where nothing decides.
    pub result: GameResult,
    /// What decides: `checkmate`, `stalemate`, `repetition`, `insufficient`,
    /// `clock`, `fouls` or `claim`.
    pub cause: Option<&'static str>,
    /// The side it is about.
    pub side: Option<Color>,
    /// The article that decides.
    pub article: Option<&'static str>,
    /// The ply at which it was decided.
    pub ply: Option<u32>,
    /// The recorded result.
    pub recorded: GameResult,
    /// Points that the arbiter has to decide.
    pub open: usize,
}

impl Verdict {
    /// Whether the recorded result agrees.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.standing != Standing::Decided || self.recorded == self.result
    }

    /// Why, in a few words.
    #[must_use]
    pub fn why(&self, lang: Lang) -> String {
        let reason = self.cause.unwrap_or(self.standing.name());
        let side = |name: &str| match (name, self.side) {
            ("side", Some(side)) => Some(side.name().to_owned()),
            _ => None,
        };
        catalogue::point("verdict", Some(reason), Part::Message, lang, &side).unwrap_or_default()
    }
}

/// Something that ends a game.
struct Event {
    ply: u32,
    result: GameResult,
    cause: &'static str,
    side: Option<Color>,
    article: &'static str,
}

/// What there is to weigh.
pub(super) struct Evidence<'a> {
    pub(super) line: &'a Line,
    pub(super) outcome: &'a Outcome,
    pub(super) recorded: GameResult,
    pub(super) clock: &'a ClockReport,
    pub(super) fouls: &'a [Counted],
    pub(super) claims: &'a [CheckedClaim],
    pub(super) points: &'a [Point],
}

/// Weighs it: the first event in the order of play decides.
pub(super) fn weigh(evidence: &Evidence<'_>) -> Verdict {
    let Evidence { line, outcome, recorded, .. } = *evidence;
    let end = line.len();
    let mut events: Vec<Event> = Vec::new();
    let by_board = match outcome.kind {
        OutcomeKind::Checkmate
        | OutcomeKind::Stalemate
        | OutcomeKind::Repetition
        | OutcomeKind::Insufficient => outcome.winner,
        _ => None,
    };
    if let Some(winner) = by_board {
        let result = match winner {
            Winner::Side(side) => GameResult::win(side),
            Winner::Draw => GameResult::Draw,
        };
        let article = outcome.article.unwrap_or("4.1.1");
        events.push(Event { ply: end, result, cause: outcome.kind.name(), side: None, article });
    }
    for side in Color::ALL {
        if let Some((control, ply, _, made)) = evidence.clock.sides[side.index()].overstepped()
            && !ends_game(line, side, ply)
        {
            let article = if control.need == Some(made) { "22.5" } else { "4.1.4" };
            let result = GameResult::win(side.other());
            events.push(Event { ply, result, cause: "clock", side: Some(side), article });
        }
    }
    if let Some((side, ply)) = lost(evidence.fouls) {
        let (result, ply) = (GameResult::win(side.other()), ply.unwrap_or(end));
        events.push(Event { ply, result, cause: "fouls", side: Some(side), article: "4.1.8" });
    }
    for claim in evidence.claims {
        let result = match claim.ruling {
            Ruling::Draw => GameResult::Draw,
            Ruling::Wins(side) => GameResult::win(side),
            _ => continue,
        };
        let (ply, side) = (claim.ply, Some(claim.claim.side));
        events.push(Event { ply, result, cause: "claim", side, article: claim.article });
    }
    events.sort_by_key(|event| event.ply);
    let decide = |point: &&Point| point.weight == Weight::Decide;
    let open = evidence.points.iter().filter(decide).count();
    let first = events.first();
    // A move against the rules, or a difference between the sheets, before
    // the event would make it another game.
    let before = |point: &&Point| {
        let doubt = point.code == "illegal-move"
            || point.code == "ambiguous-move" && point.candidates.len() > 1
            || point.code == "difference" && point.reason != Some("result");
        // A bare board ends nothing while a move is still to be explained.
        let after = |event: &Event| u32::from(event.cause == OutcomeKind::Insufficient.name());
        let early = |event: &Event| point.ply.is_none_or(|ply| ply <= event.ply + after(event));
        doubt && first.is_none_or(early)
    };
    let doubtful = evidence.points.iter().filter(decide).any(|point| before(&point));
    // A result that the board gives needs no choice between two that are
    // recorded.
    let pending = |point: &&Point| {
        let settled = first.is_some() && point.code == "result-mismatch";
        decide(point) && !settled && !settles_nothing(point)
    };
    let standing = match first {
        _ if doubtful => Standing::Open,
        Some(_) => Standing::Decided,
        None if evidence.points.iter().any(|point| pending(&point)) => Standing::Open,
        None if recorded == GameResult::Unknown => Standing::None,
        None => Standing::Recorded,
    };
    let event = first.filter(|_| standing == Standing::Decided);
    Verdict {
        standing,
        result: event.map_or(recorded, |event| event.result),
        cause: event.map(|event| event.cause),
        side: event.and_then(|event| event.side),
        article: event.map(|event| event.article),
        ply: event.map(|event| event.ply),
        recorded,
        open,
    }
}

/// Points that are to be decided and change no result: a foul that is not the
/// third, a claim after which the game goes on.
fn settles_nothing(point: &Point) -> bool {
    match (point.code, point.reason) {
        ("missing-moves-foul", _) => true,
        ("claim", reason) => {
            matches!(reason, Some("limit-wrong" | "loop-none" | "loop-change" | "too-late"))
        }
        _ => false,
    }
}
