//! Blocks and tags of a text, and the escapes of their values.

use std::ops::Range;

use crate::formats::markup;

/// A tag with its raw value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    pub name: &'a str,
    pub value: &'a str,
}

const NAME: &[u8] = b"DhtmlXQ";

/// What stands at a `[`.
enum Mark {
    /// `[DhtmlXQ…]`: a block begins.
    Open,
    /// `[/DhtmlXQ…]`: a block ends.
    Close,
    /// `[DhtmlXQ_name]`: a value follows.
    Value,
    /// `[/DhtmlXQ_name]`: a value ends.
    ValueEnd,
}

fn mark(text: &[u8], at: usize) -> Option<Mark> {
    let rest = text.get(at + 1..)?;
    let (closing, rest) = match rest.strip_prefix(b"/") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    if !rest.get(..NAME.len())?.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let value = rest.get(NAME.len()) == Some(&b'_');
    Some(match (closing, value) {
        (false, false) => Mark::Open,
        (true, false) => Mark::Close,
        (false, true) => Mark::Value,
        (true, true) => Mark::ValueEnd,
    })
}

fn marks(text: &str, from: usize) -> impl Iterator<Item = (usize, Mark)> + '_ {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'[', bytes.get(from..).unwrap_or(&[]))
        .filter_map(move |at| Some((at + from, mark(bytes, at + from)?)))
}

/// The blocks of a text. A block that is not closed ends where the next
/// begins; tags outside any block make one.
pub(super) fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut open: Option<usize> = None;
    for (at, mark) in marks(text, 0) {
        match mark {
            Mark::Open => {
                if let Some(start) = open.replace(at) {
                    blocks.push(start..at);
                }
            }
            Mark::Close => {
                if let Some(start) = open.take() {
                    let end = text.get(at..).and_then(|rest| rest.find(']'));
                    blocks.push(start..end.map_or(text.len(), |end| at + end + 1));
                }
            }
            Mark::Value => {
                open.get_or_insert(at);
            }
            Mark::ValueEnd => {}
        }
    }
    if let Some(start) = open {
        blocks.push(start..text.len());
    }
    blocks
}

/// The tags of a block, in their order. A value ends at any closing tag, as
/// closing names are sometimes wrong, or else at the next tag.
pub(super) fn tags(block: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    for (at, mark) in marks(block, 0) {
        if let Some((name, start)) = open.take() {
            tags.push(Tag { name, value: block.get(start..at).unwrap_or("") });
        }
        if matches!(mark, Mark::Value) {
            let from = at + 2 + NAME.len();
            if let Some((name, _)) = block.get(from..).and_then(|rest| rest.split_once(']')) {
                open = Some((name, from + name.len() + 1));
            }
        }
    }
    if let Some((name, start)) = open {
        tags.push(Tag { name, value: block.get(start..).unwrap_or("") });
    }
    tags
}

/// The tags of a page that sets script variables: `DhtmlXQ_name='value'`.
pub(super) fn variables(text: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    for at in memchr::memmem::find_iter(text.as_bytes(), b"DhtmlXQ_") {
        let rest = text.get(at + 8..).unwrap_or("");
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
        let Some(value) = rest.trim_start().strip_prefix('=') else { continue };
        let value = value.trim_start();
        let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            continue;
        };
        let inner = value.get(1..).unwrap_or("");
        if let Some((value, _)) = inner.split_once(quote) {
            tags.push(Tag { name, value });
        }
    }
    tags
}

/// Resolves `\uXXXX`, `%uXXXX`, `_uXXXX` and entities; `||` is a line break.
pub(super) fn unescape(value: &str) -> String {
    let value = markup::unescape(value);
    let mut out = String::with_capacity(value.len());
    let mut rest = &*value;
    while let Some(at) = rest.find(['\\', '%', '_', '|']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        if let Some(after) = from.strip_prefix("||") {
            out.push('\n');
            rest = after;
        } else if let Some((character, after)) = escaped(from) {
            out.push(character);
            rest = after;
        } else {
            out.push_str(from.get(..1).unwrap_or(""));
            rest = from.get(1..).unwrap_or("");
        }
    }
    out.push_str(rest);
    crate::formats::text_input::plain_lines(&out)
}

/// The character of `\uXXXX` at the beginning, a pair of surrogates included.
fn escaped(text: &str) -> Option<(char, &str)> {
    let unit = |text: &str| {
        let digits = text.get(1..)?.strip_prefix('u')?.get(..4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        u16::from_str_radix(digits, 16).ok()
    };
    let first = unit(text)?;
    let rest = text.get(6..)?;
    if let Some(Ok(character)) = char::decode_utf16([first]).next() {
        return (character != '\0').then_some((character, rest));
    }
    match char::decode_utf16([first, unit(rest)?]).next()? {
        Ok(character) => Some((character, rest.get(6..)?)),
        Err(_) => None,
    }
}

/// Undoes URL encoding; nothing when the text has none.
pub(super) fn from_url(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let mut found = false;
    while let Some(byte) = bytes.get(at) {
        let code = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        let code = code.filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = code.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let Some(code) = code.filter(|_| *byte == b'%') {
            out.push(code);
            at += 3;
            found = true;
        } else {
            out.push(*byte);
            at += 1;
        }
    }
    found.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_at_any_closing_tag() {
        let text = "[DhtmlXQ]\n[DhtmlXQ_blacktime]1[/DhtmlXQ_time]\n[DHTMLXQ_red]甲[/DhtmlXQ_red][/DhtmlXQ]";
        let found = tags(text);
        assert_eq!(found[0], Tag { name: "blacktime", value: "1" });
        assert_eq!(found[1], Tag { name: "red", value: "甲" });
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn blocks_end_at_their_end_or_at_the_next() {
        let text = "x[DhtmlXQ]a[DhtmlXQHTML]b[/DhtmlXQHTML]c[DhtmlXQ_title]d[/DhtmlXQ_title]";
        let found: Vec<&str> = blocks(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(
            found,
            ["[DhtmlXQ]a", "[DhtmlXQHTML]b[/DhtmlXQHTML]", "[DhtmlXQ_title]d[/DhtmlXQ_title]"]
        );
    }

    #[test]
    fn escapes_are_undone() {
        assert_eq!(unescape("a||b\\u003Fc%u0026_u8f66&lt;_u|%zz"), "a\nb?c&车<_u|%zz");
        assert_eq!(unescape("\\ud842\\udfb7\\ud842x"), "𠮷\\ud842x");
        assert_eq!(from_url("%5Ba%zz").as_deref(), Some(b"[a%zz".as_slice()));
        assert_eq!(from_url("plain"), None);
    }

    #[test]
    fn script_variables_are_tags() {
        let text = "<script>DhtmlXQ_movelist = '7747';var DhtmlXQ_red=\"甲\";</script>";
        assert_eq!(
            variables(text),
            [Tag { name: "movelist", value: "7747" }, Tag { name: "red", value: "甲" }]
        );
    }
}
