//! The arbiter's questions (裁判): what one or two score sheets leave to be
//! decided, with the article for each point; fouls, clocks, claims, touched
//! pieces. It knows nothing of screens.

mod align;
mod articles;
mod claims;
mod clock;
mod controls;
mod ending;
mod findings;
mod fouls;
mod line;
mod merge;
mod plan;
mod point;
mod rows;
mod sheet;
mod tokens;
mod touch;
mod verdict;

pub use align::Says;
pub use articles::{all as articles, gist, named_in};
pub use claims::{CheckedClaim, Claim, ClaimKind, ParseClaimError, Ruling, count_at};
pub use clock::{
    ClockOptions, ClockReport, ControlReport, Kept, ParseReadsError, Reading, Reads, SideClock,
    seconds, shown,
};
pub use fouls::{Counted, Foul, FoulSource, MOST_FOULS, ParseFoulError};
pub use line::{Line, Ply, named};
pub use plan::{Control, Plan, PlanError, SidePlan, Title};
pub use point::{Point, Weight};
pub use rows::{Fate, Merged, Row, RowEntry, Witness};
pub use sheet::{MOST_SHEETS, Sheet, SheetFile, Word, WordKind, read_sheets};
pub use touch::{BoundStep, Duty, ParseTouchedError, TouchError, TouchRuling, Touched, touch};
pub use verdict::{Standing, Verdict};

use crate::board::{Color, Move, Position};
use crate::finding::Code;
use crate::game::{GameResult, Outcome, OutcomeKind, Winner};
use crate::rules::{
    Conduct, Judgement, NaturalCount, NaturalCounter, RuleSet, judge_all, stands_thrice,
};
use findings::Run;
use merge::Comparison;

/// What is known beside the sheets.
#[derive(Clone, Debug)]
pub struct AuditOptions {
    /// The rules that judge repetition.
    pub rules: RuleSet,
    /// Rounds without a capture that make the natural limit (article 4.2.4).
    pub limit: u32,
    /// The clocks.
    pub clock: ClockOptions,
    /// Fouls that were announced.
    pub fouls: Vec<Foul>,
    /// Claims that were made.
    pub claims: Vec<Claim>,
}

impl Default for AuditOptions {
    fn default() -> AuditOptions {
        AuditOptions {
            rules: RuleSet::default(),
            limit: RuleSet::default().natural_limit(),
            clock: ClockOptions::default(),
            fouls: Vec::new(),
            claims: Vec::new(),
        }
    }
}

/// The arbiter's report.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The sheet or sheets.
    pub sheets: Vec<Sheet>,
    /// The game that is judged.
    pub line: Line,
    /// Two sheets laid together: a row for each half-move of the line.
    pub merged: Option<Merged>,
    /// What the arbiter has to know, the gravest first, then by ply.
    pub points: Vec<Point>,
    /// The running count of fouls.
    pub fouls: Vec<Counted>,
    /// The clocks.
    pub clock: ClockReport,
    /// The claims.
    pub claims: Vec<CheckedClaim>,
    /// Every loop of the last stretch without a gap, and how many plies come
    /// before that stretch.
    pub loops: Vec<Judgement>,
    /// The plies before the stretch of the loops.
    pub loops_from: u32,
    /// The count towards the natural limit at the end, whoever claims.
    pub count: NaturalCount,
    /// The verdict.
    pub verdict: Verdict,
    /// Under these rules.
    pub rules: RuleSet,
    /// Rounds of the natural limit.
    pub limit: u32,
}

/// Goes through a sheet.
#[must_use]
pub fn audit(sheet: Sheet, options: &AuditOptions) -> Audit {
    let line = Line::of(&sheet.game);
    let mut points = findings::points(&sheet, 1, &line);
    let runs = findings::runs(&sheet, &line);
    points.extend(findings::unrecorded(&runs, 1));
    let desk = Desk { sheets: vec![sheet], line, merged: None, points, runs: vec![runs] };
    desk.finish(options)
}

/// Goes through the sheets of both players.
#[must_use]
pub fn audit_both(first: Sheet, second: Sheet, options: &AuditOptions) -> Audit {
    let Comparison { merged, line, mut points, runs } = merge::compare(&first, &second);
    for (number, sheet) in [(1, &first), (2, &second)] {
        let own = Line::of(&sheet.game);
        let found = findings::points(sheet, number, &own);
        let before = found.len();
        let kept: Vec<Point> =
            found.into_iter().filter_map(|point| beside(point, &merged)).collect();
        let settled = before - kept.len();
        points.extend(kept);
        if settled > 0 {
            let point = Point::new("settled", "7.3", Weight::Note).sheet(number);
            points.push(point.param("count", settled));
        }
    }
    for (number, runs) in (1..).zip(&runs) {
        points.extend(findings::unrecorded(runs, number));
    }
    let desk = Desk { sheets: vec![first, second], line, merged: Some(merged), points, runs };
    desk.finish(options)
}

