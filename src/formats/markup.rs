//! A lexer for XML and HTML as programs of this field write them: it keeps
//! places and goes on after damage, which a validating parser would not.

use std::borrow::Cow;

/// A part of a marked-up text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// `<name attributes>`, or `<name attributes />`.
    Open {
        /// The element.
        name: &'a str,
        /// What stands between name and end.
        attributes: &'a str,
        /// Whether the element has no content.
        empty: bool,
    },
    /// `</name>`
    Close(&'a str),
    /// Text between tags, entities not resolved.
    Text(&'a str),
    /// `<![CDATA[…]]>`, word for word.
    Verbatim(&'a str),
    /// `<!-- … -->`
    Comment(&'a str),
}

/// Tokens with the byte offset where each begins.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Where a tag or section began that the text does not end.
    pub(crate) open_end: Option<usize>,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0, open_end: None }
    }

    /// The section from after `start` bytes to `end`, or to the end of the text.
    fn section(&mut self, start: usize, end: &str) -> &'a str {
        let rest = self.text.get(self.at + start..).unwrap_or("");
        let Some(length) = rest.find(end) else {
            self.open_end.get_or_insert(self.at);
            self.at = self.text.len();
            return rest;
        };
        self.at += start + length + end.len();
        rest.get(..length).unwrap_or("")
    }

    fn tag(&mut self) -> Token<'a> {
        let inside = self.section(1, ">");
        if let Some(name) = inside.strip_prefix('/') {
            return Token::Close(name.trim());
        }
        let (inside, empty) = match inside.strip_suffix('/') {
            Some(inside) => (inside, true),
            None => (inside, false),
        };
        let end = inside.find(|c: char| c.is_whitespace()).unwrap_or(inside.len());
        let (name, attributes) = inside.split_at(end);
        Token::Open { name, attributes, empty }
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        loop {
            let at = self.at;
            let rest = self.text.get(at..).filter(|rest| !rest.is_empty())?;
            let token = if rest.starts_with("<!--") {
                Token::Comment(self.section(4, "-->"))
            } else if rest.starts_with("<![CDATA[") {
                Token::Verbatim(self.section(9, "]]>"))
            } else if rest.starts_with("<?") || rest.starts_with("<!") {
                self.section(2, ">");
                continue;
            } else if rest.starts_with('<') {
                self.tag()
            } else {
                let end = rest.find('<').unwrap_or(rest.len());
                self.at += end;
                Token::Text(rest.get(..end).unwrap_or(""))
            };
            return Some((at, token));
        }
    }
}

/// Names and raw values of attributes, quoted or not.
pub(crate) fn attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if name.is_empty() && after.is_empty() {
            return None;
        }
        let Some(value) = after.trim_start().strip_prefix('=') else {
            rest = after;
            return Some((name, ""));
        };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, after) = match quote {
            Some(quote) => {
                let inner = value.get(1..).unwrap_or("");
                inner.split_once(quote).unwrap_or((inner, ""))
            }
            None => value.find(char::is_whitespace).map_or((value, ""), |end| value.split_at(end)),
        };
        rest = after;
        Some((name, value))
    })
}

/// Resolves entities; what is none stays as it is.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let entity = from.get(1..).unwrap_or("");
        let end = entity.bytes().take(12).position(|byte| byte == b';');
        let resolved = end.and_then(|end| Some((resolve(entity.get(..end)?)?, end)));
        if let Some((character, end)) = resolved {
            out.push(character);
            rest = entity.get(end + 1..).unwrap_or("");
        } else {
            out.push('&');
            rest = entity;
        }
    }
    out.push_str(rest);
    out.into()
}

fn resolve(name: &str) -> Option<char> {
    let named = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| *c != '\0')?
        }
    };
    Some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_text_and_sections_come_in_order() {
        let text = "<?xml?><a x='1' y=2 z><!-- n --><b/>t&amp;u<![CDATA[<&]]></a><";
        let tokens: Vec<_> = Lexer::new(text).map(|(_, token)| token).collect();
        assert_eq!(
            tokens,
            [
                Token::Open { name: "a", attributes: " x='1' y=2 z", empty: false },
                Token::Comment(" n "),
                Token::Open { name: "b", attributes: "", empty: true },
                Token::Text("t&amp;u"),
                Token::Verbatim("<&"),
                Token::Close("a"),
                Token::Open { name: "", attributes: "", empty: false },
            ]
        );
        let read: Vec<_> = attributes(" x='1' y=2 z").collect();
        assert_eq!(read, [("x", "1"), ("y", "2"), ("z", "")]);
        assert_eq!(attributes("=").collect::<Vec<_>>(), [("", "")]);
    }

    #[test]
    fn entities_that_are_none_stay() {
        assert_eq!(unescape("&lt;&#36710;&#x8f66;&no;&#0;&"), "<车车&no;&#0;&");
        assert_eq!(unescape("plain"), "plain");
    }
}
