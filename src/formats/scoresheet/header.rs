//! The free text above the moves: labels, names, dates, titles.

use super::lines::{Line, LineKind, fen, is_date, label, players};
use crate::formats::movetext::{Kind, Lexer};
use crate::game::LaxDate;
use crate::record::{Header, Span, Start, field_name};

/// What the lines above the moves say.
#[derive(Debug, Default)]
pub(super) struct Heading {
    /// The fields, under their own names or those of PGN.
    pub(super) headers: Vec<Header>,
    /// The start position.
    pub(super) start: Start,
}

/// Reads the lines above the moves; spans count from `base`.
pub(super) fn read(text: &str, lines: &[Line], base: usize) -> Heading {
    let mut reader = Reader { text, base, out: Heading::default() };
    for line in lines {
        reader.line(line);
    }
    reader.out
}

/// The words before the moves in a row of a table, under the names of their
/// columns; and where the moves begin.
pub(super) fn row(row: &str, heads: &str, base: usize) -> (Heading, usize) {
    let mut reader = Reader { text: row, base, out: Heading::default() };
    let mut names = heads.split('\t').map(str::trim);
    let mut at = 0;
    for cell in row.split_inclusive('\t') {
        let value = cell.trim();
        let mut lexer = Lexer::new(value, 0);
        if !value.is_empty() && !is_date(value) && matches!(lexer.next().kind, Kind::Move(_)) {
            break;
        }
        let name = names.next().unwrap_or("");
        let name = match name {
            // 时间 is a time of day, a time used, or the day of the game.
            "" | "时间" | "時間" | "比赛时间" | "对局时间" if is_date(value) => "Date",
            // The first column may have been cut off by the tag before it.
            "" => "Heading",
            name => name,
        };
        reader.push(name, value);
        at += cell.len();
    }
    (reader.out, at)
}

struct Reader<'a> {
    text: &'a str,
    base: usize,
    out: Heading,
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: &Line) {
        let Some(words) = self.text.get(line.start..line.end) else { return };
        let words = words.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
        match line.kind {
            LineKind::Fen { .. } => self.fen(words),
            LineKind::Label => self.labels(words),
            LineKind::Players => {
                self.players(words);
            }
            LineKind::Result => self.push("Result", words.trim_matches(['(', ')', '（', '）'])),
            LineKind::Words => self.words(words),
            LineKind::Blank
            | LineKind::Remark
            | LineKind::Drawing
            | LineKind::Heads
            | LineKind::Row
            | LineKind::Moves { .. } => {}
        }
    }

    fn push(&mut self, name: &str, value: &'a str) {
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        let from = value.as_ptr() as usize - self.text.as_ptr() as usize - self.base;
        self.out.headers.push(Header {
            name: field_name(name),
            value: value.to_owned(),
            span: Span::new(from, from + value.len()),
        });
    }

    fn has(&self, name: &str) -> bool {
        self.out.headers.iter().any(|h| h.name == name)
    }

    fn fen(&mut self, words: &'a str) {
        let Some((from, to)) = fen(words) else { return };
        let Some(found) = words.get(from..to) else { return };
        let at = found.as_ptr() as usize - self.text.as_ptr() as usize - self.base;
        self.out.start = Start::Fen { text: spaced(found), span: Span::new(at, at + found.len()) };
        // A label before it says what it is; words behind it are moves.
    }

    /// One label or several on a line: `红方：甲  黑方：乙`.
    fn labels(&mut self, words: &'a str) {
        if words.starts_with('[') && words.contains('"') {
            return self.tag(words);
        }
        let mut rest = words;
        while let Some((name, value)) = label(rest) {
            let next = value
                .match_indices(char::is_whitespace)
                .map(|(at, _)| at)
                .find(|at| value.get(*at..).and_then(label).is_some_and(|(n, _)| is_known(n)));
            let (own, tail) =
                value.split_at_checked(next.unwrap_or(value.len())).unwrap_or((value, ""));
            self.field(name, own.trim_end_matches(['】', ']']));
            rest = tail.trim_start();
        }
        if !rest.is_empty() && rest.len() < words.len() {
            self.words(rest);
        }
    }

    fn field(&mut self, name: &str, value: &'a str) {
        if name.eq_ignore_ascii_case("FEN") || value.matches('/').count() > 7 {
            return self.fen(value);
        }
        // 比赛结果：于幼华　先负　徐天红
        if self.players(value) {
            return;
        }
        self.push(name, value);
        self.date(value);
    }

    /// A PGN tag in the heading of a sheet.
    fn tag(&mut self, words: &'a str) {
        let Some((name, value)) = words.get(1..).and_then(|w| w.split_once('"')) else { return };
        let value = value.trim_end().trim_end_matches(']').trim_end().trim_end_matches('"');
        let name = name.trim();
        if name.eq_ignore_ascii_case("FEN") { self.fen(value) } else { self.push(name, value) }
    }

    fn players(&mut self, words: &'a str) -> bool {
        let Some(found) = players(words) else { return false };
        if !found.heading.is_empty() {
            self.words(found.heading);
        }
        if !self.has("Red") {
            self.push("Red", found.red);
            self.push("Black", found.black);
        }
        let link = found.link.trim_matches(['-', '—', '(', ')', '（', '）', '[', ']']);
        if !matches!(link, "先" | "对" | "對" | "vs" | "VS" | "vs.") && !self.has("Result") {
            self.push("Result", link);
        }
        if !found.rest.is_empty() {
            self.words(found.rest);
        }
        true
    }

    /// Free words: the event, then the title, then remarks.
    fn words(&mut self, words: &'a str) {
        if is_column_heads(words) {
            return;
        }
        if date(words).is_some_and(|found| found.len() == words.len()) && !self.has("Date") {
            return self.push("Date", words);
        }
        let numbered = words.starts_with('第') && words.contains('局') || words.starts_with("对局");
        let name = match () {
            () if numbered && !self.has("Title") => "Title",
            () if !numbered && !self.has("Event") => "Event",
            () if !self.has("Title") => "Title",
            () => "Heading",
        };
        self.push(name, words);
        self.date(words);
    }

    /// A date among other words: 2001年12月29日弈于广州.
    fn date(&mut self, words: &'a str) {
        if self.has("Date") || self.has("日期") {
            return;
        }
        if let Some(found) = date(words)
            && found.len() < words.trim().len()
        {
            self.push("Date", found);
        }
    }
}

