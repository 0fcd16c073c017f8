//! One game, as `check --json` and `show --json` print it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::finding::{Finding, Lang};
use crate::game::{Game, Headers, Outcome, Winner};
use crate::record::FormatId;
use crate::report::moves::MainLine;

/// A game with everything that was found in it.
#[derive(Clone, Debug, Serialize)]
pub struct GameJson<'a> {
    /// Where it comes from.
    pub source: SourceJson<'a>,
    /// Normalised header fields; missing ones are absent.
    pub headers: HeadersJson<'a>,
    /// Canonical FEN of the start position.
    pub initial_fen: String,
    /// The main line as ICCS, `--` for a half-move that is not known.
    pub moves: Vec<String>,
    /// The main line in simplified Chinese notation, ASCII digits for Black.
    pub chinese: Vec<String>,
    /// Number of plies of the main line, gaps included.
    pub plies: usize,
    /// Number of variations.
    pub variations: usize,
    /// Number of comments.
    pub comments: usize,
    /// Canonical FEN of the end of the main line.
    pub final_fen: String,
    /// How the board ended the game.
    pub outcome: OutcomeJson,
    /// Written moves that were not played, word for word.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub unplayed: &'a [String],
    /// What was found.
    pub findings: Vec<FindingJson<'a>>,
}

impl<'a> GameJson<'a> {
    /// Describes a game that was read from `path`, with messages in `lang`.
    #[must_use]
    pub fn new(path: &'a str, game: &'a Game, lang: Lang) -> GameJson<'a> {
        let line = MainLine::new(game);
        let mut moves = Vec::new();
        let mut chinese = Vec::new();
        let mut last = game.start.clone();
        for step in line {
            moves.push(step.mv.map_or_else(|| GAP.to_owned(), |mv| mv.to_string()));
            chinese.push(step.chinese().unwrap_or_else(|| GAP.to_owned()));
            last = step.after();
        }
        GameJson {
            source: SourceJson {
                path,
                game: Some(game.origin.game),
                format: Some(game.origin.format.name()).filter(|name| !name.is_empty()),
                version: game.origin.version.as_deref(),
                encoding: game.origin.encoding,
                line: game.origin.line,
                offset: Some(game.origin.offset),
            },
            headers: HeadersJson::new(&game.headers),
            initial_fen: game.start.fen(),
            plies: moves.len(),
            moves,
            chinese,
            variations: game.tree.variations(),
            comments: game.tree.comments.len(),
            final_fen: last.fen(),
            outcome: OutcomeJson::new(&game.outcome),
            unplayed: &game.unplayed,
            findings: game.findings.iter().map(|f| FindingJson::new(f, lang)).collect(),
        }
    }
}

/// What stands in the place of a half-move that is not known.
pub const GAP: &str = "--";

/// A file without a game, or what was found in a file outside its games.
#[derive(Clone, Debug, Serialize)]
pub struct FileJson<'a> {
    /// The file.
    pub source: SourceJson<'a>,
    /// What was found.
    pub findings: Vec<FindingJson<'a>>,
}

impl<'a> FileJson<'a> {
    /// Describes what was found in the file `path` as a whole.
    #[must_use]
    pub fn new(
        path: &'a str,
        format: Option<FormatId>,
        findings: &'a [Finding],
        lang: Lang,
    ) -> FileJson<'a> {
        FileJson {
            source: SourceJson {
                path,
                game: None,
                format: format.map(FormatId::name),
                version: None,
                encoding: None,
                line: None,
                offset: None,
            },
            findings: findings.iter().map(|f| FindingJson::new(f, lang)).collect(),
        }
    }
}

