//! What a target format could not carry, one line a kind instead of one a
//! game.

use std::collections::BTreeMap;

use qipu::finding::{Code, Finding};
use qipu::report::{FindingText, counted};

use super::Output;
use qipu::finding::Lang;

/// Characters that are named one by one when an encoding lacks them.
const CHARACTERS: usize = 20;

/// What could not be written, counted by kind.
#[derive(Debug, Default)]
pub(crate) struct Lost(BTreeMap<Kind, Losses>);

/// A code, a reason, and the character where an encoding lacks one.
type Kind = (&'static str, Option<&'static str>, String);

/// The losses of a kind.
#[derive(Debug)]
struct Losses {
    /// What is said: the counts of all together, and all names of fields.
    finding: Finding,
    games: u64,
    /// The game in which it came first.
    first: String,
    /// The game in which it came last.
    last: String,
}

impl Lost {
    /// Takes up what a writer gave back for the game that `place` names.
    pub(crate) fn add(&mut self, place: &str, findings: Vec<Finding>) {
        for finding in findings {
            let character = match finding.code {
                Code::EncodingUnmappable => finding.text.clone(),
                _ => String::new(),
            };
            let kind = (finding.code.name(), finding.reason, character);
            let Some(losses) = self.0.get_mut(&kind) else {
                let (first, last) = (place.to_owned(), place.to_owned());
                self.0.insert(kind, Losses { finding, games: 1, first, last });
                continue;
            };
            join(&mut losses.finding, &finding);
            if losses.last != place {
                losses.games += 1;
                place.clone_into(&mut losses.last);
            }
        }
    }

    /// Says it all on standard error.
    pub(crate) fn tell(self, out: &mut Output) {
        let lang = out.lang();
        let mut characters = 0;
        for ((code, ..), losses) in self.0 {
            let Losses { finding, games, first, .. } = losses;
            if code == Code::EncodingUnmappable.name() {
                characters += 1;
                if characters > CHARACTERS {
                    continue;
                }
            }
            let place = match (games, lang) {
                (1, _) => first,
                (_, Lang::En) => {
                    format!("in {}, first {first}", counted(games, "game", "games"))
                }
                (_, Lang::Zh) => format!("共 {games} 局，首见 {first}"),
            };
            let text = FindingText::of_file(&place, &finding, lang, out.stderr_paint()).short();
            out.remark(text);
        }
        if let Some(more) = usize::checked_sub(characters, CHARACTERS + 1) {
            let more = more as u64 + 1;
            out.remark(match lang {
                Lang::En => {
                    format!(
                        "{} more were written as numbers",
                        counted(more, "character", "characters")
                    )
                }
                Lang::Zh => format!("另有 {more} 个字符写成了编号"),
            });
        }
    }
}

/// Adds the count of `more`, and the names of fields that are new.
fn join(all: &mut Finding, more: &Finding) {
    let value =
        |key: &str| more.params.iter().find(|(k, _)| *k == key).map(|(_, value)| value.as_str());
    for (key, text) in &mut all.params {
        match (*key, value(key)) {
            ("count", Some(count)) => {
                let sum = text.parse().unwrap_or(0u64) + count.parse().unwrap_or(0);
                *text = sum.to_string();
            }
            ("fields", Some(fields)) => {
                for field in fields.split(", ") {
                    if !text.split(", ").any(|known| known == field) {
                        text.push_str(", ");
                        text.push_str(field);
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qipu::finding::Place;

    #[test]
    fn kinds_are_counted_once_for_all_games() {
        let comments = |count: u32| {
            Finding::new(Code::NotWritten, Place::WHOLE).reason("comments").param("count", count)
        };
        let headers = |fields: &str| {
            Finding::new(Code::NotWritten, Place::WHOLE)
                .reason("headers")
                .param("count", 1)
                .param("fields", fields)
        };
        let mut lost = Lost::default();
        lost.add("a, game 1", vec![comments(2), headers("event, site")]);
        lost.add("a, game 2", vec![comments(3), headers("site, round")]);
        assert_eq!(lost.0.len(), 2);
        let of = |reason| &lost.0[&("not-written", Some(reason), String::new())];
        assert_eq!(of("comments").finding.params, [("count", "5".to_owned())]);
        assert_eq!((of("comments").games, of("comments").first.as_str()), (2, "a, game 1"));
        assert_eq!(of("headers").finding.params[1].1, "event, site, round");
    }
}
