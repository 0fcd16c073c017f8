//! Pages in HTML.

/// Stands for the end of a row or paragraph where tags were taken out.
pub(super) const SEPARATOR: u8 = 0x1E;

/// The text of a page without its tags, each byte in its place: a tag becomes
/// blanks, and the end of a row or paragraph a separator.
pub(super) fn without_tags(text: &str) -> Option<String> {
    let head = text.get(..text.len().min(4096)).or_else(|| text.get(..4093))?.to_ascii_lowercase();
    if !(head.contains("<html") || head.contains("<table") || head.contains("<!doctype html")) {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', bytes.get(at..)?).map(|n| at + n) {
        let close = memchr::memchr(b'>', bytes.get(open..)?).map_or(bytes.len(), |n| open + n + 1);
        let tag = String::from_utf8_lossy(bytes.get(open..close)?).to_ascii_lowercase();
        let name: String = tag
            .trim_start_matches(['<', '/'])
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        let mut end = close;
        if matches!(name.as_str(), "style" | "script" | "xml") && !tag.starts_with("</") {
            let stop = format!("</{name}");
            let rest = bytes.get(close..)?;
            let found = memchr::memmem::find(rest, stop.as_bytes());
            end = close + found.unwrap_or(rest.len());
        }
        for byte in bytes.get_mut(open..end)? {
            // Characters of more than one byte become as many blanks.
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        let mark = match name.as_str() {
            "tr" | "br" | "p" | "div" | "li" | "table" | "h1" | "h2" | "h3" => SEPARATOR,
            "td" | "th" => b'\t',
            _ => b' ',
        };
        *bytes.get_mut(end - 1)? = mark;
        at = end;
    }
    let mut plain = String::from_utf8(bytes).ok()?;
    while let Some(at) = plain.find("&nbsp;") {
        plain.replace_range(at..at + 6, "      ");
    }
    Some(plain)
}
