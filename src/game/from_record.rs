//! Header fields of any format to the common names.

use super::date_reading::DateReading;
use super::{GameResult, Headers, LaxDate};
use crate::finding::{Code, Finding, Place};
use crate::record::{FormatId, Header, Record};

/// What the header fields of a record say.
#[derive(Clone, Debug, Default)]
pub struct HeaderReading {
    /// The normalised fields. The result is the one of the result field.
    pub headers: Headers,
    /// Whether a result field states a result; `*` does not.
    pub result_stated: bool,
    /// Whether there is a result field at all, `*` included.
    pub result_field: bool,
}

/// A common field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Event,
    Site,
    Date,
    Round,
    Red,
    Black,
    RedTeam,
    BlackTeam,
    Result,
    Ecco,
    Title,
    Annotator,
    /// The start position, which the game carries as a position.
    Start,
}

const FIELDS: usize = 13;

/// The longest name in the table, in bytes.
const MAX_NAME: usize = 24;

/// The common field that a format's own name means, and how good a source it
/// is: of two fields that are both filled in, the one with the higher number
/// is taken (`DhtmlXQ_red` holds team and name, `DhtmlXQ_redname` the name).
fn field(name: &str) -> Option<(Field, u8)> {
    let name = name.trim();
    let name = match name.get(..8) {
        Some(prefix) if prefix.eq_ignore_ascii_case("DhtmlXQ_") => &name[8..],
        _ => name,
    };
    let bytes = name.as_bytes();
    if bytes.len() > MAX_NAME {
        return None;
    }
    let mut lower = [0u8; MAX_NAME];
    for (to, from) in lower.iter_mut().zip(bytes) {
        *to = from.to_ascii_lowercase();
    }
    let lower = std::str::from_utf8(lower.get(..bytes.len())?).ok()?;
    Some(match lower {
        "event" | "赛事" | "賽事" | "比赛" | "赛事名称" | "比赛名称" | "contest" => {
            (Field::Event, 2)
        }
        "site" | "place" | "地点" | "地點" | "比赛地点" | "location" => (Field::Site, 2),
        "date" | "日期" | "比赛日期" | "对局日期" => (Field::Date, 2),
        "eventdate" | "utcdate" => (Field::Date, 1),
        "round" | "轮次" | "輪次" => (Field::Round, 2),
        "redname" | "红方姓名" | "紅方姓名" => (Field::Red, 3),
        "red" | "redplayer" | "红方" | "紅方" => (Field::Red, 2),
        "white" | "执红" | "先手" => (Field::Red, 1),
        "blackname" | "黑方姓名" => (Field::Black, 3),
        "black" | "blackplayer" | "黑方" => (Field::Black, 2),
        "执黑" | "后手" => (Field::Black, 1),
        "redteam" | "红方团体" | "紅方團體" | "红方单位" => (Field::RedTeam, 2),
        "whiteteam" => (Field::RedTeam, 1),
        "blackteam" | "黑方团体" | "黑方團體" | "黑方单位" => (Field::BlackTeam, 2),
        "result" | "结果" | "結果" | "比赛结果" | "对局结果" | "recordresult" => {
            (Field::Result, 2)
        }
        "ecco" => (Field::Ecco, 2),
        "eco" => (Field::Ecco, 1),
        "open" => (Field::Ecco, 0),
        "title" | "titlea" | "标题" | "標題" | "棋谱名称" | "棋谱标题" => {
            (Field::Title, 2)
        }
        // The title of a CCBridge record.
        "name" => (Field::Title, 1),
        "annotator" | "commentator" | "rmkwriter" | "评论" | "評論" | "评注" | "评註" | "評註"
        | "講評" | "讲评" | "评注者" | "讲评人" => (Field::Annotator, 2),
        "fen" | "setup" => (Field::Start, 2),
        _ => return None,
    })
}

/// `-`, `?`, `????.??.??` and nothing at all say nothing.
fn is_blank(value: &str) -> bool {
    matches!(value, "" | "-" | "?" | "??" | "???" | "????" | "????.??.??")
}

/// Takes the blanks off without copying where there are none.
fn trimmed(mut value: String) -> String {
    let end = value.trim_end().len();
    value.truncate(end);
    let start = value.len() - value.trim_start().len();
    if start > 0 {
        value.drain(..start);
    }
    value
}

