//! Tables in text whose columns stand right under hanzi.

use comfy_table::{CellAlignment, ContentArrangement, Table};

/// Lays out rows under a head, with two blanks between columns and no lines;
/// the columns whose numbers are in `right` are set to the right.
#[must_use]
pub fn table(
    head: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
    right: &[usize],
) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(head);
    for row in rows {
        table.add_row(row);
    }
    for (number, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if right.contains(&number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_stand_right_under_hanzi() {
        let rows = [vec!["炮二平五".into(), "12".into()], vec!["h2e2".into(), "3".into()]];
        let text = super::table(&["move", "games"], rows, &[1]);
        assert_eq!(text, "move      games\n炮二平五     12\nh2e2          3");
    }
}
