//! Colours of the terminal, or none.

use std::fmt;

/// What a piece of text is, and so its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// A fault of severity `error`.
    Error,
    /// A fault of severity `warning`.
    Warning,
    /// A finding of severity `note`.
    Note,
    /// Advice: what to do.
    Help,
    /// A heading, such as the name of a file.
    Heading,
    /// Something of less weight: places, gutters, coordinates.
    Dim,
    /// A red piece, or Red's name.
    Red,
    /// A black piece, or Black's name.
    Black,
}

impl Tone {
    const fn code(self) -> &'static str {
        match self {
            Tone::Error => "1;31",
            Tone::Warning => "1;33",
            Tone::Note => "1;36",
            Tone::Help => "32",
            Tone::Heading | Tone::Black => "1",
            Tone::Dim => "2",
            Tone::Red => "31",
        }
    }
}

/// Whether text is coloured with ANSI sequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint {
    /// Whether colours are on.
    pub on: bool,
}

impl Paint {
    /// No colours.
    pub const PLAIN: Paint = Paint { on: false };

    /// The text in the colour of its tone, or as it is when colours are off.
    pub fn tone<T: fmt::Display>(self, tone: Tone, text: T) -> Painted<T> {
        Painted { tone: self.on.then_some(tone), text }
    }
}

/// Text with its colour, ready to be printed.
#[derive(Clone, Copy, Debug)]
pub struct Painted<T> {
    tone: Option<Tone>,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tone {
            Some(tone) => write!(f, "\x1b[{}m{}\x1b[0m", tone.code(), self.text),
            None => self.text.fmt(f),
        }
    }
}
