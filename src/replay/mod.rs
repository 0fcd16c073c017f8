//! A record to a game that is believed.
//!
//! [`replay`] plays each written move by the rules and keeps the legal prefix
//! of every line. What cannot be played, is missing or does not agree becomes
//! a finding with its place and reason; nothing is dropped in silence. What
//! is played and what is not, `docs/decisions/` tells.
//!
//! ```
//! use qipu::board::Move;
//! use qipu::record::{NodeId, Record, Span, Written};
//! use qipu::replay::{ReplayOptions, replay};
//!
//! let mut record = Record { text: "炮二平五 马8进7".into(), ..Record::default() };
//! let first = record.tree.add(NodeId::ROOT, Written::Text(Span::new(0, 12)));
//! record.tree.add(first, Written::Text(Span::new(13, 21)));
//! let game = replay(record, &ReplayOptions::default());
//! let moves: Vec<Option<Move>> = game.main_line().collect();
//! assert_eq!(moves, [Some("h2e2".parse()?), Some("h9g7".parse()?)]);
//! # Ok::<(), qipu::board::ParseMoveError>(())
//! ```

mod ahead;
mod answers;
mod clock;
mod consider;
mod damage;
mod dialect;
mod edited;
mod ending;
mod findings;
pub mod lattice;
mod line;
mod numbers;
pub mod prior;
mod repair;
mod sheet;
mod start;
mod token;
mod work;

use std::sync::Arc;

pub use answers::{Answer, Doubt, Meant, ParseAnswerError, SURE, doubts, meant};

use answers::Answers;
use dialect::Dialect;
use findings::Findings;
use lattice::LatticeOptions;
use line::{Played, Player, Retry};
use prior::Prior;
use token::Script;
use work::Work;

use crate::board::{Move, Position};
use crate::finding::{Code, Finding, Place};
use crate::game::{Game, Headers, OutcomeKind};
use crate::notation::{MarkHabit, Notation};
use crate::record::{NodeId, Record, RecordTree};
use crate::rules::RuleSet;
use crate::text::Encoding;

/// How records are replayed.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// The rules that judge repetition.
    pub rules: RuleSet,
    /// The natural limit (自然限着) in rounds without a capture, where the
    /// organisers set another than the rules do
    /// ([`RuleSet::natural_limit`], article 4.2.4).
    pub natural_limit: Option<u32>,
    /// Whether a missing half-move is filled in where only one legal move
    /// lets the rest be played, and a mistake put right where only one repair
    /// does.
    pub infer: bool,
    /// What people said about half-moves of the main line: certain evidence.
    pub answers: Vec<Answer>,
    /// The notation of the moves, in place of what the record says; then no
    /// other is tried.
    pub notation: Option<Notation>,
    /// What the bars of a short record (简写) mean, in place of what its moves
    /// show.
    pub marks: Option<MarkHabit>,
    /// The model of likely moves that chooses between readings of a sheet
    /// without directions.
    pub prior: Arc<Prior>,
    /// How sheets that leave moves open are decoded.
    pub lattice: LatticeOptions,
    /// Findings that are kept of one game; the rest is counted.
    pub max_findings: usize,
    /// Bound on the work of all searches in one game (looking ahead, decoding
    /// a sheet, looking for mistakes), in plies tried; as much again for
    /// every fifty written moves. Where the game rests on a search that met
    /// it, or [`LatticeOptions::memory`], `limit-exceeded` says so.
    pub lookahead: u32,
}

impl Default for ReplayOptions {
    fn default() -> ReplayOptions {
        ReplayOptions {
            infer: false,
            answers: Vec::new(),
            notation: None,
            marks: None,
            rules: RuleSet::default(),
            natural_limit: None,
            prior: Prior::builtin(),
            lattice: LatticeOptions::default(),
            max_findings: 1000,
            lookahead: 1_000_000,
        }
    }
}

impl ReplayOptions {
    /// The natural limit in force, in rounds.
    #[must_use]
    pub fn natural_limit(&self) -> u32 {
        self.natural_limit.unwrap_or(self.rules.natural_limit())
    }
}

