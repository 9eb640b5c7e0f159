//! A month of a year.

use std::{fmt, str::FromStr};

/// A month of a year. Months are ordered chronologically.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Month {
    year: u16,
    /// 1 to 12.
    month: u8,
}

impl Month {
    /// The month with this year and number; `None` if there is no such month, or if the year is after 4095,
    /// the last year that a group can store.
    #[must_use]
    pub fn new((year, month): (u16, u8)) -> Option<Self> {
        ((1..=12).contains(&month) && year <= YEAR_MAX).then_some(Self { year, month })
    }

    /// The month for a number such as 201506, which is how the column `month` of a part file stores months.
    pub(crate) fn of_number(number: i32) -> Option<Self> {
        let number = u32::try_from(number).ok()?;
        Self::new((u16::try_from(number / 100).ok()?, (number % 100) as u8))
    }

    /// Extends the range `months` to include `month`.
    #[must_use]
    pub fn widen(months: Option<(Self, Self)>, month: Self) -> (Self, Self) {
        months.map_or((month, month), |(oldest, newest)| (oldest.min(month), newest.max(month)))
    }

    /// The number of months from `earlier` to this one; 0 if `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> u32 {
        self.number().saturating_sub(earlier.number())
    }

    /// The number of months since the year 0.
    fn number(self) -> u32 {
        u32::from(self.year) * 12 + u32::from(self.month)
    }
}

/// The last year that a group can store.
const YEAR_MAX: u16 = 4095;

impl FromStr for Month {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = |(year, month): (&str, &str)| {
            let is_number =
                |text: &str, digits| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
            (is_number(year, 4) && is_number(month, 2))
                .then(|| Self::new((year.parse().ok()?, month.parse().ok()?)))?
        };
        text.split_once('-')
            .and_then(read)
            .ok_or_else(|| format!("`{text}` is not a month: expected a year and a month, such as 2015-06"))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_read_written_and_subtracted() {
        let month = |text: &str| text.parse::<Month>().unwrap();
        assert_eq!(month("2015-06").to_string(), "2015-06");
        assert_eq!(month("2015-06").since(month("2012-12")), 30);
        assert_eq!(month("2012-12").since(month("2015-06")), 0);
        assert_eq!(Month::of_number(201_506), Some(month("2015-06")));
        for wrong in ["", "2015", "2015-6", "2015-13", "2015-00", "15-06", "2015-06-01", "+015-06", "9999-01"]
        {
            assert!(wrong.parse::<Month>().is_err(), "{wrong}");
        }
    }
}
