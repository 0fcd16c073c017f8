//! Claims (提和、待判): of a draw by the natural limit (23.3) and of a ruling
//! on a loop (24), checked at their ply.

use std::fmt;
use std::str::FromStr;

use super::clock::{ClockReport, shown};
use super::fouls::{side, split_ply};
use super::line::Line;
use super::point::{Point, Weight};
use crate::board::{Color, Position};
use crate::rules::{COUNTED_CHECKS, NaturalCount, RuleSet, Verdict, judge, natural_count};

/// Seconds that a wrong claim of the natural limit costs (article 23.3).
pub(super) const COST: u32 = 300;

/// What is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimKind {
    /// 自然限着
    NaturalLimit,
    /// 循环三次
    Repetition,
}

impl ClaimKind {
    /// `natural-limit` or `repetition`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ClaimKind::NaturalLimit => "natural-limit",
            ClaimKind::Repetition => "repetition",
        }
    }
}

/// One claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who claims.
    pub side: Color,
    /// What.
    pub kind: ClaimKind,
    /// After which ply; `None` at the end of the sheet.
    pub ply: Option<u32>,
}

/// The text is not a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a claim is SIDE:WHAT@PLY, such as red:natural-limit@120 or black:repetition@34; not `{0}`"
)]
pub struct ParseClaimError(String);

impl FromStr for Claim {
    type Err = ParseClaimError;

    fn from_str(text: &str) -> Result<Claim, ParseClaimError> {
        let read = || {
            let (rest, ply) = split_ply(text)?;
            let (who, what) = rest.split_once([':', '：'])?;
            let kind = match what.trim() {
                "natural-limit" | "limit" | "23.3" | "自然限着" => ClaimKind::NaturalLimit,
                "repetition" | "loop" | "24" | "重复" | "循环" => ClaimKind::Repetition,
                _ => return None,
            };
            Some(Claim { side: side(who)?, kind, ply })
        };
        read().ok_or_else(|| ParseClaimError(text.to_owned()))
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.side.name(), self.kind.name())?;
        self.ply.map_or(Ok(()), |ply| write!(f, "@{ply}"))
    }
}

/// What comes of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The game is drawn.
    Draw,
    /// A side wins.
    Wins(Color),
    /// Wrong; the game goes on.
    Wrong,
    /// No draw: this side must change.
    MustChange(Color),
    /// It cannot be told from what is there.
    Open,
}

impl Ruling {
    /// `draw`, `red-wins`, `black-wins`, `wrong`, `red-must-change`,
    /// `black-must-change` or `open`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Ruling::Draw => "draw",
            Ruling::Wins(Color::Red) => "red-wins",
            Ruling::Wins(Color::Black) => "black-wins",
            Ruling::Wrong => "wrong",
            Ruling::MustChange(Color::Red) => "red-must-change",
            Ruling::MustChange(Color::Black) => "black-must-change",
            Ruling::Open => "open",
        }
    }
}

/// A claim that was checked.
#[derive(Clone, Debug)]
pub struct CheckedClaim {
    /// The claim.
    pub claim: Claim,
    /// After which ply it was checked.
    pub ply: u32,
    /// What comes of it.
    pub ruling: Ruling,
    /// The count, for the natural limit.
    pub count: Option<NaturalCount>,
    /// Whether it costs a foul (article 9.1.4).
    pub foul: bool,
    /// The article that decides.
    pub article: &'static str,
    /// The point on the desk.
    pub point: Point,
}

/// Rounds without a capture that are certain at a ply, and at most.
fn counts(line: &Line, ply: u32, claimant: Option<Color>) -> (NaturalCount, NaturalCount) {
    let (start, moves, from) = line.known(ply);
    let most = natural_count(&start, &moves, claimant);
    if from == 0 {
        return (most, most);
    }
    // What was played before the last gap may have been a capture.
    let mut bare: Position = start;
    let round = bare.round();
    bare.set_counters(0, round);
    (natural_count(&bare, &moves, claimant), most)
}

