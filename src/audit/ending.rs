//! How a sheet says that the game ended, against result, board and clock.

use super::clock::ClockReport;
use super::line::Line;
use super::point::{Point, Weight};
use super::sheet::Sheet;
use crate::board::{Color, Status};
use crate::game::GameResult;

/// Longest remark that is taken for one about the end, in characters.
const LONGEST: usize = 60;

/// A way in which a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Time,
    Resigned,
    Agreed,
    Mated,
    Stalemated,
    Illegal,
    Fouls,
}

/// Words by which a way is known, in lower case.
const WORDS: [(Way, &[&str]); 7] = [
    (Way::Time, &["超时", "超時", "时间到", "time forfeit", "on time", "overstepped"]),
    (Way::Resigned, &["认负", "認負", "认输", "認輸", "投子", "resign"]),
    (Way::Agreed, &["议和", "議和", "同意和", "双方同意", "agreement", "agreed"]),
    (Way::Stalemated, &["困毙", "困斃", "stalemate"]),
    (Way::Mated, &["将死", "將死", "绝杀", "絕殺", "checkmate"]),
    (Way::Illegal, &["违例", "違例", "违规", "illegal move", "rules infraction"]),
    (Way::Fouls, &["三次犯规", "三次犯規", "third foul", "three fouls"]),
];

fn way(text: &str) -> Option<Way> {
    let text = text.to_lowercase();
    WORDS
        .iter()
        .find(|(_, words)| words.iter().any(|word| text.contains(word)))
        .map(|(way, _)| *way)
}

/// The side that a remark names as the one that lost, where it names one.
fn loser(text: &str) -> Option<Color> {
    let text = text.to_lowercase();
    let red = text.contains('红') || text.contains('紅') || text.contains("red");
    let black = text.contains('黑') || text.contains("black");
    let named = match (red, black) {
        (true, false) => Color::Red,
        (false, true) => Color::Black,
        _ => return None,
    };
    let wins = ["胜", "勝", "wins", "won"].iter().any(|word| text.contains(word));
    Some(if wins { named.other() } else { named })
}

/// What a sheet says about the end: the field `Termination` or 终局, and a
/// short remark at the last move.
fn remarks(sheet: &Sheet) -> Vec<String> {
    let headers = &sheet.game.headers.other;
    let named = |name: &str| {
        ["termination", "terminationdetails", "终局", "結束方式", "结束方式"]
            .contains(&name.to_lowercase().as_str())
    };
    let mut found: Vec<String> = headers
        .iter()
        .filter(|(name, value)| named(name) && !value.trim().is_empty())
        .map(|(_, value)| value.trim().to_owned())
        .collect();
    let tree = &sheet.game.tree;
    let last = tree.main_line().last().unwrap_or(crate::record::NodeId::ROOT);
    let short = |text: &&str| text.chars().count() <= LONGEST && way(text).is_some();
    let comments = tree.comments.iter().filter(|comment| comment.node == last);
    found.extend(comments.map(|comment| comment.text.trim()).filter(short).map(str::to_owned));
    found.extend(sheet.game.result_token.as_deref().filter(short).map(str::to_owned));
    found
}

/// The points about how the game ended.
pub(super) fn points(sheet: &Sheet, number: usize, line: &Line, clock: &ClockReport) -> Vec<Point> {
    let result = sheet.game.headers.result;
    let status = line.last().end_of_play();
    let judge = |text: &String| {
        let way = way(text)?;
        let lost = loser(text);
        let agrees = match (result, lost) {
            (GameResult::Unknown, _) => true,
            (GameResult::Draw, _) => way == Way::Agreed,
            _ if way == Way::Agreed => false,
            (_, Some(side)) => result == GameResult::win(side.other()),
            (_, None) => true,
        };
        let shown = match way {
            Way::Mated => status == Status::Checkmate,
            Way::Stalemated => status == Status::Stalemate,
            // Where the board ended the game, nothing else did.
            _ => !matches!(status, Status::Checkmate | Status::Stalemate),
        };
        let (reason, article, weight) = if !shown {
            (Some("board"), "10.1", Weight::Decide)
        } else if !agrees {
            (Some("result"), "10.1", Weight::Decide)
        } else if way == Way::Time && clock_denies(clock, lost) {
            (Some("clock"), "22.2", Weight::Look)
        } else {
            let article = match way {
                Way::Time => "4.1.4",
                Way::Resigned => "4.1.9",
                Way::Agreed => "4.2.2",
                Way::Mated => "4.1.1",
                Way::Stalemated => "4.1.3",
                Way::Illegal => "4.1.6",
                Way::Fouls => "4.1.8",
            };
            (None, article, Weight::Note)
        };
        let mut point = Point::new("termination", article, weight)
            .sheet(number)
            .ply(line.len())
            .param("text", text)
            .param("recorded", result);
        point.side = lost;
        point.reason = reason;
        Some(point)
    };
    remarks(sheet).iter().filter_map(judge).collect()
}

/// Whether the times are known and show no overstepping of that side.
fn clock_denies(clock: &ClockReport, side: Option<Color>) -> bool {
    let sides = Color::ALL.into_iter().filter(|color| side.is_none_or(|side| side == *color));
    let mut told = false;
    for color in sides {
        let own = &clock.sides[color.index()];
        if own.overstepped().is_some() {
            return false;
        }
        told |= !own.controls.is_empty() && !own.readings.is_empty();
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_name_the_way_and_the_loser() {
        for (text, expected, lost) in [
            ("红方超时判负", Way::Time, Some(Color::Red)),
            ("黑方认输", Way::Resigned, Some(Color::Black)),
            ("Red resigns", Way::Resigned, Some(Color::Red)),
            ("双方议和", Way::Agreed, None),
            ("agreement", Way::Agreed, None),
            ("红胜（将死）", Way::Mated, Some(Color::Black)),
            ("time forfeit", Way::Time, None),
        ] {
            assert_eq!((way(text), loser(text)), (Some(expected), lost), "{text}");
        }
        assert_eq!(way("好棋"), None);
    }
}
