//! Dates as files write them (pgn.md, 7; other-formats.md, 8).

use smallvec::SmallVec;

use super::LaxDate;
use super::date::days_in;

/// A text that is longer is prose, not a date.
const MAX_CHARS: usize = 200;

/// Why a date, or a part of it, could not be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DateDoubt {
    /// Day and month could be either way round (`2-8-2014`).
    OrderUnknown,
    /// The year has two digits; the century is not guessed.
    TwoDigitYear,
    /// The calendar has no such month or day.
    NoSuchDay,
    /// No date can be seen in the text.
    Unreadable,
}

impl DateDoubt {
    /// The reason of the finding `bad-header`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DateDoubt::OrderUnknown => "date-order-unknown",
            DateDoubt::TwoDigitYear => "date-two-digit-year",
            DateDoubt::NoSuchDay => "date-no-such-day",
            DateDoubt::Unreadable => "date-unreadable",
        }
    }
}

/// What a text says about a date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateReading {
    /// The date as far as it is known; `None` also for a blank form such as
    /// `????.??.??`.
    pub date: Option<LaxDate>,
    /// What could not be told.
    pub doubt: Option<DateDoubt>,
    /// Whether the text says more than the date keeps: a time of day, a
    /// second date, other words.
    pub says_more: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// A number and how many digits it was written with; 0 digits for Chinese
    /// numerals with 十.
    Number { value: u32, digits: u8 },
    /// `?` in the place of a number.
    Unknown,
    /// 年
    Year,
    /// 月
    Month,
    /// 日, 号
    Day,
    /// 民国: years count from 1912.
    Republic,
    /// The name of a month in English.
    MonthName(u8),
    /// `:` between numbers: a time of day.
    Colon,
    /// `.`, `-`, `/` and the like, or blanks.
    Separator,
    /// Anything else.
    Word,
}

type Tokens = SmallVec<[Token; 16]>;

impl LaxDate {
    /// Reads a date in any of the forms that files use: `1999.12.09`,
    /// `2024-8-26`, `19990000`, `1997年11月16日`, full-width digits,
    /// 民國四十五年, 一九五六年十二月, `2-8-2014`, `2020-02-02 02:02:02`,
    /// `Dec 15, 1956`. Where the order of day and month or the century is not
    /// certain nothing is guessed.
    #[must_use]
    pub fn parse(text: &str) -> DateReading {
        let Some(tokens) = tokenise(text) else {
            return DateReading { doubt: Some(DateDoubt::Unreadable), says_more: true, date: None };
        };
        let known = |token: &Token| {
            !matches!(token, Token::Separator | Token::Unknown | Token::Number { value: 0, .. })
        };
        if !tokens.iter().any(known) {
            return DateReading::default();
        }
        let by_signs = tokens.contains(&Token::Year);
        let reading = if by_signs { read_signs(&tokens) } else { read_numbers(&tokens) };
        reading.unwrap_or(DateReading {
            date: None,
            doubt: Some(DateDoubt::Unreadable),
            says_more: true,
        })
    }
}

fn tokenise(text: &str) -> Option<Tokens> {
    let mut tokens = Tokens::new();
    let mut chars = text.chars().peekable();
    let mut count = 0;
    while let Some(c) = chars.next() {
        count += 1;
        if count > MAX_CHARS {
            return None;
        }
        let token = if let Some(first) = decimal(c) {
            let (mut value, mut digits) = (first, 1u8);
            while let Some(digit) = chars.peek().copied().and_then(decimal) {
                chars.next();
                value = value.saturating_mul(10).saturating_add(digit);
                digits = digits.saturating_add(1);
            }
            Token::Number { value, digits }
        } else if chinese_numeral(c).is_some() {
            let mut run: SmallVec<[u32; 8]> = SmallVec::new();
            run.extend(chinese_numeral(c));
            while let Some(value) = chars.peek().copied().and_then(chinese_numeral) {
                chars.next();
                run.push(value);
            }
            chinese_number(&run)
        } else if c.is_ascii_alphabetic() {
            let mut word = String::from(c.to_ascii_lowercase());
            while let Some(letter) = chars.peek().copied().filter(char::is_ascii_alphabetic) {
                chars.next();
                word.push(letter.to_ascii_lowercase());
            }
            english(&word)
        } else {
            match c {
                '年' => Token::Year,
                '月' => Token::Month,
                '日' | '号' | '號' => Token::Day,
                '?' | '？' => {
                    while chars.next_if(|c| matches!(c, '?' | '？')).is_some() {}
                    Token::Unknown
                }
                '民' if chars.next_if(|c| matches!(c, '国' | '國')).is_some() => {
                    // 中华 or 中華 before it was taken for a word.
                    while matches!(tokens.last(), Some(Token::Word)) {
                        tokens.pop();
                    }
                    Token::Republic
                }
                '公' | '西' if chars.next_if_eq(&'元').is_some() => continue,
                ':' | '：' => Token::Colon,
                '.' | '-' | '/' | '．' | '。' | '－' | '—' | '–' | '／' | '\\' | ',' | '，'
                | '、' | '·' => Token::Separator,
                c if c.is_whitespace() => Token::Separator,
                _ => Token::Word,
            }
        };
        if token != Token::Separator || tokens.last() != Some(&Token::Separator) {
            tokens.push(token);
        }
    }
    Some(tokens)
}

