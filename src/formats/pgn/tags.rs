//! The tags of one game.

use crate::formats::movetext::is_tag;
use crate::notation::Notation;
use crate::record::{Header, Span, Start, field_name};

/// Tags and what is odd about them.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// The headers.
    pub(super) headers: Vec<Header>,
    /// Odd tags: a reason, and where.
    pub(super) odd: Vec<(&'static str, Span)>,
    /// Where the movetext begins.
    pub(super) end: usize,
    /// Whether the tags of another game begin there instead.
    pub(super) another: bool,
}

impl Tags {
    /// Moves all places by `from`: the text that was read began there.
    pub(super) fn shift(&mut self, from: usize) {
        let by = u32::try_from(from).unwrap_or(u32::MAX);
        let spans = self.headers.iter_mut().map(|h| &mut h.span);
        for span in spans.chain(self.odd.iter_mut().map(|(_, span)| span)) {
            span.start = span.start.saturating_add(by);
        }
        self.end += from;
    }
}

/// Reads the tags at the start of `text`. An empty line among them does not
/// end them; a tag that is there already does after an empty line.
pub(super) fn read(text: &str) -> Tags {
    let bytes = text.as_bytes();
    let mut tags = Tags { headers: Vec::with_capacity(16), ..Tags::default() };
    let mut at = 0;
    let mut blank_line = false;
    loop {
        let mut feeds = 0;
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            match c {
                '\n' => feeds += 1,
                c if c.is_whitespace() || c == '\u{FEFF}' => {}
                _ => break,
            }
            at += c.len_utf8();
        }
        blank_line |= feeds > 1;
        tags.end = at;
        if bytes.get(at) != Some(&b'[') {
            return tags;
        }
        let Some(tag) = tag(text, at) else { return tags };
        let name = text.get(tag.name.range()).unwrap_or("");
        let first = tags.headers.first().is_some_and(|h| h.name.eq_ignore_ascii_case(name));
        let seen = || tags.headers.iter().any(|h| h.name.eq_ignore_ascii_case(name));
        if blank_line && seen() || first && tags.headers.len() > 1 {
            tags.another = true;
            return tags;
        }
        blank_line = false;
        let raw = text.get(tag.value.range()).unwrap_or("");
        let odd = tag.odd.or_else(|| bare_quote(raw).then_some("unescaped-quote"));
        if let Some(reason) = odd {
            tags.odd.push((reason, Span::new(at, tag.end)));
        }
        tags.headers.push(Header { name: field_name(name), value: unescape(raw), span: tag.value });
        at = tag.end;
    }
}

struct Tag {
    name: Span,
    value: Span,
    /// Behind the bracket.
    end: usize,
    odd: Option<&'static str>,
}

fn tag(text: &str, at: usize) -> Option<Tag> {
    let bytes = text.as_bytes();
    let rest = text.get(at..)?;
    let line = rest.get(..memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len()))?;
    if !is_tag(bytes, at) {
        return bare_tag(line, at);
    }
    let name_from = 1 + line.get(1..)?.bytes().take_while(|c| *c == b' ').count();
    let open = memchr::memchr(b'"', line.as_bytes())?;
    let name_to = name_from + line.get(name_from..open)?.trim_end().len();
    let name = Span::new(at + name_from, at + name_to);
    let from = open + 1;
    let value = line.get(from..)?;
    // The ordinary case: one quote, then the bracket, then nothing.
    let quote = memchr::memchr(b'"', value.as_bytes());
    if let Some(n) = quote
        && value.get(n + 1..)?.trim_end() == "]"
    {
        let value = Span::new(at + from, at + from + n);
        return Some(Tag { name, value, end: at + from + n + 2, odd: None });
    }
    // An escaped quote ends a value only where no other does: programs that
    // know no escapes write a path like "C:\\".
    let end = last_quote(value, false).or_else(|| last_quote(value, true));
    let (value_end, close, odd) = match (end, quote) {
        (Some((n, close)), _) => (n, close, None),
        (None, Some(n)) => {
            let last = value.rfind('"').unwrap_or(n);
            (last, last + 1, Some("no-bracket"))
        }
        (None, None) => {
            let trimmed = value.trim_end();
            let bare = trimmed.strip_suffix(']').unwrap_or(trimmed);
            (bare.len(), value.len(), Some("no-closing-quote"))
        }
    };
    let value = Span::new(at + from, at + from + value_end);
    Some(Tag { name, value, end: at + from + close, odd })
}

/// The last quote of a line that a bracket follows, and what is behind that
/// bracket; or the first such quote before another tag.
fn last_quote(value: &str, escaped: bool) -> Option<(usize, usize)> {
    let mut end = None;
    for (n, _) in value.match_indices('"') {
        let after = value.get(n + 1..)?;
        let blanks = after.len() - after.trim_start_matches([' ', '\t']).len();
        if after.as_bytes().get(blanks) != Some(&b']') {
            continue;
        }
        let before = value.get(..n)?;
        let backslashes = before.len() - before.trim_end_matches('\\').len();
        if backslashes % 2 == 1 && !escaped {
            continue;
        }
        let close = n + 1 + blanks + 1;
        end = Some((n, close));
        let behind = value.get(close..)?;
        let gap = behind.len() - behind.trim_start().len();
        if is_tag(behind.as_bytes(), gap) {
            break;
        }
    }
    end
}