impl Headers {
    /// Normalises the header fields of a record, which takes them out of it.
    /// What cannot be normalised, or would lose words by it, stays in
    /// [`Headers::other`]; a value in doubt is a `bad-header` finding.
    pub fn take_from(record: &mut Record, findings: &mut Vec<Finding>) -> HeaderReading {
        let fields = std::mem::take(&mut record.headers);
        let mut best: [Option<(u8, usize)>; FIELDS] = [None; FIELDS];
        let mut kinds: smallvec::SmallVec<[Option<Field>; 24]> = smallvec::SmallVec::new();
        for (index, header) in fields.iter().enumerate() {
            let known = field(&header.name);
            kinds.push(known.map(|(field, _)| field));
            let Some((field, rank)) = known else { continue };
            if is_blank(header.value.trim()) {
                continue;
            }
            let slot = &mut best[field as usize];
            if slot.is_none_or(|(held, _)| rank > held) {
                *slot = Some((rank, index));
            }
        }
        let mut reading = HeaderReading::default();
        for (index, header) in fields.into_iter().enumerate() {
            let kind = kinds.get(index).copied().flatten();
            if kind == Some(Field::Result) {
                reading.result_field = true;
            }
            let chosen =
                kind.filter(|field| best[*field as usize].is_some_and(|(_, i)| i == index));
            let Some(field) = chosen else {
                let value = trimmed(header.value);
                if !is_blank(&value) {
                    reading.headers.keep(&header.name, value);
                }
                continue;
            };
            reading.set(field, header, record, findings);
        }
        reading
    }

    /// Keeps a field under its own name; a second one of the name joins the
    /// first on a new line.
    fn keep(&mut self, name: &str, value: String) {
        let Some(held) = self.other.get_mut(name) else {
            self.other.insert(name.to_owned(), value);
            return;
        };
        if *held != value {
            held.push('\n');
            held.push_str(&value);
        }
    }
}

impl HeaderReading {
    fn set(&mut self, field: Field, header: Header, record: &Record, findings: &mut Vec<Finding>) {
        let Header { name, value, span } = header;
        let value = trimmed(value);
        let place = || {
            if span.len == 0 { Place::WHOLE } else { Place::at(record.point(span)) }
        };
        let doubt = |reason: &'static str, value: &str| {
            Finding::new(Code::BadHeader, place())
                .reason(reason)
                .text(value)
                .param("name", &name)
                .param("value", value)
        };
        let headers = &mut self.headers;
        let slot = match field {
            Field::Event => &mut headers.event,
            Field::Site => &mut headers.site,
            Field::Round => &mut headers.round,
            Field::RedTeam => &mut headers.red_team,
            Field::BlackTeam => &mut headers.black_team,
            Field::Title => &mut headers.title,
            Field::Annotator => &mut headers.annotator,
            Field::Red | Field::Black => {
                let value = if record.origin.format == FormatId("wxf") {
                    headers.name_of_wxf(&name, value)
                } else {
                    value
                };
                let slot = if field == Field::Red { &mut headers.red } else { &mut headers.black };
                *slot = Some(value).filter(|value| !is_blank(value));
                return;
            }
            Field::Start => return,
            Field::Date => {
                let DateReading { date, doubt: unsure, says_more } = LaxDate::parse(&value);
                headers.date = date;
                if let Some(unsure) = unsure {
                    findings.push(doubt(unsure.name(), &value));
                }
                if says_more {
                    headers.keep(&name, value);
                }
                return;
            }
            Field::Result => {
                if let Some((result, exact)) = GameResult::parse_start(&value) {
                    headers.result = result;
                    self.result_stated = result != GameResult::Unknown;
                    if exact {
                        return;
                    }
                } else {
                    findings.push(doubt("result-unreadable", &value));
                }
                headers.keep(&name, value);
                return;
            }
            Field::Ecco => {
                let code = value.split_whitespace().next().and_then(ecco_code);
                let exact = code.as_ref().is_some_and(|code| code.len() == value.len());
                match code {
                    Some(code) => headers.ecco = Some(code),
                    None if !name.to_ascii_lowercase().ends_with("open") => {
                        findings.push(doubt("ecco-unreadable", &value));
                    }
                    None => {}
                }
                if !exact {
                    headers.keep(&name, value);
                }
                return;
            }
        };
        *slot = Some(value);
    }
}

impl Headers {
    /// WXF writes `name; rating; title; team`; the rest is kept beside the
    /// name when it says something.
    fn name_of_wxf(&mut self, name: &str, mut value: String) -> String {
        let Some(cut) = value.find(';') else { return value };
        let rest = value.split_off(cut);
        if rest.chars().any(|c| c != ';' && !c.is_whitespace()) {
            self.keep(name, format!("{value}{rest}"));
        }
        trimmed(value)
    }
}