fn decimal(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        '０'..='９' => Some(c as u32 - '０' as u32),
        _ => None,
    }
}

/// 0 to 10, 20 for 廿, 30 for 卅, 1 for 元 (the first year of an era).
fn chinese_numeral(c: char) -> Option<u32> {
    Some(match c {
        '〇' | '零' | '○' | 'Ｏ' => 0,
        '一' | '元' => 1,
        '二' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => 10,
        '廿' => 20,
        '卅' => 30,
        _ => return None,
    })
}

/// 一九五六 is a row of digits; 十二, 二十三, 廿五 are sums.
fn chinese_number(run: &[u32]) -> Token {
    if run.iter().all(|value| *value < 10) {
        let value = run.iter().fold(0u32, |sum, d| sum.saturating_mul(10).saturating_add(*d));
        return Token::Number { value, digits: u8::try_from(run.len()).unwrap_or(u8::MAX) };
    }
    let mut value = 0u32;
    for (i, part) in run.iter().enumerate() {
        match part {
            // 二十: the digit before it counts the tens.
            10 if i > 0 && run[i - 1] < 10 => {
                value = value.saturating_add(9u32.saturating_mul(run[i - 1]));
            }
            _ => value = value.saturating_add(*part),
        }
    }
    Token::Number { value, digits: 0 }
}

fn english(word: &str) -> Token {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    if matches!(word, "x" | "xx" | "xxxx") {
        return Token::Unknown;
    }
    MONTHS
        .iter()
        .position(|month| word.len() >= 3 && month.starts_with(word))
        .map_or(Token::Word, |index| Token::MonthName(index as u8 + 1))
}

/// A form with 年.
fn read_signs(tokens: &[Token]) -> Option<DateReading> {
    let year_at = tokens.iter().position(|token| *token == Token::Year)?;
    let mut before = year_at.checked_sub(1)?;
    if tokens[before] == Token::Separator {
        before = before.checked_sub(1)?;
    }
    let Token::Number { value, digits } = tokens[before] else {
        return None;
    };
    let mut ahead = &tokens[..before];
    let republic = ahead.iter().rposition(|token| *token == Token::Republic);
    if let Some(at) = republic {
        ahead = &ahead[..at];
    }
    let mut reading = DateReading {
        says_more: ahead.iter().any(|t| *t != Token::Separator),
        ..DateReading::default()
    };
    let year = match (republic, digits) {
        (Some(_), _) if (1..=200).contains(&value) => value + 1911,
        (None, 4) => value,
        (None, 1 | 2) => {
            reading.doubt = Some(DateDoubt::TwoDigitYear);
            reading.says_more = true;
            return Some(reading);
        }
        _ => return None,
    };
    let mut rest =
        tokens[year_at + 1..].iter().copied().filter(|t| *t != Token::Separator).peekable();
    let mut part = |sign: Token| {
        let number = match rest.peek() {
            Some(Token::Number { value, .. }) => Some(*value),
            Some(Token::Unknown) => Some(0),
            _ => None,
        }?;
        let mut ahead = rest.clone();
        ahead.next();
        // The last sign is often left out: 1997年11月16.
        match ahead.peek() {
            Some(found) if *found == sign => {
                rest.next();
                rest.next();
            }
            None => {
                rest.next();
            }
            _ => return None,
        }
        Some(number)
    };
    let month = part(Token::Month);
    let day = if month.is_some() { part(Token::Day) } else { None };
    reading.says_more |= rest.next().is_some();
    settle(&mut reading, year, month, day);
    Some(reading)
}

