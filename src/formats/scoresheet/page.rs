//! Sheets of several pages, where the head of the sheet stands on each.

use std::collections::BTreeSet;

use super::lines::{Line, LineKind};
use crate::record::Span;

/// What stands above the moves of a game.
#[derive(Debug)]
pub(super) struct PageHead<'a> {
    text: &'a str,
    lines: BTreeSet<String>,
}

impl<'a> PageHead<'a> {
    pub(super) fn of(text: &'a str, head: &[Line]) -> PageHead<'a> {
        let lines = head.iter().map(|line| without_count(text, line).0).collect();
        PageHead { text, lines }
    }

    /// Whether the lines between two moves only turn the page: one of them
    /// counts pages, and what else is written there stood above the game.
    pub(super) fn comes_again(&self, between: &[Line]) -> bool {
        let mut counted = false;
        for line in between {
            match line.kind {
                LineKind::Blank | LineKind::Drawing | LineKind::Heads => {}
                LineKind::Label | LineKind::Players | LineKind::Words => {
                    let (words, count) = without_count(self.text, line);
                    counted |= count;
                    if !words.is_empty() && !self.lines.contains(&words) {
                        return false;
                    }
                }
                _ => return false,
            }
            let words = self.text.get(line.start..line.end);
            counted |= words.is_some_and(|words| words.contains('\u{C}'));
        }
        counted
    }

    /// The heads among the lines of a game, from its first move on.
    pub(super) fn all(&self, lines: &[Line]) -> Vec<Span> {
        let is_move = |line: &Line| matches!(line.kind, LineKind::Moves { .. });
        let mut found = Vec::new();
        for between in lines.split(is_move).skip(1) {
            let words: Vec<&Line> =
                between.iter().filter(|line| line.kind != LineKind::Blank).collect();
            if let (Some(first), Some(last)) = (words.first(), words.last())
                && self.comes_again(between)
            {
                found.push(Span::new(first.start, last.end));
            }
        }
        found
    }
}

/// The words of a line without blanks and without what counts pages (第2页,
/// 共3页, 续, - 13 -, 2/3); and whether there was any of this.
fn without_count(text: &str, line: &Line) -> (String, bool) {
    let words = text.get(line.start..line.end).unwrap_or("");
    let mut left: String =
        words.chars().filter(|c| !c.is_whitespace() && *c != '\u{FEFF}').collect();
    let before = left.len();
    for (open, close) in [("第", "页"), ("第", "頁"), ("共", "页"), ("共", "頁")] {
        cut(&mut left, open, close);
    }
    for word in
        ["（续）", "(续)", "（續）", "(續)", "（接上页）", "（转下页）", "接上页", "转下页", "续表"]
    {
        left = left.replace(word, "");
    }
    let bare = left.strip_prefix("Page").or(left.strip_prefix("page")).unwrap_or(&left);
    let number = |c: char| {
        c.is_ascii_digit()
            || matches!(c, '０'..='９' | '-' | '－' | '—' | '–' | '·' | '/' | '／' | '|')
    };
    if bare.replace("of", "").chars().all(number) && bare.chars().any(char::is_numeric) {
        left.clear();
    }
    let counted = left.len() < before;
    (left, counted)
}

/// Takes out the first `open`, a number and `close`.
fn cut(words: &mut String, open: &str, close: &str) {
    const LONGEST: usize = 5;
    for (from, _) in words.match_indices(open) {
        let Some(rest) = words.get(from + open.len()..) else { return };
        let Some(len) = rest.find(close) else { return };
        let inner = rest.get(..len).unwrap_or("");
        let numeral = |c: char| c.is_numeric() || "〇零一二三四五六七八九十百".contains(c);
        if inner.chars().all(numeral) && (1..=LONGEST).contains(&inner.chars().count()) {
            words.replace_range(from..from + open.len() + len + close.len(), "");
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::scoresheet::lines::lines;

    fn is_turn(head: &str, between: &str) -> bool {
        let text = format!("{head}{between}");
        let all = lines(&text, b'\n');
        let (own, rest) = all.split_at(head.lines().count());
        PageHead::of(&text, own).comes_again(rest)
    }

    #[test]
    fn heads_that_come_again() {
        let head = "甲杯　第1页\n红方：李甲　黑方：王乙\n";
        for between in [
            "\n甲杯　第2页\n红方：李甲　黑方：王乙\n",
            "甲杯 第二頁 共三頁\n",
            "- 13 -\n\n红方：李甲　黑方：王乙\n",
            "\u{C}甲杯\n",
            "（转下页）\n",
            "Page 2 of 3\n",
            "甲杯（续）\n",
        ] {
            assert!(is_turn(head, between), "{between}");
        }
        for between in [
            // Nothing counts pages; another game; a result.
            "甲杯\n红方：李甲　黑方：王乙\n",
            "第2页\n红方：赵丙　黑方：王乙\n",
            "第2页\n第二局\n",
            "红胜\n甲杯　第2页\n",
            "",
        ] {
            assert!(!is_turn(head, between), "{between}");
        }
    }
}
