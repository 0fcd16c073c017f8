//! Names as they compare: one key for the spellings of one name.
//!
//! Traditional and variant characters become simplified ones, full-width forms
//! ordinary ones; blanks, signs and titles go. What is stored is never folded,
//! and moves are never put through this.

use std::sync::LazyLock;

use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;
use pinyin::ToPinyin as _;
use unicode_normalization::UnicodeNormalization as _;

/// Titles and forms of address that may stand before or after a name, the
/// longer ones first.
const TITLES: [&str; 12] = [
    "国际特级大师",
    "男子特级大师",
    "女子特级大师",
    "特级国际大师",
    "特级大师",
    "国际大师",
    "象棋大师",
    "棋协大师",
    "大师",
    "先生",
    "女士",
    "棋王",
];

/// Surnames whose first reading in a dictionary is another one.
const SURNAMES: [(char, &str); 14] = [
    ('单', "shan"),
    ('仇', "qiu"),
    ('解', "xie"),
    ('曾', "zeng"),
    ('区', "ou"),
    ('乐', "yue"),
    ('朴', "piao"),
    ('盖', "ge"),
    ('查', "zha"),
    ('任', "ren"),
    ('葛', "ge"),
    ('尉', "wei"),
    ('冼', "xian"),
    ('万', "wan"),
];

/// A text as it is, in simplified and in traditional characters (the usual one
/// where several are possible), each once.
pub(crate) fn scripts(text: &str) -> Vec<String> {
    static TO_TRADITIONAL: LazyLock<Option<OpenCC>> =
        LazyLock::new(|| OpenCC::from_config(BuiltinConfig::S2t).ok());
    let mut all = vec![text.to_owned()];
    if text.is_ascii() {
        return all;
    }
    let simple = simplified(text);
    let traditional = TO_TRADITIONAL.as_ref().map(|converter| converter.convert(&simple));
    for other in std::iter::once(simple).chain(traditional) {
        if !all.contains(&other) {
            all.push(other);
        }
    }
    all
}

/// Simplified characters.
fn simplified(text: &str) -> String {
    static TO_SIMPLIFIED: LazyLock<Option<OpenCC>> =
        LazyLock::new(|| OpenCC::from_config(BuiltinConfig::T2s).ok());
    match &*TO_SIMPLIFIED {
        Some(converter) if !text.is_ascii() => converter.convert(text),
        _ => text.to_owned(),
    }
}

/// Variants that a table of scripts does not join.
fn ordinary(character: char) -> char {
    match character {
        '璘' | '磷' => '璘',
        '堃' => '坤',
        '喆' => '哲',
        '昇' => '升',
        '峯' => '峰',
        '彊' => '强',
        other => other,
    }
}

/// The key of a name. Empty for a name without letters.
pub(crate) fn folded(name: &str) -> String {
    let plain: String = name.nfkc().flat_map(char::to_lowercase).collect();
    let mut key: String = simplified(&plain)
        .chars()
        .filter(|character| character.is_alphanumeric())
        .map(ordinary)
        .collect();
    loop {
        let title = TITLES.iter().find_map(|title| {
            let rest = key.strip_prefix(title).or_else(|| key.strip_suffix(title))?;
            (rest.chars().count() >= 2).then(|| rest.to_owned())
        });
        match title {
            Some(rest) => key = rest,
            None => return key,
        }
    }
}

fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// How a folded name sounds, in Latin letters without tones and blanks;
/// `None` when it has other letters. `lv`, `lyu` and `lu` are one.
pub(crate) fn sound(folded: &str) -> Option<String> {
    let mut sound = String::new();
    for (i, character) in folded.chars().enumerate() {
        if is_han(character) {
            let surname = SURNAMES.iter().find(|(surname, _)| i == 0 && *surname == character);
            match surname {
                Some((_, reading)) => sound.push_str(reading),
                None => sound.push_str(character.to_pinyin()?.plain()),
            }
        } else if character.is_ascii_alphabetic() {
            sound.push(character);
        } else {
            // A letter with an accent counts without it.
            sound.extend(character.nfd().filter(char::is_ascii_alphabetic));
        }
    }
    let sound = sound.replace('ü', "u").replace("lv", "lu").replace("nv", "nu");
    let sound = sound.replace("lyu", "lu").replace("nyu", "nu");
    (sound.len() >= 2).then_some(sound)
}

/// Whether a folded name is written in Latin letters.
pub(crate) fn is_latin(folded: &str) -> bool {
    !folded.is_empty() && !folded.chars().any(is_han)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_have_one_key() {
        for spelling in
            ["胡荣华", "胡榮華", " 胡 荣 华 ", "胡　榮華", "特级大师胡荣华", "胡荣华（特级大师）"]
        {
            assert_eq!(folded(spelling), "胡荣华", "{spelling}");
        }
        assert_eq!(folded("楊官璘"), folded("杨官磷"));
        assert_eq!(folded("ＨＵ Ronghua"), "huronghua");
        assert_ne!(folded("王斌"), folded("王琳"));
        // Nothing but a title is a name.
        assert_eq!(folded("大师"), "大师");
        assert_eq!(folded("范蠡"), folded("范蠡"));
        assert_eq!(folded("***"), "");
    }

    #[test]
    fn names_sound_as_they_are_spoken() {
        // style/README.md, trial 3: surnames that dictionaries read otherwise.
        for (name, expected) in [
            ("胡荣华", "huronghua"),
            ("单霞丽", "shanxiali"),
            ("仇国荣", "qiuguorong"),
            ("曾启全", "zengqiquan"),
            ("吕钦", "luqin"),
            ("查毅刚", "zhayigang"),
        ] {
            assert_eq!(sound(&folded(name)).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(sound(&folded("Lü Qin")), sound(&folded("吕钦")));
        assert_eq!(sound(&folded("Lyu Qin")), sound(&folded("呂欽")));
        assert_eq!(sound("?"), None);
    }
}
