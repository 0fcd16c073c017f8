//! A bar on standard error, for those who wait at a terminal.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a command may take before the bar shows.
const PATIENCE: Duration = Duration::from_millis(500);

/// A progress bar on a terminal, and nothing elsewhere.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    waiting: bool,
    stays: bool,
}

impl Progress {
    /// A bar over `length` steps, or one that only counts. It shows itself
    /// after half a second and leaves no trace.
    pub(crate) fn new(length: Option<u64>) -> Progress {
        let template = if length.is_some() {
            "{spinner} [{bar:30}] {pos}/{len} {msg} {eta}"
        } else {
            "{spinner} {pos} {msg}"
        };
        Progress::with_template(length, template)
    }

    /// A bar over bytes of input, whose number may come later. It shows itself
    /// at once and stays when it is done.
    pub(crate) fn of_bytes() -> Progress {
        let mut progress = Progress::with_template(
            None,
            "[{bar:30}] {bytes:>10}/{total_bytes} {eta:>4} {wide_msg}",
        );
        progress.stays = true;
        progress.show_after(Duration::ZERO);
        progress
    }

    fn with_template(length: Option<u64>, template: &str) -> Progress {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        let waiting = io::stderr().is_terminal();
        Progress { bar, begun: Instant::now(), waiting, stays: false }
    }

    /// Sets the number of steps done.
    pub(crate) fn set(&mut self, position: u64) {
        self.show_after(PATIENCE);
        // What is counted may be more than was announced: archives unpack.
        if self.bar.length().is_some_and(|length| length < position) {
            self.bar.set_length(position);
        }
        self.bar.set_position(position);
    }

    /// Sets the number of steps in all.
    pub(crate) fn set_length(&mut self, length: u64) {
        self.bar.set_length(length.max(self.bar.position()));
    }

    /// Sets the words beside the bar.
    pub(crate) fn message(&mut self, text: impl Into<String>) {
        self.show_after(PATIENCE);
        self.bar.set_message(text.into());
    }

    /// Writes the bar full, with the words beside it, and leaves it there.
    pub(crate) fn complete(&mut self, text: impl Into<String>) {
        let done = self.bar.position();
        self.bar.set_length(done);
        self.bar.finish_with_message(text.into());
    }

    fn show_after(&mut self, patience: Duration) {
        if self.waiting && self.begun.elapsed() >= patience {
            self.waiting = false;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

/// A bar that is not meant to stay leaves no trace; one that is stays where it
/// was when the work broke off.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.bar.is_finished() {
            return;
        }
        if self.stays {
            self.bar.abandon();
        } else {
            self.bar.finish_and_clear();
        }
    }
}
