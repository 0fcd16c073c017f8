//! Look-alike characters read as one, for a *copy* of text that is about to be
//! parsed. What is stored is never folded.

/// The character that a parser should see for `c`; `None` for characters that
/// have no width and no meaning here (zero-width spaces and joiners, byte
/// order marks inside text, variation selectors).
///
/// Full-width ASCII, ideographic and no-break spaces, dashes and minus signs,
/// radicals and compatibility ideographs become the ordinary character;
/// everything else stays.
#[inline]
#[must_use]
pub fn fold_char(c: char) -> Option<char> {
    if c.is_ascii() || matches!(c, '\u{4E00}'..='\u{9FFF}') { Some(c) } else { fold_rare(c) }
}

fn fold_rare(c: char) -> Option<char> {
    Some(match c {
        '！'..='～' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{3000}' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{2500}' => '-',
        '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}'
        | '\u{FEFF}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{AD}' => return None,
        '\u{F900}'..='\u{FAFF}' | '\u{2F800}'..='\u{2FA1F}' => compatible(c),
        '\u{2E80}'..='\u{2FDF}' => radical(c),
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201C}' | '\u{201D}' => '"',
        '。' | '｡' => '.',
        _ => c,
    })
}

/// The ordinary ideograph for a compatibility ideograph.
fn compatible(c: char) -> char {
    use unicode_normalization::char::decompose_canonical;
    let mut plain = c;
    decompose_canonical(c, |part| plain = part);
    plain
}

/// The ordinary ideograph for a radical of its own code.
fn radical(c: char) -> char {
    use unicode_normalization::char::decompose_compatible;
    let mut plain = c;
    decompose_compatible(c, |part| plain = part);
    plain
}

/// A folded copy of a text.
#[must_use]
pub fn fold(text: &str) -> String {
    text.chars().filter_map(fold_char).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_become_one() {
        assert_eq!(fold("１．炮二平五　马８进７"), "1.炮二平五 马8进7");
        assert_eq!(fold("C2\u{2212}5 － – —＋"), "C2-5 - - -+");
        assert_eq!(fold("\u{F902}\u{2F9E}\u{FEFF}\u{200B}"), "車車");
        assert_eq!(fold("⒈"), "⒈", "the trace of a wrong decoding is not a digit");
    }
}
