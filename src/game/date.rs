//! Partial dates: 1956, 1956-12, 1956-12-15. What is not written is not
//! invented.

use std::fmt;
use std::str::FromStr;

/// A date of which the day, or day and month, may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaxDate {
    /// Year of the common era, 1 to 9999.
    pub year: u16,
    /// Month, 1 to 12.
    pub month: Option<u8>,
    /// Day, 1 to 31; only with a month.
    pub day: Option<u8>,
}

impl LaxDate {
    /// A date that the calendar has; `None` for a year out of range, a month
    /// or day that does not exist, or a day without its month.
    #[must_use]
    pub fn new(year: u16, month: Option<u8>, day: Option<u8>) -> Option<LaxDate> {
        let fits = (1..=9999).contains(&year)
            && month.is_none_or(|month| (1..=12).contains(&month))
            && day.is_none_or(|day| {
                month.is_some_and(|month| (1..=days_in(year, month)).contains(&day))
            });
        fits.then_some(LaxDate { year, month, day })
    }
}

/// Days of a month of the Gregorian calendar; 0 for a month that is none.
pub(super) fn days_in(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
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

/// The text is not a date in the form `1956`, `1956-12` or `1956-12-15`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a date: 1956, 1956-12 or 1956-12-15 is expected")]
pub struct ParseDateError;

impl FromStr for LaxDate {
    type Err = ParseDateError;

    /// Reads what [`LaxDate`] displays, and nothing else; for the forms that
    /// files use see [`LaxDate::parse`].
    fn from_str(text: &str) -> Result<LaxDate, ParseDateError> {
        let mut fields = text.split('-');
        let mut field = |width| match fields.next() {
            None => Ok(None),
            Some(digits) if digits.len() == width && digits.bytes().all(|b| b.is_ascii_digit()) => {
                digits.parse::<u16>().map(Some).map_err(|_| ParseDateError)
            }
            Some(_) => Err(ParseDateError),
        };
        let (year, month, day) = (field(4)?, field(2)?, field(2)?);
        if fields.next().is_some() {
            return Err(ParseDateError);
        }
        let small = |number: Option<u16>| number.map(|number| number as u8);
        LaxDate::new(year.ok_or(ParseDateError)?, small(month), small(day)).ok_or(ParseDateError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendar_decides() {
        assert!(LaxDate::new(2000, Some(2), Some(29)).is_some());
        assert!(LaxDate::new(1900, Some(2), Some(29)).is_none());
        assert!(LaxDate::new(1956, Some(13), None).is_none());
        assert!(LaxDate::new(1956, None, Some(3)).is_none());
        assert!(LaxDate::new(0, None, None).is_none());
    }

    #[test]
    fn only_the_iso_form_is_parsed_strictly() {
        assert_eq!("1956".parse(), Ok(LaxDate { year: 1956, month: None, day: None }));
        for bad in ["", "56", "1956-1", "1956-12-15-1", "1956-00", "1956.12.15", "１９５６"] {
            assert_eq!(bad.parse::<LaxDate>(), Err(ParseDateError), "{bad}");
        }
    }

    proptest::proptest! {
        #[test]
        fn display_comes_back(year in 1u16..=9999, month in 1u8..=12, day in 1u8..=28, known in 0..3) {
            let date = LaxDate {
                year,
                month: (known > 0).then_some(month),
                day: (known > 1).then_some(day),
            };
            proptest::prop_assert_eq!(date.to_string().parse(), Ok(date));
        }
    }
}
