//! A bar on standard error for what takes longer than half a second.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a command may take before the bar shows.
const PATIENCE: Duration = Duration::from_millis(500);

/// A progress bar that shows itself after half a second, and only on a
/// terminal.
#[derive(Debug)]
#[allow(dead_code, reason = "long commands use it")]
pub(crate) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    waiting: bool,
}

#[allow(dead_code, reason = "long commands use it")]
impl Progress {
    /// A bar over `length` steps, or one that only counts.
    pub(crate) fn new(length: Option<u64>) -> Progress {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        let template = if length.is_some() {
            "{spinner} [{bar:30}] {pos}/{len} {msg} {eta}"
        } else {
            "{spinner} {pos} {msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Progress { bar, begun: Instant::now(), waiting: io::stderr().is_terminal() }
    }

    /// Sets the number of steps done.
    pub(crate) fn set(&mut self, position: u64) {
        self.show();
        self.bar.set_position(position);
    }

    /// Sets the words beside the bar.
    pub(crate) fn message(&mut self, text: impl Into<String>) {
        self.show();
        self.bar.set_message(text.into());
    }

    fn show(&mut self) {
        if self.waiting && self.begun.elapsed() > PATIENCE {
            self.waiting = false;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

/// The bar leaves no trace.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
