//! The end of a game: what the board says, what the record says, and whether
//! the two agree.

use super::findings::place_of_span;
use super::line::Played;
use crate::board::{Color, Position};
use crate::finding::{Code, Finding, Place};
use crate::game::{GameResult, Headers, Outcome, OutcomeKind, Winner};
use crate::record::{Record, Span};
use crate::rules::{self, Conduct, End, Judgement, RuleSet, Verdict};

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
    let place = place_of_span(record, token.map_or(Span::default(), |(_, span)| *span));
    let said = token.and_then(|(text, _)| GameResult::parse_start(text).map(|(said, _)| said));
    match (field_states, said) {
        (true, Some(said)) if said != GameResult::Unknown && said != headers.result => {
            findings.push(
                Finding::new(Code::ResultMismatch, place)
                    .reason("tag-and-token")
                    .text(token.map_or("", |(text, _)| text))
                    .param("recorded", headers.result)
                    .param("found", said),
            );
            headers.other.insert("ResultToken".to_owned(), said.code().to_owned());
        }
        (false, Some(said)) => headers.result = said,
        (false, None) => {
            let mut finding = Finding::new(Code::ResultMissing, place);
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
        _ => return,
    };
    if headers.result != GameResult::Unknown && headers.result != by_board {
        let mut finding = Finding::new(Code::ResultMismatch, place)
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
pub(super) fn natural_limit(played: &Played) -> Option<Finding> {
    let ply = played.limit_at?;
    Some(
        Finding::new(Code::NaturalLimit, Place::WHOLE.ply(ply))
            .param("count", rules::NATURAL_LIMIT),
    )
}

/// Every loop in which a position stands for the third time, and what the
/// rules say to it. One look a ply when there is none.
pub(super) fn repetitions(start: &Position, played: &Played, set: RuleSet) -> Vec<Finding> {
    if !rules::stands_thrice(&played.keys) {
        return Vec::new();
    }
    // The stretch of the main line without unknown half-moves.
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(played.keys.len());
    for (at, node) in played.tree.main_line().enumerate() {
        let node = played.tree.node(node);
        if at < played.keys_from as usize {
            node.play_on(&mut position);
        } else if let Some(mv) = node.mv {
            moves.push(mv);
        }
    }
    let judgements = rules::judge_all(&position, &moves, set);
    judgements.iter().filter_map(|judgement| repetition(judgement, played.keys_from)).collect()
}

fn repetition(judgement: &Judgement, plies_before: u32) -> Option<Finding> {
    let cycle = judgement.cycle?;
    let mut finding =
        Finding::new(Code::Repetition, Place::WHOLE.ply(plies_before + cycle.third_ply))
            .param("times", cycle.times)
            .param("from", plies_before + cycle.from_ply)
            .param("to", plies_before + cycle.to_ply)
            .param("rules", judgement.rules)
            .param("verdict", judgement.verdict.name())
            .param("clause", judgement.article);
    let checks = |side| judgement.conduct(side) == Conduct::PerpetualCheck;
    let reason = match judgement.verdict {
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
        let article = if judgement.rules.is_chinese() { article } else { judgement.article };
        finding = finding.reason(reason).article(article);
    }
    Some(finding)
}
