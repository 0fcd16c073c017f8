//! The texts of the arbiter's points: what stands on the sheet, and what is to
//! be decided, in English and Chinese, from one file.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{Key, template, texts};
use crate::finding::Lang;

const POINTS: &str = include_str!("points.txt");

/// Which text of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// What there is.
    Message,
    /// What the arbiter has to do.
    Decision,
}

/// The texts of a point by part and language.
#[derive(Clone, Copy, Debug, Default)]
struct Entry([[Option<&'static str>; 2]; 2]);

fn entries() -> &'static BTreeMap<Key, Entry> {
    static ENTRIES: OnceLock<BTreeMap<Key, Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let mut entries: BTreeMap<Key, Entry> = BTreeMap::new();
        for (key, word, text) in texts(POINTS) {
            let (part, lang) = match word {
                "en" => (Part::Message, Lang::En),
                "zh" => (Part::Message, Lang::Zh),
                "en!" => (Part::Decision, Lang::En),
                "zh!" => (Part::Decision, Lang::Zh),
                _ => continue,
            };
            entries.entry(key).or_default().0[part as usize][lang as usize] = Some(text);
        }
        entries
    })
}

/// The text of a point, by code and special case; that of the code where the
/// case has none of its own. `None` where there is no such text.
#[must_use]
pub fn point(
    code: &str,
    reason: Option<&str>,
    part: Part,
    lang: Lang,
    value: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let look = |reason: &str| {
        let entry = entries().get(&(code, reason))?;
        entry.0[part as usize][lang as usize]
    };
    let template = reason.and_then(look).or_else(|| look(""))?;
    Some(template::fill(template, lang, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_in_both_languages_with_the_same_values() {
        let names = |text: Option<&str>| {
            let mut found: Vec<String> = template::names(text.unwrap_or(""))
                .map(|(name, shape)| format!("{name}:{}", shape.unwrap_or("")))
                .collect();
            found.sort();
            found.dedup();
            found
        };
        assert!(entries().len() > 20);
        for (key, Entry(parts)) in entries() {
            for [en, zh] in parts {
                assert_eq!(en.is_some(), zh.is_some(), "{key:?}: a language is missing");
                assert_eq!(names(*en), names(*zh), "{key:?}");
            }
            assert!(parts.iter().any(|part| part[0].is_some()), "{key:?} says nothing");
        }
    }
}
