//! Findings: what is wrong, where, and why. Findings are data; language and
//! layout are added late, by `report`.

pub mod catalogue;
mod code;
mod lang;
mod place;
mod raise;

pub use code::{Code, Severity};
pub use lang::{Lang, UnknownLang};
pub use place::{Place, SourcePoint};
pub use raise::article_of;

use crate::board::Move;

/// Something that was found in an input.
///
/// The message, in English or Chinese, comes from the catalogue by `code` and
/// `reason`, with `params` filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What kind of thing.
    pub code: Code,
    /// How bad it is here; usually [`Code::severity`].
    pub severity: Severity,
    /// The stable kebab-case name of the special case, such as `horse-leg`
    /// for [`Code::IllegalMove`]; chooses the message.
    pub reason: Option<&'static str>,
    /// Where.
    pub place: Place,
    /// The source text word for word; empty where there is none.
    pub text: String,
    /// Values for the message, by the names its template uses.
    pub params: Vec<(&'static str, String)>,
    /// Article of the rule book, such as `2.2`.
    pub article: Option<&'static str>,
    /// Moves that could be meant, or that would repair the record.
    pub candidates: Vec<Move>,
    /// How sure the reading that was played is, 0 to 1.
    pub confidence: Option<f32>,
}

impl Finding {
    /// A finding of `code` at `place`, with the severity of the code.
    #[must_use]
    pub fn new(code: Code, place: Place) -> Finding {
        Finding {
            code,
            severity: code.severity(),
            reason: None,
            place,
            text: String::new(),
            params: Vec::new(),
            article: code.article(),
            candidates: Vec::new(),
            confidence: None,
        }
    }

    /// Sets the special case.
    #[must_use]
    pub fn reason(mut self, reason: &'static str) -> Finding {
        self.reason = Some(reason);
        self
    }

    /// Sets the severity.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Finding {
        self.severity = severity;
        self
    }

    /// Sets the source text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Finding {
        self.text = text.into();
        self
    }

    /// Adds a value for the message.
    #[must_use]
    pub fn param(mut self, name: &'static str, value: impl ToString) -> Finding {
        self.params.push((name, value.to_string()));
        self
    }

    /// Sets the article.
    #[must_use]
    pub fn article(mut self, article: &'static str) -> Finding {
        self.article = Some(article);
        self
    }

    /// Sets the candidates.
    #[must_use]
    pub fn candidates(mut self, moves: impl IntoIterator<Item = Move>) -> Finding {
        self.candidates = moves.into_iter().collect();
        self
    }

    /// Sets the candidates with the probability of each, 0 to 1.
    #[must_use]
    pub fn weighed(mut self, moves: impl IntoIterator<Item = (Move, f32)>) -> Finding {
        let (candidates, odds): (Vec<Move>, Vec<f32>) = moves.into_iter().unzip();
        self.candidates = candidates;
        if odds.is_empty() {
            return self;
        }
        // A reading is not surer than a thousandth tells.
        let odds: Vec<String> = odds.iter().map(|odds| format!("{odds:.3}")).collect();
        self.param("odds", odds.join(" "))
    }

    /// The probability of each candidate, 0 to 1, in their order; empty where
    /// they were not weighed.
    #[must_use]
    pub fn odds(&self) -> Vec<f32> {
        let said = self.params.iter().find(|(name, _)| *name == "odds");
        said.map_or_else(Vec::new, |(_, odds)| {
            odds.split(' ').filter_map(|odds| odds.parse().ok()).collect()
        })
    }
}
