//! `judge --json`.

use serde::Serialize;

use crate::board::{Piece, Position, Square};
use crate::finding::Lang;
use crate::report::judgement_words as words;
use crate::report::moves::chinese;
use crate::rules::{Chased, IdleKind, Judgement, Means, OpenPoint, PlyJudgement, Root};

use super::OutcomeJson;

/// The judgement of a line.
#[derive(Clone, Debug, Serialize)]
pub struct JudgeJson {
    /// `cn1999`, `cn2020`, `axf` or `wxf`.
    pub rules: &'static str,
    /// The loop; null when no position stands for the third time.
    pub cycle: Option<CycleJson>,
    /// The moves of the loop.
    pub plies: Vec<JudgedPlyJson>,
    /// What Red does.
    pub red: &'static str,
    /// What Black does.
    pub black: &'static str,
    /// `red-loses`, `black-loses`, `draw`, `red-must-change`,
    /// `black-must-change`, `undecided` or `none`.
    pub verdict: &'static str,
    /// The article of the verdict; null without a loop.
    pub article: Option<&'static str>,
    /// Why the verdict is `undecided`: a stable name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<&'static str>,
    /// The verdict in a sentence.
    pub why: String,
    /// How the line ends by the board alone.
    pub outcome: OutcomeJson,
}

/// A loop.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CycleJson {
    /// Its first ply, where it is played for the first time.
    pub from_ply: u32,
    /// Its last ply there.
    pub to_ply: u32,
    /// Its plies.
    pub length: u32,
    /// How often the repeated position has stood on the board.
    pub times: u32,
    /// The ply after which a position stands for the third time.
    pub third_ply: u32,
    /// The last ply up to which the loop went on.
    pub until_ply: u32,
}

/// One move of the loop.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedPlyJson {
    /// From 1 at the start of the line.
    pub ply: u32,
    /// In ICCS.
    #[serde(rename = "move")]
    pub mv: String,
    /// In Chinese notation.
    pub chinese: String,
    /// `red` or `black`.
    pub side: &'static str,
    /// `check`, `mate-threat`, `chase` or `idle`.
    pub kind: &'static str,
    /// The kind of idle move: `exchange`, `offer`, `block`, `follow`, `idle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub: Option<&'static str>,
    /// What is chased.
    pub chased: Vec<ChasedJson>,
    /// The evidence in words.
    pub why: String,
    /// The article that names the move.
    pub article: &'static str,
    /// A search met its bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bounded: bool,
}

/// A chased piece.
#[derive(Clone, Debug, Serialize)]
pub struct ChasedJson {
    /// FEN letter.
    pub piece: char,
    /// Where it stands.
    pub square: String,
    /// What takes it: FEN letter, `@`, square.
    pub by: Vec<String>,
    /// `direct`, `discovered`, `by-exchange` or `by-checks`.
    pub how: &'static str,
    /// `line`, `mount`, `leg`, `eye`, `root` or `unbound`, when the attacker
    /// did not move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<&'static str>,
    /// Whether it has a root that counts.
    pub rooted: bool,
    /// `none`, `false`, `too-few` or `true`.
    pub root: &'static str,
    /// The winning line in ICCS.
    pub line: Vec<String>,
}

impl JudgeJson {
    /// Describes a judgement. `positions` holds the position before each ply
    /// of the loop and the one after the last.
    #[must_use]
    pub fn new(
        judgement: &Judgement,
        positions: &[Position],
        outcome: OutcomeJson,
        lang: Lang,
    ) -> JudgeJson {
        let steps = positions.iter().zip(positions.iter().skip(1));
        JudgeJson {
            rules: judgement.rules.name(),
            cycle: judgement.cycle.map(|cycle| CycleJson {
                from_ply: cycle.from_ply,
                to_ply: cycle.to_ply,
                length: cycle.length(),
                times: cycle.times,
                third_ply: cycle.third_ply,
                until_ply: cycle.until_ply,
            }),
            plies: judgement
                .plies
                .iter()
                .zip(steps)
                .map(|(ply, (before, after))| JudgedPlyJson::new(ply, before, after, lang))
                .collect(),
            red: judgement.red.name(),
            black: judgement.black.name(),
            verdict: judgement.verdict.name(),
            article: judgement.cycle.map(|_| judgement.article),
            open: judgement.open.map(OpenPoint::name),
            why: words::verdict(judgement, lang),
            outcome,
        }
    }
}

impl JudgedPlyJson {
    fn new(ply: &PlyJudgement, before: &Position, after: &Position, lang: Lang) -> JudgedPlyJson {
        JudgedPlyJson {
            ply: ply.ply,
            mv: ply.mv.to_string(),
            chinese: chinese(ply.mv, before),
            side: ply.side.name(),
            kind: ply.class.name(),
            sub: ply.idle.map(IdleKind::name),
            chased: ply.chased.iter().map(ChasedJson::new).collect(),
            why: words::why(ply, after, lang),
            article: ply.article,
            bounded: ply.bounded,
        }
    }
}

impl ChasedJson {
    fn new(chased: &Chased) -> ChasedJson {
        let at = |(piece, square): &(Piece, Square)| format!("{}@{square}", piece.letter());
        ChasedJson {
            piece: chased.piece.letter(),
            square: chased.square.to_string(),
            by: chased.by.iter().map(at).collect(),
            how: chased.how.name(),
            means: chased.means.map(Means::name),
            rooted: chased.root == Root::True,
            root: chased.root.name(),
            line: chased.line.iter().map(ToString::to_string).collect(),
        }
    }
}
