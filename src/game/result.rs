//! The recorded result.

use std::fmt;

use crate::board::Color;

/// Result (结果) of a game as it is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// `1-0`, 红胜
    RedWins,
    /// `0-1`, 黑胜
    BlackWins,
    /// `1/2-1/2`, 和
    Draw,
    /// `*`
    #[default]
    Unknown,
}

/// A longer text is prose, not a result.
const MAX_BYTES: usize = 64;

impl GameResult {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            GameResult::RedWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// The result when `side` wins.
    #[must_use]
    pub const fn win(side: Color) -> GameResult {
        match side {
            Color::Red => GameResult::RedWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// Reads a result in figures or words, as files write it: `1-0`, `½-½`,
    /// 红胜, 先负, 和棋, full-width and traditional forms. Words about one
    /// player alone (胜, 先和) speak of the first player, Red.
    #[must_use]
    pub fn parse(text: &str) -> Option<GameResult> {
        GameResult::parse_start(text).filter(|(_, exact)| *exact).map(|(result, _)| result)
    }

    /// As [`GameResult::parse`], for a text that may go on after the result
    /// (红胜（超时）). The flag tells whether the result is all of it.
    #[must_use]
    pub fn parse_start(text: &str) -> Option<(GameResult, bool)> {
        let text = text.trim();
        // The four codes are nearly all there is.
        match text {
            "1-0" => return Some((GameResult::RedWins, true)),
            "0-1" => return Some((GameResult::BlackWins, true)),
            "1/2-1/2" => return Some((GameResult::Draw, true)),
            "*" => return Some((GameResult::Unknown, true)),
            _ => {}
        }
        if text.len() > MAX_BYTES {
            return None;
        }
        let end =
            text.find(['(', '（', ',', '，', ';', '；', '。', '!', '！']).unwrap_or(text.len());
        let (head, tail) = text.split_at_checked(end)?;
        let folded: String = head.chars().filter(|c| !c.is_whitespace()).map(fold).collect();
        let exact = tail.chars().all(|c| matches!(c, '。' | '!' | '！') || c.is_whitespace());
        word(&folded).map(|result| (result, exact))
    }
}

/// Simplified, half-width, lower case, one kind of dash.
fn fold(c: char) -> char {
    match c {
        '０'..='９' => char::from_u32(c as u32 - '０' as u32 + '0' as u32).unwrap_or(c),
        '－' | '—' | '–' | '−' | ':' | '：' | '比' => '-',
        '／' => '/',
        '．' => '.',
        '＊' => '*',
        '紅' => '红',
        '勝' | '贏' | '赢' => '胜',
        '負' | '輸' | '输' | '敗' | '败' => '负',
        '後' => '后',
        '認' => '认',
        c => c.to_ascii_lowercase(),
    }
}

fn word(text: &str) -> Option<GameResult> {
    Some(match text {
        "1-0" | "红胜" | "红方胜" | "红先胜" | "先胜" | "红方先胜" | "胜" | "先手胜" | "黑负"
        | "黑方负" | "黑认负" | "黑方认负" | "后负" | "后手负" | "w" | "redwins" | "redwin"
        | "redwon" | "1-0red" => GameResult::RedWins,
        "0-1" | "黑胜" | "黑方胜" | "红先负" | "先负" | "红方先负" | "负" | "先手负" | "红负"
        | "红方负" | "红认负" | "红方认负" | "后胜" | "后手胜" | "黑先胜" | "l" | "blackwins"
        | "blackwin" | "blackwon" => GameResult::BlackWins,
        "1/2-1/2" | "1/2" | "0.5-0.5" | "½-½" | "½" | "和" | "和棋" | "和局" | "先和"
        | "红先和" | "红方先和" | "双方和" | "双方和棋" | "作和" | "议和" | "平" | "平局" | "d"
        | "draw" | "drawn" => GameResult::Draw,
        "*" | "未知" | "未完" | "未定" | "不明" | "不详" | "unknown" | "多种结果" => {
            GameResult::Unknown
        }
        _ => return None,
    })
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_words() {
        for (texts, result) in [
            ("1-0 １－０ 1:0 红胜 紅勝 红方胜 红先胜 先胜 先勝 勝 黑負", GameResult::RedWins),
            ("0-1 黑胜 黑勝 红先负 先负 先負 負 红方认负", GameResult::BlackWins),
            ("1/2-1/2 1/2 0.5-0.5 ½-½ 和 和棋 先和 红先和 平局 draw", GameResult::Draw),
            ("* ＊ 未知", GameResult::Unknown),
        ] {
            for text in texts.split(' ') {
                assert_eq!(GameResult::parse(text), Some(result), "{text}");
            }
            assert_eq!(GameResult::parse(result.code()), Some(result));
        }
    }

    #[test]
    fn more_words_are_said_and_other_words_refused() {
        assert_eq!(GameResult::parse_start("红方胜（超时）"), Some((GameResult::RedWins, false)));
        assert_eq!(GameResult::parse("红方胜（超时）"), None);
        assert_eq!(GameResult::parse("和。"), Some(GameResult::Draw));
        for text in ["", "-", "胜率", "2-1", "红", "和平"] {
            assert_eq!(GameResult::parse_start(text), None, "{text}");
        }
    }
}
