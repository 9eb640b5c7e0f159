//! Selects the values to remove from an experience file.

use crate::ExperienceHeader;
use position::{Contribution, ExperienceKind, ExperienceRow, Lesson};

use crate::{Error, Result, rewrite::knows_something};

/// Which values to clear. A value is cleared if it meets all conditions that are set; if none is set, all
/// values are cleared.
///
/// A value to which several sources contributed cannot be split, so it is cleared as a whole if any of them
/// matches.
#[derive(Clone, Debug, Default)]
pub struct Clear {
    /// Only values in rows of this kind are cleared.
    pub kind: Option<ExperienceKind>,
    /// Only values that come from lessons of this kind are cleared.
    pub lesson: Option<Lesson>,
    /// Only values that were learned from this source are cleared.
    pub source: Option<String>,
    /// Only values that were last learned before this day (yyyymmdd) are cleared; a value whose day is
    /// unknown is kept.
    pub before: Option<u32>,
}

/// A [`Clear`] for one file. `source` is the index of the wanted source in the header of this file.
pub(super) struct Matcher<'c> {
    clear: &'c Clear,
    source: Option<u32>,
}

impl Clear {
    /// Parses a date such as `1998-03-01` or `1998.03.01`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Day`] for any other text.
    pub fn day(text: &str) -> Result<u32> {
        let mut parts = text.split(['-', '.']).map(|part| part.parse::<u32>().ok());
        match (parts.next().flatten(), parts.next().flatten(), parts.next().flatten(), parts.next()) {
            (Some(year @ 1..=9999), Some(month @ 1..=12), Some(day @ 1..=31), None) => {
                Ok(year * 10_000 + month * 100 + day)
            }
            _ => Err(Error::Day(text.to_owned()).into()),
        }
    }

    pub(super) fn matcher(&self, header: &ExperienceHeader) -> Result<Matcher<'_>> {
        let place = |name: &String| {
            header.source(name).ok_or_else(|| Error::UnknownSource {
                name: name.clone(),
                known: header.sources.iter().map(|source| source.name.clone()).collect(),
            })
        };
        Ok(Matcher { clear: self, source: self.source.as_ref().map(place).transpose()? })
    }
}

impl Matcher<'_> {
    /// Returns the row after clearing, or `None` if nothing is left.
    pub(super) fn clear(&self, mut row: ExperienceRow) -> Option<ExperienceRow> {
        if row.kind == ExperienceKind::Seen {
            return self.keeps_seen(&row).then_some(row);
        }
        if self.clear.kind.is_some_and(|kind| kind != row.kind) {
            return Some(row);
        }
        for &lesson in Lesson::ALL {
            let taught = row.taught.iter().filter(|taught| taught.lesson == lesson);
            if self.clear.lesson.is_none_or(|only| only == lesson) && self.fits(taught) {
                learn::experience::clear(&mut row.experience, &[lesson]);
                row.taught.retain(|taught| taught.lesson != lesson);
            }
        }
        knows_something(&row).then_some(row)
    }

    fn fits<'t>(&self, taught: impl Iterator<Item = &'t Contribution> + Clone) -> bool {
        let of_source = self.source.is_none_or(|source| taught.clone().any(|taught| taught.source == source));
        let last = taught.map(|taught| taught.last).max().unwrap_or(0);
        of_source && self.clear.before.is_none_or(|before| last > 0 && last < before)
    }

    /// Whether the identity of a game is kept. The games of a source are forgotten only when all values that
    /// were learned from it are cleared.
    fn keeps_seen(&self, row: &ExperienceRow) -> bool {
        let Clear { kind, lesson, before, .. } = self.clear;
        let everything = kind.is_none() && lesson.is_none() && before.is_none();
        !(everything
            && self.source.is_none_or(|source| row.taught.iter().any(|taught| taught.source == source)))
    }
}
