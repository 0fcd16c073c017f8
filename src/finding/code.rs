//! The table of finding codes. They are stable: scripts and databases keep
//! them. `docs/findings/` has a page for each.

use std::fmt;
use std::str::FromStr;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong with the game.
    Note,
    /// Understood, but a person should look.
    Warning,
    /// Something is wrong or could not be kept.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal $severity:ident $article:expr;)*) => {
        /// What kind of thing was found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The stable kebab-case name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// The severity unless the finder says otherwise.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }

            /// The article of the 1999 rules that the code rests on.
            #[must_use]
            pub const fn article(self) -> Option<&'static str> {
                match self { $(Code::$variant => $article,)* }
            }
        }
    };
}

codes! {
    /// A move that the rules do not allow in its position.
    IllegalMove "illegal-move" Error Some("2");
    /// Several legal readings of one written move.
    AmbiguousMove "ambiguous-move" Error Some("7.3");
    /// A word that can be played, but with which the rest of the line cannot.
    DoubtfulMove "doubtful-move" Warning None;
    /// A placeholder, or text where a move should stand.
    UnreadableMove "unreadable-move" Error Some("7.3");
    /// Understood, but not written as the notation prescribes.
    NotationSlip "notation-slip" Note Some("7.5");
    /// A half-move is not there.
    MissingMove "missing-move" Error Some("7.1");
    /// Four or more moves in a row were not recorded: a foul.
    MissingMovesFoul "missing-moves-foul" Error Some("7.1");
    /// A move number that does not fit.
    MoveNumber "move-number" Note None;
    /// A move that was not written and has been filled in.
    InferredMove "inferred-move" Warning None;
    /// Moves after mate, stalemate or the recorded end.
    MovesAfterEnd "moves-after-end" Warning None;
    /// Result, board, tag and token do not agree.
    ResultMismatch "result-mismatch" Warning Some("10.1");
    /// No result is recorded.
    ResultMissing "result-missing" Note Some("10.1");
    /// A position stands on the board for the third time.
    Repetition "repetition" Warning Some("24");
    /// The natural limit of moves without a capture is reached.
    NaturalLimit "natural-limit" Warning Some("23.3");
    /// The rules do not allow the start position.
    IllegalPosition "illegal-position" Warning None;
    /// A FEN that cannot be read.
    BadFen "bad-fen" Error None;
    /// A tag or header that is malformed or cannot be normalised.
    BadHeader "bad-header" Note None;
    /// Bytes that the encoding does not have.
    EncodingReplaced "encoding-replaced" Warning None;
    /// Parts of one file in different encodings.
    EncodingMixed "encoding-mixed" Warning None;
    /// A character that the output encoding does not have.
    EncodingUnmappable "encoding-unmappable" Warning None;
    /// The input ends before the game does.
    Truncated "truncated" Error None;
    /// The input contradicts its format.
    Corrupt "corrupt" Error None;
    /// The input is larger than the limits allow.
    LimitExceeded "limit-exceeded" Error None;
    /// No format was recognised.
    UnknownFormat "unknown-format" Warning None;
    /// The format is known but this build cannot read it.
    UnsupportedFormat "unsupported-format" Warning None;
    /// The input has no game.
    NoGame "no-game" Note None;
    /// The same game is there already.
    DuplicateGame "duplicate-game" Note None;
    /// Something the target format cannot carry.
    NotWritten "not-written" Warning None;
    /// How the record was read: notation, dialect, habit of the writer.
    DialectRead "dialect-read" Note None;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not a finding code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no finding code is called `{0}`")]
pub struct UnknownCode(String);

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Code, UnknownCode> {
        Code::ALL
            .iter()
            .copied()
            .find(|code| code.name() == text)
            .ok_or_else(|| UnknownCode(text.to_owned()))
    }
}
