//! What the grammars of all notations share: an error that remembers the
//! furthest point reached, and a few combinators over single characters.

use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};

use super::syntax::SyntaxError;

/// Longer texts are no moves; real ones have at most 20 bytes.
const MAX_LEN: usize = 64;

/// What stood where something else was expected.
#[derive(Debug)]
pub(super) struct Unexpected<'a> {
    rest: &'a str,
    expected: &'static str,
}

/// The result of a parser of this room.
pub(super) type Read<'a, T> = IResult<&'a str, T, Unexpected<'a>>;

impl<'a> ParseError<&'a str> for Unexpected<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Unexpected<'a> {
        Unexpected { rest, expected: "a move" }
    }

    fn append(_: &'a str, _: ErrorKind, other: Unexpected<'a>) -> Unexpected<'a> {
        other
    }

    /// Of two alternatives, the one that came further knows better.
    fn or(self, other: Unexpected<'a>) -> Unexpected<'a> {
        if other.rest.len() < self.rest.len() { other } else { self }
    }
}

/// A parser of one character that `pick` has a meaning for.
pub(super) fn one<'a, T>(
    expected: &'static str,
    pick: impl Fn(char) -> Option<T>,
) -> impl Parser<&'a str, Output = T, Error = Unexpected<'a>> {
    move |input: &'a str| {
        let mut characters = input.chars();
        match characters.next().and_then(&pick) {
            Some(value) => Ok((characters.as_str(), value)),
            None => Err(nom::Err::Error(Unexpected { rest: input, expected })),
        }
    }
}

/// The ASCII form of a full-width character, and `-` for every kind of dash.
pub(super) fn half_width(character: char) -> char {
    match character {
        '！'..='～' => char::from_u32(character as u32 - 0xfee0).unwrap_or(character),
        '‐' | '‑' | '–' | '—' | '−' => '-',
        other => other,
    }
}

/// A digit 1 to 9 of either width; `true` when `l` was typed for 1.
pub(super) fn digit(input: &str) -> Read<'_, (u8, bool)> {
    one("a digit", |character| match half_width(character) {
        digit @ '1'..='9' => Some((digit as u8 - b'0', false)),
        'l' => Some((1, true)),
        _ => None,
    })
    .parse(input)
}

/// A digit 1 to 9 of either width.
pub(super) fn plain_digit(input: &str) -> Read<'_, u8> {
    one("a digit", |character| match half_width(character) {
        digit @ '1'..='9' => Some(digit as u8 - b'0'),
        _ => None,
    })
    .parse(input)
}

/// Runs a parser over a whole text, white space at both ends left aside.
pub(super) fn whole<'a, T>(
    text: &'a str,
    mut parser: impl Parser<&'a str, Output = T, Error = Unexpected<'a>>,
) -> Result<T, SyntaxError> {
    let trimmed = text.trim();
    if trimmed.len() > MAX_LEN {
        return Err(SyntaxError::TooLong);
    }
    let end = text.trim_end().len();
    match parser.parse(trimmed) {
        Ok(("", value)) => Ok(value),
        Ok((rest, _)) => Err(SyntaxError::Trailing { at: end - rest.len() }),
        Err(nom::Err::Error(found) | nom::Err::Failure(found)) => {
            Err(SyntaxError::Expected { at: end - found.rest.len(), expected: found.expected })
        }
        Err(nom::Err::Incomplete(_)) => {
            Err(SyntaxError::Expected { at: end, expected: "more text" })
        }
    }
}