/// The count at a ply, for whoever claims; certain rounds alone.
#[must_use]
pub fn count_at(line: &Line, ply: u32, claimant: Option<Color>) -> NaturalCount {
    counts(line, ply, claimant).0
}

/// Checks a claim.
#[must_use]
pub(super) fn check(
    claim: Claim,
    line: &Line,
    rules: RuleSet,
    limit: u32,
    clock: &ClockReport,
) -> CheckedClaim {
    let ply = claim.ply.unwrap_or(line.len());
    if ply > line.len() {
        let point =
            Point::new("claim", "24", Weight::Decide).case("too-late").param("plies", line.len());
        return done(claim, ply, Ruling::Open, "24", point);
    }
    match claim.kind {
        ClaimKind::NaturalLimit => natural_limit(claim, ply, line, limit, clock),
        ClaimKind::Repetition => repetition(claim, ply, line, rules),
    }
}

fn done(
    claim: Claim,
    ply: u32,
    ruling: Ruling,
    article: &'static str,
    point: Point,
) -> CheckedClaim {
    let mut point = point.side(claim.side).ply(ply);
    point.article = article;
    CheckedClaim { claim, ply, ruling, count: None, foul: false, article, point }
}

fn natural_limit(
    claim: Claim,
    ply: u32,
    line: &Line,
    limit: u32,
    clock: &ClockReport,
) -> CheckedClaim {
    let (certain, most) = counts(line, ply, Some(claim.side));
    let excess = certain.checks[claim.side.index()].saturating_sub(COUNTED_CHECKS);
    let mut point = Point::new("claim", "23.3", Weight::Decide)
        .param("counted", certain.counted)
        .param("limit", limit);
    if excess > 0 {
        point = point.param("rounds", certain.rounds).param("excess", excess);
    }
    if certain.reaches(limit) {
        let claimed = done(claim, ply, Ruling::Draw, "23.3", point.case("limit-right"));
        return CheckedClaim { count: Some(certain), ..claimed };
    }
    if most.reaches(limit) {
        let claimed = done(claim, ply, Ruling::Open, "23.3", point.case("limit-open"));
        return CheckedClaim { count: Some(certain), ..claimed };
    }
    let reading = clock.sides[claim.side.index()].at(ply);
    let mut ruling = Ruling::Wrong;
    point = point.case("limit-wrong");
    if let Some((used, left)) = reading.and_then(|r| r.used.zip(r.left)) {
        point = point.param("used", shown(used + COST)).param("allowed", shown(used + left));
        if left < COST {
            ruling = Ruling::Wins(claim.side.other());
            point = point.case("limit-wrong-lost");
        }
    }
    let claimed = done(claim, ply, ruling, "23.3", point);
    CheckedClaim { count: Some(certain), foul: true, ..claimed }
}