/// A point of one sheet, beside the other sheet; `None` where both together
/// settle it. What the board says is judged on the game that both give.
fn beside(mut point: Point, merged: &Merged) -> Option<Point> {
    let of_a_move = matches!(
        point.code,
        "illegal-move"
            | "ambiguous-move"
            | "doubtful-move"
            | "unreadable-move"
            | "missing-move"
            | "unplayed"
    );
    if of_a_move {
        point.weight = point.weight.max(Weight::Look);
        return Some(point).filter(|point| !merged.settles(point.ply));
    }
    if matches!(point.code, "repetition" | "natural-limit" | "copy-out") {
        point.weight = Weight::Note;
    }
    Some(point)
}

/// What was gathered from the sheets.
struct Desk {
    sheets: Vec<Sheet>,
    line: Line,
    merged: Option<Merged>,
    points: Vec<Point>,
    /// Moves left unrecorded, by sheet.
    runs: Vec<Vec<Run>>,
}

impl Desk {
    fn finish(self, options: &AuditOptions) -> Audit {
        let Desk { sheets, line, merged, mut points, runs } = self;
        let Some(first) = sheets.first() else { return nothing(line, options) };
        let clock = clock::clocks(&first.game, &line, &options.clock);
        points.extend(controls::points(&clock, &line));
        for (number, sheet) in (1..).zip(&sheets) {
            points.extend(ending::points(sheet, number, &line, &clock));
        }
        let mut fouls: Vec<(Foul, FoulSource)> =
            options.fouls.iter().map(|foul| (foul.clone(), FoulSource::Announced)).collect();
        for sheet in &sheets {
            for foul in fouls::noted(sheet) {
                if !fouls.iter().any(|(known, _)| *known == foul) {
                    fouls.push((foul, FoulSource::Sheet));
                }
            }
        }
        for (number, runs) in (1..).zip(&runs) {
            let keeper = sheets.get(number - 1).and_then(|sheet| sheet.keeper);
            for run in runs.iter().filter(|run| run.fouls() > 0) {
                points.push(unrecorded(run, number, keeper, &clock, &line, &mut fouls));
            }
        }
        let claims: Vec<CheckedClaim> = options
            .claims
            .iter()
            .map(|claim| claims::check(*claim, &line, options.rules, options.limit, &clock))
            .collect();
        for claim in &claims {
            points.push(claim.point.clone());
            let foul = Foul { side: claim.claim.side, article: "9.1.4", ply: Some(claim.ply) };
            if claim.foul && !fouls.iter().any(|(known, _)| same(known, &foul)) {
                fouls.push((foul, FoulSource::Claim));
            }
        }
        points.extend(limit_reached(&line, options.limit));
        let fouls = fouls::count(fouls);
        points.extend(fouls::points(&fouls));
        points.sort_by_key(|point| (point.weight, point.ply.unwrap_or(u32::MAX)));
        let (start, moves, loops_from) = line.known(line.len());
        let keys = keys(&start, &moves);
        let loops = if stands_thrice(&keys) {
            judge_all(&start, &moves, options.rules)
        } else {
            Vec::new()
        };
        let mut results = sheets.iter().map(|sheet| sheet.game.headers.result);
        let known = results.find(|result| *result != GameResult::Unknown);
        let recorded = known.unwrap_or_default();
        let by_board = match &merged {
            Some(_) => outcome(&line, &loops, &moves, options.limit),
            None => first.game.outcome.clone(),
        };
        let outcome = believed(&by_board, recorded, loops.last());
        let verdict = verdict::weigh(&verdict::Evidence {
            line: &line,
            outcome: &outcome,
            recorded,
            clock: &clock,
            fouls: &fouls,
            claims: &claims,
            points: &points,
        });
        Audit {
            count: count_at(&line, line.len(), None),
            sheets,
            line,
            merged,
            points,
            fouls,
            clock,
            claims,
            loops,
            loops_from,
            verdict,
            rules: options.rules,
            limit: options.limit,
        }
    }
}

/// The end by the board of a line that both sheets give.
fn outcome(line: &Line, loops: &[Judgement], moves: &[Move], limit: u32) -> Outcome {
    use crate::rules::{End, Verdict, end_of_game};
    let won = |side| Some(Winner::Side(side));
    if let Some(end) = end_of_game(&line.last(), limit) {
        let (kind, winner) = match end {
            End::Checkmate { winner } => (OutcomeKind::Checkmate, won(winner)),
            End::Stalemate { winner } => (OutcomeKind::Stalemate, won(winner)),
            End::Insufficient => (OutcomeKind::Insufficient, Some(Winner::Draw)),
            End::NaturalLimit => (OutcomeKind::NaturalLimit, Some(Winner::Draw)),
        };
        return Outcome { kind, winner, article: Some(end.article()) };
    }
    let Some(last) = loops.last() else { return Outcome::default() };
    let ends = last.cycle.is_some_and(|cycle| cycle.until_ply as usize == moves.len());
    let winner = match last.verdict {
        Verdict::Loses(side) => won(side.other()),
        Verdict::Draw => Some(Winner::Draw),
        _ => None,
    };
    match winner.filter(|_| ends) {
        None => Outcome::default(),
        winner => Outcome { kind: OutcomeKind::Repetition, winner, article: Some(last.article) },
    }
}

