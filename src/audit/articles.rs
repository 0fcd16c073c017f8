//! The articles that a report can name, with what each is about: so that an
//! arbiter who has never seen qipu can look them up. `docs/rules.md` has all
//! of them; a test holds the two together.

use crate::finding::Lang;

/// Number, what it says in English, what it says in Chinese.
type Row = (&'static str, &'static str, &'static str);

const ARTICLES: &[Row] = &[
    ("2.1", "the sides move in turn, Red first", "红先，双方轮流各走一着"),
    ("2.2", "how the pieces move", "棋子走法"),
    ("2.3", "how pieces take", "吃子"),
    ("3.1", "a check must be answered", "将军须应将"),
    ("4.1.1", "who is mated loses", "被将死者负"),
    ("4.1.2", "who makes the generals face each other loses", "走后将帅对面者负"),
    ("4.1.3", "who is stalemated loses", "被困毙者负"),
    ("4.1.4", "who oversteps the control loses", "规定时限内未走满着数者负"),
    ("4.1.6", "who moves against the rules of movement loses", "走棋违反行棋规定者负"),
    ("4.1.7", "who must change and does not loses", "应变着而不变者负"),
    ("4.1.8", "three fouls in one game lose", "一局中三次犯规者负"),
    ("4.1.9", "who resigns loses", "认输者负"),
    ("4.1.10", "who refuses to keep the rules loses", "拒绝遵守规则者负"),
    ("4.2.1", "neither side can win: draw", "双方均无取胜可能，和"),
    ("4.2.2", "offered and agreed: draw", "提议作和并同意，和"),
    ("4.2.3", "repetition that is drawn unchanged", "循环三次，不变作和"),
    ("4.2.4", "natural limit: rounds without a capture", "自然限着"),
    ("5.8", "errors are put right at once, not after the game", "错误应及时纠正，局后不受理"),
    (
        "7.1",
        "both sides record every move; four left out in a row are a foul",
        "逐着记录，连续漏记四着犯规一次",
    ),
    ("7.2", "with less than three minutes left one may stop recording", "不足三分钟可暂缓记录"),
    ("7.3", "the arbiter may have a sheet copied out and corrected", "裁判可令誊清补正"),
    ("7.4", "refusing 7.1 to 7.3", "拒绝执行 7.1 至 7.3"),
    ("7.5", "the complete and the short form", "完整与简写两种记法"),
    ("9.1.1", "disturbing the opponent", "干扰对方"),
    ("9.1.2", "touching the clock without leave", "擅自停钟或开钟"),
    ("9.1.3", "offering a draw again after a refusal", "被拒后连续提和"),
    ("9.1.4", "a claim of the natural limit that proves wrong", "自然限着提议不实"),
    ("9.1.5", "touching an own piece that cannot move", "触摸不能走动的己方棋子"),
    ("9.1.6", "touching an enemy piece that cannot be taken", "触摸无法吃掉的对方棋子"),
    ("9.1.7", "moves left unrecorded beyond the limit", "漏记着法超过限度"),
    ("9.1.8", "lesser breaches of a player's duties", "违反棋手守则情节较轻"),
    ("9.2", "a foul is announced and noted at once", "犯规应立即宣布并记录"),
    (
        "10.1",
        "result, times, fouls and three signatures on the sheet",
        "结果、用时、犯规与三方签字",
    ),
    ("22.1", "not enough moves in the time is overstepping", "规定时间未走满着数为超时"),
    ("22.2", "the flag shows it", "以小旗落下为准"),
    ("22.3", "without a flag, both hands must have passed", "无小旗时以两针均越过为准"),
    ("22.5", "the last move made but the clock not pressed in time", "走出最后一着未及按钟"),
    ("23.2", "a loop that goes on may be ruled a draw unclaimed", "循环延续，裁判可判和"),
    (
        "23.3",
        "claim of the natural limit: count, and what a wrong one costs",
        "自然限着的审核及不实的处理",
    ),
    ("24", "a ruling on a loop at the third repetition", "循环三次的待判局面"),
    ("24.1", "one-sided perpetual check loses at once", "单方长将立即判负"),
    ("24.2", "both permitted or both forbidden: draw", "双方均允许或均禁止，和"),
    ("24.3", "the offender must change; one more loop loses", "犯禁方须变着，再循环一次判负"),
    ("26.1", "perpetual check is never permitted to one side alone", "不许单方面长将"),
    ("26.2", "both sides are within their rights: draw", "双方均为允许着法，不变作和"),
    ("26.3", "both sides do what is forbidden: draw", "双方均为禁止着法，不变作和"),
    ("26.4", "one side does what is forbidden: it must change", "一方为禁止着法，由禁止着法方变着"),
];

/// The articles of the desk, in order.
pub fn all() -> impl Iterator<Item = &'static str> {
    ARTICLES.iter().map(|(number, ..)| *number)
}

/// What an article is about.
#[must_use]
pub fn gist(number: &str, lang: Lang) -> Option<&'static str> {
    let row = ARTICLES.iter().find(|(known, ..)| *known == number);
    row.map(|(_, en, zh)| lang.pick(en, zh))
}

/// The article with this number, for one that comes from outside.
#[must_use]
pub(super) fn known(number: &str) -> Option<&'static str> {
    all().find(|known| *known == number)
}

/// The articles that a text names, in its order.
pub fn named_in(text: &str) -> impl Iterator<Item = &'static str> + '_ {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .map(|word| word.trim_matches('.'))
        .filter(|word| word.contains('.') || *word == "24")
        .filter_map(known)
}
