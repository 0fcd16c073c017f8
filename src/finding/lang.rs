//! The languages of messages.

use std::fmt;
use std::str::FromStr;

/// Language of messages, help and tables. Codes and JSON keys never change
/// with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese (简体中文).
    Zh,
}

impl Lang {
    /// Both languages.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Zh];

    /// `en` or `zh`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh",
        }
    }

    /// The one of two texts that is in this language.
    #[must_use]
    pub const fn pick<'a>(self, en: &'a str, zh: &'a str) -> &'a str {
        match self {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    /// The language of a POSIX locale such as `zh_CN.UTF-8`; English for
    /// every locale that is not Chinese.
    #[must_use]
    pub fn of_locale(locale: &str) -> Lang {
        let language = locale.split(['_', '.', '@', '-']).next().unwrap_or("");
        if language.eq_ignore_ascii_case("zh") { Lang::Zh } else { Lang::En }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no language is called `{0}`; there are `en` and `zh`")]
pub struct UnknownLang(String);

impl FromStr for Lang {
    type Err = UnknownLang;

    fn from_str(text: &str) -> Result<Lang, UnknownLang> {
        Lang::ALL
            .into_iter()
            .find(|lang| lang.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownLang(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_choose_the_language() {
        for (locale, lang) in [
            ("zh_CN.UTF-8", Lang::Zh),
            ("zh", Lang::Zh),
            ("zh-Hant-TW", Lang::Zh),
            ("en_GB.UTF-8", Lang::En),
            ("C", Lang::En),
            ("", Lang::En),
            ("zhuang", Lang::En),
        ] {
            assert_eq!(Lang::of_locale(locale), lang, "{locale}");
        }
    }
}
