//! Normalised header fields.

use std::collections::BTreeMap;

use super::{GameResult, LaxDate};
use crate::board::Color;

/// Header fields under common names. Absent fields are `None`; values are
/// decoded text with the surrounding blanks taken off, never translated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// 赛事
    pub event: Option<String>,
    /// 地点
    pub site: Option<String>,
    /// 日期, as far as it can be told.
    pub date: Option<LaxDate>,
    /// 轮次
    pub round: Option<String>,
    /// 红方
    pub red: Option<String>,
    /// 黑方
    pub black: Option<String>,
    /// 红方团体
    pub red_team: Option<String>,
    /// 黑方团体
    pub black_team: Option<String>,
    /// 结果
    pub result: GameResult,
    /// Code of the Encyclopaedia of Chinese Chess Openings, `A00` to `E99`.
    pub ecco: Option<String>,
    /// 棋谱标题
    pub title: Option<String>,
    /// 评注者
    pub annotator: Option<String>,
    /// Every other field under the format's own name, and the words of a
    /// known field that normalising would lose (such as a date's raw text).
    pub other: BTreeMap<String, String>,
}

/// What the formats call a rating, less the side; small letters.
const RATINGS: [&str; 3] = ["elo", "rating", "等级分"];

impl Headers {
    /// The rating (等级分) of a side's player, from the header that the format
    /// has for it: `RedElo`, `BlackRating`, `红等级分` and the like. A number
    /// from 100 to 4000 counts; of `2412.5` the whole part.
    #[must_use]
    pub fn rating(&self, side: Color) -> Option<u16> {
        let sides = match side {
            Color::Red => ["red", "红方", "红"],
            Color::Black => ["black", "黑方", "黑"],
        };
        let is_rating = |name: &str| {
            sides.iter().any(|side| {
                let (Some(head), Some(rest)) = (name.get(..side.len()), name.get(side.len()..))
                else {
                    return false;
                };
                head.eq_ignore_ascii_case(side)
                    && RATINGS.iter().any(|rating| rest.eq_ignore_ascii_case(rating))
            })
        };
        // A file may have two of these headers, the first of them without a number.
        self.other.iter().filter(|(name, _)| is_rating(name)).find_map(|(_, value)| {
            let value = value.trim();
            let end = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
            value[..end].parse().ok().filter(|rating| (100..=4000).contains(rating))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_have_many_names() {
        let rating = |name: &str, value: &str, side| {
            let other = BTreeMap::from([(name.to_owned(), value.to_owned())]);
            Headers { other, ..Headers::default() }.rating(side)
        };
        assert_eq!(rating("RedElo", "2422", Color::Red), Some(2422));
        assert_eq!(rating("RedElo", "2422", Color::Black), None);
        assert_eq!(rating("BlackRating", " 1987.5 ", Color::Black), Some(1987));
        assert_eq!(rating("黑等级分", "2049", Color::Black), Some(2049));
        assert_eq!(rating("redrating", "2500分", Color::Red), Some(2500));
        for (name, value) in
            [("RedElo", "?"), ("RedElo", "0"), ("RedElo", "99999"), ("Red", "2422")]
        {
            assert_eq!(rating(name, value, Color::Red), None, "{name} {value}");
        }
    }
}
