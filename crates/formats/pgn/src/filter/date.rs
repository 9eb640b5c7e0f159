//! Dates, which are often only partly known, and the bounds that they are compared with.

use std::{cmp::Ordering, fmt, str::FromStr};

use chrono::NaiveDate;

use crate::{Error, Result, tags::Tags};

/// A date with a known year; its month and day may be unknown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct PartialDate {
    year: u16,
    month: Option<u8>,
    /// The day, which is known only if the month is.
    day: Option<u8>,
}

/// A year, a month or a day that dates are compared with, such as `2013`, `2013-01` or `2013.01.31`.
///
/// A date and a bound are compared only in the parts that are known in both: `2014.??.??` is neither before
/// nor after `2014-06`, and no date in 2014 is after `2014`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DateBound(PartialDate);

/// When the game was played: `UTCDate`, else `Date`; a date that cannot be read counts as missing.
pub(crate) fn date_of(tags: &Tags<'_>) -> Option<PartialDate> {
    let read = |name| PartialDate::read(tags.get(name)?.bytes());
    read("UTCDate").or_else(|| read("Date"))
}

impl PartialDate {
    /// Reads `2014.03.09`, `2014-03-09` or `2014/3/9`, where `??` or nothing stands for an unknown part; a
    /// day that does not exist is not a date.
    pub(super) fn read(value: &[u8]) -> Option<Self> {
        let (year, rest) = value.split_at_checked(4)?;
        let year = number(year).filter(|&year| year > 0)?;
        let mut parts = Parts { rest, separator: None };
        let (month, day) = (parts.next()?, parts.next()?);
        // If the month is unknown, any day from 1 to 31 is valid, as in January.
        let date = NaiveDate::from_ymd_opt(year.into(), month.max(1).into(), day.max(1).into());
        date.filter(|_| parts.rest.is_empty())?;
        let month = (month > 0).then_some(month);
        Some(Self { year, month, day: month.and((day > 0).then_some(day)) })
    }

    /// Year, month and day; 0 for an unknown part.
    pub(crate) fn parts(self) -> (u16, u8, u8) {
        (self.year, self.month.unwrap_or(0), self.day.unwrap_or(0))
    }

    /// Year and month, if both are known.
    pub(super) fn month(self) -> Option<(u16, u8)> {
        self.month.map(|month| (self.year, month))
    }

    /// Compares this date with `bound`, looking only at the parts that are known in both of them.
    pub(super) fn cmp_known(self, DateBound(bound): DateBound) -> Ordering {
        let known = |mine: Option<u8>, other: Option<u8>| {
            mine.zip(other).map_or(Ordering::Equal, |(mine, other)| mine.cmp(&other))
        };
        self.year.cmp(&bound.year).then(known(self.month, bound.month)).then(known(self.day, bound.day))
    }
}

/// The parts of a date that follow the year.
struct Parts<'t> {
    rest: &'t [u8],
    separator: Option<u8>,
}

impl Parts<'_> {
    /// The next part: 0 if it is unknown or left out, `None` if it is malformed.
    fn next(&mut self) -> Option<u8> {
        let Some((&separator, part)) = self.rest.split_first() else { return Some(0) };
        if !matches!(separator, b'.' | b'-' | b'/') || *self.separator.get_or_insert(separator) != separator {
            return None;
        }
        let end = part.iter().position(|&byte| byte == separator).unwrap_or(part.len());
        let (part, rest) = part.split_at(end);
        self.rest = rest;
        match part {
            b"?" | b"??" => Some(0),
            [_] | [_, _] => number(part).map(|number| number as u8).filter(|&number| number > 0),
            _ => None,
        }
    }
}

/// The date `value` as the number yyyymmdd; `None` if a part of it is unknown.
#[must_use]
pub fn whole_day(value: &[u8]) -> Option<u32> {
    let PartialDate { year, month, day } = PartialDate::read(value)?;
    Some(u32::from(year) * 10_000 + u32::from(month?) * 100 + u32::from(day?))
}

/// Reads a short run of digits as a number; `None` if any byte is not a digit.
fn number(digits: &[u8]) -> Option<u16> {
    digits
        .iter()
        .try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + u16::from(digit - b'0')))
}

