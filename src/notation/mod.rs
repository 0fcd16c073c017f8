//! One written move and one move on a board.
//!
//! Three steps, each on its own: [`parse`] needs only the text and gives a
//! small [`Syntax`]; [`resolve`] needs a position and finds the one legal move
//! that is meant, or says why there is none; [`render`] writes a move.
//!
//! ```
//! use qipu::board::Position;
//! use qipu::notation::{Context, Notation, Resolution, Slips, parse, resolve};
//!
//! let position = Position::start();
//! let syntax = parse(Notation::Chinese, "炮二平五")?;
//! let meant = resolve(syntax, &position, Context::of(&position));
//! assert_eq!(meant, Resolution::Legal { mv: "h2e2".parse()?, slips: Slips::NONE });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The grammars in `grammars/` describe the texts; `tests/grammar.rs` holds
//! the parsers to them.

mod abbreviated;
mod chinese;
mod combinators;
mod describe;
mod detect;
mod fold;
mod numeric;
mod order;
mod pinyin;
mod readings;
mod render;
mod resolve;
mod san;
mod slip;
mod squares;
mod style;
mod syntax;
mod vietnamese;
mod wxf;

pub use chinese::lex_chinese;
pub(crate) use chinese::plain_chinese_length;
pub use detect::{NotationSet, classify, count_moves, score};
pub use fold::fold;
pub(crate) use fold::{Signs, signs};
pub use readings::{Candidates, Reading};
pub use render::{render, write, write_chinese};
pub(crate) use resolve::resolve_plain_text;
pub use resolve::{
    Context, Numerals, Resolution, for_other_side, rank_base, readings, resolve, resolve_plain,
};
pub use slip::Slips;
pub use style::{Digits, MarkStyle, PawnStyle, Script, Style, UnknownStyle, WxfStyle};
pub use syntax::{
    Direction, Hints, MarkHabit, Ordinal, Place, RankBase, Relative, San, Squares, Syntax,
    SyntaxError,
};

use std::fmt;
use std::str::FromStr;

/// A way of writing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// 炮二平五, 馬8進7: full Chinese notation (中文四字记谱).
    Chinese,
    /// 炮25: the short record (简写) of article 7.5.
    Abbreviated,
    /// C2.5, H8+7: letters of the World Xiangqi Federation.
    Wxf,
    /// H2-E2.
    Iccs,
    /// h2e2, and h3e3 with ranks from 1.
    Uci,
    /// P2-5, M8.7.
    Vietnamese,
    /// p2p5: pinyin initials.
    Pinyin,
    /// Che2, Nbxa4: algebraic.
    San,
    /// 7747: two squares as four digits, ranks from the top (DhtmlXQ).
    Digits,
    /// 62.5, 48+7: digits for pieces, signs for directions (xqbase).
    Numeric,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 10] = [
        Notation::Chinese,
        Notation::Abbreviated,
        Notation::Wxf,
        Notation::Iccs,
        Notation::Uci,
        Notation::Vietnamese,
        Notation::Pinyin,
        Notation::San,
        Notation::Digits,
        Notation::Numeric,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Chinese => "chinese",
            Notation::Abbreviated => "abbreviated",
            Notation::Wxf => "wxf",
            Notation::Iccs => "iccs",
            Notation::Uci => "uci",
            Notation::Vietnamese => "vietnamese",
            Notation::Pinyin => "pinyin",
            Notation::San => "san",
            Notation::Digits => "digits",
            Notation::Numeric => "numeric",
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no notation is called `{0}`; `qipu notations` lists them")]
pub struct UnknownNotation(String);

impl FromStr for Notation {
    type Err = UnknownNotation;

    fn from_str(text: &str) -> Result<Notation, UnknownNotation> {
        Notation::ALL
            .into_iter()
            .find(|notation| notation.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownNotation(text.to_owned()))
    }
}

/// Reads one move in a notation, white space around it allowed. Nothing but
/// the text is looked at.
///
/// # Errors
/// When the text is not one move of that notation.
pub fn parse(notation: Notation, text: &str) -> Result<Syntax, SyntaxError> {
    match notation {
        Notation::Chinese => chinese::parse(text),
        Notation::Abbreviated => abbreviated::parse(text),
        Notation::Wxf => wxf::parse(text),
        Notation::Iccs => squares::parse_iccs(text),
        Notation::Uci => squares::parse_uci(text),
        Notation::Vietnamese => vietnamese::parse(text),
        Notation::Pinyin => pinyin::parse(text),
        Notation::San => san::parse(text),
        Notation::Digits => squares::parse_digits(text),
        Notation::Numeric => numeric::parse(text),
    }
}
