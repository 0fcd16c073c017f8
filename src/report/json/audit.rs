//! `audit --json`.

use serde::Serialize;

use super::{GAP, GameJson, JudgeJson, OutcomeJson};
use crate::audit::{
    Audit, CheckedClaim, ControlReport, Counted, Kept, Merged, Point, Reading, Row, Sheet,
    SideClock, Verdict,
};
use crate::board::Color;
use crate::finding::Lang;
use crate::game::Winner;
use crate::report::audit::loop_positions;
use crate::report::moves::chinese;

/// The arbiter's report.
#[derive(Clone, Debug, Serialize)]
pub struct AuditJson<'a> {
    /// Version of the program.
    pub qipu: &'static str,
    /// The rule set.
    pub rules: &'static str,
    /// The files, so that the report can be repeated.
    pub inputs: Vec<InputJson<'a>>,
    /// The sheets, as `check` prints them.
    pub sheets: Vec<GameJson<'a>>,
    /// What the arbiter has to know, the gravest first.
    pub points: Vec<PointJson>,
    /// The running count of fouls.
    pub fouls: Vec<FoulJson>,
    /// The clocks; null where nothing is known.
    pub clock: Option<ClockJson<'a>>,
    /// The claims.
    pub claims: Vec<ClaimJson>,
    /// The loops of the game.
    pub loops: Vec<JudgeJson>,
    /// The count towards the natural limit at the end.
    pub natural_limit: CountJson,
    /// The game that both sheets give; absent with one sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<MergedJson<'a>>,
    /// The verdict.
    pub verdict: VerdictJson,
}

/// Two sheets laid together.
#[derive(Clone, Debug, Serialize)]
pub struct MergedJson<'a> {
    /// The moves in ICCS, `--` for a half-move that neither sheet has.
    pub moves: Vec<String>,
    /// The moves in Chinese notation.
    pub chinese: Vec<String>,
    /// Half-moves on which both sheets agree.
    pub agreed: usize,
    /// A row for each half-move.
    pub rows: Vec<RowJson<'a>>,
}

/// One half-move of two sheets.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RowJson<'a> {
    /// Ply from 1.
    pub ply: usize,
    /// What the first sheet has.
    pub first: &'a str,
    /// `same`, `differs`, `omits`, `blank`, `swapped` or `ended`.
    pub first_says: &'static str,
    /// What the second sheet has.
    pub second: &'a str,
    /// As `first_says`.
    pub second_says: &'static str,
    /// `both`, `first`, `second` or `neither`.
    pub witness: &'static str,
    /// `agreed`, `filled`, `read`, `decided`, `open`, `swapped`, `alone` or
    /// `missing`.
    pub fate: &'static str,
}

/// An input.
#[derive(Clone, Debug, Serialize)]
pub struct InputJson<'a> {
    /// Path as it was given.
    pub path: &'a str,
    /// Number of the game in the file.
    pub game: u32,
    /// SHA-256 of the whole file.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
    /// Who kept the sheet, where that is known.
    pub keeper: Option<&'static str>,
}

/// One point. Keys without a value are null.
#[derive(Clone, Debug, Serialize)]
pub struct PointJson {
    /// The article that decides.
    pub article: &'static str,
    /// `red` or `black`.
    pub side: Option<&'static str>,
    /// Ply from 1.
    pub ply: Option<u32>,
    /// Finding code, or the name of an arbiter's own question.
    pub code: &'static str,
    /// The special case.
    pub reason: Option<&'static str>,
    /// `decide`, `look` or `note`.
    pub weight: &'static str,
    /// The sheet, from 1; null for the game as a whole.
    pub sheet: Option<usize>,
    /// What there is.
    pub message: String,
    /// What the arbiter has to do.
    pub decision: String,
    /// The move that is proposed, ICCS.
    pub proposal: Option<String>,
    /// Moves that could be meant.
    pub candidates: Vec<String>,
    /// The position before the ply.
    pub fen: Option<String>,
}

/// One foul.
#[derive(Clone, Debug, Serialize)]
pub struct FoulJson {
    /// Whose.
    pub side: &'static str,
    /// The article.
    pub article: &'static str,
    /// Its ply, or null.
    pub ply: Option<u32>,
    /// `announced`, `sheet`, `claim` or `unrecorded`.
    pub source: &'static str,
    /// Whether it counts without a ruling.
    pub certain: bool,
    /// The side's fouls with this one; three lose.
    pub number: u32,
}

