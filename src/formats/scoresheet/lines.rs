//! The lines of a score sheet, and what each of them is.

use super::sides;
use crate::formats::movetext::{Kind, Lexer, is_tag};

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Nothing.
    Blank,
    /// Moves, with their numbers; the first number on the line.
    Moves { number: Option<u32>, black: bool, last: u32 },
    /// A FEN, and where it ends in the text.
    Fen { end: usize, moves: bool },
    /// `标题: 顺手炮`
    Label,
    /// A result between two names: 吕钦 先胜 陶汉明.
    Players,
    /// A result alone.
    Result,
    /// Signs that rule the page, or a drawn board.
    Drawing,
    /// A remark sign and words.
    Remark,
    /// A row of a table: words in columns, then the moves of a game.
    Row,
    /// The heads of such columns: 赛事 红方 黑方 …
    Heads,
    /// Words.
    Words,
}

/// A line of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte, without the line feed.
    pub(super) end: usize,
    /// What it is.
    pub(super) kind: LineKind,
}

/// The lines of a text, each ended by `feed`. A comment in braces that runs
/// over several lines is one line.
pub(super) fn lines(text: &str, feed: u8) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or("");
        let mut end = at + memchr::memchr(feed, rest.as_bytes()).unwrap_or(rest.len());
        let line = text.get(at..end).unwrap_or("");
        let (kind, open) = kind(text, line);
        if open {
            let close = text.get(end..).and_then(|t| t.find('}')).map_or(text.len(), |n| end + n);
            let after = text.get(close..).unwrap_or("");
            end = close + memchr::memchr(feed, after.as_bytes()).unwrap_or(after.len());
        }
        lines.push(Line { start: at, end, kind });
        at = end + 1;
    }
    lines
}

/// What a line is, and whether it ends inside a comment.
fn kind(text: &str, line: &str) -> (LineKind, bool) {
    let trimmed = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    if trimmed.is_empty() {
        return (LineKind::Blank, false);
    }
    if is_tag(trimmed.as_bytes(), 0) {
        return (LineKind::Label, false);
    }
    if sides::is_line_of_moves(trimmed) {
        return (LineKind::Moves { number: None, black: false, last: 0 }, false);
    }
    if let Some((_, to)) = fen(trimmed) {
        let lead = trimmed.as_ptr() as usize - text.as_ptr() as usize;
        let tail = trimmed.get(to..).unwrap_or("");
        let moves = matches!(first_of(tail, 3), Some(Head::Move));
        return (LineKind::Fen { end: lead + to, moves }, false);
    }
    if trimmed.starts_with(['*', '#', '※']) && trimmed.chars().count() > 1
        || trimmed.starts_with("//")
    {
        return (LineKind::Remark, false);
    }
    if is_drawing(trimmed) {
        return (LineKind::Drawing, false);
    }
    if is_date(trimmed) {
        return (LineKind::Words, false);
    }
    moves(line, trimmed)
}

/// Whether a line or a cell of a table is a date and nothing else; 1985-6-1
/// ends as a move in digits does.
pub(super) fn is_date(cell: &str) -> bool {
    let cell = cell.trim();
    cell.starts_with(['1', '2'])
        && super::header::date(cell).is_some_and(|found| found.len() == cell.len())
}

/// Where the first cell of a row begins that says something else than when:
/// a row of a table may begin with its date, or with empty cells before it.
fn after_date(line: &str) -> usize {
    let mut at = 0;
    let mut found = 0;
    for cell in line.split_inclusive('\t') {
        at += cell.len();
        if is_date(cell) {
            found = at;
        } else if !cell.trim().is_empty() {
            break;
        }
    }
    found
}

enum Head {
    Move,
    Other,
}

/// Whether the first thing in a text that is neither a number nor a sign nor
/// one of `skip` words is a move.
fn first_of(text: &str, skip: usize) -> Option<Head> {
    let mut lexer = Lexer::new(text, 0);
    let mut words = 0;
    loop {
        match lexer.next().kind {
            Kind::Move(shapes) if !shapes.is_damaged() => return Some(Head::Move),
            Kind::End => return None,
            Kind::Prose if words < skip => words += 1,
            Kind::Prose | Kind::Result => return Some(Head::Other),
            _ => {}
        }
    }
}