/// A form of numbers with separators, or one number.
fn read_numbers(tokens: &[Token]) -> Option<DateReading> {
    let republic = tokens.contains(&Token::Republic);
    let mut reading = DateReading::default();
    let mut parts: SmallVec<[Part; 3]> = SmallVec::new();
    let mut previous_separates = true;
    for (at, token) in tokens.iter().enumerate() {
        let part = match *token {
            Token::Separator => {
                previous_separates = true;
                continue;
            }
            Token::Republic if parts.is_empty() => continue,
            Token::Number { value, digits } => Part { value, digits, name: false },
            Token::Unknown => Part { value: 0, digits: 0, name: false },
            Token::MonthName(month) => Part { value: u32::from(month), digits: 2, name: true },
            _ => {
                reading.says_more = true;
                previous_separates = false;
                // Words before the first number are an introduction; words
                // after it end the date.
                if parts.is_empty() {
                    continue;
                }
                break;
            }
        };
        let begins_time = tokens.get(at + 1) == Some(&Token::Colon);
        if parts.len() == 3 || begins_time || !previous_separates && !parts.is_empty() {
            reading.says_more = true;
            break;
        }
        parts.push(part);
        previous_separates = part.name;
    }
    let (year, month, day) = order(&parts, republic, &mut reading)?;
    settle(&mut reading, year, month, day);
    Some(reading)
}

#[derive(Clone, Copy)]
struct Part {
    value: u32,
    digits: u8,
    /// Written as the name of a month.
    name: bool,
}

type YearMonthDay = (u32, Option<u32>, Option<u32>);

/// Which of up to three numbers is what; a year of 0 when it is not known.
fn order(parts: &[Part], republic: bool, reading: &mut DateReading) -> Option<YearMonthDay> {
    let value = |i: usize| parts.get(i).map(|part| part.value);
    let first = parts.first()?;
    if republic {
        return Some((first.value.min(8000) + 1911, value(1), value(2)));
    }
    if first.digits == 8 && parts.iter().all(|part| part.digits == 8) {
        reading.says_more |= parts.len() > 1;
        let n = first.value;
        return Some((n / 10_000, Some(n / 100 % 100), Some(n % 100)));
    }
    if first.digits == 4 && !first.name {
        if parts.get(1).is_some_and(|part| part.digits > 2) {
            reading.says_more = true;
            return Some((first.value, None, None));
        }
        if parts.get(2).is_some_and(|part| part.digits > 2) {
            reading.says_more = true;
            return Some((first.value, value(1), None));
        }
        return Some((first.value, value(1), value(2)));
    }
    let small = |part: &Part| part.digits <= 2;
    match parts {
        [a, year] if small(a) && year.digits == 4 => Some((year.value, Some(a.value), None)),
        [a, b, year] if small(a) && small(b) && year.digits == 4 => {
            let day_month = match (a, b) {
                (a, b) if a.name => Some((b.value, a.value)),
                (a, b) if b.name => Some((a.value, b.value)),
                (a, b) if a.value > 12 => Some((a.value, b.value)),
                (a, b) if b.value > 12 => Some((b.value, a.value)),
                (a, b) if a.value == b.value => Some((a.value, b.value)),
                _ => None,
            };
            let Some((day, month)) = day_month else {
                reading.doubt = Some(DateDoubt::OrderUnknown);
                reading.says_more = true;
                return Some((year.value, None, None));
            };
            Some((year.value, Some(month), Some(day)))
        }
        [_, _, _] if parts.iter().all(small) => {
            reading.doubt = Some(DateDoubt::TwoDigitYear);
            reading.says_more = true;
            Some((0, None, None))
        }
        _ => None,
    }
}

