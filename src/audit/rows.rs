//! What two sheets give together: a row for each half-move, who bears witness
//! to it, and what became of it.

use super::align::Says;

/// Who bears witness to a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Witness {
    /// Both sheets.
    Both,
    /// The first alone.
    First,
    /// The second alone.
    Second,
    /// Neither.
    Neither,
}

impl Witness {
    /// `both`, `first`, `second` or `neither`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Witness::Both => "both",
            Witness::First => "first",
            Witness::Second => "second",
            Witness::Neither => "neither",
        }
    }

    pub(super) const fn only(sheet: usize) -> Witness {
        if sheet == 0 { Witness::First } else { Witness::Second }
    }
}

/// What became of a half-move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// Both sheets agree.
    Agreed,
    /// One sheet fills the gap of the other.
    Filled,
    /// One sheet can be read where the other cannot.
    Read,
    /// The sheets differ, and the board decides.
    Decided,
    /// The sheets differ, and the board cannot decide.
    Open,
    /// One sheet has it in another order.
    Swapped,
    /// One sheet has ended.
    Alone,
    /// Neither sheet has a move that can be played.
    Missing,
}

impl Fate {
    /// `agreed`, `filled`, `read`, `decided`, `open`, `swapped`, `alone` or
    /// `missing`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fate::Agreed => "agreed",
            Fate::Filled => "filled",
            Fate::Read => "read",
            Fate::Decided => "decided",
            Fate::Open => "open",
            Fate::Swapped => "swapped",
            Fate::Alone => "alone",
            Fate::Missing => "missing",
        }
    }
}

/// What a sheet has at a half-move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowEntry {
    /// In what relation it stands to the move.
    pub says: Says,
    /// The word; empty where there is none.
    pub text: String,
}

/// One half-move of the game that both sheets give.
#[derive(Clone, Debug)]
pub struct Row {
    /// What the sheets have.
    pub entries: [RowEntry; 2],
    /// Who bears witness.
    pub witness: Witness,
    /// What became of it.
    pub fate: Fate,
}

/// The two sheets laid together.
#[derive(Clone, Debug)]
pub struct Merged {
    /// A row for each half-move of the line.
    pub rows: Vec<Row>,
}

impl Merged {
    /// Half-moves on which both sheets agree.
    #[must_use]
    pub fn agreed(&self) -> usize {
        self.rows.iter().filter(|row| row.fate == Fate::Agreed).count()
    }

    /// Whether both sheets together settle a ply.
    #[must_use]
    pub fn settles(&self, ply: Option<u32>) -> bool {
        let row = ply.and_then(|ply| self.rows.get(ply.checked_sub(1)? as usize));
        row.is_some_and(|row| !matches!(row.fate, Fate::Missing | Fate::Alone))
    }
}
