//! Fouls (犯规, article 9): those that were announced, those noted on a sheet,
//! those that follow from it, and the running count. The third loses (4.1.8).

use std::fmt;
use std::str::FromStr;

use super::articles;
use super::point::{Point, Weight};
use super::sheet::Sheet;
use crate::board::Color;

/// How many fouls lose a game.
pub const MOST_FOULS: u32 = 3;

/// Where a foul comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoulSource {
    /// The arbiter announced it.
    Announced,
    /// It is noted on a sheet.
    Sheet,
    /// A claim proved wrong (article 9.1.4).
    Claim,
    /// Moves were left unrecorded (article 7.1); it has to be ruled on.
    Unrecorded,
}

impl FoulSource {
    /// `announced`, `sheet`, `claim` or `unrecorded`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FoulSource::Announced => "announced",
            FoulSource::Sheet => "sheet",
            FoulSource::Claim => "claim",
            FoulSource::Unrecorded => "unrecorded",
        }
    }

    /// Whether it counts without a ruling.
    #[must_use]
    pub const fn is_certain(self) -> bool {
        !matches!(self, FoulSource::Unrecorded)
    }
}

/// One foul.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foul {
    /// Whose.
    pub side: Color,
    /// Under which article.
    pub article: &'static str,
    /// At which ply, where that is known.
    pub ply: Option<u32>,
}

/// The text is not a foul.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a foul is SIDE:ARTICLE@PLY, such as red:7.1@34 or black:9.1.3; not `{0}`")]
pub struct ParseFoulError(String);

/// Reads `red`, `black`, 红 or 黑, also with 方.
pub(super) fn side(text: &str) -> Option<Color> {
    match text.trim().trim_end_matches('方') {
        "red" | "Red" | "RED" | "红" | "紅" | "r" | "w" => Some(Color::Red),
        "black" | "Black" | "BLACK" | "黑" | "b" => Some(Color::Black),
        _ => None,
    }
}

/// What stands behind `@`, and the rest.
pub(super) fn split_ply(text: &str) -> Option<(&str, Option<u32>)> {
    match text.split_once('@') {
        Some((rest, ply)) => {
            let ply = ply.trim().parse().ok().filter(|ply| *ply > 0)?;
            Some((rest, Some(ply)))
        }
        None => Some((text, None)),
    }
}

impl FromStr for Foul {
    type Err = ParseFoulError;

    fn from_str(text: &str) -> Result<Foul, ParseFoulError> {
        let read = || {
            let (rest, ply) = split_ply(text)?;
            let (who, article) = rest.split_once([':', '：'])?;
            let article = articles::known(article.trim())?;
            let foul = article.starts_with("9.1.") || article == "7.1";
            Some(Foul { side: side(who)?, article, ply }).filter(|_| foul)
        };
        read().ok_or_else(|| ParseFoulError(text.to_owned()))
    }
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.side.name(), self.article)?;
        self.ply.map_or(Ok(()), |ply| write!(f, "@{ply}"))
    }
}

/// A foul in the running count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The foul.
    pub foul: Foul,
    /// Where it comes from.
    pub source: FoulSource,
    /// The side's fouls with this one.
    pub number: u32,
}

/// Puts fouls in the order of play and counts them for each side. Those that
/// must still be ruled on come after certain ones of the same ply; those of
/// an unknown ply come last.
#[must_use]
pub(super) fn count(mut fouls: Vec<(Foul, FoulSource)>) -> Vec<Counted> {
    fouls.sort_by_key(|(foul, source)| (foul.ply.unwrap_or(u32::MAX), !source.is_certain()));
    let mut numbers = [0; 2];
    let counted = fouls.into_iter().map(|(foul, source)| {
        let number = &mut numbers[foul.side.index()];
        *number += 1;
        Counted { number: *number, foul, source }
    });
    counted.collect()
}

/// Who has lost by fouls, and at which ply, where that is certain.
pub(super) fn lost(counted: &[Counted]) -> Option<(Color, Option<u32>)> {
    let mut numbers = [0; 2];
    for one in counted.iter().filter(|one| one.source.is_certain()) {
        let number = &mut numbers[one.foul.side.index()];
        *number += 1;
        if *number == MOST_FOULS {
            return Some((one.foul.side, one.foul.ply));
        }
    }
    None
}

