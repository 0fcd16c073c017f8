//! What a person says about a half-move: certain evidence, and what there is
//! still to ask.

use std::fmt;
use std::str::FromStr;

use super::dialect::Dialect;
use crate::board::{Move, Position};
use crate::finding::{Code, Finding, Severity};
use crate::game::Game;
use crate::notation::{Candidates, Context, Notation, Resolution, parse, resolve};
use crate::record::NodeId;

/// What was played at a ply of the main line, on a person's word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The game of the file, from 1; `None` for every game that is replayed.
    pub game: Option<u32>,
    /// The ply, from 1 at the start position.
    pub ply: u32,
    /// The move in any notation; `-` where the word that stands there is no
    /// move at all.
    pub said: String,
}

/// The text is not an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an answer is PLY=MOVE, such as 12=车一平二, or GAME:PLY=MOVE")]
pub struct ParseAnswerError;

impl FromStr for Answer {
    type Err = ParseAnswerError;

    fn from_str(text: &str) -> Result<Answer, ParseAnswerError> {
        let (place, said) = text.split_once(['=', '＝']).ok_or(ParseAnswerError)?;
        let number = |text: &str| match text.trim().parse::<u32>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(ParseAnswerError),
        };
        let (game, ply) = match place.split_once([':', '：']) {
            Some((game, ply)) => (Some(number(game)?), number(ply)?),
            None => (None, number(place)?),
        };
        let said = said.trim();
        if said.is_empty() {
            return Err(ParseAnswerError);
        }
        Ok(Answer { game, ply, said: said.to_owned() })
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(game) = self.game {
            write!(f, "{game}:")?;
        }
        write!(f, "{}={}", self.ply, self.said)
    }
}

impl Answer {
    /// Whether the word that stands at the ply is no move.
    pub(super) fn is_no_move(&self) -> bool {
        matches!(self.said.as_str(), "-" | "－")
    }
}

/// What a move typed by a person means in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// One legal move.
    Move(Move),
    /// Several legal moves.
    Several(Vec<Move>),
    /// No legal move, or no move at all.
    Nothing(Option<crate::board::IllegalReason>),
}

/// Reads a move in any notation; `first` is tried before the others.
#[must_use]
pub fn meant(text: &str, position: &Position, first: Option<Notation>) -> Meant {
    let context = Context::of(position);
    let mut several: Option<Candidates> = None;
    let mut why = None;
    for notation in first.into_iter().chain(Notation::ALL) {
        let Ok(syntax) = parse(notation, text) else { continue };
        match resolve(syntax, position, context) {
            Resolution::Legal { mv, .. } => return Meant::Move(mv),
            Resolution::Ambiguous(candidates) => {
                several.get_or_insert(candidates);
            }
            Resolution::Illegal { reason, .. } => {
                why.get_or_insert(reason);
            }
        }
    }
    match several {
        Some(candidates) => Meant::Several(candidates.iter().map(|reading| reading.mv).collect()),
        None => Meant::Nothing(why),
    }
}

/// The answers that concern one game, ready for the decoder.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    list: Vec<Answer>,
    first: Option<Notation>,
}

impl Answers {
    pub(super) const fn none() -> Answers {
        Answers { list: Vec::new(), first: None }
    }

