//! The grammar of Chinese move text (notation-chinese.md, 6).

use nom::Parser;
use nom::branch::alt;
use nom::combinator::map;

use super::alphabet::{Class, class_of};
use super::lex::ordinal;
use crate::notation::combinators::{Read, Unexpected, one, whole};
use crate::notation::syntax::{Hints, Place, Relative, Syntax, SyntaxError};

/// A character with a meaning, and what its spelling tells.
fn sign<'a, T>(
    expected: &'static str,
    pick: impl Fn(Class) -> Option<T>,
) -> impl Parser<&'a str, Output = (T, Hints), Error = Unexpected<'a>> {
    one(expected, move |character| {
        let class = class_of(character);
        pick(class).map(|value| (value, class.hints()))
    })
}

fn piece(input: &str) -> Read<'_, (crate::board::PieceKind, Hints)> {
    sign("a piece", Class::piece).parse(input)
}

fn numeral(input: &str) -> Read<'_, (u8, Hints)> {
    sign("a numeral", Class::numeral).parse(input)
}

fn direction(input: &str) -> Read<'_, (crate::notation::syntax::Direction, Hints)> {
    sign("进, 退 or 平", Class::direction).parse(input)
}

fn rank(input: &str) -> Read<'_, (crate::notation::syntax::Ordinal, Hints)> {
    map(sign("前, 中, 后 or a numeral", ordinal), |(found, _)| found).parse(input)
}

/// 炮二平五.
fn standard(input: &str) -> Read<'_, Relative> {
    map((piece, numeral, direction, numeral), |(p, f, d, t)| Relative {
        piece: Some(p.0),
        place: Place::File(f.0),
        direction: Some(d.0),
        to: t.0,
        hints: p.1.with(f.1).with(d.1).with(t.1),
    })
    .parse(input)
}

/// 马前退四.
fn piece_first(input: &str) -> Read<'_, Relative> {
    let word = sign("前, 中 or 后", Class::word);
    map((piece, word, direction, numeral), |(p, o, d, t)| Relative {
        piece: Some(p.0),
        place: Place::Ordinal(o.0),
        direction: Some(d.0),
        to: t.0,
        hints: p.1.with(d.1).with(t.1).with(Hints::PIECE_FIRST),
    })
    .parse(input)
}

/// 前马退四, 二兵平五.
fn tandem(input: &str) -> Read<'_, Relative> {
    map((rank, piece, direction, numeral), |(o, p, d, t)| Relative {
        piece: Some(p.0),
        place: Place::Ordinal(o.0),
        direction: Some(d.0),
        to: t.0,
        hints: o.1.with(p.1).with(d.1).with(t.1),
    })
    .parse(input)
}

/// 前兵四平五.
fn tandem_of_file(input: &str) -> Read<'_, Relative> {
    let rank = sign("前, 中, 后 or a Chinese numeral", |class: Class| {
        if class.hints().has(Hints::ARABIC) { None } else { ordinal(class) }
    });
    map((rank, piece, numeral, direction, numeral), |(o, p, f, d, t)| Relative {
        piece: Some(p.0),
        place: Place::OrdinalFile(o.0.0, f.0),
        direction: Some(d.0),
        to: t.0,
        hints: p.1.with(f.1).with(d.1).with(t.1),
    })
    .parse(input)
}

/// 前四平五, 二7平6.
fn pawn_of_file(input: &str) -> Read<'_, Relative> {
    map((rank, numeral, direction, numeral), |(o, f, d, t)| Relative {
        piece: None,
        place: Place::OrdinalFile(o.0, f.0),
        direction: Some(d.0),
        to: t.0,
        hints: o.1.with(f.1).with(d.1).with(t.1),
    })
    .parse(input)
}

/// Reads one move, white space around it allowed.
///
/// # Errors
/// When the text is not one move and nothing else.
pub(in crate::notation) fn parse(text: &str) -> Result<Syntax, SyntaxError> {
    let grammar = alt((standard, piece_first, tandem, tandem_of_file, pawn_of_file));
    whole(text, grammar).map(Syntax::Relative)
}