/// A side that has three fouls, or would have.
pub(super) fn points(counted: &[Counted]) -> Vec<Point> {
    let mut points = Vec::new();
    for side in Color::ALL {
        let own = || counted.iter().filter(|one| one.foul.side == side);
        let (all, certain) =
            (own().count() as u32, own().filter(|o| o.source.is_certain()).count());
        if all < MOST_FOULS {
            continue;
        }
        let mut point = Point::new("foul-third", "4.1.8", Weight::Decide).side(side);
        let third = own().filter(|one| one.source.is_certain()).nth(MOST_FOULS as usize - 1);
        if (certain as u32) < MOST_FOULS {
            point = point.case("proposed").param("proposed", all - certain as u32);
            point.ply = own().nth(MOST_FOULS as usize - 1).and_then(|one| one.foul.ply);
        } else {
            point.ply = third.and_then(|one| one.foul.ply);
        }
        points.push(point.param("count", all));
    }
    points
}

/// The fouls that a sheet notes: the headers `Fouls`, `RedFouls`, `BlackFouls`
/// and 犯规, as `red:7.1@34`, and remarks beside a move such as
/// 红方犯规（9.1.3）. A remark without a known article counts under 9.1.8.
pub(super) fn noted(sheet: &Sheet) -> Vec<Foul> {
    let mut found = Vec::new();
    for (name, value) in &sheet.game.headers.other {
        let of = match name.to_ascii_lowercase().as_str() {
            "fouls" | "foul" | "犯规" | "犯規" => None,
            "redfouls" | "红方犯规" | "紅方犯規" => Some(Color::Red),
            "blackfouls" | "黑方犯规" | "黑方犯規" => Some(Color::Black),
            _ => continue,
        };
        for word in value.split([',', ';', ' ', '，', '；', '、']).filter(|w| !w.is_empty()) {
            let whole = match of {
                Some(side) => format!("{}:{word}", side.name()),
                None => word.to_owned(),
            };
            found.extend(whole.parse::<Foul>());
        }
    }
    let tree = &sheet.game.tree;
    let plies: rustc_hash::FxHashMap<usize, u32> =
        (1..).zip(tree.main_line()).map(|(ply, node)| (node.index(), ply)).collect();
    for comment in &tree.comments {
        let text = &comment.text;
        if text.chars().count() > 60 || !(text.contains("犯规") || text.contains("犯規")) {
            continue;
        }
        let red = text.contains('红') || text.contains('紅');
        let side = match (red, text.contains('黑')) {
            (true, false) => Color::Red,
            (false, true) => Color::Black,
            _ => continue,
        };
        let foul = |article: &&str| article.starts_with("9.1.") || *article == "7.1";
        let article = articles::named_in(text).find(foul).unwrap_or("9.1.8");
        let ply = plies.get(&comment.node.index()).copied();
        found.push(Foul { side, article, ply });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fouls_are_read_as_they_are_written() {
        for text in ["red:7.1@34", "black:9.1.3"] {
            assert_eq!(text.parse::<Foul>().unwrap().to_string(), text);
        }
        assert_eq!("黑方：9.1.6@7".parse::<Foul>().unwrap().to_string(), "black:9.1.6@7");
        for bad in ["red", "red:4.1.6", "red:9.1.9", "white:7.1", "red:7.1@0", "red:7.1@x", ""] {
            assert!(bad.parse::<Foul>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_third_foul_of_one_side_loses() {
        let fouls = |texts: &[&str]| {
            texts.iter().map(|t| (t.parse().unwrap(), FoulSource::Announced)).collect::<Vec<_>>()
        };
        let two_each = fouls(&["red:7.1@9", "black:9.1.1@2", "red:9.1.3@4", "black:9.1.8@8"]);
        assert_eq!(lost(&count(two_each.clone())), None);
        let mut three = two_each;
        three.push(("red:9.1.2@20".parse().unwrap(), FoulSource::Unrecorded));
        assert_eq!(lost(&count(three.clone())), None, "not ruled on");
        assert_eq!(points(&count(three.clone()))[0].reason, Some("proposed"));
        three[4].1 = FoulSource::Announced;
        let counted = count(three);
        assert_eq!(lost(&counted), Some((Color::Red, Some(20))));
        let numbers: Vec<u32> = counted.iter().map(|one| one.number).collect();
        assert_eq!(numbers, [1, 1, 2, 2, 3], "in the order of play, by side");
    }
}