impl FromStr for DateBound {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        PartialDate::read(text.trim_ascii().as_bytes()).map(Self).ok_or_else(|| Error::Value {
            what: "date",
            given: text.into(),
            expected: "a year, month or day such as 2013, 2013-01 or 2013-01-31",
        })
    }
}

/// Prints `2013`, `2013-01` or `2013-01-31`.
impl fmt::Display for DateBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.0.year)?;
        for part in [self.0.month, self.0.day].into_iter().flatten() {
            write!(f, "-{part:02}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::with_tags;

    fn shown(value: &str) -> Option<String> {
        PartialDate::read(value.as_bytes()).map(|date| DateBound(date).to_string())
    }

    #[test]
    fn dates_are_read_as_far_as_known() {
        for (value, date) in [
            ("2014.03.09", "2014-03-09"),
            ("2026-11-20", "2026-11-20"),
            ("2014/3/9", "2014-03-09"),
            ("2014.??.??", "2014"),
            ("2014.?.?", "2014"),
            ("2014.03.??", "2014-03"),
            ("2014.??.09", "2014"),
            ("2014", "2014"),
            ("2014-03", "2014-03"),
            ("2012.02.29", "2012-02-29"),
            ("2000.02.29", "2000-02-29"),
        ] {
            assert_eq!(shown(value).as_deref(), Some(date), "{value}");
        }
    }

    #[test]
    fn what_no_calendar_has_is_no_date() {
        for value in [
            "",
            "?",
            "????.??.??",
            "????.03.09",
            "?.??.??",
            "26.11.20",
            "0000.00.00",
            "2014.13.01",
            "2014.00.01",
            "2014.01.32",
            "2014.01.00",
            "2014.02.31",
            "2013.02.29",
            "1900.02.29",
            "2014.??.32",
            "2014.03.09.",
            "2014.03-09",
            "2014.",
            "2014.003",
            "20140309",
            "9 Mar 2014",
            "2014.a.b",
            "2014 03 09",
            "null",
            "2014.03.09.01",
        ] {
            assert_eq!(shown(value), None, "{value}");
        }
    }

    #[test]
    fn bounds_compare_by_the_known_part() {
        let since = |date: &str, bound: &str| {
            PartialDate::read(date.as_bytes()).unwrap().cmp_known(bound.parse().unwrap()).is_ge()
        };
        let until = |date: &str, bound: &str| {
            PartialDate::read(date.as_bytes()).unwrap().cmp_known(bound.parse().unwrap()).is_le()
        };
        for (date, bound, is_since, is_until) in [
            ("2014.06.30", "2014-06", true, true),
            ("2014.05.31", "2014-06", false, true),
            ("2014.07.01", "2014-06", true, false),
            ("2014.??.??", "2014-06", true, true),
            ("2014.??.??", "2014.06.15", true, true),
            ("2013.??.??", "2014-06", false, true),
            ("2015.??.??", "2014-06", true, false),
            ("2014.06.??", "2014-06-15", true, true),
            ("2014.01.31", "2014", true, true),
            ("2014.06.14", "2014-06-15", false, true),
        ] {
            assert_eq!(
                (since(date, bound), until(date, bound)),
                (is_since, is_until),
                "{date} against {bound}"
            );
        }
    }

    #[test]
    fn utc_date_goes_first_if_it_can_be_read() {
        let date = |tags: &[(&str, &str)]| {
            with_tags(tags, |tags| date_of(tags).map(|date| DateBound(date).to_string()))
        };
        assert_eq!(date(&[("Date", "2013.01.02"), ("UTCDate", "2014.05.06")]).as_deref(), Some("2014-05-06"));
        assert_eq!(date(&[("Date", "2013.01.02"), ("UTCDate", "????.??.??")]).as_deref(), Some("2013-01-02"));
        assert_eq!(date(&[("EventDate", "2013.01.02")]), None);
    }

    #[test]
    fn a_wrong_bound_says_what_is_allowed() {
        let error = "January".parse::<DateBound>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`January` is not a date: expected a year, month or day such as 2013, 2013-01 or 2013-01-31"
        );
    }
}
