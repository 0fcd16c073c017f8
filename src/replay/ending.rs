//! The end of a game: what the board says, what the record says, and whether
//! the two agree.

use super::findings::place_of_span;
use super::line::Played;
use crate::board::{Color, Position, PositionKey};
use crate::finding::{Code, Finding, Place};
use crate::game::{GameResult, Headers, Outcome, OutcomeKind, Winner};
use crate::record::{Record, Span};
use crate::rules::{self, End};

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

/// Every loop in which a position stands for the third time, and who checks
/// in it without end. One look a ply when there is none.
pub(super) fn repetitions(start: &Position, played: &Played) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !stands_thrice(&played.keys) {
        return findings;
    }
    let times = |at: usize| {
        let earlier = played.keys.iter().take(at);
        earlier.filter(|key| **key == played.keys[at]).count() + 1
    };
    let checks = checks(start, played);
    let mut at = 0;
    while at < played.keys.len() {
        if times(at) < 3 {
            at += 1;
            continue;
        }
        let third = at;
        let mut most = 3;
        while at < played.keys.len() && times(at) >= 3 {
            most = most.max(times(at));
            at += 1;
        }
        let key = played.keys[third];
        let first = played.keys.iter().position(|earlier| *earlier == key).unwrap_or(0);
        let cycle = checks.get(first + 1..=third).unwrap_or(&[]);
        // Side 0 gives the checks of the first ply of the cycle, and so on.
        let all = |side: Color| cycle.iter().all(|(mover, check)| *mover != side || *check);
        let reason = match (all(Color::Red), all(Color::Black)) {
            (true, true) => Some(("perpetual-check-mutual", "24.2")),
            (true, false) => Some(("perpetual-check-red", "24.1")),
            (false, true) => Some(("perpetual-check-black", "24.1")),
            (false, false) => None,
        };
        let ply = |at: usize| at as u32 + played.keys_from;
        let mut finding = Finding::new(Code::Repetition, Place::WHOLE.ply(ply(third)))
            .param("times", most)
            .param("from", ply(first + 1))
            .param("to", ply(third));
        if let Some((reason, article)) = reason {
            finding = finding.reason(reason).article(article);
        }
        findings.push(finding);
    }
    findings
}

/// For each ply of the stretch of the main line without unknown half-moves:
/// who moved, and whether it gave check. The first entry is the position
/// before it.
fn checks(start: &Position, played: &Played) -> Vec<(Color, bool)> {
    let mut position = start.clone();
    let mut checks = vec![(position.side(), false)];
    for (at, node) in played.tree.main_line().enumerate() {
        let mover = position.side();
        played.tree.node(node).play_on(&mut position);
        if at >= played.keys_from as usize {
            checks.push((mover, position.in_check()));
        }
    }
    checks
}

/// Whether some position stands for the third time.
fn stands_thrice(keys: &[PositionKey]) -> bool {
    let mut filter = [0u64; 64];
    keys.iter().enumerate().any(|(at, key)| {
        let (word, bit) = (key.0 as usize / 64 % 64, key.0 % 64);
        let seen = filter[word] >> bit & 1 != 0;
        filter[word] |= 1 << bit;
        seen && keys.iter().take(at).filter(|earlier| *earlier == key).count() >= 2
    })
}
