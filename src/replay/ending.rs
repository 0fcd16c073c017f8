//! The end of a game: what the board says, what the record says, and whether
//! the two agree.

use super::findings::{place, place_of_span};
use super::line::Played;
use crate::board::{Color, Move, Position};
use crate::finding::{Code, Finding, Place};
use crate::game::{GameResult, Headers, Outcome, OutcomeKind, Winner};
use crate::record::{Record, Span, Start};
use crate::rules::{self, End, LoopRuling, OpenPoint, RuleSet, Verdict};

/// The end of play on the main line by the board.
pub(super) fn outcome(played: &Played) -> Outcome {
    let Some(end) = rules::end_of_game(&played.end.position) else { return Outcome::default() };
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
pub(super) fn settle_result(
    record: &Record,
    headers: &mut Headers,
    field_states: bool,
    field_exists: bool,
    outcome: &Outcome,
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
        (
            OutcomeKind::Checkmate | OutcomeKind::Stalemate | OutcomeKind::Repetition,
            Some(Winner::Side(side)),
        ) => GameResult::win(side),
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

/// The natural limit, where it was reached.
pub(super) fn natural_limit(record: &Record, played: &Played) -> Option<Finding> {
    let ply = played.limit_at?;
    Some(
        Finding::new(Code::NaturalLimit, place_of_ply(record, played, ply))
            .param("count", rules::NATURAL_LIMIT),
    )
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
pub(super) fn repetitions(
    record: &Record,
    start: &Position,
    played: &Played,
    set: RuleSet,
) -> (Vec<Finding>, Option<Outcome>) {
    let keys = played.keys.as_slice();
    if !rules::stands_thrice(keys) {
        return (Vec::new(), None);
    }
    let place = |ply: u32| place_of_ply(record, played, played.keys_from + ply);
    let (position, moves) = stretch(start, played);
    let rulings = rules::rule_on_loops(&position, &moves, set);
    let outcome = rulings.last().and_then(|last| outcome_of(last, moves.len()));
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
