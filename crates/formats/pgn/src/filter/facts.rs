//! Facts about a game that are read from its tags, independently of any filter.

use super::date::{PartialDate, date_of, whole_day};
use crate::tags::Tags;

/// The day when the game was played, as the number yyyymmdd, from `UTCDate` or else from `Date`; `None` if a
/// part of it is unknown.
#[must_use]
pub fn day_of(tags: &Tags<'_>) -> Option<u32> {
    let day = |name| whole_day(tags.get(name)?.bytes());
    day("UTCDate").or_else(|| day("Date"))
}

/// The day when the game was played, as the number yyyymmdd with zeros for unknown parts: 1998.??.?? is
/// 19,980,000.
#[must_use]
pub fn known_day_of(tags: &Tags<'_>) -> u32 {
    let (year, month, day) = known_date_of(tags);
    u32::from(year) * 10_000 + u32::from(month) * 100 + u32::from(day)
}

/// Year, month and day; 0 for an unknown part.
pub(crate) fn known_date_of(tags: &Tags<'_>) -> (u16, u8, u8) {
    date_of(tags).map_or((0, 0, 0), PartialDate::parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::with_tags;

    #[test]
    fn a_day_is_whole_or_none() {
        let day = |tags: &[(&str, &str)]| with_tags(tags, day_of);
        assert_eq!(day(&[("Date", "1998.03.07")]), Some(19_980_307));
        assert_eq!(day(&[("Date", "1998.03.07"), ("UTCDate", "1998.03.08")]), Some(19_980_308));
        assert_eq!(day(&[("Date", "1998.??.??")]), None);
    }
}