fn moves(line: &str, trimmed: &str) -> (LineKind, bool) {
    let date = after_date(line);
    let mut lexer = Lexer::new(line, date);
    let (mut number, mut black, mut last) = (None, false, 0);
    let (mut moves, mut words, mut results, mut numbers) = (0, usize::from(date > 0), 0, 0);
    let mut open = false;
    let mut begins = (date > 0).then_some(false);
    let mut lone_digits = false;
    loop {
        let lexeme = lexer.next();
        match lexeme.kind {
            Kind::End => break,
            Kind::Move(shapes) => {
                // A number of four digits alone may be a year.
                lone_digits |= shapes.is_digits() && moves == 0;
                moves += usize::from(!shapes.is_damaged());
                begins.get_or_insert(true);
            }
            Kind::Number { value, black: dots, padded } => {
                numbers += 1;
                if number.is_none() {
                    number = Some(value);
                    black = dots || padded;
                }
                last = last.max(value);
            }
            Kind::Placeholder | Kind::Dots if numbers > 0 => {
                moves += 1;
                begins.get_or_insert(true);
            }
            Kind::Comment { closed } => {
                begins.get_or_insert(true);
                moves += usize::from(moves == 0 && words == 0);
                open |= !closed;
            }
            Kind::Open | Kind::Close => {}
            Kind::Result => results += 1,
            Kind::Prose => {
                begins.get_or_insert(false);
                words += 1;
            }
            _ => {}
        }
    }
    if lone_digits && moves == 1 {
        (moves, begins) = (0, Some(false));
        words += 1;
    }
    let cells = line.matches('\t').count();
    if cells >= 3 && moves >= 2 && begins == Some(false) {
        return (LineKind::Row, false);
    }
    if cells >= 3 && moves == 0 && is_heads(line) {
        return (LineKind::Heads, false);
    }
    if moves > 0 && (begins == Some(true) || words == 0) {
        return (LineKind::Moves { number, black, last }, open);
    }
    if results == 1 && words == 0 && moves == 0 && numbers == 0 {
        return (LineKind::Result, false);
    }
    // A number alone whose moves were not written.
    let bare = words == 0 && results == 0 && numbers == 1;
    if bare && trimmed.ends_with(['.', '．', '、']) {
        return (LineKind::Moves { number, black, last }, false);
    }
    if label(trimmed).is_some() {
        return (LineKind::Label, false);
    }
    if players(trimmed).is_some() {
        return (LineKind::Players, false);
    }
    (LineKind::Words, false)
}

/// Where in a line a FEN stands: ten ranks, or nearly, with strokes between.
pub(super) fn fen(line: &str) -> Option<(usize, usize)> {
    const RANKS: usize = 10;
    let board = |c: char| {
        matches!(
            c.to_ascii_uppercase(),
            'K' | 'A' | 'B' | 'E' | 'N' | 'H' | 'R' | 'C' | 'P' | 'G' | 'M' | '0'..='9' | '/'
        )
    };
    let mut at = 0;
    for word in line.split_inclusive(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '：'))
    {
        let from = at;
        at += word.len();
        let len = word.find(|c| !board(c)).unwrap_or(word.len());
        if word.get(..len)?.matches('/').count() + 2 < RANKS {
            continue;
        }
        // The side and the counters, as far as they are there; some files
        // leave the blanks out.
        let mut end = from + len;
        let tail = line.get(end..)?;
        let rest = tail.trim_start();
        let side = rest.starts_with(['w', 'b', 'r', 'W', 'B', 'R', '-']);
        if side {
            let stop =
                |c: char| !matches!(c, 'w' | 'b' | 'r' | 'W' | 'B' | 'R' | '-' | '0'..='9' | ' ');
            let taken = rest.find(stop).unwrap_or(rest.len());
            let mut field = rest.get(..taken)?.trim_end().len();
            // A digit or letter behind may belong to a move: `w h2e2`.
            if rest.get(field..).is_some_and(|t| t.starts_with(|c: char| c.is_alphanumeric())) {
                field = rest.get(..field)?.rfind(' ').unwrap_or(0);
            }
            end += tail.len() - rest.len() + field;
        }
        return Some((from, end));
    }
    None
}

fn is_drawing(line: &str) -> bool {
    // The root of a chart, and the arrows between its rows.
    let bare = |c: char| c.is_whitespace() || c.is_control();
    if matches!(line.trim_matches(bare), "开始" | "開始")
        || line.chars().all(|c| bare(c) || matches!(c, '←'..='↙' | '…'))
    {
        return true;
    }
    let total = line.chars().filter(|c| !c.is_whitespace()).count();
    let drawn = line
        .chars()
        .filter(|c| matches!(c, '\u{2500}'..='\u{257F}' | '-' | '=' | '_' | '+' | '|'))
        .count();
    let letters = line.chars().any(|c| c.is_ascii_alphanumeric());
    total >= 4 && !letters && drawn * 3 >= total
}

/// Whether the columns of a table are named: both players among them.
fn is_heads(line: &str) -> bool {
    let has = |names: &[&str]| line.split('\t').any(|cell| names.contains(&cell.trim()));
    has(&["红方", "紅方", "红", "Red"]) && has(&["黑方", "黑", "Black"])
}

