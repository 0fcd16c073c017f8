//! Where a finding is.

/// A point of a source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePoint {
    /// Byte offset in the file as it is stored (before decoding).
    pub offset: u64,
    /// Line from 1; 0 in a binary format.
    pub line: u32,
    /// Column from 1, counted in characters (Unicode scalar values); 0 in a
    /// binary format.
    pub column: u32,
}

/// Where a finding is: as much as is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Point of the source file.
    pub source: Option<SourcePoint>,
    /// Ply from 1 at the start position, on the main line or the variation.
    pub ply: Option<u32>,
    /// Node of the record's move tree, where the place is a move.
    pub node: Option<u32>,
}

impl Place {
    /// Nowhere in particular: the file or game as a whole.
    pub const WHOLE: Place = Place { source: None, ply: None, node: None };

    /// A point of the source.
    #[must_use]
    pub fn at(source: SourcePoint) -> Place {
        Place { source: Some(source), ..Place::WHOLE }
    }

    /// A byte offset of a binary file.
    #[must_use]
    pub fn offset(offset: u64) -> Place {
        Place::at(SourcePoint { offset, line: 0, column: 0 })
    }

    /// Adds the ply.
    #[must_use]
    pub fn ply(mut self, ply: u32) -> Place {
        self.ply = Some(ply);
        self
    }
}
