//! A point: one thing on the arbiter's desk, with its article.

use crate::board::{Color, Move, Position};
use crate::finding::catalogue::{self, Part};
use crate::finding::{Finding, Lang};

/// How much a point asks of the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// He has to decide it.
    Decide,
    /// He should look, or have the sheet completed.
    Look,
    /// Worth knowing.
    Note,
}

impl Weight {
    /// `decide`, `look` or `note`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Weight::Decide => "decide",
            Weight::Look => "look",
            Weight::Note => "note",
        }
    }
}

/// One thing that the sheets leave to the arbiter.
#[derive(Clone, Debug)]
pub struct Point {
    /// Finding code, or the name of an arbiter's own question
    /// (`src/finding/catalogue/points.txt`).
    pub code: &'static str,
    /// The special case; chooses the texts.
    pub reason: Option<&'static str>,
    /// The article that decides.
    pub article: &'static str,
    /// How much it asks.
    pub weight: Weight,
    /// The side concerned.
    pub side: Option<Color>,
    /// Ply from 1.
    pub ply: Option<u32>,
    /// The sheet it stands on, from 1; `None` for the game as a whole.
    pub sheet: Option<usize>,
    /// Values for the texts.
    pub params: Vec<(&'static str, String)>,
    /// Moves that could be meant, the proposed one first.
    pub candidates: Vec<Move>,
    /// The only move that fits, or the likeliest, where one is proposed.
    pub proposal: Option<Move>,
    /// The position before the ply, to be drawn.
    pub position: Option<Position>,
    /// What replay found, where the point comes from that.
    pub finding: Option<Finding>,
}

impl Point {
    /// A point under an article.
    #[must_use]
    pub fn new(code: &'static str, article: &'static str, weight: Weight) -> Point {
        Point {
            code,
            reason: None,
            article,
            weight,
            side: None,
            ply: None,
            sheet: None,
            params: Vec::new(),
            candidates: Vec::new(),
            proposal: None,
            position: None,
            finding: None,
        }
    }

    /// Sets the special case.
    #[must_use]
    pub fn case(mut self, reason: &'static str) -> Point {
        self.reason = Some(reason);
        self
    }

    /// Sets the side.
    #[must_use]
    pub fn side(mut self, side: Color) -> Point {
        self.side = Some(side);
        self
    }

    /// Sets the ply, from 1.
    #[must_use]
    pub fn ply(mut self, ply: u32) -> Point {
        self.ply = Some(ply);
        self
    }

    /// Sets the sheet, from 1.
    #[must_use]
    pub fn sheet(mut self, sheet: usize) -> Point {
        self.sheet = Some(sheet);
        self
    }

    /// Adds a value for the texts.
    #[must_use]
    pub fn param(mut self, name: &'static str, value: impl ToString) -> Point {
        self.params.push((name, value.to_string()));
        self
    }

    /// What there is, in a sentence.
    #[must_use]
    pub fn message(&self, lang: Lang) -> String {
        let own = self.text(Part::Message, lang);
        own.or_else(|| self.finding.as_ref().map(|finding| finding.message(lang)))
            .unwrap_or_else(|| self.code.to_owned())
    }

    /// What the arbiter has to do; empty where that is nothing.
    #[must_use]
    pub fn decision(&self, lang: Lang) -> String {
        let own = self.text(Part::Decision, lang);
        own.or_else(|| self.finding.as_ref().map(|finding| finding.hint(lang))).unwrap_or_default()
    }

    fn text(&self, part: Part, lang: Lang) -> Option<String> {
        catalogue::point(self.code, self.reason, part, lang, &|name| self.value(name))
    }

    fn value(&self, name: &str) -> Option<String> {
        let own = self.params.iter().find(|(known, _)| *known == name);
        let found = self.finding.as_ref().and_then(|finding| {
            finding.params.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
        });
        own.map(|(_, value)| value.clone()).or(found).or_else(|| match name {
            "side" => self.side.map(|side| side.name().to_owned()),
            "sheet" => self.sheet.map(|sheet| sheet.to_string()),
            "at" | "ply" => self.ply.map(|ply| ply.to_string()),
            _ => None,
        })
    }
}
