//! Names of the program that were stored as text and come back as `'static`.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// The one copy of a name of a finding's reason, article, parameter, format
/// or encoding. There are a few hundred of them in all; each is kept once, for
/// as long as the program runs.
pub(crate) fn interned(text: &str) -> &'static str {
    static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_with(HashSet::new);
    if let Some(known) = names.get(text) {
        return known;
    }
    let kept: &'static str = Box::leak(text.into());
    names.insert(kept);
    kept
}
