//! Message templates: text with `{name}` or `{name:shape}` placeholders and
//! `[optional parts]`.
//!
//! An optional part is left out when one of its placeholders has no value;
//! with `[one|another]` the first alternative that has all values is taken. A
//! placeholder elsewhere that has no value becomes `?`: a message is never
//! lost because a finder did not say everything.

use super::words::shaped;
use crate::finding::Lang;

/// Fills in a template.
pub(super) fn fill(template: &str, lang: Lang, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some(at) = rest.find(['{', '[']) {
        out.push_str(&rest[..at]);
        let (open, close) = if rest[at..].starts_with('{') { ('{', '}') } else { ('[', ']') };
        let inner_start = at + open.len_utf8();
        let Some(length) = rest[inner_start..].find(close) else {
            out.push_str(&rest[at..]);
            return out;
        };
        let inner = &rest[inner_start..inner_start + length];
        rest = &rest[inner_start + length + close.len_utf8()..];
        if open == '{' {
            out.push_str(&placeholder(inner, lang, value).unwrap_or_else(|| "?".to_owned()));
        } else if let Some(part) =
            inner.split('|').find(|part| names(part).all(|(name, _)| value(name).is_some()))
        {
            // A part holds placeholders but no further parts.
            out.push_str(&fill(part, lang, value));
        }
    }
    out.push_str(rest);
    out
}

fn placeholder(inner: &str, lang: Lang, value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let (name, shape) = split(inner);
    Some(shaped(&printable(&value(name)?), shape, lang))
}

/// Longest value in a message, in characters; the excerpt shows the rest.
const MAX_VALUE: usize = 120;

/// A value as it may be printed: words of a file can hold line breaks and
/// terminal sequences.
fn printable(value: &str) -> String {
    let mut chars = value.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut text: String = chars.by_ref().take(MAX_VALUE).collect();
    if chars.next().is_some() {
        text.push('…');
    }
    text
}

fn split(inner: &str) -> (&str, Option<&str>) {
    match inner.split_once(':') {
        Some((name, shape)) => (name, Some(shape)),
        None => (inner, None),
    }
}

/// The placeholders of a template, with their shapes.
pub(super) fn names(template: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    template
        .split('{')
        .skip(1)
        .filter_map(|part| part.split_once('}'))
        .map(|(inner, _)| split(inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str, lang: Lang) -> String {
        fill(template, lang, &|name| match name {
            "text" => Some("马8进6".to_owned()),
            "piece" => Some("n".to_owned()),
            "side" => Some("black".to_owned()),
            _ => None,
        })
    }

    #[test]
    fn values_are_filled_in_and_optional_parts_left_out() {
        assert_eq!(filled("{text}: leg[ at {at}] blocked", Lang::En), "马8进6: leg blocked");
        assert_eq!(filled("[{text}: ]the {piece:piece}", Lang::En), "马8进6: the black horse (马)");
        assert_eq!(filled("{side:side}的{piece:piece}", Lang::Zh), "黑方的黑马");
        assert_eq!(filled("at {at}", Lang::En), "at ?");
        assert_eq!(filled("no [{at}|{piece:piece}|piece]", Lang::Zh), "no 黑马");
        assert_eq!(filled("no [{at}|piece]", Lang::En), "no piece");
    }

    #[test]
    fn values_cannot_reach_the_terminal_or_flood_it() {
        let wild = |_: &str| Some(format!("\x1b[2J\n{}", "马".repeat(500)));
        let text = fill("{text}", Lang::En, &wild);
        assert!(!text.contains(char::is_control));
        assert_eq!(text.chars().count(), MAX_VALUE + 1);
    }

    #[test]
    fn broken_templates_and_values_come_through() {
        assert_eq!(filled("a {text", Lang::En), "a {text");
        assert_eq!(filled("a [b", Lang::En), "a [b");
        assert_eq!(fill("{piece:piece}", Lang::Zh, &|_| Some("Nn".into())), "Nn");
    }
}