/// Where a game comes from. Keys without a value are null.
#[derive(Clone, Debug, Serialize)]
pub struct SourceJson<'a> {
    /// Path as it was given.
    pub path: &'a str,
    /// Number of the game in its file, from 1.
    pub game: Option<u32>,
    /// Name of the format.
    pub format: Option<&'static str>,
    /// Version of the format.
    pub version: Option<&'a str>,
    /// Name of the character encoding.
    pub encoding: Option<&'static str>,
    /// Line where the game begins, from 1; null in binary formats.
    pub line: Option<u32>,
    /// Byte where the game begins.
    pub offset: Option<u64>,
}

/// Header fields.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names are those of `Headers`")]
pub struct HeadersJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub red: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub red_team: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black_team: Option<&'a str>,
    pub result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecco: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotator: Option<&'a str>,
    pub other: &'a BTreeMap<String, String>,
}

impl<'a> HeadersJson<'a> {
    /// Describes headers.
    #[must_use]
    pub fn new(headers: &'a Headers) -> HeadersJson<'a> {
        HeadersJson {
            event: headers.event.as_deref(),
            site: headers.site.as_deref(),
            date: headers.date.map(|date| date.to_string()),
            round: headers.round.as_deref(),
            red: headers.red.as_deref(),
            black: headers.black.as_deref(),
            red_team: headers.red_team.as_deref(),
            black_team: headers.black_team.as_deref(),
            result: headers.result.code(),
            ecco: headers.ecco.as_deref(),
            title: headers.title.as_deref(),
            annotator: headers.annotator.as_deref(),
            other: &headers.other,
        }
    }
}

/// How the board ended a game.
#[derive(Clone, Debug, Serialize)]
pub struct OutcomeJson {
    /// `checkmate`, `stalemate`, `repetition`, `natural-limit`,
    /// `insufficient` or `none`.
    pub kind: &'static str,
    /// `red`, `black`, `draw` or null.
    pub winner: Option<&'static str>,
    /// The article that decides, or null.
    pub article: Option<&'static str>,
}

impl OutcomeJson {
    /// Describes an outcome.
    #[must_use]
    pub fn new(outcome: &Outcome) -> OutcomeJson {
        OutcomeJson {
            kind: outcome.kind.name(),
            winner: outcome.winner.map(|winner| match winner {
                Winner::Side(color) => color.name(),
                Winner::Draw => "draw",
            }),
            article: outcome.article,
        }
    }
}

/// One finding. Keys without a value are absent, but for text, message, hint
/// and candidates.
#[derive(Clone, Debug, Serialize)]
pub struct FindingJson<'a> {
    /// The stable code.
    pub code: &'static str,
    /// The special case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// Ply from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// Line from 1; absent in binary formats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column from 1, in characters; absent in binary formats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Byte in the file as it is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The source word for word.
    pub text: &'a str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// The article of the 1999 rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub article: Option<&'static str>,
    /// Moves that could be meant, as ICCS.
    pub candidates: Vec<String>,
    /// The probability of each candidate, 0 to 1, where they were weighed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub probabilities: Vec<f64>,
    /// How sure the reading is that was played, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl<'a> FindingJson<'a> {
    /// Describes a finding with its message in `lang`.
    #[must_use]
    pub fn new(finding: &'a Finding, lang: Lang) -> FindingJson<'a> {
        let source = finding.place.source;
        let in_text = source.filter(|point| point.line > 0);
        FindingJson {
            code: finding.code.name(),
            reason: finding.reason,
            severity: finding.severity.name(),
            ply: finding.place.ply,
            line: in_text.map(|point| point.line),
            column: in_text.map(|point| point.column),
            offset: source.map(|point| point.offset),
            text: &finding.text,
            message: finding.message(lang),
            hint: finding.hint(lang),
            article: finding.article,
            candidates: finding.candidates.iter().map(ToString::to_string).collect(),
            probabilities: finding.odds().into_iter().map(to_thousandths).collect(),
            confidence: finding.confidence.map(to_thousandths),
        }
    }
}

/// A reading is not surer than a thousandth tells.
fn to_thousandths(sure: f32) -> f64 {
    (f64::from(sure) * 1000.0).round() / 1000.0
}
