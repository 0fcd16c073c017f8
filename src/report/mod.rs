//! One way to show a thing: boards in text, tables, JSON objects, findings
//! with the excerpt of their source. Language and layout are added here.

pub mod board;
pub mod json;
pub mod notation_words;
pub mod position_words;
pub mod style;
mod table;

pub use board::{BoardText, PieceSet};
pub use style::{Paint, Painted, Tone};
pub use table::table;
