//! Results in words.

use super::shape::char_at;
use crate::game::GameResult;

/// A run of Han characters that is a result (红胜, 先和, 黑方胜), beginning at
/// `at`: one past its last byte.
pub(crate) fn result_word(text: &str, at: usize) -> Option<usize> {
    /// Longer runs are prose.
    const MAX_CHARS: usize = 6;
    let mut end = at;
    for _ in 0..=MAX_CHARS {
        let (c, n) = char_at(text.as_bytes(), end);
        if !(0x3400..=0x9FFF).contains(&c) {
            return (end > at && GameResult::parse(text.get(at..end)?).is_some()).then_some(end);
        }
        end += n;
    }
    None
}
