//! The position in which the first move is played.

use super::ahead::belongs_to_other;
use super::findings::{Findings, place_of_span};
use super::token::{Heard, Script};
use super::work::Work;
use crate::board::{Color, Move, Position};
use crate::finding::{Code, Finding, Place, Severity};
use crate::record::{NodeId, Start, Written};

/// Where a game begins.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    /// The start position.
    pub(super) position: Position,
    /// Moves that the FEN itself lists (UCCI), before those of the record.
    pub(super) listed: Vec<Move>,
    /// Whether the start position says which round it is.
    pub(super) has_round: bool,
    /// Whether the moves may be played at all: not when the position could
    /// not be read.
    pub(super) playable: bool,
}

/// Decides the start position, and says what had to be decided.
pub(super) fn decide(script: &Script<'_>, findings: &mut Findings, work: &mut Work) -> Opening {
    let record = script.record;
    let mut opening = Opening {
        position: Position::start(),
        listed: Vec::new(),
        has_round: true,
        playable: true,
    };
    match &record.start {
        Start::Standard => return opening,
        Start::Fen { text, span } => {
            let place = place_of_span(record, *span);
            match Position::parse_fen(text) {
                Ok(parsed) => {
                    for note in parsed.notes {
                        findings.push(Finding::fen_note(place, note).text(text.as_str()));
                    }
                    opening.has_round = text.split_whitespace().count() >= 5;
                    opening.position = parsed.start;
                    opening.listed = parsed.moves;
                }
                Err(error) => {
                    let finding = Finding::bad_fen(place, &error).text(text.as_str());
                    return without_fen(script, opening, finding, findings, work);
                }
            }
            if opening.listed.is_empty()
                && let Some(found) = side_by_moves(script, &opening.position, work)
            {
                opening.position.set_side(found);
                findings.push(
                    Finding::new(Code::BadFen, place)
                        .reason("side-contradicts-moves")
                        .severity(Severity::Warning)
                        .param("side", found.name())
                        .text(text.as_str()),
                );
            }
            note_faults(&opening.position, place, findings);
        }
        Start::Board { position, side_known } => {
            opening.position = (**position).clone();
            opening.has_round = false;
            if let Some(found) = side_by_moves(script, &opening.position, work) {
                opening.position.set_side(found);
                let mut finding = Finding::new(Code::DialectRead, Place::WHOLE)
                    .reason("side-from-moves")
                    .param("side", found.name());
                if *side_known {
                    finding = finding.severity(Severity::Warning);
                }
                findings.push(finding);
            }
            if opening.position != Position::start() {
                note_faults(&opening.position, Place::WHOLE, findings);
            }
        }
    }
    opening
}

fn note_faults(position: &Position, place: Place, findings: &mut Findings) {
    for fault in position.faults() {
        findings.push(Finding::illegal_position(place, fault));
    }
}

/// A FEN that cannot be read. When every move of the line can be played from
/// the ordinary start position that is what it was; otherwise nothing is
/// played.
fn without_fen(
    script: &Script<'_>,
    mut opening: Opening,
    finding: Finding,
    findings: &mut Findings,
    work: &mut Work,
) -> Opening {
    let first = script.record.tree.first_child(NodeId::ROOT);
    let fits = first.is_some() && script.reach(&opening.position, first, work).complete;
    if fits {
        findings.push(finding.param("assumed", "startpos"));
    } else {
        findings.push(finding);
        opening.position = Position::empty();
        opening.playable = false;
    }
    opening
}

/// The side that must be to move although the position says the other one:
/// the first moves can be played for it, and not for the side of the
/// position.
fn side_by_moves(script: &Script<'_>, position: &Position, work: &mut Work) -> Option<Color> {
    let first = script.record.tree.first_child(NodeId::ROOT)?;
    let side = position.side();
    let written = script.record.tree.node(first).side;
    let heard = script.hear(first, position, position.in_check());
    let contradicted = written.is_some_and(|written| written != side);
    if !contradicted
        && matches!(
            heard,
            Heard::Legal { .. } | Heard::Ambiguous(_) | Heard::Missing | Heard::Placeholder
        )
    {
        return None;
    }
    if let Written::Squares { mv, .. } = script.record.tree.node(first).written {
        // The colour of the first piece that moves is the surest sign.
        let mover = position.piece_at(mv.from)?.color;
        return (mover != side).then_some(mover);
    }
    let mut turned = position.clone();
    turned.set_side(side.other());
    let here = script.reach(position, Some(first), work);
    let there = script.reach(&turned, Some(first), work);
    let marked =
        contradicted || matches!(heard, Heard::Illegal { reason, .. } if belongs_to_other(reason));
    let enough = there.plies >= 2 || there.plies == 1 && there.complete && marked;
    let better = there.beats(here) || contradicted && !here.beats(there);
    (enough && better).then_some(side.other())
}