    pub(super) fn of(all: &[Answer], game: u32, dialect: Dialect) -> Answers {
        let list = all.iter().filter(|a| a.game.is_none_or(|wanted| wanted == game));
        Answers { list: list.cloned().collect(), first: Some(dialect.notation) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The last word on a ply.
    pub(super) fn at(&self, ply: u32) -> Option<&Answer> {
        self.list.iter().rev().find(|answer| answer.ply == ply)
    }

    /// What was said about a ply, in the position before it.
    pub(super) fn meant(&self, ply: u32, position: &Position) -> Option<Meant> {
        let answer = self.at(ply).filter(|answer| !answer.is_no_move())?;
        Some(meant(&answer.said, position, self.first))
    }

    /// Whether a move agrees with what was said about its ply.
    pub(super) fn allow(&self, ply: u32, position: &Position, mv: Move) -> bool {
        match self.meant(ply, position) {
            Some(Meant::Move(said)) => said == mv,
            Some(Meant::Several(several)) => several.contains(&mv),
            _ => true,
        }
    }
}

/// A place at which a person can help.
#[derive(Clone, Debug)]
pub struct Doubt {
    /// The ply, from 1.
    pub ply: u32,
    /// The position before it.
    pub position: Position,
    /// The move before it, where it is known.
    pub last: Option<Move>,
    /// What could have been played, the likeliest first, with probabilities
    /// from 0 to 1 as far as they are known.
    pub candidates: Vec<(Move, Option<f32>)>,
    /// How sure the reading is that was taken, 0 to 1.
    pub confidence: f32,
    /// What was found there: the index in [`Game::findings`].
    pub finding: usize,
}

/// From this confidence on a reading needs no person.
pub const SURE: f32 = 0.95;

/// What is in doubt on the main line of a game, the least certain first.
/// Readings at least as sure as [`SURE`] are left out.
#[must_use]
pub fn doubts(game: &Game) -> Vec<Doubt> {
    let mut asked: Vec<(usize, u32, f32)> = Vec::new();
    for (index, finding) in game.findings.iter().enumerate() {
        let (Some(ply), true) = (finding.place.ply, is_doubt(finding)) else { continue };
        let confidence = finding.confidence.unwrap_or(0.0);
        let known = asked.iter().any(|(_, other, _)| *other == ply);
        if confidence < SURE && !known {
            asked.push((index, ply, confidence));
        }
    }
    // Where the line stops, everything behind it waits for the answer.
    asked.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.1.cmp(&b.1)));
    let mut doubts: Vec<Doubt> = Vec::new();
    for (index, ply, confidence) in asked {
        let Some((position, last)) = before(game, ply) else { continue };
        let finding = &game.findings[index];
        let odds = finding.odds().into_iter().map(Some).chain(std::iter::repeat(None));
        let candidates = finding
            .candidates
            .iter()
            .copied()
            .zip(odds)
            .filter(|(mv, _)| position.legality(*mv).is_ok())
            .collect();
        doubts.push(Doubt { ply, position, last, candidates, confidence, finding: index });
    }
    doubts
}

fn is_doubt(finding: &Finding) -> bool {
    match finding.code {
        Code::AmbiguousMove => finding.reason != Some("decided-by-later-moves"),
        Code::UnreadableMove => finding.reason != Some("not-a-move"),
        Code::MissingMove | Code::IllegalMove | Code::DoubtfulMove => true,
        Code::InferredMove => finding.severity >= Severity::Warning,
        _ => false,
    }
}

/// The position before a ply of the main line, and the move that led there.
fn before(game: &Game, ply: u32) -> Option<(Position, Option<Move>)> {
    let mut position = game.start.clone();
    let mut last = None;
    let mut next = game.tree.continuation(NodeId::ROOT);
    for _ in 1..ply {
        let node = game.tree.node(next?);
        last = node.mv.or(node.assumed);
        node.play_on(&mut position);
        next = game.tree.continuation(next?);
    }
    Some((position, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_written() {
        let answer: Answer = "12=车一平二".parse().unwrap();
        assert_eq!(answer, Answer { game: None, ply: 12, said: "车一平二".into() });
        assert_eq!("3:7 = h2e2".parse::<Answer>().unwrap().to_string(), "3:7=h2e2");
        for bad in ["12", "=h2e2", "0=h2e2", "x=h2e2", "3=", "0:3=h2e2", "-1=h2e2"] {
            assert_eq!(bad.parse::<Answer>(), Err(ParseAnswerError), "{bad}");
        }
    }

    #[test]
    fn a_move_is_understood_in_any_notation() {
        let start = Position::start();
        let central = "h2e2".parse().unwrap();
        for text in ["炮二平五", "炮25", "C2.5", "C2=5", "H2-E2", "h2e2", "p2p5", "7747"] {
            assert_eq!(meant(text, &start, None), Meant::Move(central), "{text}");
        }
        assert_eq!(meant("P2-5", &start, Some(Notation::Vietnamese)), Meant::Move(central));
        // Both advisors may go to e1 … but each has its own file.
        assert!(matches!(meant("车一进九", &start, None), Meant::Nothing(Some(_))));
        assert_eq!(meant("好", &start, None), Meant::Nothing(None));
    }
}
