//! The points of one sheet: what replay found, seen by the arbiter.

use super::line::Line;
use super::point::{Point, Weight};
use super::sheet::Sheet;
use crate::board::Color;
use crate::finding::{Code, Finding, Severity};

/// Places that are listed for copying out.
const LISTED: usize = 40;

/// Moves in a row that make a foul (article 7.1).
const FOUL_RUN: u32 = 4;

/// A run of moves that one side left unrecorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Whose moves are missing.
    pub(super) side: Color,
    /// The ply of the first and the last of them.
    pub(super) plies: (u32, u32),
    /// How many.
    pub(super) count: u32,
}

impl Run {
    /// One foul for every four in a row.
    pub(super) const fn fouls(&self) -> u32 {
        self.count / FOUL_RUN
    }
}

/// The points of a sheet, in the order of the record. Runs of unrecorded
/// moves become points of their own elsewhere, because the clock may excuse
/// them.
pub(super) fn points(sheet: &Sheet, number: usize, line: &Line) -> Vec<Point> {
    let findings = &sheet.game.findings;
    let mut points: Vec<Point> = findings
        .iter()
        .filter(|f| !matches!(f.code, Code::MissingMovesFoul | Code::NaturalLimit))
        .map(|finding| point(finding, line).sheet(number))
        .collect();
    points.extend(copy_out(sheet, line).map(|point| point.sheet(number)));
    if let Some(first) = sheet.game.unplayed.first() {
        let ends = findings.iter().any(|f| f.code == Code::MovesAfterEnd);
        if !ends {
            let shown: Vec<&str> =
                sheet.game.unplayed.iter().take(LISTED).map(String::as_str).collect();
            let text = if shown.is_empty() { first.clone() } else { shown.join(" ") };
            points.push(
                Point::new("unplayed", "7.3", Weight::Look)
                    .sheet(number)
                    .ply(line.len() + 1)
                    .param("count", sheet.game.unplayed.len())
                    .param("text", text),
            );
        }
    }
    points
}

/// The point of a finding.
fn point(finding: &Finding, line: &Line) -> Point {
    let by_severity = match finding.severity {
        Severity::Error => Weight::Decide,
        Severity::Warning => Weight::Look,
        Severity::Note => Weight::Note,
    };
    let (article, weight) = match (finding.code, finding.reason) {
        (Code::IllegalMove, Some("wrong-side" | "not-your-piece")) => ("7.3", Weight::Decide),
        (Code::IllegalMove, Some("generals-facing")) => ("4.1.2", Weight::Decide),
        (Code::IllegalMove, _) => ("4.1.6", Weight::Decide),
        (Code::AmbiguousMove | Code::DoubtfulMove | Code::InferredMove, _) => ("7.3", by_severity),
        (Code::UnreadableMove, _) => ("7.3", by_severity.max(Weight::Look)),
        (Code::MissingMove, _) => ("7.1", Weight::Look),
        (Code::NotationSlip | Code::DialectRead, _) => ("7.5", Weight::Note),
        (Code::MovesAfterEnd, Some("after-checkmate")) => ("4.1.1", Weight::Look),
        (Code::MovesAfterEnd, Some("after-stalemate")) => ("4.1.3", Weight::Look),
        (Code::MovesAfterEnd, _) => ("10.1", Weight::Look),
        (Code::ResultMismatch, Some("checkmate")) => ("4.1.1", Weight::Decide),
        (Code::ResultMismatch, Some("stalemate")) => ("4.1.3", Weight::Decide),
        (Code::ResultMismatch, _) => (finding.article.unwrap_or("10.1"), Weight::Decide),
        (Code::ResultMissing, _) => ("10.1", Weight::Look),
        (Code::BadHeader, _) => ("10.1", by_severity),
        (Code::Repetition, _) => (finding.article.unwrap_or("24"), Weight::Look),
        (Code::IllegalPosition, _) => ("5.8", Weight::Look),
        // The rest is about reading the sheet.
        _ => ("7.3", by_severity.max(Weight::Look)),
    };
    let article = super::articles::known(article).unwrap_or("7.3");
    let mut point = Point::new(finding.code.name(), article, weight);
    point.reason = finding.reason;
    if let (Code::Repetition, Some(reason)) = (finding.code, finding.reason) {
        // From the fourth time on the offender has lost.
        let lost = finding
            .params
            .iter()
            .any(|(name, value)| *name == "verdict" && value.ends_with("-loses"));
        point.reason = Some(match (reason, lost) {
            ("perpetual-attack-red", true) => "perpetual-attack-red-lost",
            ("perpetual-attack-black", true) => "perpetual-attack-black-lost",
            _ => reason,
        });
    }
    point.ply = finding.place.ply;
    point.side = side_of(finding, line);
    point.candidates.clone_from(&finding.candidates);
    point.proposal = proposal(finding);
    if weight < Weight::Note
        && let Some(ply) = finding.place.ply.filter(|_| is_of_a_move(finding.code))
    {
        point.position = Some(line.before(ply));
    }
    point.finding = Some(finding.clone());
    point
}

