//! Reads experience from a book.

use std::{collections::HashMap, ops::Range};

use position::{Experience, ExperienceKind, ExperienceRow, Key, PackedMove};
use serde_json::Value;

use super::Book;
use crate::{
    Result,
    error::DecodeFault,
    tabia::{
        entries::cursor::Cursor,
        experience::{RECORD_BYTES, Section, row},
        file::{Bytes, RandomReader, SectionReader},
        header::corrupt,
    },
};

/// Reads the sections of experience, either in any order or from beginning to end.
struct Reading<'a, B> {
    book: &'a Book,
    section: &'a Section,
    index: B,
    rows: B,
}

impl<B: Bytes> Reading<'_, B> {
    /// The rows of index record `at`, and their range in the file.
    fn rows_at(&mut self, at: usize) -> Result<(Vec<ExperienceRow>, Range<usize>)> {
        let Self { book, section, index, rows } = self;
        let (key, range) = section.rows_of(index, at)?;
        let outside = || {
            let offset = section.index.start + at * RECORD_BYTES;
            corrupt(book.path(), offset as u64, "experience outside its section")
        };
        let range = range.ok_or_else(outside)?;
        let mut cursor = Cursor::new(rows.bytes(range.clone())?, 0);
        let mut found = Vec::new();
        while cursor.at < range.len() {
            let row = row::read(key, &mut cursor);
            found.push(row.map_err(|malformed| book.malformed(range.start, malformed))?);
        }
        Ok((found, range))
    }
}

impl Book {
    /// Whether the book has experience.
    #[must_use]
    pub fn has_experience(&self) -> bool {
        self.experience.is_some()
    }

    /// Whether the book's experience may have evaluations.
    #[must_use]
    pub fn has_evaluations(&self) -> bool {
        self.experience.as_ref().is_some_and(|section| section.has_evaluations)
    }

    /// The experience of the position with `key` and of its moves, sorted by move and kind in ascending
    /// order. Moves that are not kept can have experience, and so can positions that are not in the book.
    ///
    /// # Errors
    ///
    /// Fails as [`probe`](Self::probe) does.
    pub fn experience_of(&self, key: Key) -> Result<Vec<ExperienceRow>> {
        let Some(section) = &self.experience else { return Ok(Vec::new()) };
        let [index, rows] = [(); 2].map(|()| RandomReader::new(&self.file));
        let mut reading = Reading { book: self, section, index, rows };
        let at = section.lower_bound(&mut reading.index, key)?;
        if at == section.positions() || section.record(&mut reading.index, at)?.0 != key {
            return Ok(Vec::new());
        }
        Ok(reading.rows_at(at)?.0)
    }

    /// The experience of the position's moves, from the rows of kind [`ExperienceKind::Book`].
    ///
    /// # Errors
    ///
    /// Fails as [`experience_of`](Self::experience_of) does.
    pub fn experience_of_moves(&self, key: Key) -> Result<HashMap<PackedMove, Experience>> {
        let rows = self.experience_of(key)?;
        let of_moves = rows.iter().filter(|row| row.kind == ExperienceKind::Book);
        Ok(of_moves.map(|row| (row.mv, row.experience)).collect())
    }

    /// Returns a reader of the experience in ascending order; `None` if the book has no experience.
    fn experience_in_order(&self) -> Option<Reading<'_, SectionReader<'_>>> {
        let section = self.experience.as_ref()?;
        let [index, rows] = [(); 2].map(|()| SectionReader::new(&self.file));
        Some(Reading { book: self, section, index, rows })
    }

    /// All rows of experience, in ascending order.
    #[must_use]
    pub fn experience(&self) -> Rows<'_> {
        Rows { reading: self.experience_in_order(), next: 0, of_position: Vec::new().into_iter() }
    }

    /// The sources, indexed by [`Contribution::source`](position::Contribution::source); empty in a book
    /// without experience.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Corrupt`](crate::Error::Corrupt) if the list is damaged, with
    /// [`Error::Length`](crate::Error::Length) if the file was truncated after it was opened, and with
    /// [`Error::Io`](crate::Error::Io) if it cannot be read.
    pub fn sources(&self) -> Result<Vec<Value>> {
        let Some(section) = &self.experience else { return Ok(Vec::new()) };
        let bytes = self.file.read(section.sources.clone())?;
        let no_list =
            |_| corrupt(self.path(), section.sources.start as u64, "sources that are not a JSON list");
        serde_json::from_slice(&bytes).map_err(no_list)
    }

    /// Makes three checks that checksums cannot make: that the rows are in ascending order, that they refer
    /// only to listed sources, and that a writer would write the same bytes. Returns the number of rows.
    pub(crate) fn verify_experience(&self) -> Result<u64> {
        let Some(mut reading) = self.experience_in_order() else { return Ok(0) };
        let sources = self.sources()?.len();
        let (mut count, mut last) = (0, None);
        for at in 0..reading.section.positions() {
            let (rows, range) = reading.rows_at(at)?;
            let mut again = Vec::new();
            for row in &rows {
                row::write(row, &mut again);
            }
            let same = again == reading.rows.bytes(range.clone())?;
            check(&rows, sources, last)
                .and_then(|()| same.then_some(()).ok_or(DecodeFault("experience that no writer writes")))
                .map_err(|malformed| self.malformed(range.start, malformed))?;
            last = rows.last().map(ExperienceRow::id);
            count += rows.len() as u64;
        }
        Ok(count)
    }
}

type RowId = (Key, position::PackedMove, position::ExperienceKind);

fn check(
    rows: &[ExperienceRow],
    sources: usize,
    last: Option<RowId>,
) -> std::result::Result<(), DecodeFault> {
    let ids = rows.iter().map(|row| Some(row.id()));
    if !std::iter::once(last).chain(ids).is_sorted_by(|a, b| a < b) {
        return Err(DecodeFault("experience that does not ascend"));
    }
    let known = rows.iter().flat_map(|row| &row.taught).all(|taught| (taught.source as usize) < sources);
    if known { Ok(()) } else { Err(DecodeFault("experience of a source that is not listed")) }
}

/// Every row of a book's experience, in ascending order. Each block is checked before its rows are returned.
///
/// # Memory
///
/// Holds the rows of one position, and the blocks of 64 KiB from which they and their index record were read.
pub struct Rows<'a> {
    /// `None` in a book without experience, and after an error.
    reading: Option<Reading<'a, SectionReader<'a>>>,
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
            let reading = self.reading.as_mut().filter(|reading| self.next < reading.section.positions())?;
            self.next += 1;
            match reading.rows_at(self.next - 1) {
                Ok((rows, _)) => self.of_position = rows.into_iter(),
                Err(error) => {
                    self.reading = None;
                    return Some(Err(error));
                }
            }
        }
    }
}
