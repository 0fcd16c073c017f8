//! House styles of written moves.

use std::str::FromStr;

use super::syntax::RankBase;

/// How a move is to be written. The default is simplified script, ASCII
/// digits for Black, the ordinals of the xqbase standard, and `C2.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Characters of Chinese text.
    pub script: Script,
    /// Numerals of Chinese text.
    pub digits: Digits,
    /// How pawns that share files are told apart.
    pub pawns: PawnStyle,
    /// Signs and letters of WXF text.
    pub wxf: WxfStyle,
    /// From which number UCI and SAN text counts the ranks.
    pub rank_base: RankBase,
    /// How the short record (简写) shows directions.
    pub marks: MarkStyle,
}

/// A set of characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Script {
    /// 马 车 炮 进 后.
    #[default]
    Simplified,
    /// 馬 車 炮/砲 進 後.
    Traditional,
    /// As traditional, with the pieces of Taiwan sets: 傌 俥 炮 for Red, 馬 車
    /// 包 for Black.
    Taiwan,
}

/// Numerals of files and counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// Chinese numerals for Red, ASCII digits for Black, as the rules print.
    #[default]
    Ascii,
    /// Chinese numerals for Red, full-width digits for Black, as XQStudio and
    /// most text files have.
    FullWidth,
    /// Chinese numerals for both, as older Taiwanese books have.
    Han,
    /// ASCII digits for both, as typed on phones.
    AsciiBoth,
}

/// Ordinals of pawns (notation-chinese.md, 5.3 and 5.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PawnStyle {
    /// 前 中 后 for two and three; 一 to 五 for more, and as one running number
    /// over two files (xqbase standard no. 2).
    #[default]
    Numbered,
    /// 前 二 三 后 for four; with two files 前四平五, without the piece
    /// (Dongping board).
    FrontFile,
    /// As [`PawnStyle::FrontFile`], with the piece: 前兵四平五 (printed books).
    FrontPawnFile,
}

/// Signs and letters of WXF text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WxfStyle {
    /// `C2.5`, `H8+7`, `E3+5`: the page of the federation.
    #[default]
    Federation,
    /// `C2=5`, `H8+7`, `E3+5`: the Asian federation and most engines.
    Equals,
    /// `C2.5`, `N8+7`, `B3+5`, pawns `Pa` to `Pe`: xqbase programs.
    Xqbase,
    /// `C2=5`, `H8+7`, pawns `P+ P= P-`, and `PA` to `PE` from Red's right and
    /// from the north for both sides: Huayong Yang's file format.
    Yang,
}

/// Bars in the short record (简写).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkStyle {
    /// None, as the rule book prints: 炮25.
    #[default]
    None,
    /// A bar under the last digit for 进, over it for 退.
    UnderIsForward,
    /// The other habit.
    OverIsForward,
}

/// The text names no style.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no style is called `{0}`; the styles are {list}", list = Style::NAMES.join(", "))]
pub struct UnknownStyle(String);

impl Style {
    /// The names that [`Style::from_str`] knows.
    pub const NAMES: [&'static str; 17] = [
        "simplified",
        "traditional",
        "taiwan",
        "ascii",
        "fullwidth",
        "han",
        "ascii-both",
        "numbered",
        "front-file",
        "front-pawn-file",
        "federation",
        "equals",
        "xqbase",
        "yang",
        "ranks-from-one",
        "marks-under",
        "marks-over",
    ];
}

impl FromStr for Style {
    type Err = UnknownStyle;

    /// Reads names with commas between, such as `traditional,fullwidth`.
    fn from_str(text: &str) -> Result<Style, UnknownStyle> {
        let mut style = Style::default();
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match name.to_ascii_lowercase().as_str() {
                "simplified" => style.script = Script::Simplified,
                "traditional" => style.script = Script::Traditional,
                "taiwan" => style.script = Script::Taiwan,
                "ascii" => style.digits = Digits::Ascii,
                "fullwidth" => style.digits = Digits::FullWidth,
                "han" => style.digits = Digits::Han,
                "ascii-both" => style.digits = Digits::AsciiBoth,
                "numbered" => style.pawns = PawnStyle::Numbered,
                "front-file" => style.pawns = PawnStyle::FrontFile,
                "front-pawn-file" => style.pawns = PawnStyle::FrontPawnFile,
                "federation" => style.wxf = WxfStyle::Federation,
                "equals" => style.wxf = WxfStyle::Equals,
                "xqbase" => style.wxf = WxfStyle::Xqbase,
                "yang" => style.wxf = WxfStyle::Yang,
                "ranks-from-one" => style.rank_base = RankBase::One,
                "marks-under" => style.marks = MarkStyle::UnderIsForward,
                "marks-over" => style.marks = MarkStyle::OverIsForward,
                _ => return Err(UnknownStyle(name.to_owned())),
            }
        }
        Ok(style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_is_read() {
        for name in Style::NAMES {
            assert!(name.parse::<Style>().is_ok(), "{name}");
        }
        let style: Style = "Traditional, fullwidth".parse().unwrap();
        assert_eq!((style.script, style.digits), (Script::Traditional, Digits::FullWidth));
        assert!("cursive".parse::<Style>().is_err());
    }
}
