//! The message catalogue: for each code and special case a message and what
//! to do about it, in English and Chinese, from one file.

mod points;
mod template;
pub mod words;

use std::collections::BTreeMap;
use std::sync::OnceLock;

pub use points::{Part, point};

use super::{Code, Finding, Lang};

const MESSAGES: &str = include_str!("messages.txt");

/// The texts of one code and reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    /// By language: what is wrong.
    message: [Option<&'static str>; 2],
    /// By language: what to do.
    hint: [Option<&'static str>; 2],
}

/// Code, and reason or the empty text.
type Key = (&'static str, &'static str);

/// The texts of a file of the catalogue: the code and reason that they are
/// for, which text it is (the word before it), and the text.
fn texts(file: &'static str) -> impl Iterator<Item = (Key, &'static str, &'static str)> {
    let mut key = ("", "");
    file.lines().filter_map(move |line| {
        let (word, text) = line.split_once(' ')?;
        let text = text.trim();
        if word == "=" {
            key = text.split_once('/').unwrap_or((text, ""));
            return None;
        }
        Some((key, word, text))
    })
}

fn entries() -> &'static BTreeMap<Key, Entry> {
    static ENTRIES: OnceLock<BTreeMap<Key, Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let mut entries: BTreeMap<Key, Entry> = BTreeMap::new();
        for (key, word, text) in texts(MESSAGES) {
            match word {
                "en" => entries.entry(key).or_default().message[0] = Some(text),
                "zh" => entries.entry(key).or_default().message[1] = Some(text),
                "en?" => entries.entry(key).or_default().hint[0] = Some(text),
                "zh?" => entries.entry(key).or_default().hint[1] = Some(text),
                _ => {}
            }
        }
        entries
    })
}

fn text(
    code: Code,
    reason: Option<&str>,
    pick: impl Fn(&Entry) -> Option<&'static str>,
) -> Option<&'static str> {
    let exact = reason.and_then(|reason| entries().get(&(code.name(), reason)).and_then(&pick));
    exact.or_else(|| entries().get(&(code.name(), "")).and_then(pick))
}

/// Whether the catalogue has an own message for a reason of a code.
#[must_use]
pub fn knows(code: Code, reason: &str) -> bool {
    entries().get(&(code.name(), reason)).is_some_and(|entry| entry.message[0].is_some())
}

/// Every pair of code and reason that has an own message; the reason is empty
/// for the message of the code itself.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    entries().keys().copied()
}

impl Finding {
    /// What is wrong, in a sentence.
    #[must_use]
    pub fn message(&self, lang: Lang) -> String {
        let template = text(self.code, self.reason, |entry| entry.message[lang as usize]);
        template::fill(template.unwrap_or(self.code.name()), lang, &|name| self.value(name))
    }

    /// What to do about it; empty where nothing needs to be done.
    #[must_use]
    pub fn hint(&self, lang: Lang) -> String {
        let template = text(self.code, self.reason, |entry| entry.hint[lang as usize]);
        template::fill(template.unwrap_or(""), lang, &|name| self.value(name))
    }

    /// The value of a placeholder: a parameter, or what every finding has.
    fn value(&self, name: &str) -> Option<String> {
        if let Some((_, value)) = self.params.iter().find(|(own, _)| *own == name) {
            return Some(value.clone());
        }
        match name {
            "text" if !self.text.is_empty() => Some(self.text.clone()),
            "ply" => self.place.ply.map(|ply| ply.to_string()),
            "line" => self.place.source.map(|at| at.line).filter(|n| *n > 0).map(|n| n.to_string()),
            "offset" => self.place.source.map(|at| at.offset.to_string()),
            "candidates" if !self.candidates.is_empty() => {
                let moves: Vec<String> = self.candidates.iter().map(ToString::to_string).collect();
                Some(moves.join(", "))
            }
            "count" if !self.candidates.is_empty() => Some(self.candidates.len().to_string()),
            _ => None,
        }
    }
}

impl Code {
    /// What the code means, whatever the case.
    #[must_use]
    pub fn gist(self, lang: Lang) -> String {
        let template = text(self, None, |entry| entry.message[lang as usize]);
        template::fill(template.unwrap_or(""), lang, &|_| None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, IllegalReason, Piece, PieceKind, PositionFault, Square};
    use crate::finding::Place;

    fn placeholders(text: Option<&str>) -> Vec<(String, Option<String>)> {
        let mut found: Vec<_> = template::names(text.unwrap_or(""))
            .map(|(name, shape)| (name.to_owned(), shape.map(str::to_owned)))
            .collect();
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn every_entry_has_both_languages_and_the_same_placeholders() {
        for ((code, reason), entry) in entries() {
            let name = format!("{code}/{reason}");
            assert!(code.parse::<Code>().is_ok(), "{name}: there is no such code");
            assert!(entry.message.iter().all(Option::is_some), "{name}: a language is missing");
            assert_eq!(entry.hint[0].is_some(), entry.hint[1].is_some(), "{name}: hint");
            for pair in [entry.message, entry.hint] {
                assert_eq!(placeholders(pair[0]), placeholders(pair[1]), "{name}");
            }
            for text in entry.message.iter().chain(&entry.hint).flatten() {
                for (open, close) in [('{', '}'), ('[', ']')] {
                    assert_eq!(text.matches(open).count(), text.matches(close).count(), "{name}");
                }
            }
        }
    }

    #[test]
    fn every_code_and_board_reason_has_a_message_and_a_hint() {
        for code in Code::ALL {
            let entry = entries().get(&(code.name(), "")).copied().unwrap_or_default();
            assert!(entry.message[0].is_some(), "{code} has no message");
            assert!(entry.hint[0].is_some(), "{code} has no hint");
        }
        for reason in IllegalReason::ALL {
            assert!(knows(Code::IllegalMove, reason.name()), "{}", reason.name());
        }
        let advisor = Piece::new(Color::Red, PieceKind::Advisor);
        for fault in [
            PositionFault::KingMissing(Color::Red),
            PositionFault::TooMany(advisor, 3),
            PositionFault::Misplaced(advisor, Square::all().next().unwrap()),
            PositionFault::GeneralsFacing,
            PositionFault::OpponentInCheck(Color::Black),
        ] {
            assert!(knows(Code::IllegalPosition, fault.name()), "{}", fault.name());
            let finding = Finding::illegal_position(Place::WHOLE, fault);
            for lang in Lang::ALL {
                assert!(!finding.message(lang).contains('?'), "{}", finding.message(lang));
            }
        }
    }

    #[test]
    fn a_blocked_leg_is_told_with_its_square() {
        let position = crate::board::Position::start();
        let mv = "b0d1".parse().unwrap();
        let finding =
            Finding::illegal_move(Place::WHOLE, &position, Some(mv), IllegalReason::HorseLeg)
                .text("马八进六");
        assert_eq!(
            finding.message(Lang::En),
            "马八进六: the horse's leg at c0 is blocked by the red elephant (相)"
        );
        assert_eq!(finding.message(Lang::Zh), "马八进六：马腿 c0 被红相蹩住");
    }

    #[test]
    fn a_finding_without_parameters_still_speaks() {
        for code in Code::ALL {
            for lang in Lang::ALL {
                let finding = Finding::new(*code, Place::WHOLE).reason("never-heard-of");
                assert!(!finding.message(lang).is_empty(), "{code}");
                assert!(!finding.message(lang).contains('?'), "{}", finding.message(lang));
                assert_eq!(finding.message(lang), code.gist(lang));
                let _ = finding.hint(lang);
            }
        }
    }
}
