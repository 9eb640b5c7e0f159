//! Locates the experience sections in a book's file.

use std::{ops::Range, path::Path};

use position::Key;

use super::RECORD_BYTES;
use crate::{
    Result,
    tabia::{
        file::Bytes,
        header::{Header, SectionId},
    },
};

/// The ranges of the three sections in the file.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) index: Range<usize>,
    pub(crate) rows: Range<usize>,
    pub(crate) sources: Range<usize>,
    /// Whether the rows may have evaluations.
    pub(crate) has_evaluations: bool,
}

impl Section {
    /// The sections that a book's header lists; `None` if the book has no experience.
    pub(crate) fn find(header: &Header, path: &Path) -> Result<Option<Self>> {
        let ids = [SectionId::ExperienceIndex, SectionId::ExperienceRows, SectionId::ExperienceSources];
        if !ids.into_iter().any(|id| header.has(id)) {
            return Ok(None);
        }
        let [index, rows, sources] = ids.map(|id| header.section(path, id));
        let has_evaluations = header.has_evaluations();
        Ok(Some(Self { index: index?, rows: rows?, sources: sources?, has_evaluations }))
    }

    pub(crate) fn positions(&self) -> usize {
        self.index.len() / RECORD_BYTES
    }

    /// The key in the index record `at`, and the offset of its rows in the rows section.
    pub(crate) fn record(&self, index: &mut impl Bytes, at: usize) -> Result<(Key, u64)> {
        let start = self.index.start + at * RECORD_BYTES;
        let bytes = index.bytes(start..start + RECORD_BYTES)?;
        let number = |from: usize| bytes[from..].first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes));
        Ok((Key(number(0)), number(8)))
    }

    /// The index of the first record whose key is not below `key`.
    pub(crate) fn lower_bound(&self, index: &mut impl Bytes, key: Key) -> Result<usize> {
        let (mut low, mut high) = (0, self.positions());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.record(index, middle)?.0 < key { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    /// The key in record `at`, and its rows as a range of the file; `None` if the rows are outside their
    /// section.
    pub(crate) fn rows_of(&self, index: &mut impl Bytes, at: usize) -> Result<(Key, Option<Range<usize>>)> {
        let (key, begin) = self.record(index, at)?;
        let last = at + 1 == self.positions();
        let end = if last { self.rows.len() as u64 } else { self.record(index, at + 1)?.1 };
        let within = begin < end && end <= self.rows.len() as u64;
        Ok((key, within.then(|| self.rows.start + begin as usize..self.rows.start + end as usize)))
    }
}
