//! The Chinese rules of 1999 and 2020 (articles 24 to 29).

mod chase;
mod exchange;
mod pressure;
mod search;
mod verdict;

pub(crate) use chase::{Classified, classify, name_idle};
pub(crate) use exchange::Memo;
pub(crate) use verdict::{Decided, decide, rule};
