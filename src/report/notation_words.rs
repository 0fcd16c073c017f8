//! What the notations are called, with the opening 炮二平五 马8进7 in each.

use crate::finding::Lang;
use crate::notation::Notation;

/// What a notation is.
#[must_use]
pub const fn title(notation: Notation, lang: Lang) -> &'static str {
    let (en, zh) = match notation {
        Notation::Chinese => ("full Chinese notation, four characters", "中文四字记谱"),
        Notation::Abbreviated => ("the short record of the score sheet", "简写记谱"),
        Notation::Wxf => ("letters of the World Xiangqi Federation", "世界象棋联合会记谱"),
        Notation::Iccs => ("two squares, ranks 0 to 9", "坐标记谱，行号 0 至 9"),
        Notation::Uci => ("two squares as engines write them", "引擎坐标记谱"),
        Notation::Vietnamese => ("Vietnamese letters", "越南记谱"),
        Notation::Pinyin => ("pinyin initials", "拼音首字母记谱"),
        Notation::San => ("piece letter and target square", "代数记谱"),
        Notation::Digits => ("four digits, as DhtmlXQ stores moves", "四位数字坐标（DhtmlXQ）"),
        Notation::Numeric => ("digits for pieces, as xqbase has them", "数字代棋子（xqbase）"),
    };
    lang.pick(en, zh)
}

/// 炮二平五 and 马8进7 in this notation.
#[must_use]
pub const fn example(notation: Notation) -> &'static str {
    match notation {
        Notation::Chinese => "炮二平五 马8进7",
        Notation::Abbreviated => "炮25 马87",
        Notation::Wxf => "C2.5 H8+7",
        Notation::Iccs => "H2-E2 H9-G7",
        Notation::Uci => "h2e2 h9g7",
        Notation::Vietnamese => "P2-5 M8.7",
        Notation::Pinyin => "p2p5 m8j7",
        Notation::San => "Che2 Ng7",
        Notation::Digits => "7747 7062",
        Notation::Numeric => "62.5 48+7",
    }
}