/// `[Event 甲]`, a tag without quotes, alone on its line.
fn bare_tag(line: &str, at: usize) -> Option<Tag> {
    let inner = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = match inner.split_once([' ', '\t']) {
        Some((name, value)) => (name, value),
        None => inner.split_at_checked(inner.len())?,
    };
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    let starts_well = name.chars().next().is_some_and(char::is_alphabetic);
    if !starts_well || !name.chars().all(letters) || value.contains(['[', ']']) {
        return None;
    }
    let value = value.trim();
    let quoted = value.trim_matches(['“', '”', '\'', '＂', '「', '」']);
    let from = at + (quoted.as_ptr() as usize - line.as_ptr() as usize);
    Some(Tag {
        name: Span::new(at + 1, at + 1 + name.len()),
        value: Span::new(from, from + quoted.len()),
        end: at + line.trim_end().len(),
        odd: Some("no-quotes"),
    })
}

/// Whether a quote stands in a value without a backslash before it.
fn bare_quote(raw: &str) -> bool {
    let mut escaped = false;
    for byte in raw.bytes() {
        match byte {
            b'"' if !escaped => return true,
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    false
}

/// Reads `\"` and `\\`; any other backslash stands for itself (R18).
fn unescape(raw: &str) -> String {
    if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
        return raw.to_owned();
    }
    let mut value = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('"' | '\\')) => value.extend(chars.next()),
            _ => value.push(c),
        }
    }
    value
}

/// The start position that a FEN tag gives.
pub(super) fn start(headers: &[Header]) -> Start {
    let fen = headers.iter().find(|h| h.name.eq_ignore_ascii_case("FEN"));
    match fen {
        Some(header) if header.value.contains('/') => {
            Start::Fen { text: header.value.clone(), span: header.span }
        }
        _ => Start::Standard,
    }
}

/// The notation that the Format tag claims.
pub(super) fn format_hint(headers: &[Header]) -> Option<Notation> {
    let value = headers.iter().find(|h| h.name.eq_ignore_ascii_case("Format"))?.value.trim();
    match value.to_ascii_lowercase().as_str() {
        "chinese" | "zh" | "cn" => Some(Notation::Chinese),
        name => name.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        read(text).headers.into_iter().map(|h| (h.name.into_owned(), h.value)).collect()
    }

    #[test]
    fn values() {
        for (text, value, odd) in [
            ("[E \"甲\"]", "甲", None),
            ("[E \"\"]", "", None),
            ("[E \"a\" ]", "a", None),
            (r#"[E "C:\\a\b"]"#, r"C:\a\b", None),
            (r#"[E "a \"b\" c"]"#, r#"a "b" c"#, None),
            (r#"[E "a "b" c"]"#, r#"a "b" c"#, Some("unescaped-quote")),
            (r#"[E ""五羊杯"赛"]"#, r#""五羊杯"赛"#, Some("unescaped-quote")),
            (r#"[E "\"][a"]"#, r#""][a"#, None),
            (r#"[E "C:\" ]"#, r"C:\", None),
            ("[E \"a]b {c\"]", "a]b {c", None),
            ("[E \"a]", "a", Some("no-closing-quote")),
            ("[E \"a\"", "a", Some("no-bracket")),
            ("[E 甲]", "甲", Some("no-quotes")),
            ("[E “甲”]", "甲", Some("no-quotes")),
        ] {
            let tags = read(text);
            assert_eq!(tags.headers.len(), 1, "{text}");
            assert_eq!(tags.headers[0].value, value, "{text}");
            assert_eq!(tags.odd.first().map(|o| o.0), odd, "{text}");
            assert_eq!(tags.end, text.len(), "{text}");
        }
    }

    #[test]
    fn several_on_a_line_and_moves_behind() {
        let text = "[A \"1\"] [B \"2\"]\n[C \"3\"] 1. h2e2";
        assert_eq!(pairs(text).len(), 3);
        assert_eq!(text.get(read(text).end..), Some("1. h2e2"));
    }

    #[test]
    fn an_empty_line_and_a_tag_that_is_there_already() {
        let text = "[Event \"a\"]\n\n[Red \"r\"]\n\n[Event \"b\"]\n";
        let tags = read(text);
        assert_eq!(tags.headers.len(), 2);
        assert!(tags.another);
        assert_eq!(text.get(tags.end..).map(str::len), Some(12));
    }

    #[test]
    fn moves_in_brackets_are_no_tags() {
        assert!(pairs("[ 5. 马二进三 卒７进１\n").is_empty());
        assert!(pairs("[[54. 兵九进一]\n").is_empty());
    }
}
