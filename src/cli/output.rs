//! Where a command writes: standard output, buffered, in text or JSON Lines;
//! progress on standard error.

use qipu::finding::Lang;
use qipu::report::Paint;
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};

use super::ColorChoice;

/// Standard output with what the user asked of it. Commands write text with
/// `write!(out, …)`, objects with [`Output::json`].
#[derive(Debug)]
pub(crate) struct Output {
    out: BufWriter<Stdout>,
    json: bool,
    lang: Lang,
    paint: Paint,
    stderr_paint: Paint,
}

impl Output {
    /// Standard output; `auto` colours look at what it is.
    pub(crate) fn new(json: bool, lang: Lang, color: ColorChoice) -> Output {
        let on = |terminal: bool| match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal && colours_wanted(),
        };
        let stdout = io::stdout();
        Output {
            json,
            lang,
            paint: Paint { on: !json && on(stdout.is_terminal()) },
            stderr_paint: Paint { on: on(io::stderr().is_terminal()) },
            out: BufWriter::with_capacity(1 << 16, stdout),
        }
    }

    /// Whether `--json` was given.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Language of messages.
    pub(crate) fn lang(&self) -> Lang {
        self.lang
    }

    /// Colours of standard output.
    pub(crate) fn paint(&self) -> Paint {
        self.paint
    }

    /// Colours of standard error.
    pub(crate) fn stderr_paint(&self) -> Paint {
        self.stderr_paint
    }

    /// Writes one object on a line of its own.
    pub(crate) fn json(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, object)?;
        self.out.write_all(b"\n")
    }

    /// A remark on standard error.
    pub(crate) fn remark(&mut self, text: impl std::fmt::Display) {
        // What was written before comes first on a terminal.
        let _ = self.out.flush();
        eprintln!("{text}");
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Neither NO_COLOR nor a terminal that cannot.
fn colours_wanted() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !no_color && !dumb
}

/// The language of the locale, by the first of the three variables that is
/// set.
pub(crate) fn lang_of_environment() -> Lang {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .filter_map(std::env::var_os)
        .find(|value| !value.is_empty())
        .map_or(Lang::En, |value| Lang::of_locale(&value.to_string_lossy()))
}
