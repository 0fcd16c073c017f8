//! A small writer of HTML: whatever comes from a sheet is escaped.

/// A page that is being written.
#[derive(Debug, Default)]
pub(super) struct Page(String);

impl Page {
    /// Markup as it is; for what this program says itself.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Page {
        self.0.push_str(markup);
        self
    }

    /// Text: signs of HTML are escaped, control characters replaced.
    pub(super) fn text(&mut self, text: &str) -> &mut Page {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\n' | '\t' => self.0.push(c),
                c if c.is_control() => self.0.push('\u{fffd}'),
                c => self.0.push(c),
            }
        }
        self
    }

    /// Opens an element; the class may be empty.
    pub(super) fn open(&mut self, tag: &str, class: &str) -> &mut Page {
        self.0.push('<');
        self.0.push_str(tag);
        if !class.is_empty() {
            self.0.push_str(" class=\"");
            self.text(class);
            self.0.push('"');
        }
        self.0.push('>');
        self
    }

    /// Closes an element.
    pub(super) fn close(&mut self, tag: &str) -> &mut Page {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
        self
    }

    /// An element that holds text.
    pub(super) fn put(&mut self, tag: &str, class: &str, text: &str) -> &mut Page {
        self.open(tag, class).text(text).close(tag)
    }

    /// A table with a head and rows of text.
    pub(super) fn table(
        &mut self,
        class: &str,
        head: &[&str],
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> &mut Page {
        self.open("table", class).raw("<thead><tr>");
        for cell in head {
            self.put("th", "", cell);
        }
        self.raw("</tr></thead><tbody>\n");
        for row in rows {
            self.raw("<tr>");
            for cell in row {
                self.put("td", "", &cell);
            }
            self.raw("</tr>\n");
        }
        self.raw("</tbody>").close("table").raw("\n")
    }

    /// What was written.
    pub(super) fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_sheet_becomes_markup() {
        let mut page = Page::default();
        page.put("p", "a\"b", "<script>&\u{1b}\"").table("", &["<"], [vec!["</td>".to_owned()]]);
        let text = page.finish();
        assert!(text.starts_with("<p class=\"a&quot;b\">&lt;script&gt;&amp;\u{fffd}&quot;</p>"));
        assert!(text.contains("<th>&lt;</th>") && text.contains("<td>&lt;/td&gt;</td>"));
    }
}
