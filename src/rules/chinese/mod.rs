//! The Chinese rules of 1999 and 2020 (articles 24 to 29).

mod chase;
mod pressure;
mod search;
mod verdict;

pub(crate) use chase::{Classified, classify, name_idle};
pub(crate) use verdict::{Decided, decide, rule};
