//! The width of text in columns of a terminal: hanzi and full-width forms take
//! two.

use unicode_width::UnicodeWidthStr;

/// The number of columns.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// `text` with blanks after it up to `columns`.
#[must_use]
pub fn pad_right(text: &str, columns: usize) -> String {
    let mut padded = text.to_owned();
    padded.extend(std::iter::repeat_n(' ', columns.saturating_sub(width(text))));
    padded
}

/// `text` with blanks before it up to `columns`.
#[must_use]
pub fn pad_left(text: &str, columns: usize) -> String {
    let mut padded = " ".repeat(columns.saturating_sub(width(text)));
    padded.push_str(text);
    padded
}

/// The longest beginning of `text` that fits into `columns`, with `…` for what
/// is left out.
#[must_use]
pub fn fit(text: &str, columns: usize) -> String {
    use unicode_width::UnicodeWidthChar;
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        kept.push(c);
    }
    if columns > 0 {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hanzi_take_two_columns() {
        assert_eq!(width("炮二平五"), 8);
        assert_eq!(pad_right("车", 4), "车  ");
        assert_eq!(pad_left("８", 4), "  ８");
        assert_eq!(fit("全国象棋", 6), "全国…");
        assert_eq!(fit("全国", 4), "全国");
        assert_eq!(fit("全国", 0), "");
    }
}
