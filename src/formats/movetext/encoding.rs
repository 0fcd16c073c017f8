//! The encoding of a text with moves, told by its moves.

use super::lexer::{Kind, Lexer};
use super::shape::Shapes;
use crate::text::{self, Encoding};

/// Bytes that are looked at.
const SAMPLE: usize = 64 << 10;

/// The encoding of bytes, decided by a sample that begins a little before the
/// first byte that is not ASCII. `None` when there is none.
pub(crate) fn detect(bytes: &[u8]) -> Option<Encoding> {
    const BEFORE: usize = 256;
    let head = bytes.get(..2).unwrap_or_default();
    let wide = matches!(head, [0xFF, 0xFE] | [0xFE, 0xFF] | [_, 0] | [0, _]);
    let first = bytes.iter().position(|c| *c >= 0x80 || wide)?;
    // From the line on; only the beginning of the file has a byte order mark.
    let before = bytes.get(first.saturating_sub(BEFORE)..first)?;
    let line = memchr::memrchr(b'\n', before).map_or(first, |n| first - before.len() + n + 1);
    let from = if first < 4 { 0 } else { line };
    let sample = bytes.get(from..(from + SAMPLE).min(bytes.len()))?;
    Some(text::detect(sample, &score).encoding)
}

/// How much a text looks like Xiangqi: ten for each move, three for each
/// result in words (encodings.md, 5).
pub(crate) fn score(text: &str) -> i64 {
    let mut lexer = Lexer::new(text, 0);
    let mut score = 0;
    loop {
        match lexer.next().kind {
            Kind::Move(Shapes::CHINESE) => score += 10,
            Kind::Comment { .. } | Kind::Tag if lexer.position() == text.len() => return score,
            Kind::Tag => {
                let end = lexer.line_end(lexer.position());
                lexer.seek(end);
            }
            Kind::Result => score += 3,
            Kind::End => return score,
            _ => {}
        }
    }
}