/// Keeps as much as the calendar allows.
fn settle(reading: &mut DateReading, year: u32, month: Option<u32>, day: Option<u32>) {
    // `0909，2000` begins with a month and a day, not with the year 909: no game
    // is that old.
    if !(1000..=9999).contains(&year) {
        let nothing = year == 0 && month.unwrap_or(0) == 0 && day.unwrap_or(0) == 0;
        if reading.doubt.is_none() && !nothing {
            reading.doubt = Some(DateDoubt::Unreadable);
        }
        reading.says_more |= !nothing;
        return;
    }
    let year = year as u16;
    let mut date = LaxDate { year, month: None, day: None };
    match month {
        Some(month @ 1..=12) => date.month = Some(month as u8),
        None | Some(0) => {}
        Some(_) => reading.doubt = Some(DateDoubt::NoSuchDay),
    }
    match (date.month, day) {
        (_, None | Some(0)) => {}
        (Some(month), Some(day)) if day <= u32::from(days_in(year, month)) => {
            date.day = Some(day as u8);
        }
        (Some(_), _) => reading.doubt = Some(DateDoubt::NoSuchDay),
        // A day of an unknown month has no place in the date.
        (None, _) => reading.says_more = true,
    }
    reading.says_more |= reading.doubt.is_some();
    reading.date = Some(date);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> (String, Option<DateDoubt>, bool) {
        let reading = LaxDate::parse(text);
        let date = reading.date.map_or(String::new(), |date| date.to_string());
        (date, reading.doubt, reading.says_more)
    }

    #[test]
    fn a_month_and_a_day_are_no_year() {
        for text in ["0909，2000", "0909", "0909年"] {
            let reading = LaxDate::parse(text);
            assert_eq!(reading.date, None, "{text}");
            assert_eq!(reading.doubt, Some(DateDoubt::Unreadable), "{text}");
        }
        assert_eq!(LaxDate::parse("0000.00.00"), DateReading::default());
    }

    #[test]
    fn the_forms_of_real_files() {
        for (text, date) in [
            ("1999.12.09", "1999-12-09"),
            ("1956.??.??", "1956"),
            ("2024-08-26", "2024-08-26"),
            ("2024-8-6 ", "2024-08-06"),
            ("1997年11月16日", "1997-11-16"),
            ("1997年11月16", "1997-11-16"),
            ("1956年12月", "1956-12"),
            ("1956 年 12 月 17 日", "1956-12-17"),
            ("2005年3月31号", "2005-03-31"),
            ("２０２３．１２．１０", "2023-12-10"),
            ("19990000", "1999"),
            ("19991209", "1999-12-09"),
            ("1956", "1956"),
            ("民國45年12月15日", "1956-12-15"),
            ("中华民国四十五年十二月", "1956-12"),
            ("民国元年", "1912"),
            ("一九五六年十二月", "1956-12"),
            ("一九五六年十二月二十三日", "1956-12-23"),
            ("二〇〇八年廿五日", "2008"),
            ("公元1956年", "1956"),
            ("25-8-2014", "2014-08-25"),
            ("8-25-2014", "2014-08-25"),
            ("5/5/2014", "2014-05-05"),
            ("8/2014", "2014-08"),
            ("Dec 15, 1956", "1956-12-15"),
            ("15 December 1956", "1956-12-15"),
        ] {
            assert_eq!(read(text).0, date, "{text}");
            assert_eq!(read(text).1, None, "{text}");
        }
    }

    #[test]
    fn what_the_date_does_not_keep_is_said() {
        for (text, date) in [
            ("1997年11月16日下午", "1997-11-16"),
            ("2020-02-02 02:02:02", "2020-02-02"),
            ("2023.12.10-12", "2023-12-10"),
            ("2023.12.10-2024.1.2", "2023-12-10"),
            ("1956.12-1957.1", "1956-12"),
            ("约1956年", "1956"),
        ] {
            assert_eq!(read(text), (date.to_owned(), None, true), "{text}");
        }
        assert!(!read("2023.12.10").2);
    }

    #[test]
    fn nothing_is_guessed() {
        assert_eq!(read("2-8-2014"), ("2014".into(), Some(DateDoubt::OrderUnknown), true));
        assert_eq!(read("99-12-09"), (String::new(), Some(DateDoubt::TwoDigitYear), true));
        assert_eq!(read("56年12月"), (String::new(), Some(DateDoubt::TwoDigitYear), true));
        assert_eq!(read("1999.02.30"), ("1999-02".into(), Some(DateDoubt::NoSuchDay), true));
        assert_eq!(read("1999.25.12"), ("1999".into(), Some(DateDoubt::NoSuchDay), true));
        assert_eq!(read("明天"), (String::new(), Some(DateDoubt::Unreadable), true));
    }

    #[test]
    fn a_blank_form_is_no_date_and_no_doubt() {
        for text in
            ["", "-", "?", "????.??.??", "0000-00-00", "00000000", "xxxx.xx.xx", "----.--.--"]
        {
            assert_eq!(LaxDate::parse(text), DateReading::default(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_dialect_says_the_same(year in 1000u16..=2999, month in 1u8..=12, day in 1u8..=28) {
            let wanted = LaxDate { year, month: Some(month), day: Some(day) };
            let wide = |text: String| -> String {
                text.chars()
                    .map(|c| c.to_digit(10).map_or(c, |d| char::from_u32('０' as u32 + d).unwrap()))
                    .collect()
            };
            for text in [
                format!("{year}.{month:02}.{day:02}"),
                format!("{year}-{month}-{day}"),
                format!("{year}/{month}/{day} "),
                format!("{year}{month:02}{day:02}"),
                format!("{year}年{month}月{day}日"),
                wide(format!("{year}年{month}月{day}日")),
            ] {
                let reading = LaxDate::parse(&text);
                prop_assert_eq!(reading, DateReading { date: Some(wanted), doubt: None, says_more: false });
            }
            let republic = LaxDate::parse(&format!("民國{}年{month}月{day}日", year.max(1912) - 1911));
            if (1912..=2111).contains(&year) {
                prop_assert_eq!(republic.date, Some(wanted));
            }
        }

        #[test]
        fn any_text_yields_a_date_of_the_calendar_or_none(text in "[0-9年月日?./: 民国十二a-z-]{0,24}|.{0,40}") {
            if let Some(date) = LaxDate::parse(&text).date {
                prop_assert_eq!(LaxDate::new(date.year, date.month, date.day), Some(date));
            }
        }
    }
}
