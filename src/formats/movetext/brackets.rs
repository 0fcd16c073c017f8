//! Where comments end and tags begin. All of it looks at bytes, so that it
//! holds for text and for the bytes of a file before decoding.

/// Where a comment that begins at `at`, behind its bracket, ends, and whether
/// the bracket on the right is there. The tags of a new game end a comment
/// whose bracket was forgotten; a tag inside a comment does not. `whole` tells
/// whether a byte is a character of its own, not half of one.
pub(crate) fn comment_end(bytes: &[u8], at: usize, whole: &dyn Fn(usize) -> bool) -> (usize, bool) {
    let rest = bytes.get(at..).unwrap_or_default();
    let close = memchr::memchr_iter(b'}', rest).find(|n| whole(at + n));
    let body = rest.get(..close.unwrap_or(rest.len())).unwrap_or_default();
    for found in memchr::memmem::find_iter(body, b"\n[") {
        let line = at + found + 1;
        if begins_game(bytes, line, close.map(|n| at + n)) {
            return (line, false);
        }
    }
    (at + body.len(), close.is_some())
}

/// Whether the line at `line` is the first of a block of tags, two at least,
/// or a tag and an empty line. `close` is where a bracket would end the
/// comment in which the line stands.
fn begins_game(bytes: &[u8], line: usize, close: Option<usize>) -> bool {
    let Some(next) = whole_tag_line(bytes, line) else { return false };
    let rest = bytes.get(next..).unwrap_or_default();
    let blank =
        rest.iter().find(|c| !matches!(c, b' ' | b'\t' | b'\r')).is_none_or(|c| *c == b'\n');
    let after = whole_tag_line(bytes, next);
    let end = after.unwrap_or(next);
    (blank || after.is_some()) && close.is_none_or(|close| close >= end)
}

/// If the line at `at` is a tag and nothing else: where the next line begins.
pub(crate) fn whole_tag_line(bytes: &[u8], at: usize) -> Option<usize> {
    if !is_tag(bytes, at) {
        return None;
    }
    let rest = bytes.get(at..)?;
    let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let line = rest.get(..len)?.trim_ascii_end();
    line.ends_with(b"]").then_some((at + len + 1).min(bytes.len()))
}

/// Whether `[name "` stands at `at`. Bytes outside ASCII count as letters, so
/// that this holds for bytes before decoding as well.
pub(crate) fn is_tag(bytes: &[u8], at: usize) -> bool {
    const MAX_NAME: usize = 64;
    let Some([b'[', rest @ ..]) = bytes.get(at..) else { return false };
    let blanks = rest.iter().take_while(|c| **c == b' ').count();
    let rest = rest.get(blanks..).unwrap_or_default();
    let name = rest
        .iter()
        .take(MAX_NAME)
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-' | b'.') || **c >= 0x80)
        .count();
    if name == 0 || rest.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let value = rest.get(name..).unwrap_or_default();
    let blanks = value.iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
    value.get(blanks) == Some(&b'"')
}
