//! What is wrong with a question.

use std::fmt;

use crate::finding::Lang;

/// The text is not of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    text: String,
    at: usize,
    expected: &'static str,
}

/// What could have stood at a fault, in English and Chinese.
const WORDS: &[(&str, &str)] = &[
    ("a shorter text", "较短的文字"),
    ("`;` or the end", "“;”或结尾"),
    ("a blank", "空格"),
    ("a blank or the end", "空格或结尾"),
    ("the end", "结尾"),
    ("a board, pieces such as `N@c-g`, or `turn red`", "棋盘、棋子（如 N@c-g）或 turn red"),
    ("`red` or `black`", "red 或 black"),
    ("`w`, `b` or `-`", "w、b 或 -"),
    ("`/` and the next rank: a board has ten", "“/”和下一行：棋盘有十行"),
    ("`/`: a rank has nine points", "“/”：每行九个点"),
    ("a rank of nine points", "九个点的一行"),
    ("more points: a rank has nine, or none", "更多的点：每行九个，或一个不写"),
    ("a piece, `?`, `.`, `*`, a digit or `[`", "棋子、?、.、*、数字或 ["),
    ("a piece or `.`", "棋子或 ."),
    ("a piece, `.` or `]`", "棋子、. 或 ]"),
    ("a file `a` to `i`", "列 a 至 i"),
    ("a rank 0 to 9", "行 0 至 9"),
    ("a file `a` to `i` or a rank 0 to 9", "列 a 至 i 或行 0 至 9"),
    ("the other end", "另一端"),
    ("a number", "数字"),
    ("a piece, `:` or `~`", "棋子、: 或 ~"),
    ("a piece or the end", "棋子或结尾"),
    ("the most that there may be", "最多的个数"),
    ("a move, `?` or `…`", "着法、? 或 …"),
    ("a move", "着法"),
    ("a move in a notation that `qipu notations` lists", "`qipu notations` 所列记谱法的着法"),
    ("a sequence of 32 moves at most", "至多 32 步的着法"),
];

impl PatternError {
    pub(super) fn new(text: &str, at: usize, expected: &'static str) -> PatternError {
        PatternError { text: text.to_owned(), at, expected }
    }

    /// The column of the fault, from 1, in characters.
    #[must_use]
    pub fn column(&self) -> usize {
        self.before().chars().count() + 1
    }

    /// What could stand there.
    #[must_use]
    pub fn expected(&self, lang: Lang) -> &'static str {
        let words = WORDS.iter().find(|(english, _)| *english == self.expected);
        words.map_or(self.expected, |(english, chinese)| lang.pick(english, chinese))
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The part of the text before the fault.
    #[must_use]
    pub fn before(&self) -> &str {
        self.text.get(..self.at).unwrap_or(&self.text)
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is expected at column {}", self.expected, self.column())
    }
}

impl std::error::Error for PatternError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every word that the parsers can expect is in the list.
    #[test]
    fn what_is_expected_can_be_said_in_chinese() {
        let sources = [include_str!("parse.rs"), include_str!("sequence.rs")];
        let known = |text: &str| WORDS.iter().any(|(english, _)| *english == text);
        let mut seen = 0;
        for source in sources {
            let source = source.split("#[cfg(test)]").next().unwrap_or("");
            for call in ["sign(\"", "one(\"", "digit(\"", "expected = \"", "expected: \""] {
                for rest in source.split(call).skip(1) {
                    let text = rest.split('"').next().unwrap_or("");
                    assert!(known(text) || text.len() < 4, "no Chinese for `{text}`");
                    seen += 1;
                }
            }
        }
        assert!(seen > 10, "{seen}");
    }
}
