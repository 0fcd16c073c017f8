//! One written move and one move on a board: a module a notation, each with
//! `parse` (text only, nom) to a small syntax value, `resolve` (needs a
//! position) to candidates, and `render`.

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
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 9] = [
        Notation::Chinese,
        Notation::Abbreviated,
        Notation::Wxf,
        Notation::Iccs,
        Notation::Uci,
        Notation::Vietnamese,
        Notation::Pinyin,
        Notation::San,
        Notation::Digits,
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
