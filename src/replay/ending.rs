//! The end of a game: what the board says, what the record says, and whether
//! the two agree.

use super::findings::{place, place_of_span};
use super::line::Played;
use crate::board::{Color, Move, Position};
use crate::finding::{Code, Finding, Place};
use crate::game::{GameResult, Headers, Outcome, OutcomeKind, Winner};
use crate::record::{Record, Span, Start};
use crate::rules::{self, End, LoopRuling, NaturalCounter, OpenPoint, RuleSet, Verdict};

/// The end of play on the main line by the board. `limit` tells whether the
/// natural limit stands there.
pub(super) fn outcome(played: &Played, limit: bool) -> Outcome {
    let limit = if limit { 0 } else { u32::MAX };
    let Some(end) = rules::end_of_game(&played.end.position, limit) else {
        return Outcome::default();
    };
    let (kind, winner) = match end {
        End::Checkmate { winner } => (OutcomeKind::Checkmate, Winner::Side(winner)),
        End::Stalemate { winner } => (OutcomeKind::Stalemate, Winner::Side(winner)),
        End::Insufficient => (OutcomeKind::Insufficient, Winner::Draw),
        End::NaturalLimit => (OutcomeKind::NaturalLimit, Winner::Draw),
    };
    Outcome { kind, winner: Some(winner), article: Some(end.article()) }
}

/// Compares result field, result token and board. The field stays the result
/// when both say something; `*` says nothing.
///
/// `outright`: a repetition that decides the game decides it without anybody
/// asking for a change (24.1).
pub(super) fn settle_result(
    record: &Record,
    headers: &mut Headers,
    field_states: bool,
    field_exists: bool,
    outcome: &Outcome,
    outright: bool,
    findings: &mut Vec<Finding>,
) {
    let token = record.result.as_ref();
    let at = place_of_span(record, token.map_or(Span::default(), |(_, span)| *span));
    let said = token.and_then(|(text, _)| GameResult::parse_start(text).map(|(said, _)| said));
    match (field_states, said) {
        (true, Some(said)) if said != GameResult::Unknown && said != headers.result => {
            findings.push(
                Finding::new(Code::ResultMismatch, at)
                    .reason("tag-and-token")
                    .text(token.map_or("", |(text, _)| text))
                    .param("recorded", headers.result)
                    .param("found", said),
            );
            headers.other.insert("ResultToken".to_owned(), said.code().to_owned());
        }
        (false, Some(said)) => headers.result = said,
        // A diagram without moves has no result to be missing.
        (false, None) if record.tree.is_empty() && record.start != Start::Standard => {}
        (false, None) => {
            let mut finding = Finding::new(Code::ResultMissing, at);
            if field_exists {
                finding = finding.reason("unfinished");
            }
            findings.push(finding);
        }
        _ => {}
    }
    let by_board = match (outcome.kind, outcome.winner) {
        (OutcomeKind::Checkmate | OutcomeKind::Stalemate, Some(Winner::Side(side))) => {
            GameResult::win(side)
        }
        (OutcomeKind::Repetition, Some(Winner::Side(side))) if outright => GameResult::win(side),
        _ => return,
    };
    if headers.result != GameResult::Unknown && headers.result != by_board {
        let mut finding = Finding::new(Code::ResultMismatch, at)
            .reason(outcome.kind.name())
            .param("recorded", headers.result)
            .param("found", by_board);
        if let Some(article) = outcome.article {
            finding = finding.article(article);
        }
        findings.push(finding);
    }
}

/// What the natural limit says to a game.
#[derive(Default)]
pub(super) struct Limit {
    /// Where it was reached for the first time.
    pub(super) finding: Option<Finding>,
    /// Whether it stands in the last position.
    pub(super) stands_at_end: bool,
}

/// The natural limit of so many rounds; of the checks of either side only ten
/// count (article 23.3).
pub(super) fn natural_limit(
    record: &Record,
    start: &Position,
    played: &Played,
    rounds: u32,
) -> Limit {
    let mut limit = Limit::default();
    if !played.limit_met && start.quiet_plies() / 2 < rounds {
        return limit;
    }
    let mut position = start.clone();
    let mut counter = NaturalCounter::default();
    let mut reached = counter.count(&position, None).reaches(rounds);
    for (ply, node) in (1..).zip(played.tree.main_line()) {
        played.tree.node(node).play_on(&mut position);
        counter.note(&position);
        reached = counter.count(&position, None).reaches(rounds);
        if reached && limit.finding.is_none() {
            let place = place_of_ply(record, played, ply);
            limit.finding = Some(Finding::new(Code::NaturalLimit, place).param("count", rounds));
        }
    }
    limit.stands_at_end = reached;
    limit
}