fn repetition(claim: Claim, ply: u32, line: &Line, rules: RuleSet) -> CheckedClaim {
    let (start, moves, _) = line.known(ply);
    let judged = judge(&start, &moves, rules);
    let times = judged.cycle.map_or(0, |cycle| cycle.times);
    // A loop that was left before the claim is no loop at the claim.
    let stands = judged.cycle.is_some_and(|cycle| cycle.until_ply as usize == moves.len());
    let mut point = Point::new("claim", "24", Weight::Decide)
        .param("times", times)
        .param("clause", judged.article);
    let chinese = rules.is_chinese();
    let (ruling, reason, article) = match judged.verdict {
        _ if !stands => (Ruling::Wrong, "loop-none", "24"),
        Verdict::None => (Ruling::Wrong, "loop-none", "24"),
        Verdict::Draw => (Ruling::Draw, "loop-draw", "24.2"),
        Verdict::MustChange(side) => {
            point = point.param("changer", side.name());
            (Ruling::MustChange(side), "loop-change", "24.3")
        }
        Verdict::Loses(loser) => {
            let winner = loser.other();
            point = point.param("winner", winner.name());
            let reason = if winner == claim.side { "loop-wins" } else { "loop-loses" };
            let checks = judged.conduct(loser) == crate::rules::Conduct::PerpetualCheck;
            (Ruling::Wins(winner), reason, if checks && chinese { "24.1" } else { "24.3" })
        }
        Verdict::Undecided => (Ruling::Open, "loop-open", "24"),
    };
    done(claim, ply, ruling, article, point.case(reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::line::Ply;

    fn line(fen: &str, round: &str, plies: usize) -> Line {
        let mut position: Position = fen.parse().unwrap();
        let start = position.clone();
        let mut half = Vec::new();
        for mv in round.split(' ').cycle().take(plies) {
            let mv = mv.parse().unwrap();
            position.legality(mv).unwrap();
            half.push(Ply { before: position.clone(), mv: Some(mv), assumed: None });
            position.make(mv);
        }
        Line { start, plies: half }
    }

    fn ruled(text: &str, line: &Line, limit: u32) -> (&'static str, &'static str, bool) {
        let claim: Claim = text.parse().unwrap();
        let checked = check(claim, line, RuleSet::Cn1999, limit, &ClockReport::default());
        (checked.ruling.name(), checked.article, checked.foul)
    }

    const BARE: &str = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
    const QUIET: &str = "e1a1 d9d8 a1e1 d8d9";

    #[test]
    fn the_natural_limit_is_counted() {
        let line = line(BARE, QUIET, 120);
        assert_eq!(ruled("red:natural-limit", &line, 60), ("draw", "23.3", false));
        assert_eq!(ruled("red:limit@119", &line, 60), ("wrong", "23.3", true));
        assert_eq!(ruled("black:23.3@100", &line, 50), ("draw", "23.3", false));
    }

    #[test]
    fn ten_checks_of_the_claimant_count() {
        let fen = "3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1";
        let line = line(fen, "d9e9 d4e4 e9d9 e4d4", 124);
        assert_eq!(ruled("red:limit", &line, 60).0, "wrong");
        assert_eq!(ruled("black:limit", &line, 60).0, "draw");
    }

    #[test]
    fn a_gap_leaves_the_count_open() {
        let mut line = line(BARE, QUIET, 120);
        line.plies[10].assumed = line.plies[10].mv.take();
        assert_eq!(ruled("red:limit", &line, 60).0, "open");
        assert_eq!(ruled("red:limit", &line, 54).0, "draw", "109 plies are certain");
        assert_eq!(ruled("red:limit@60", &line, 60).0, "wrong", "at most 30 rounds");
    }

    #[test]
    fn loops_are_ruled_on_at_their_ply() {
        let fen = "5k3/9/9/9/5R3/9/9/9/9/3K5 b - - 0 1";
        let checks = line(fen, "f9e9 f5e5 e9f9 e5f5", 8);
        assert_eq!(ruled("black:repetition", &checks, 60), ("black-wins", "24.1", false));
        assert_eq!(ruled("red:repetition", &checks, 60).0, "black-wins");
        assert_eq!(ruled("black:repetition@7", &checks, 60).0, "wrong");
        let chase = line("5k3/9/9/2c6/9/9/2R6/9/9/4K4 b - - 0 1", "c6g6 c3g3 g6c6 g3c3", 8);
        assert_eq!(ruled("black:24", &chase, 60), ("red-must-change", "24.3", false));
        let idle = line("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1", "f0f1 d9d8 f1f0 d8d9", 8);
        assert_eq!(ruled("red:loop", &idle, 60), ("draw", "24.2", false));
    }

    #[test]
    fn claims_are_read_as_they_are_written() {
        let text = "red:natural-limit@120";
        assert_eq!(text.parse::<Claim>().unwrap().to_string(), text);
        for bad in ["red", "red:win", "red:limit@0", "x:limit", ""] {
            assert!(bad.parse::<Claim>().is_err(), "{bad}");
        }
    }
}