/// Whether the board before the ply helps.
const fn is_of_a_move(code: Code) -> bool {
    matches!(
        code,
        Code::IllegalMove
            | Code::AmbiguousMove
            | Code::DoubtfulMove
            | Code::UnreadableMove
            | Code::MissingMove
            | Code::InferredMove
    )
}

/// Whose move it is about: that of the ply, where there is one. A loop is
/// about the side that must change.
fn side_of(finding: &Finding, line: &Line) -> Option<Color> {
    let said = |name: &str| {
        let value = finding.params.iter().find(|(known, _)| *known == name).map(|(_, v)| v);
        Color::ALL.into_iter().find(|color| value.is_some_and(|v| v == color.name()))
    };
    match finding.code {
        Code::Repetition => Color::ALL
            .into_iter()
            .find(|color| finding.reason.is_some_and(|reason| reason.ends_with(color.name()))),
        Code::NaturalLimit | Code::ResultMismatch | Code::ResultMissing => None,
        _ => said("side").or_else(|| finding.place.ply.map(|ply| line.before(ply).side())),
    }
}

/// The move that is proposed: the only one, or the likeliest where they were
/// weighed and one is likelier than not.
fn proposal(finding: &Finding) -> Option<crate::board::Move> {
    let proposes = matches!(
        finding.code,
        Code::MissingMove
            | Code::UnreadableMove
            | Code::DoubtfulMove
            | Code::AmbiguousMove
            | Code::InferredMove
    );
    let first = finding.candidates.first().copied().filter(|_| proposes)?;
    let odds = finding.odds();
    let sure = finding.candidates.len() == 1 || odds.first().is_some_and(|odds| *odds > 0.5);
    sure.then_some(first)
}

/// The places of a sheet that have to be copied out (article 7.3).
fn copy_out(sheet: &Sheet, line: &Line) -> Option<Point> {
    let unclear = |finding: &&Finding| match finding.code {
        Code::UnreadableMove => finding.reason != Some("not-a-move"),
        Code::AmbiguousMove | Code::EncodingReplaced => true,
        _ => false,
    };
    let found: Vec<&Finding> = sheet.game.findings.iter().filter(unclear).collect();
    let first = found.first()?;
    let places: Vec<String> = found
        .iter()
        .take(LISTED)
        .map(|finding| match finding.place.ply {
            Some(ply) => {
                let round = line.before(ply).round();
                if finding.text.is_empty() {
                    format!("{round} ({ply})")
                } else {
                    format!("{round} ({ply}) {}", finding.text)
                }
            }
            None => finding.text.clone(),
        })
        .collect();
    let more = if found.len() > LISTED { " …" } else { "" };
    let mut point = Point::new("copy-out", "7.3", Weight::Look)
        .param("count", found.len())
        .param("places", places.join("; ") + more);
    if let Some(keeper) = sheet.keeper {
        point = point.side(keeper).param("keeper", keeper.name());
    }
    point.ply = first.place.ply;
    Some(point)
}

/// The runs of moves that each side left unrecorded: half-moves that are not
/// there at all. One that is there and cannot be read is not left out.
pub(super) fn runs(sheet: &Sheet, line: &Line) -> Vec<Run> {
    let missing: std::collections::BTreeSet<u32> = sheet
        .game
        .findings
        .iter()
        .filter(|finding| finding.code == Code::MissingMove)
        .filter_map(|finding| finding.place.ply)
        .collect();
    let mut runs = Vec::new();
    for side in Color::ALL {
        let mut open: Option<Run> = None;
        for (ply, _) in (1..).zip(&line.plies).filter(|(_, half)| half.side() == side) {
            if missing.contains(&ply) {
                let run = open.get_or_insert(Run { side, plies: (ply, ply), count: 0 });
                run.plies.1 = ply;
                run.count += 1;
            } else {
                runs.extend(open.take());
            }
        }
        runs.extend(open);
    }
    runs.sort_by_key(|run| run.plies);
    runs
}

/// How many moves a side left unrecorded, in how many runs.
pub(super) fn unrecorded(runs: &[Run], number: usize) -> Vec<Point> {
    let mut points = Vec::new();
    for side in Color::ALL {
        let own: Vec<&Run> = runs.iter().filter(|run| run.side == side).collect();
        let Some(longest) = own.iter().map(|run| run.count).max() else { continue };
        points.push(
            Point::new("unrecorded", "7.1", Weight::Note)
                .side(side)
                .sheet(number)
                .param("count", own.iter().map(|run| run.count).sum::<u32>())
                .param("runs", own.len())
                .param("longest", longest)
                .param("fouls", own.iter().map(|run| run.fouls()).sum::<u32>()),
        );
    }
    points
}