/// The end by the board, but for a loop in which a side should have changed
/// (24.3) where a draw is recorded: the players may have agreed on it before
/// anybody asked for a ruling.
fn believed(outcome: &Outcome, recorded: GameResult, last: Option<&Judgement>) -> Outcome {
    let must_change = last.is_some_and(|judged| match judged.verdict {
        crate::rules::Verdict::Loses(side) => judged.conduct(side) != Conduct::PerpetualCheck,
        _ => false,
    });
    let loop_ended = outcome.kind == OutcomeKind::Repetition;
    if loop_ended && must_change && recorded == GameResult::Draw {
        Outcome::default()
    } else {
        outcome.clone()
    }
}

/// The report on no sheet at all.
fn nothing(line: Line, options: &AuditOptions) -> Audit {
    let none = Outcome::default();
    let clock = ClockReport::default();
    let verdict = verdict::weigh(&verdict::Evidence {
        line: &line,
        outcome: &none,
        recorded: GameResult::Unknown,
        clock: &clock,
        fouls: &[],
        claims: &[],
        points: &[],
    });
    Audit {
        count: count_at(&line, 0, None),
        sheets: Vec::new(),
        line,
        merged: None,
        points: Vec::new(),
        fouls: Vec::new(),
        clock,
        claims: Vec::new(),
        loops: Vec::new(),
        loops_from: 0,
        verdict,
        rules: options.rules,
        limit: options.limit,
    }
}

fn keys(start: &Position, moves: &[Move]) -> Vec<crate::board::PositionKey> {
    let mut position = start.clone();
    let mut keys = vec![position.key()];
    for mv in moves {
        position.make(*mv);
        keys.push(position.key());
    }
    keys
}

/// Whether two fouls are one: announced under 9.1.7 or 7.1, with or without
/// its ply.
fn same(one: &Foul, other: &Foul) -> bool {
    let article = |foul: &Foul| if foul.article == "7.1" { "9.1.7" } else { foul.article };
    let ply = one.ply.is_none() || other.ply.is_none() || one.ply == other.ply;
    one.side == other.side && article(one) == article(other) && ply
}

/// A run of unrecorded moves that is long enough: its point, and the fouls
/// that it makes unless the clock excuses it.
fn unrecorded(
    run: &Run,
    number: usize,
    keeper: Option<Color>,
    clock: &ClockReport,
    line: &Line,
    fouls: &mut Vec<(Foul, FoulSource)>,
) -> Point {
    // Who kept the sheet left them out; where that is not known, the side
    // whose moves are missing is named.
    let side = keeper.unwrap_or(run.side);
    let left = clock.sides[side.index()].left_around(run.plies.0);
    let code = Code::MissingMovesFoul.name();
    let mut point = Point::new(code, "7.1", Weight::Decide)
        .side(side)
        .sheet(number)
        .ply(run.plies.0)
        .param("count", run.count)
        .param("fouls", run.fouls());
    point.position = Some(line.before(run.plies.0));
    if let Some(left) = left {
        point = point.param("left", shown(left));
    }
    match left {
        Some(left) if left < clock::SHORT => {
            point.article = "7.2";
            point.weight = Weight::Look;
            return point.case("short-of-time");
        }
        Some(_) => point = point.case("enough-time"),
        None => {}
    }
    // An announced foul covers one that is counted here.
    let announced = |foul: &Foul| {
        let unrecorded = matches!(foul.article, "7.1" | "9.1.7");
        let within = foul.ply.is_none_or(|ply| ply >= run.plies.0);
        foul.side == side && unrecorded && within
    };
    let covered =
        fouls.iter().filter(|(foul, source)| source.is_certain() && announced(foul)).count() as u32;
    for _ in covered..run.fouls() {
        let foul = Foul { side, article: "9.1.7", ply: Some(run.plies.1) };
        fouls.push((foul, FoulSource::Unrecorded));
    }
    point
}

/// The first ply at which the natural limit was reached, whoever claims: as
/// [`count_at`] counts, in one walk. Nothing is claimed by it.
fn limit_reached(line: &Line, limit: u32) -> Option<Point> {
    let mut counter = NaturalCounter::default();
    let mut certain = true;
    for (ply, half) in (1..).zip(&line.plies) {
        let after = half.after();
        counter.note(&after);
        certain &= half.mv.is_some();
        if half.mv.is_some() && after.quiet_plies() == 0 {
            certain = true;
        }
        let count = counter.count(&after, None);
        if certain && count.reaches(limit) {
            let point = Point::new(Code::NaturalLimit.name(), "23.3", Weight::Look)
                .case("counted")
                .ply(ply)
                .param("counted", count.counted)
                .param("limit", limit);
            return Some(point);
        }
    }
    None
}

/// The legal moves as a person looks for them: by file, then rank.
#[must_use]
pub fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_key(|mv| (mv.from.file(), mv.from.rank(), mv.to.file(), mv.to.rank()));
    moves
}
