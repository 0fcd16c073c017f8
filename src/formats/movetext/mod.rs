//! Text with moves in it, as PGN, plain score sheets and WXF text share it:
//! what looks like a move, the lexer, and the builder of the move tree.

mod brackets;
mod builder;
mod encoding;
mod evidence;
mod lexer;
mod parsed;
mod remarks;
mod shape;
mod tally;
mod words;
mod write;

pub(crate) use brackets::{comment_end, is_tag, whole_tag_line};
pub(crate) use builder::{Builder, Habit};
pub(crate) use encoding::{detect, score};
pub(crate) use evidence::Evidence;
pub(crate) use lexer::{Kind, Lexer, han_number};
pub(crate) use parsed::Movetext;
pub(crate) use write::{Manner, Writer, assumed, not_written};