/// A label and its value: `标题: 顺手炮`, `Red: Hu`.
pub(super) fn label(line: &str) -> Option<(&str, &str)> {
    const MAX: usize = 24;
    let line = line.trim();
    let line = line.strip_prefix(['[', '【']).unwrap_or(line);
    let (name, value) = line.split_once([':', '：'])?;
    let name = name.trim();
    let letters = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ' ' | '\u{3000}'));
    let worded = name.chars().any(char::is_alphabetic);
    (letters && worded && name.len() <= MAX && !value.starts_with("//"))
        .then_some((name, value.trim()))
}

/// Two names with a word between that says who won or who moves first: 甲 先胜
/// 乙, 甲（先负）乙, 甲先和乙, 甲（红）对 乙（黑）.
pub(super) fn players(line: &str) -> Option<Players<'_>> {
    let words = words_of(line);
    let link = words.iter().skip(1).position(|span| is_link(at(line, *span)))? + 1;
    let (before, after) = (words.get(..link)?, words.get(link + 1..)?);
    let link = at(line, *words.get(link)?);
    // 红方 李甲: the side, then the name.
    let sides = |span: &(usize, usize)| matches!(at(line, *span), "红方" | "紅方" | "黑方");
    let named = |words: &'_ [(usize, usize)]| {
        usize::from(words.len() > 1 && words.first().is_some_and(sides))
    };
    let before = before.get(named(before)..)?;
    let after = after.get(named(after)..)?;
    let (red, heading) = name(line, before)?;
    // What stands behind a second name (a date, an event) is not part of it.
    let single = |s: &(usize, usize)| at(line, *s).chars().count() == 1;
    let take =
        if after.first().is_some_and(single) && after.get(1).is_some_and(single) { 2 } else { 1 };
    let black_from = after.first()?.0;
    let black_to = after.get(take - 1).or(after.last())?.1;
    let black = line.get(black_from..black_to)?;
    let rest = line.get(black_to..).unwrap_or("").trim();
    let rest = SIDES.iter().find_map(|side| rest.strip_prefix(side)).unwrap_or(rest);
    Some(Players { heading, red, link, black, rest })
}

/// What says which side a name has, and is no part of it.
const SIDES: [&str; 7] = ["（红）", "（紅）", "（黑）", "(红)", "(紅)", "(黑)", "（后手）"];

fn at(line: &str, (from, to): (usize, usize)) -> &str {
    line.get(from..to).unwrap_or("")
}

/// The words of a line of players: cut at blanks, at brackets that name a
/// side, and around the result between two glued names.
fn words_of(line: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut from = 0;
    for word in line.split_inclusive(char::is_whitespace) {
        let mut start = from;
        from += word.len();
        let end = start + word.trim_end().len();
        while start < end {
            let rest = at(line, (start, end));
            let side = SIDES.iter().filter_map(|side| Some((rest.find(side)?, side.len()))).min();
            let (len, skip) = side.unwrap_or((rest.len(), 0));
            push_word(line, (start, start + len), &mut words);
            start += len + skip;
        }
    }
    words
}

/// Adds a word, parted where it is two names with a result between.
fn push_word(line: &str, (start, end): (usize, usize), words: &mut Vec<(usize, usize)>) {
    const LINKS: [&str; 9] =
        ["红先胜", "红先负", "红先和", "先胜", "先勝", "先负", "先負", "先和", "红胜"];
    /// Longer words are sentences.
    const NAMES: usize = 14;
    let word = at(line, (start, end));
    let link = LINKS.iter().find_map(|link| Some((word.find(link)?, link.len())));
    match link {
        _ if word.is_empty() => {}
        Some((found, len)) if word.chars().count() <= NAMES => {
            let open = word.get(..found).and_then(|head| head.strip_suffix(['（', '(']));
            let tail = word.get(found + len..).and_then(|tail| tail.strip_prefix(['）', ')']));
            let (to, next) = match (open, tail) {
                (Some(head), Some(tail)) => (head.len(), word.len() - tail.len()),
                _ => (found, found + len),
            };
            let parts = [(start, start + to), (start + to, start + next), (start + next, end)];
            words.extend(parts.into_iter().filter(|(from, to)| from < to));
        }
        _ => words.push((start, end)),
    }
}

/// A line of players, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Players<'a> {
    /// Words before the first name, such as the event.
    pub(super) heading: &'a str,
    /// The first player, who has Red.
    pub(super) red: &'a str,
    /// 先胜, 先和, 对.
    pub(super) link: &'a str,
    /// The second player.
    pub(super) black: &'a str,
    /// What follows.
    pub(super) rest: &'a str,
}

