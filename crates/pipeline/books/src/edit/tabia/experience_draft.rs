//! The experience in a book that is being edited: everything that was learned or set by hand, in addition to
//! the counts.

use std::collections::BTreeMap;

use book::{Book, BookWriter};
use experience::{Change, ExperienceSource, Lessons};
use learn::annotations::UserSetting;
use position::{Contribution, ExperienceKind, ExperienceRow, Key, Lesson, PackedMove};
use query::sources_of;
use run::{Error, Result};
use serde_json::json;

use super::super::{
    draft::{EditFault, EditResult},
    grammar::Setting,
    overlay::laid_over,
};

/// The name of the source for values set by hand, which `learn set` uses as well.
const BY_HAND: &str = "by hand";
/// The NAG of `??`. No policy that considers marks plays a move with this NAG.
const BLUNDER: u8 = 4;
/// The maximum value that can be set by hand.
const VALUE_MAX: u16 = 100;

type RowId = (Key, PackedMove, ExperienceKind);

/// Rows of experience and the changes to them.
pub(super) struct ExperienceDraft<'b> {
    book: &'b Book,
    /// The sources of experience, sorted by name, including the one for values set by hand.
    sources: Vec<ExperienceSource>,
    /// The index in `sources` of the source for values set by hand.
    by_hand: u32,
    /// Whether the source for values set by hand is missing from the book. If so, every later source has an
    /// index in `sources` that is higher by one than its index in the book.
    is_new: bool,
    /// Changed rows, whose sources are indexes into `sources`; `None` stands for a removed row.
    changed: BTreeMap<RowId, Option<ExperienceRow>>,
    settings: u64,
}

impl<'b> ExperienceDraft<'b> {
    pub(super) fn of(book: &'b Book) -> Result<Self> {
        let mut sources = sources_of(book)?;
        let known = sources.iter().position(|source| source.name == BY_HAND);
        let place = known.unwrap_or_else(|| sources.partition_point(|source| source.name.as_str() < BY_HAND));
        if known.is_none() {
            let (name, teacher) = (BY_HAND.into(), "set".into());
            sources.insert(place, ExperienceSource { name, teacher, ..ExperienceSource::default() });
        }
        let by_hand = place as u32;
        Ok(Self { book, sources, by_hand, is_new: known.is_none(), changed: BTreeMap::new(), settings: 0 })
    }

    /// Renumbers the sources of a row of the book, so that they are indexes into `sources`.
    fn placed(mut row: ExperienceRow, first_moved: Option<u32>) -> ExperienceRow {
        for taught in &mut row.taught {
            taught.source += u32::from(first_moved.is_some_and(|first| taught.source >= first));
        }
        row
    }

    /// If the source for values set by hand is missing from the book, returns the book's index of the first
    /// source that follows it in `sources`. From there on, indexes in `sources` are higher by one than in the
    /// book. Returns `None` if all sources have the same index in the book and in `sources`.
    fn first_moved(&self) -> Option<u32> {
        self.is_new.then_some(self.by_hand)
    }

    fn row(&self, id: RowId) -> Result<Option<ExperienceRow>> {
        if let Some(row) = self.changed.get(&id) {
            return Ok(row.clone());
        }
        let row = self.book.experience_of(id.0)?.into_iter().find(|row| row.id() == id);
        Ok(row.map(|row| Self::placed(row, self.first_moved())))
    }

    /// Removes those rows of a position for which `which` returns `true`.
    pub(super) fn forget(&mut self, key: Key, which: impl Fn(&ExperienceRow) -> bool) -> Result<()> {
        let of_book = self.book.experience_of(key)?;
        let first = (key, PackedMove::TERMINAL, ExperienceKind::Book);
        let here = self.changed.range(first..).take_while(|(id, _)| id.0 == key);
        let set_now: Vec<_> = here.filter_map(|(_, row)| row.clone()).collect();
        for row in of_book.iter().chain(&set_now).filter(|row| which(row)) {
            self.changed.insert(row.id(), None);
        }
        Ok(())
    }

    /// Applies a setting to a move, and records it as set by hand. Returns whether that changed anything.
    pub(super) fn set(&mut self, key: Key, mv: PackedMove, setting: Setting) -> EditResult<bool> {
        let (setting, priority) = meant(setting)?;
        let is_clear = setting == Some(UserSetting::Clear);
        let taught = Contribution { source: self.by_hand, lesson: Lesson::Set, count: 1, last: 0 };
        let taught = if is_clear { Vec::new() } else { vec![taught] };
        let lessons = Lessons::Set { setting, priority };
        let change = Change { key, mv, kind: ExperienceKind::Book, lessons, taught };
        let (id, old) = (change.id(), self.row(change.id())?);
        let new = change.apply(old.clone());
        let before = old.map(|row| row.experience).unwrap_or_default();
        if before == new.experience {
            return Ok(false);
        }
        self.settings += 1;
        self.changed.insert(id, (!new.experience.is_empty()).then_some(new));
        Ok(true)
    }

    /// Whether a move has the mark `?` or `??`, or a value or priority of 0.
    pub(super) fn is_forbidden(&self, key: Key, mv: PackedMove) -> Result<bool> {
        let Some(row) = self.row((key, mv, ExperienceKind::Book))? else { return Ok(false) };
        Ok(row.experience.user_value == Some(0) || row.experience.priority == Some(0))
    }

    /// Writes all rows and returns their number.
    pub(super) fn write(mut self, writer: &mut BookWriter) -> Result<u64> {
        if self.settings == 0 && self.changed.is_empty() && !self.book.has_experience() {
            return Ok(0);
        }
        let first_moved = self.first_moved().filter(|_| self.settings > 0);
        if self.settings > 0 {
            let source = &mut self.sources[self.by_hand as usize];
            source.records += self.settings;
            source.taught += self.settings;
            writer.begin_experience(json!(self.sources));
        } else {
            writer.begin_experience(json!(sources_of(self.book)?));
        }
        let old = self.book.experience().map(|row| Ok(Self::placed(row.map_err(Error::from)?, first_moved)));
        let mut rows = 0;
        for row in laid_over(old, ExperienceRow::id, self.changed) {
            writer.push_experience(&row?)?;
            rows += 1;
        }
        Ok(rows)
    }
}

/// Converts a setting to the value that a `.tabia` file stores. Exactly one of the two items is `Some`: the
/// second if the setting is a priority, and the first otherwise.
fn meant(setting: Setting) -> EditResult<(Option<UserSetting>, Option<u8>)> {
    match setting {
        Setting::Weight(value) if value > VALUE_MAX => Err(EditFault::NotAnEdit(format!(
            "{value} is above {VALUE_MAX}: a .tabia has no weights, but values that say how often a move is to be \
             played, in percent"
        ))),
        Setting::Weight(value) => Ok((Some(UserSetting::Value(value as u8)), None)),
        Setting::Mark(mark) => Ok((Some(mark), None)),
        Setting::Priority(priority) => Ok((None, Some(priority))),
        Setting::Forbidden => Ok((Some(UserSetting::Nag(BLUNDER)), None)),
    }
}
