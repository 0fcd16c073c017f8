//! How a game ends (articles 4 and 23 to 29).

mod outcome;

pub use outcome::{End, NATURAL_LIMIT, end_of_game};