/// The last name of some words; a name of two characters is often spread
/// (吕　钦).
fn name<'a>(line: &'a str, words: &[(usize, usize)]) -> Option<(&'a str, &'a str)> {
    let single = |s: &(usize, usize)| line.get(s.0..s.1).is_some_and(|w| w.chars().count() == 1);
    let last = words.last()?;
    let spread = words.len() >= 2 && single(last) && words.get(words.len() - 2).is_some_and(single);
    let from = if spread { words.get(words.len() - 2)?.0 } else { last.0 };
    Some((line.get(from..last.1)?, line.get(..from)?.trim()))
}

fn is_link(word: &str) -> bool {
    let word = word.trim_matches(['-', '—', '(', ')', '（', '）', '[', ']']);
    matches!(
        word,
        "先胜"
            | "先勝"
            | "先负"
            | "先負"
            | "先和"
            | "红先胜"
            | "紅先勝"
            | "红先负"
            | "紅先負"
            | "红先和"
            | "紅先和"
            | "红胜"
            | "紅勝"
            | "红负"
            | "紅負"
            | "黑胜"
            | "黑勝"
            | "和"
            | "胜"
            | "勝"
            | "负"
            | "負"
            | "先"
            | "对"
            | "對"
            | "vs"
            | "VS"
            | "vs."
            | "1-0"
            | "0-1"
            | "1/2-1/2"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(line: &str) -> LineKind {
        lines(line, b'\n').first().map_or(LineKind::Blank, |line| line.kind)
    }

    #[test]
    fn kinds() {
        for (line, is) in [
            ("1. 炮二平五 马8进7", "Moves"),
            ("  9. 车七平八  炮２进５   10. 炮五平八", "Moves"),
            ("兵七进一", "Moves"),
            ("1 炮二平五   ( 0:00/00:00:10)", "Moves"),
            ("5.", "Moves"),
            ("对局一", "Words"),
            ("1985-6-1", "Words"),
            ("1997.12.1", "Words"),
            ("中炮过河车冲中兵对屏风马两头蛇升炮打车", "Words"),
            ("第22届五羊杯全国象棋冠军邀请赛", "Words"),
            ("标题: 顺手炮", "Label"),
            ("Red: redside", "Label"),
            ("红方 先 黑方", "Players"),
            ("吉林洪智  红先和  上海林宏敏", "Players"),
            ("（红胜）", "Result"),
            ("黑胜", "Result"),
            ("----------", "Drawing"),
            ("　┃　│　│　│╲│╱│　│　│　┃", "Drawing"),
            ("　　↓　　　　↓　　", "Drawing"),
            ("　开始　　", "Drawing"),
            ("开始布局", "Words"),
            ("**引擎 评分 +10", "Remark"),
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", "Fen"),
            ("第1局", "Words"),
            ("赛事\t红方\t黑方\t结果", "Heads"),
            ("甲杯\t甲\t乙\t红胜\t炮二平五\t马８进７", "Row"),
            ("\t1985-6-1\t甲城\t甲\t乙\t黑胜\t炮二平五\t马８进７", "Row"),
            ("1985-6-1\t甲\t乙\t黑胜\t炮二平五\t马８进７", "Row"),
            ("1985-6-1\t甲\t乙\t黑胜", "Words"),
            ("如改走炮2平3，则炮一平七", "Words"),
        ] {
            let kind = format!("{:?}", kind_of(line));
            assert!(kind.starts_with(is), "{line}: {kind}");
        }
    }

    #[test]
    fn fens_end_before_moves() {
        for (line, fen_text) in [
            ("9/3k5/4c4/4N4/9/6R2/9/5p3/4r4/5K3 w, g4g8", "9/3k5/4c4/4N4/9/6R2/9/5p3/4r4/5K3 w"),
            (
                "5k3/4P3c/4b1P2/6n2/r5R2/1N7/9/4K3B/9/c6rNw--01",
                "5k3/4P3c/4b1P2/6n2/r5R2/1N7/9/4K3B/9/c6rNw--01",
            ),
            ("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves h2e2", "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"),
            ("4k4/9/9/9/9/9/9/9/9/4K4", "4k4/9/9/9/9/9/9/9/9/4K4"),
        ] {
            let (from, to) = fen(line).unwrap_or_default();
            assert_eq!(line.get(from..to), Some(fen_text));
        }
        assert_eq!(fen("a/b/c"), None);
    }

    #[test]
    fn names() {
        let found =
            players("第九轮　吕　钦　先胜　陶汉明").map(|p| (p.heading, p.red, p.link, p.black));
        assert_eq!(found, Some(("第九轮", "吕　钦", "先胜", "陶汉明")));
        assert_eq!(players("红方　对　黑方").map(|p| (p.red, p.black)), Some(("红方", "黑方")));
        assert_eq!(players("先胜"), None);
    }
}
