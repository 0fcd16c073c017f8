//! The moves of one or two sheets, a round a row.

use crate::audit::{Audit, Fate, Row, Says};
use crate::board::Color;
use crate::finding::Lang;
use crate::report::findings::printable;
use crate::report::json::GAP;
use crate::report::moves::chinese;

/// A round.
#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    /// Its number.
    pub(super) number: u32,
    /// The move of Red and of Black in the game; empty where there is none.
    pub(super) game: [String; 2],
    /// What each sheet has, Red's move and Black's.
    pub(super) sheets: [[String; 2]; 2],
    /// What became of Red's and of Black's move, with two sheets.
    pub(super) fates: [Option<Fate>; 2],
}

/// The rounds of the game.
pub(super) fn rounds(audit: &Audit) -> Vec<Round> {
    let rows = audit.merged.as_ref().map(|merged| &merged.rows);
    let mut rounds: Vec<Round> = Vec::new();
    for (at, ply) in audit.line.plies.iter().enumerate() {
        let (number, side) = (ply.before.round(), ply.side());
        if rounds.last().is_none_or(|last| last.number != number) {
            rounds.push(Round { number, ..Round::default() });
        }
        let Some(round) = rounds.last_mut() else { continue };
        let half = usize::from(side == Color::Black);
        round.game[half] = ply.mv.map_or_else(|| GAP.to_owned(), |mv| chinese(mv, &ply.before));
        let Some(row) = rows.and_then(|rows| rows.get(at)) else { continue };
        round.fates[half] = Some(row.fate);
        if row.fate == Fate::Open {
            round.game[half].push('?');
        }
        for sheet in 0..2 {
            round.sheets[sheet][half] = said(row, sheet);
        }
    }
    rounds
}

fn said(row: &Row, sheet: usize) -> String {
    let entry = &row.entries[sheet];
    match entry.says {
        Says::Omits => "·".to_owned(),
        Says::Ended => String::new(),
        _ if entry.text.is_empty() => "·".to_owned(),
        _ => printable(&entry.text),
    }
}

/// What became of a half-move, in a word; empty where both agree.
pub(super) const fn fate(fate: Fate, lang: Lang) -> &'static str {
    match fate {
        Fate::Agreed => "",
        Fate::Filled => lang.pick("filled", "补"),
        Fate::Read => lang.pick("read from the other", "据另一份"),
        Fate::Decided => lang.pick("board decides", "棋盘断定"),
        Fate::Open => lang.pick("OPEN", "未定"),
        Fate::Swapped => lang.pick("order", "次序"),
        Fate::Alone => lang.pick("one sheet only", "仅一份"),
        Fate::Missing => lang.pick("MISSING", "缺"),
    }
}

/// What became of a round: of Red's move, then of Black's.
pub(super) fn remark(round: &Round, lang: Lang) -> String {
    let words: Vec<&str> = round
        .fates
        .iter()
        .flatten()
        .map(|own| fate(*own, lang))
        .filter(|w| !w.is_empty())
        .collect();
    match words[..] {
        [one, other] if one == other => one.to_owned(),
        _ => words.join(", "),
    }
}