/// The clocks.
#[derive(Clone, Debug, Serialize)]
pub struct ClockJson<'a> {
    /// Name of the plan, or null.
    pub plan: Option<&'a str>,
    /// What it says.
    pub title: Option<&'a str>,
    /// Red's clock.
    pub red: SideClockJson<'a>,
    /// Black's clock.
    pub black: SideClockJson<'a>,
}

/// One clock. Times are in seconds.
#[derive(Clone, Debug, Serialize)]
pub struct SideClockJson<'a> {
    /// What the times on the sheet tell: `used`, `left` or `each`.
    pub reads: Option<&'static str>,
    /// Used at the end.
    pub used: Option<u32>,
    /// The readings.
    pub readings: Vec<ReadingJson>,
    /// Readings that were left out, as written.
    pub disorder: &'a [String],
    /// The controls.
    pub controls: Vec<ControlJson>,
}

/// A reading.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ReadingJson {
    /// Ply of the last move before it.
    pub ply: u32,
    /// Moves of the side.
    pub made: u32,
    /// Seconds used.
    pub used: Option<u32>,
    /// Seconds left in the control.
    pub left: Option<u32>,
}

/// A control.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ControlJson {
    /// From 1.
    pub number: u32,
    /// The move that meets it.
    pub moves: Option<u32>,
    /// Seconds that may have been used until then.
    pub seconds: u32,
    /// `met`, `overstepped`, `running` or `unknown`.
    pub status: &'static str,
    /// The ply at which it was met or overstepped.
    pub ply: Option<u32>,
    /// Seconds used by the reading that tells.
    pub used: Option<u32>,
}

/// A claim.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimJson {
    /// Who claims.
    pub side: &'static str,
    /// `natural-limit` or `repetition`.
    pub kind: &'static str,
    /// After which ply.
    pub ply: u32,
    /// `draw`, `red-wins`, `black-wins`, `wrong`, `red-must-change`,
    /// `black-must-change` or `open`.
    pub ruling: &'static str,
    /// The article.
    pub article: &'static str,
    /// Whether it costs a foul.
    pub foul: bool,
    /// Rounds that count, for the natural limit.
    pub counted: Option<u32>,
}

/// The count towards the natural limit.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CountJson {
    /// Rounds without a capture.
    pub rounds: u32,
    /// Rounds that count.
    pub counted: u32,
    /// Rounds that are needed.
    pub limit: u32,
}

/// The verdict.
#[derive(Clone, Debug, Serialize)]
pub struct VerdictJson {
    /// `decided`, `recorded`, `open` or `none`.
    pub status: &'static str,
    /// The result.
    pub result: &'static str,
    /// `red`, `black`, `draw` or null.
    pub winner: Option<&'static str>,
    /// What decides, or null.
    pub cause: Option<&'static str>,
    /// The article that decides, or null.
    pub article: Option<&'static str>,
    /// The ply at which it was decided, or null.
    pub ply: Option<u32>,
    /// The recorded result.
    pub recorded: &'static str,
    /// Whether the record agrees.
    pub agrees: bool,
    /// Points that are to be decided.
    pub open: usize,
    /// Why, in a few words.
    pub why: String,
}