/// Side and counters of a FEN that were glued to its board.
fn spaced(fen: &str) -> String {
    let rank = fen.rfind('/').map_or(0, |n| n + 1);
    let Some(tail) = fen.get(rank..) else { return fen.to_owned() };
    if tail.contains(' ') || !tail.contains('-') && !tail.ends_with(['w', 'W']) {
        return fen.to_owned();
    }
    let cut = tail.find(['w', 'W', '-']).unwrap_or(tail.len());
    let cut =
        if tail.get(cut..).is_some_and(|t| t.starts_with('-')) && cut > 0 { cut - 1 } else { cut };
    let (board, rest) = tail.split_at_checked(cut).unwrap_or((tail, ""));
    let fields: Vec<String> = rest.chars().map(String::from).collect();
    format!("{}{board} {}", fen.get(..rank).unwrap_or(""), fields.join(" "))
}

/// The first date in some words: year, month and day with signs or 年月日, in
/// digits or Chinese numerals, also of the Republic (民国).
pub(super) fn date(words: &str) -> Option<&str> {
    let digit = |c: char| c.is_ascii_digit();
    let mut from = 0;
    while let Some(at) = words.get(from..).and_then(|w| w.find(digit)).map(|n| from + n) {
        let run = words.get(at..)?;
        let len = run.find(|c| !digit(c)).unwrap_or(run.len());
        if len == 4 && (run.starts_with("19") || run.starts_with("20")) {
            let part = |c: char| {
                digit(c) || matches!(c, '年' | '月' | '日' | '.' | '-' | '/' | '·' | '．')
            };
            let whole = run.find(|c| !part(c)).unwrap_or(run.len());
            let found = run.get(..whole)?.trim_end_matches(['.', '-', '/', '·', '．']);
            let separators = found.chars().filter(|c| !digit(*c)).count();
            if separators >= 1 {
                return Some(found);
            }
        }
        from = at + len.max(1);
    }
    chinese_date(words)
}

