//! Partial dates: 1956, 1956-12, 1956-12-15. What is not written is not
//! invented.

use std::fmt;

/// A date of which the day, or day and month, may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaxDate {
    /// Year of the common era.
    pub year: u16,
    /// Month, 1 to 12.
    pub month: Option<u8>,
    /// Day, 1 to 31; only with a month.
    pub day: Option<u8>,
}

/// ISO 8601, cut to what is known: `1956`, `1956-12`, `1956-12-15`.
impl fmt::Display for LaxDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some(month) = self.month {
            write!(f, "-{month:02}")?;
            if let Some(day) = self.day {
                write!(f, "-{day:02}")?;
            }
        }
        Ok(())
    }
}
