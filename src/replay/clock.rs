//! The clock column: whether a side was so short of time that it need not
//! write (article 7.2).

use crate::board::Color;
use crate::record::{NodeId, Record};

/// A side with less than this many seconds left may stop writing.
const SHORT: u32 = 180;

/// Whether the last clock reading of `side` before the gap at `node` (or the
/// first after it) shows less than three minutes left. Readings that only
/// grow are time used and prove nothing.
#[cold]
pub(super) fn is_short(record: &Record, node: Option<u32>, side: Color) -> bool {
    let at = node.map_or(0, |node| node as usize);
    let line: Vec<NodeId> = record.tree.main_line().collect();
    let readings: Vec<(usize, u32)> = record
        .tree
        .clocks
        .iter()
        .filter_map(|clock| {
            let written = record.tree.node(clock.node).side;
            let place = line.iter().position(|id| *id == clock.node)?;
            let mine = written.map_or(place % 2 == side.index(), |written| written == side);
            mine.then(|| seconds(&clock.text)).flatten().map(|left| (clock.node.index(), left))
        })
        .collect();
    let counts_down = readings.windows(2).any(|pair| pair[1].1 < pair[0].1);
    let before = readings.iter().rev().find(|(node, _)| *node <= at);
    let near = before.or_else(|| readings.first());
    counts_down && near.is_some_and(|(_, left)| *left < SHORT)
}

/// The seconds of `0:02:31`, or of `2:31`, which on a clock that runs down is
/// minutes and seconds.
fn seconds(text: &str) -> Option<u32> {
    let digits = |c: char| c.is_ascii_digit() || matches!(c, ':' | '：');
    let start = text.find(digits)?;
    let text = text.get(start..)?;
    let end = text.find(|c| !digits(c)).unwrap_or(text.len());
    text.get(..end)?.split([':', '：']).try_fold(0u32, |sum, part| {
        let part: u32 = part.parse().ok()?;
        sum.checked_mul(60)?.checked_add(part)
    })
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn clocks_are_read() {
        assert_eq!(seconds("0:02:31"), Some(151));
        assert_eq!(seconds("[%clk 1:00:00]"), Some(3600));
        assert_eq!(seconds("2:31"), Some(151));
        assert_eq!(seconds("用时"), None);
    }
}
