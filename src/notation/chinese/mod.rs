//! Full Chinese notation (中文四字记谱): 炮二平五, 马8进7, 前车退一.

pub(super) mod alphabet;
mod lex;
mod parse;
mod spell;

pub use lex::lex_chinese;
pub(crate) use lex::plain_chinese_length;
pub(super) use lex::{Plain, plain_chinese};
pub(super) use parse::parse;
pub(super) use spell::spell;