/// The place of the move that was played as a ply of the main line.
fn place_of_ply(record: &Record, played: &Played, ply: u32) -> Place {
    let node = played.tree.main_line().nth(ply.saturating_sub(1) as usize);
    let written = record.tree.main_line().find(|id| played.map.get(id.index()) == Some(&node));
    match (node, written) {
        (Some(_), Some(id)) => place(record, id, ply),
        _ => Place::WHOLE.ply(ply),
    }
}

/// Every loop in which a position stands for the third time, and what the
/// rules say to it; and the end of the game, where the last loop is one. One
/// look a ply when nothing repeats.
///
/// The flag tells whether that end stands by itself. A side that checks all the
/// time loses outright (24.1); any other has to change when the arbiter says so
/// (24.3), and no record tells whether he was ever asked before the players
/// agreed on a result.
pub(super) fn repetitions(
    record: &Record,
    start: &Position,
    played: &Played,
    set: RuleSet,
) -> (Vec<Finding>, Option<(Outcome, bool)>) {
    let keys = played.keys.as_slice();
    if !rules::stands_thrice(keys) {
        return (Vec::new(), None);
    }
    let place = |ply: u32| place_of_ply(record, played, played.keys_from + ply);
    let (position, moves) = stretch(start, played);
    let rulings = rules::rule_on_loops(&position, &moves, set);
    let outcome = rulings.last().and_then(|last| {
        let outcome = outcome_of(last, moves.len())?;
        let checks = |side: Color| last.checks[side.index()];
        let outright = matches!(last.verdict, Verdict::Loses(side) if checks(side));
        Some((outcome, outright))
    });
    let findings = rulings
        .iter()
        .map(|ruling| repetition(ruling, place(ruling.cycle.third_ply), played.keys_from))
        .collect();
    (findings, outcome)
}

/// The stretch of the main line after its last unknown half-move: the
/// position before it and its moves.
fn stretch(start: &Position, played: &Played) -> (Position, Vec<Move>) {
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(played.keys.len());
    for (at, node) in played.tree.main_line().enumerate() {
        let node = played.tree.node(node);
        if at < played.keys_from as usize {
            node.play_on(&mut position);
        } else {
            moves.extend(node.mv);
        }
    }
    (position, moves)
}

/// A loop in which the line breaks off ends the game where the rules decide
/// it then and there.
fn outcome_of(ruling: &LoopRuling, plies: usize) -> Option<Outcome> {
    let winner = match ruling.verdict {
        Verdict::Loses(side) => Winner::Side(side.other()),
        Verdict::Draw => Winner::Draw,
        _ => return None,
    };
    (ruling.cycle.until_ply as usize == plies).then_some(Outcome {
        kind: OutcomeKind::Repetition,
        winner: Some(winner),
        article: Some(ruling.article),
    })
}

fn repetition(ruling: &LoopRuling, place: Place, plies_before: u32) -> Finding {
    let cycle = ruling.cycle;
    if ruling.open == Some(OpenPoint::TooLong) {
        return Finding::new(Code::Repetition, place)
            .param("times", cycle.times)
            .reason("not-judged");
    }
    let mut finding = Finding::new(Code::Repetition, place)
        .param("times", cycle.times)
        .param("from", plies_before + cycle.from_ply)
        .param("to", plies_before + cycle.to_ply)
        .param("rules", ruling.rules)
        .param("verdict", ruling.verdict.name())
        .param("clause", ruling.article);
    let checks = |side: Color| ruling.checks[side.index()];
    let reason = match ruling.verdict {
        Verdict::Draw if checks(Color::Red) && checks(Color::Black) => {
            Some(("perpetual-check-mutual", "24.2"))
        }
        Verdict::Draw => Some(("draw", "24.2")),
        Verdict::Loses(side) | Verdict::MustChange(side) => Some(match (side, checks(side)) {
            (Color::Red, true) => ("perpetual-check-red", "24.1"),
            (Color::Black, true) => ("perpetual-check-black", "24.1"),
            (Color::Red, false) => ("perpetual-attack-red", "24.3"),
            (Color::Black, false) => ("perpetual-attack-black", "24.3"),
        }),
        Verdict::Undecided | Verdict::None => None,
    };
    if let Some((reason, article)) = reason {
        // The articles on what is to be done are those of the Chinese rules.
        let article = if ruling.rules.is_chinese() { article } else { ruling.article };
        finding = finding.reason(reason).article(article);
    }
    finding
}