/// 民国二十五年三月一日, 一九五六年十二月: from the numeral or the name of
/// the era to the last 年, 月 or 日.
fn chinese_date(words: &str) -> Option<&str> {
    let numeral = |c: char| c.is_ascii_digit() || "〇零○一二三四五六七八九十廿卅元".contains(c);
    let part = |c: char| numeral(c) || "民国國年月日号號".contains(c);
    let mut from = 0;
    while let Some(at) =
        words.get(from..).and_then(|w| w.find(|c| numeral(c) || c == '民')).map(|n| from + n)
    {
        let run = words.get(at..)?;
        let run = run.get(..run.find(|c| !part(c)).unwrap_or(run.len()))?;
        let end = run.rfind(['年', '月', '日', '号', '號']).map(|n| n + '年'.len_utf8());
        if let Some(found) = end.and_then(|end| run.get(..end))
            && found.contains('年')
            && LaxDate::parse(found).date.is_some()
        {
            // 中华民国 is one name.
            let era = ["中华", "中華"]
                .iter()
                .find(|era| words.get(..at).is_some_and(|w| w.ends_with(*era)));
            let start = at - era.filter(|_| found.starts_with('民')).map_or(0, |era| era.len());
            return words.get(start..at + found.len());
        }
        from = at + run.len().max(words.get(at..)?.chars().next().map_or(1, char::len_utf8));
    }
    None
}

/// 棋谱 红方 黑方: the heads of columns.
fn is_column_heads(words: &str) -> bool {
    words.split_whitespace().all(|word| {
        matches!(
            word,
            "棋谱"
                | "棋譜"
                | "红方"
                | "紅方"
                | "黑方"
                | "红"
                | "紅"
                | "黑"
                | "回合"
                | "手数"
                | "手數"
                | "着法"
                | "著法"
                | "用时"
                | "用時"
                | "序号"
                | "先手"
                | "后手"
                | "開始"
                | "开始"
        )
    })
}

fn is_known(name: &str) -> bool {
    matches!(
        name.trim().to_lowercase().as_str(),
        "红方"
            | "紅方"
            | "黑方"
            | "红"
            | "黑"
            | "结果"
            | "結果"
            | "赛事"
            | "賽事"
            | "日期"
            | "时间"
            | "地点"
            | "地點"
            | "轮次"
            | "标题"
            | "評論"
            | "评论"
            | "作者"
            | "red"
            | "black"
            | "result"
            | "date"
            | "event"
            | "site"
            | "round"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::scoresheet::lines::lines;

    fn fields(text: &str) -> Vec<(String, String)> {
        let heading = read(text, &lines(text, b'\n'), 0);
        heading.headers.into_iter().map(|h| (h.name.into_owned(), h.value)).collect()
    }

    #[test]
    fn labels_names_and_dates() {
        let text =
            "第三届某某杯\n红方：甲  黑方：乙\n结果: 红胜\n对局地点：2001年12月29日弈于广州\n";
        let fields = fields(text);
        let value = |name: &str| {
            fields.iter().find(|f| f.0 == name).map(|f| f.1.as_str()).unwrap_or_default()
        };
        assert_eq!(value("Event"), "第三届某某杯");
        assert_eq!((value("红方"), value("黑方")), ("甲", "乙"));
        assert_eq!(value("结果"), "红胜");
        assert_eq!(value("Date"), "2001年12月29日");
    }

    #[test]
    fn a_line_of_players() {
        let fields = fields(
            "第二站2001·8·15（下午）\n吉林洪智  红先和  上海林宏敏\n棋谱 　　红方 　　　　黑方\n",
        );
        let names: Vec<&str> = fields.iter().map(|f| f.0.as_str()).collect();
        assert_eq!(names, ["Event", "Date", "Red", "Black", "Result"]);
        assert_eq!(fields[1].1, "2001·8·15");
    }

    #[test]
    fn blanks_of_a_fen_come_back() {
        assert_eq!(spaced("5k3/9/c6rNw--01"), "5k3/9/c6rN w - - 0 1");
        assert_eq!(spaced("5k3/9/2BAKA3w"), "5k3/9/2BAKA3 w");
        assert_eq!(spaced("5k3/9/c6rN w - - 0 1"), "5k3/9/c6rN w - - 0 1");
    }
}
