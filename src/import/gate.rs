//! Bounds what is under way between the reader of the disk and the writer of
//! the database, so that memory does not grow with the input.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A budget of bytes that the feeder takes from and the writer gives back to.
#[derive(Debug)]
pub(crate) struct Gate {
    limit: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    used: usize,
    closed: bool,
}

impl Gate {
    /// Lets `limit` bytes through at a time; one thing that is larger passes
    /// alone.
    pub(crate) fn new(limit: usize) -> Gate {
        Gate { limit, state: Mutex::default(), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `bytes` fit; `false` when the gate has been closed.
    pub(crate) fn enter(&self, bytes: usize) -> bool {
        let mut state = self.lock();
        while !state.closed && state.used > 0 && state.used + bytes > self.limit {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.used += bytes;
        !state.closed
    }

    /// Gives back what [`Gate::enter`] took.
    pub(crate) fn leave(&self, bytes: usize) {
        self.lock().used -= bytes;
        self.changed.notify_all();
    }

    /// Lets nothing in any more.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

/// Closes the gate when it goes, so that nobody waits for a thread that ended
/// early.
#[derive(Debug)]
pub(crate) struct CloseOnDrop<'a>(pub(crate) &'a Gate);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// As [`CloseOnDrop`], when the thread panics.
#[derive(Debug)]
pub(crate) struct CloseOnPanic<'a>(pub(crate) &'a Gate);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_large_passes_alone_and_closing_ends_the_wait() {
        let gate = Gate::new(10);
        assert!(gate.enter(1000));
        gate.leave(1000);
        assert!(gate.enter(6));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| gate.enter(6));
            gate.close();
            assert!(!waiting.join().unwrap());
        });
    }
}
