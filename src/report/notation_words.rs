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

/// What a style ([`Style::NAMES`](crate::notation::Style::NAMES)) writes; empty
/// for a name that is none.
#[must_use]
pub fn style(name: &str, lang: Lang) -> &'static str {
    let (en, zh) = match name {
        "simplified" => ("simplified characters (default)", "简体字（默认）"),
        "traditional" => ("traditional characters", "繁体字"),
        "taiwan" => ("traditional, 傌 俥 for Red, 包 for Black", "繁体字，红用傌俥，黑用包"),
        "ascii" => ("马8进7: ASCII digits for Black (default)", "马8进7：黑方用半角数字（默认）"),
        "fullwidth" => ("马８进７, as XQStudio", "马８进７，如象棋演播室"),
        "han" => ("馬八進七: Chinese numerals for both", "双方均用汉字数字"),
        "ascii-both" => ("炮2平5: digits for both", "双方均用半角数字"),
        "numbered" => (
            "一兵 二兵 … over all files, as xqbase (default)",
            "一兵、二兵……，如象棋百科全书网（默认）",
        ),
        "front-file" => ("前四平五, as the Dongping board", "前四平五，如东萍棋盘"),
        "front-pawn-file" => ("前兵四平五, as printed books", "前兵四平五，如印刷棋谱"),
        "federation" => {
            ("C2.5, as the federation's page (default)", "C2.5，如世界象棋联合会（默认）")
        }
        "equals" => ("C2=5, as the Asian federation and engines", "C2=5，如亚洲象棋联合会和引擎"),
        "xqbase" => ("N8+7 B3+5 Pa+1, as xqbase programs", "N8+7 B3+5 Pa+1，如象棋百科全书网"),
        "yang" => ("C2=5 P==5 PA=6, as Yang's file format", "C2=5 P==5 PA=6，如 Yang 的棋谱格式"),
        "ranks-from-one" => ("ranks 1 to 10 in uci and san", "uci、san 的行号为 1 至 10"),
        "marks-under" => ("bars in the short record: under is 进", "简写加短线，下划线为进"),
        "marks-over" => ("bars in the short record: over is 进", "简写加短线，上划线为进"),
        _ => ("", ""),
    };
    lang.pick(en, zh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Style;

    #[test]
    fn every_style_is_explained_in_both_languages() {
        for name in Style::NAMES {
            assert!(
                !style(name, Lang::En).is_empty() && !style(name, Lang::Zh).is_empty(),
                "{name}"
            );
        }
    }
}
