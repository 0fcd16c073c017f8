//! Normalised header fields.

use std::collections::BTreeMap;

use super::{GameResult, LaxDate};

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