impl<'a> AuditJson<'a> {
    /// Describes a report, with messages in `lang`.
    #[must_use]
    pub fn new(audit: &'a Audit, lang: Lang) -> AuditJson<'a> {
        let clock = &audit.clock;
        let loops = audit.loops.iter().map(|judged| {
            let outcome = OutcomeJson { kind: "none", winner: None, article: None };
            JudgeJson::new(judged, &loop_positions(audit, judged), outcome, lang)
        });
        AuditJson {
            qipu: env!("CARGO_PKG_VERSION"),
            rules: audit.rules.name(),
            inputs: audit.sheets.iter().map(InputJson::new).collect(),
            sheets: audit
                .sheets
                .iter()
                .map(|sheet| GameJson::new(&sheet.path, &sheet.game, lang))
                .collect(),
            points: audit.points.iter().map(|point| PointJson::new(point, lang)).collect(),
            fouls: audit.fouls.iter().map(FoulJson::new).collect(),
            clock: (!clock.is_empty()).then(|| ClockJson {
                plan: clock.plan.as_ref().map(|plan| plan.name.as_str()),
                title: clock.plan.as_ref().map(|plan| plan.title(lang)),
                red: SideClockJson::new(&clock.sides[0]),
                black: SideClockJson::new(&clock.sides[1]),
            }),
            claims: audit.claims.iter().map(ClaimJson::new).collect(),
            loops: loops.collect(),
            natural_limit: CountJson {
                rounds: audit.count.rounds,
                counted: audit.count.counted,
                limit: audit.limit,
            },
            merged: audit.merged.as_ref().map(|merged| MergedJson::new(merged, audit)),
            verdict: VerdictJson::new(&audit.verdict, lang),
        }
    }
}

impl<'a> MergedJson<'a> {
    fn new(merged: &'a Merged, audit: &Audit) -> MergedJson<'a> {
        let plies = || audit.line.plies.iter();
        let gap = || GAP.to_owned();
        let row = |(ply, row): (usize, &'a Row)| RowJson {
            ply,
            first: &row.entries[0].text,
            first_says: row.entries[0].says.name(),
            second: &row.entries[1].text,
            second_says: row.entries[1].says.name(),
            witness: row.witness.name(),
            fate: row.fate.name(),
        };
        MergedJson {
            moves: plies().map(|ply| ply.mv.map_or_else(gap, |mv| mv.to_string())).collect(),
            chinese: plies()
                .map(|ply| ply.mv.map_or_else(gap, |mv| chinese(mv, &ply.before)))
                .collect(),
            agreed: merged.agreed(),
            rows: (1..).zip(&merged.rows).map(row).collect(),
        }
    }
}

impl<'a> InputJson<'a> {
    fn new(sheet: &'a Sheet) -> InputJson<'a> {
        InputJson {
            path: &sheet.path,
            game: sheet.game.origin.game,
            sha256: sheet.sha256.to_string(),
            bytes: sheet.bytes,
            keeper: sheet.keeper.map(Color::name),
        }
    }
}

impl PointJson {
    fn new(point: &Point, lang: Lang) -> PointJson {
        PointJson {
            article: point.article,
            side: point.side.map(Color::name),
            ply: point.ply,
            code: point.code,
            reason: point.reason,
            weight: point.weight.name(),
            sheet: point.sheet,
            message: point.message(lang),
            decision: point.decision(lang),
            proposal: point.proposal.map(|mv| mv.to_string()),
            candidates: point.candidates.iter().map(ToString::to_string).collect(),
            fen: point.position.as_ref().map(crate::board::Position::fen),
        }
    }
}

impl FoulJson {
    fn new(counted: &Counted) -> FoulJson {
        FoulJson {
            side: counted.foul.side.name(),
            article: counted.foul.article,
            ply: counted.foul.ply,
            source: counted.source.name(),
            certain: counted.source.is_certain(),
            number: counted.number,
        }
    }
}

impl<'a> SideClockJson<'a> {
    fn new(clock: &'a SideClock) -> SideClockJson<'a> {
        let reading = |reading: &Reading| ReadingJson {
            ply: reading.ply,
            made: reading.made,
            used: reading.used,
            left: reading.left,
        };
        let control = |control: &ControlReport| {
            let (ply, used) = match control.kept {
                Kept::Met(ply, used) | Kept::Overstepped(ply, used, _) => (Some(ply), Some(used)),
                Kept::Running | Kept::Unknown => (None, None),
            };
            ControlJson {
                number: control.number,
                moves: control.need,
                seconds: control.allowed,
                status: control.kept.name(),
                ply,
                used,
            }
        };
        SideClockJson {
            reads: clock.reads.map(crate::audit::Reads::name),
            used: clock.used(),
            readings: clock.readings.iter().map(reading).collect(),
            disorder: &clock.disorder,
            controls: clock.controls.iter().map(control).collect(),
        }
    }
}

impl ClaimJson {
    fn new(checked: &CheckedClaim) -> ClaimJson {
        ClaimJson {
            side: checked.claim.side.name(),
            kind: checked.claim.kind.name(),
            ply: checked.ply,
            ruling: checked.ruling.name(),
            article: checked.article,
            foul: checked.foul,
            counted: checked.count.map(|count| count.counted),
        }
    }
}

impl VerdictJson {
    fn new(verdict: &Verdict, lang: Lang) -> VerdictJson {
        let winner = match crate::report::audit::winner(verdict.result) {
            Some(Winner::Side(side)) => Some(side.name()),
            Some(Winner::Draw) => Some("draw"),
            None => None,
        };
        VerdictJson {
            status: verdict.standing.name(),
            result: verdict.result.code(),
            winner,
            cause: verdict.cause,
            article: verdict.article,
            ply: verdict.ply,
            recorded: verdict.recorded.code(),
            agrees: verdict.agrees(),
            open: verdict.open,
            why: verdict.why(lang),
        }
    }
}
