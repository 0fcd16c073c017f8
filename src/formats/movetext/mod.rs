//! Text with moves in it, as PGN, plain score sheets and WXF text share it:
//! what looks like a move, the lexer, and the builder of the move tree.

mod builder;
mod encoding;
mod evidence;
mod lexer;
mod shape;
mod words;
mod write;

pub(crate) use builder::{Builder, Habit, Movetext};
pub(crate) use encoding::{detect, score};
pub(crate) use evidence::Evidence;
pub(crate) use lexer::{Kind, Lexer, comment_end, is_tag, whole_tag_line};
pub(crate) use write::{Manner, Writer, not_written};