/// `A00` to `E99`, in capitals.
fn ecco_code(text: &str) -> Option<String> {
    let &[letter, tens, units] = text.as_bytes() else { return None };
    let letter = letter.to_ascii_uppercase();
    let fits = (b'A'..=b'E').contains(&letter) && tens.is_ascii_digit() && units.is_ascii_digit();
    fits.then(|| text.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Span, field_name};

    fn read(format: &'static str, fields: &[(&str, &str)]) -> (Headers, Vec<Finding>) {
        let mut record = Record::default();
        record.origin.format = FormatId(format);
        record.headers = fields
            .iter()
            .map(|(name, value)| Header {
                name: field_name(name),
                value: (*value).into(),
                span: Span::default(),
            })
            .collect();
        let mut findings = Vec::new();
        let reading = Headers::take_from(&mut record, &mut findings);
        (reading.headers, findings)
    }

    #[test]
    fn names_of_every_family_meet() {
        for fields in [
            [
                ("Event", "甲"),
                ("Red", "乙"),
                ("BlackTeam", "丙"),
                ("Result", "1-0"),
                ("Site", "丁"),
            ],
            [
                ("event", "甲"),
                ("white", "乙"),
                ("BLACKTEAM", "丙"),
                ("RESULT", "1-0"),
                ("Site", "丁 "),
            ],
            [
                ("赛事", "甲"),
                ("红方", "乙"),
                ("黑方团体", "丙"),
                ("结果", "红方胜"),
                ("地点", "丁"),
            ],
            [
                ("DhtmlXQ_event", "甲"),
                ("DhtmlXQ_red", "乙"),
                ("DhtmlXQ_blackteam", "丙"),
                ("DhtmlXQ_result", "紅勝"),
                ("DhtmlXQ_place", "丁"),
            ],
        ] {
            let (headers, findings) = read("pgn", &fields);
            assert_eq!(headers.event.as_deref(), Some("甲"));
            assert_eq!(headers.red.as_deref(), Some("乙"));
            assert_eq!(headers.black_team.as_deref(), Some("丙"));
            assert_eq!(headers.site.as_deref(), Some("丁"));
            assert_eq!(headers.result, GameResult::RedWins);
            assert!(headers.other.is_empty() && findings.is_empty());
        }
    }

    #[test]
    fn blank_values_are_absent() {
        let (headers, findings) = read(
            "pgn",
            &[
                ("Event", "-"),
                ("Site", "?"),
                ("Date", "????.??.??"),
                ("Round", ""),
                ("Opening", "-"),
            ],
        );
        assert_eq!(headers, Headers::default());
        assert!(findings.is_empty());
    }

    #[test]
    fn nothing_is_lost() {
        let (headers, findings) = read(
            "pgn",
            &[
                ("Game", "Chinese Chess"),
                ("Event", "甲"),
                ("Event", "乙"),
                ("Date", "1997年11月16日下午"),
                ("Result", "红胜（超时）"),
                ("ECCO", "中炮"),
            ],
        );
        assert_eq!(headers.event.as_deref(), Some("甲"));
        assert_eq!(headers.other["Event"], "乙");
        assert_eq!(headers.date.map(|date| date.to_string()).as_deref(), Some("1997-11-16"));
        assert_eq!(headers.other["Date"], "1997年11月16日下午");
        assert_eq!(headers.other["Result"], "红胜（超时）");
        assert_eq!(headers.other["Game"], "Chinese Chess");
        assert_eq!(headers.other["ECCO"], "中炮");
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].reason, Some("ecco-unreadable"));
    }

    #[test]
    fn a_date_of_unknown_order_is_a_note() {
        let (headers, findings) = read("wxf", &[("DATE", "2-8-2014"), ("RED", "红方;;;")]);
        assert_eq!(headers.date.map(|date| date.to_string()).as_deref(), Some("2014"));
        assert_eq!(headers.other["DATE"], "2-8-2014");
        assert_eq!(headers.red.as_deref(), Some("红方"));
        assert!(!headers.other.contains_key("RED"));
        assert_eq!(findings[0].code, Code::BadHeader);
        assert_eq!(findings[0].reason, Some("date-order-unknown"));
    }

    #[test]
    fn the_better_source_wins_and_the_other_is_kept() {
        let (headers, _) = read(
            "dhtmlxq",
            &[
                ("DhtmlXQ_red", "上海 甲"),
                ("DhtmlXQ_redname", "甲"),
                ("DhtmlXQ_open", "C84 中炮"),
                ("DhtmlXQ_black", "乙"),
                ("DhtmlXQ_blackname", ""),
            ],
        );
        assert_eq!(headers.red.as_deref(), Some("甲"));
        assert_eq!(headers.other["DhtmlXQ_red"], "上海 甲");
        assert_eq!(headers.black.as_deref(), Some("乙"));
        assert_eq!(headers.ecco.as_deref(), Some("C84"));
        assert_eq!(headers.other["DhtmlXQ_open"], "C84 中炮");
    }
}
