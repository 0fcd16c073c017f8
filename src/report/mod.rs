//! One way to show a thing: boards in text, tables, JSON objects, findings
//! with the excerpt of their source. Language and layout are added here.

pub mod audit;
pub mod board;
mod excerpt;
mod findings;
mod game;
pub mod json;
pub mod judgement_words;
pub mod moves;
pub mod notation_words;
pub mod position_words;
pub mod style;
pub mod svg;
mod table;
pub mod tables;
mod tally;
pub mod touch_words;

pub use board::{BoardText, PieceSet};
pub use excerpt::Excerpt;
pub use findings::{FindingText, position_before, printable, severity};
pub use game::{GameText, heading, outcome};
pub use style::{Paint, Painted, Tone};
pub use table::table;
pub use tally::{Tally, counted};
