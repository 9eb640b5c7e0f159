//! Reading experience from a mapped book.

use std::ops::Range;

use position::{ExperienceRow, Key};
use serde_json::Value;

use super::{RECORD_BYTES, row};
use crate::{Book, Result, entries::cursor::Cursor, error::Malformed, header::corrupt};

/// The ranges of the three sections in the file.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) index: Range<usize>,
    pub(crate) rows: Range<usize>,
    pub(crate) sources: Range<usize>,
}

impl Section {
    fn positions(&self) -> usize {
        self.index.len() / RECORD_BYTES
    }

    /// Key of the index record `at`, and the offset of its rows in the rows section.
    fn record(&self, file: &[u8], at: usize) -> (Key, u64) {
        let start = self.index.start + at * RECORD_BYTES;
        let number = |from: usize| file[from..].first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes));
        (Key(number(start)), number(start + 8))
    }

    /// The index of the first record whose key is not below `key`.
    fn lower_bound(&self, file: &[u8], key: Key) -> usize {
        let (mut low, mut high) = (0, self.positions());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.record(file, middle).0 < key { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The rows of record `at`, as a range of the file.
    fn rows_of(&self, file: &[u8], at: usize) -> Option<Range<usize>> {
        let begin = self.record(file, at).1;
        let last = at + 1 == self.positions();
        let end = if last { self.rows.len() as u64 } else { self.record(file, at + 1).1 };
        let within = begin < end && end <= self.rows.len() as u64;
        within.then(|| self.rows.start + begin as usize..self.rows.start + end as usize)
    }
}

impl Book {
    /// Whether the book has experience.
    #[must_use]
    pub fn has_experience(&self) -> bool {
        self.experience.is_some()
    }

    /// The experience of the position with `key` and its moves, ascending by move and kind. It may
    /// include moves that are not kept, and positions that are not in the book.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt).
    pub fn experience_of(&self, key: Key) -> Result<Vec<ExperienceRow>> {
        let Some(section) = &self.experience else { return Ok(Vec::new()) };
        let at = section.lower_bound(self.file(), key);
        if at == section.positions() || section.record(self.file(), at).0 != key {
            return Ok(Vec::new());
        }
        self.rows_at(section, at)
    }

    fn rows_at(&self, section: &Section, at: usize) -> Result<Vec<ExperienceRow>> {
        let key = section.record(self.file(), at).0;
        let outside = || {
            let offset = section.index.start + at * RECORD_BYTES;
            corrupt(self.path(), offset as u64, "experience outside its section")
        };
        let range = section.rows_of(self.file(), at).ok_or_else(outside)?;
        let mut cursor = Cursor::new(&self.file()[range.clone()], 0);
        let mut rows = Vec::new();
        while cursor.at() < range.len() {
            let row =
                row::read(key, &mut cursor).map_err(|malformed| self.malformed(range.start, malformed))?;
            rows.push(row);
        }
        Ok(rows)
    }

    /// All experience, ascending.
    #[must_use]
    pub fn experience(&self) -> Rows<'_> {
        Rows { book: self, next: 0, of_position: Vec::new().into_iter() }
    }

    /// The sources, indexed by [`Taught::source`](position::Taught::source); an empty list without
    /// experience.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) if it is not a JSON list.
    pub fn sources(&self) -> Result<Vec<Value>> {
        let Some(section) = &self.experience else { return Ok(Vec::new()) };
        serde_json::from_slice(&self.file()[section.sources.clone()]).map_err(|_| {
            corrupt(self.path(), section.sources.start as u64, "sources that are not a JSON list")
        })
    }

    /// Checks beyond the checksums: order, references to sources, and that a writer would write the same
    /// bytes.
    pub(crate) fn verify_experience(&self) -> Result<u64> {
        let Some(section) = &self.experience else { return Ok(0) };
        let sources = self.sources()?.len();
        let (mut count, mut last) = (0, None);
        for at in 0..section.positions() {
            let rows = self.rows_at(section, at)?;
            let check = check(&rows, sources, last);
            let range = section.rows_of(self.file(), at).unwrap_or_default();
            let mut again = Vec::new();
            for row in &rows {
                row::write(row, &mut again);
            }
            let same = again == self.file()[range.clone()];
            check
                .and_then(|()| same.then_some(()).ok_or(Malformed("experience that no writer writes")))
                .map_err(|malformed| self.malformed(range.start, malformed))?;
            last = rows.last().map(ExperienceRow::id);
            count += rows.len() as u64;
        }
        Ok(count)
    }
}

type RowId = (Key, position::PackedMove, position::ExperienceKind);

fn check(rows: &[ExperienceRow], sources: usize, last: Option<RowId>) -> std::result::Result<(), Malformed> {
    let ids = rows.iter().map(|row| Some(row.id()));
    if !std::iter::once(last).chain(ids).is_sorted_by(|a, b| a < b) {
        return Err(Malformed("experience that does not ascend"));
    }
    let known = rows.iter().flat_map(|row| &row.taught).all(|taught| (taught.source as usize) < sources);
    if known { Ok(()) } else { Err(Malformed("experience of a source that is not listed")) }
}

/// Every row of a book's experience, ascending.
pub struct Rows<'a> {
    book: &'a Book,
    next: usize,
    of_position: std::vec::IntoIter<ExperienceRow>,
}

impl Iterator for Rows<'_> {
    type Item = Result<ExperienceRow>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.of_position.next() {
                return Some(Ok(row));
            }
            let section = self.book.experience.as_ref().filter(|section| self.next < section.positions())?;
            self.next += 1;
            match self.book.rows_at(section, self.next - 1) {
                Ok(rows) => self.of_position = rows.into_iter(),
                Err(error) => {
                    self.next = usize::MAX;
                    return Some(Err(error));
                }
            }
        }
    }
}