/// Replays a record: every line as far as it is legal, with everything that
/// was found on the way.
///
/// It cannot fail: whatever the record holds, a game comes of it, and words
/// that were not played are in [`Game::unplayed`]. The cost grows with the
/// number of moves; looking ahead is bounded by
/// [`ReplayOptions::lookahead`].
#[must_use]
pub fn replay(mut record: Record, options: &ReplayOptions) -> Game {
    let mut noted = std::mem::take(&mut record.findings);
    unescape(&mut record);
    let reading = Headers::take_from(&mut record, &mut noted);
    let mut headers = reading.headers;

    let likeliest = Dialect::of(&record, options);
    let mut dialect = likeliest;
    let mut work = Work::of_game(&record, options.lookahead);
    let mut plan = None;
    let mut retries = 0;
    // Whether what led to the next reading rests on a search that was cut.
    let mut led_by_cut = false;
    let (mut played, start) = loop {
        let script = Script { record: &record, dialect, numbers_tell: true };
        let answers = Answers::of(&options.answers, record.origin.game, dialect);
        let mut findings = Findings::new(options.max_findings);
        // What a reading that is given up did not find does not matter.
        work.begin();
        let opening = start::decide(&script, &mut findings, &mut work);
        let mut player = Player::new(script, options, &opening, findings, &mut work);
        let first_time = dialect == likeliest;
        player.may_change &= first_time && retries == 0;
        player.answers = &answers;
        player.may_repair = retries < MOST_REPAIRS;
        player.with_plan(plan.take());
        match player.play(&opening) {
            Ok(mut played) => {
                if !first_time || dialect.is_unusual() {
                    played.findings.push(
                        Finding::new(Code::DialectRead, Place::WHOLE)
                            .param("dialect", dialect.name()),
                    );
                }
                break (played, opening.position);
            }
            Err(Retry::Dialect(better, cut)) => {
                dialect = better;
                led_by_cut |= cut;
            }
            Err(Retry::Plan(better)) => {
                led_by_cut |= better.was_cut();
                plan = Some(better);
                retries += 1;
            }
        }
    };

    if led_by_cut || work.was_cut() {
        played.findings.push(findings::search_cut(options.lookahead));
    }
    let limit = ending::natural_limit(&record, &start, &played, options.natural_limit());
    let mut outcome = ending::outcome(&played, limit.stands_at_end);
    let (mut ends, repeated) = ending::repetitions(&record, &start, &played, options.rules);
    let mut outright = false;
    if let (OutcomeKind::None, Some(repeated)) = (outcome.kind, repeated) {
        (outcome, outright) = repeated;
    }
    ends.extend(limit.finding);
    ending::settle_result(
        &record,
        &mut headers,
        reading.result_stated,
        reading.result_field,
        &outcome,
        outright,
        &mut ends,
    );
    let Played { mut tree, findings, unplayed, map, .. } = played;
    carry_remarks(&mut record.tree, &map, &mut tree);
    let trailer = record.trailer.map(|span| record.slice(span).to_owned());
    Game {
        headers,
        notation: Some(dialect.notation).filter(|_| !record.tree.is_empty()),
        start,
        tree,
        outcome,
        findings: findings.merged(noted, ends),
        unplayed,
        result_token: record.result.map(|(token, _)| token),
        trailer,
        origin: record.origin,
    }
}

/// Whether a text that is no whole move can be what is left of a move in a
/// notation: a character or two misread, dropped or lost.
#[must_use]
pub fn resembles(text: &str, mv: Move, position: &Position, notation: Notation) -> bool {
    damage::Pattern::of(text).is_some_and(|left| left.cost(mv, position, notation).is_some())
}

/// Characters that the file's encoding lacks stand in it as their numbers.
fn unescape(record: &mut Record) {
    let name = record.origin.encoding.filter(|name| !name.starts_with("utf"));
    let Some(encoding) = name.and_then(|name| name.parse::<Encoding>().ok()) else { return };
    let headers = record.headers.iter_mut().map(|header| &mut header.value);
    let comments = record.tree.comments.iter_mut().map(|comment| &mut comment.text);
    for text in headers.chain(comments) {
        if let Some(plain) = encoding.unescaped(text) {
            *text = plain;
        }
    }
}

/// How often a line is played again with another mistake put right.
const MOST_REPAIRS: u32 = 4;

/// Moves comments, clocks and glyphs over to the game's tree. The remarks on
/// a move that was not played go to the last one before it that was.
fn carry_remarks(from: &mut RecordTree, map: &[Option<NodeId>], to: &mut crate::game::GameTree) {
    let place = |node: NodeId| map.get(node.index()).copied().flatten().unwrap_or(NodeId::ROOT);
    to.comments = std::mem::take(&mut from.comments);
    for comment in &mut to.comments {
        comment.node = place(comment.node);
    }
    to.clocks = std::mem::take(&mut from.clocks);
    for clock in &mut to.clocks {
        clock.node = place(clock.node);
    }
    to.glyphs = std::mem::take(&mut from.glyphs);
    for (node, _) in &mut to.glyphs {
        *node = place(*node);
    }
}
