//! Reads a book's records, and follows their links safely.

use std::path::Path;

use super::{AbkMove, FIRST_RECORD, HEADER_BYTES, Header, RECORD_BYTES, header::MAGIC};
use crate::{Error, InMemory, Result};

/// An Arena book, held entirely in memory.
#[derive(Debug)]
pub struct Reader {
    file: InMemory,
}

/// The records that have been reached so far by following links. No record may be reached twice; this is how
/// cycles are detected.
pub struct SeenRecords {
    met: Vec<bool>,
    count: u64,
}

impl SeenRecords {
    /// The number of records reached.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Reader {
    /// Reads the book at `path`.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NotAnAbk`] if the file does not begin with the magic of an Arena book, with
    /// [`Error::Abk`] if it ends within its header or a record, and with [`Error::Io`] if it cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let file = InMemory::read(path, |file, bytes| Self { file }.check_head(bytes))?;
        Ok(Self { file })
    }

    /// Checks the magic and the length of a file.
    fn check_head(&self, bytes: u64) -> Result<()> {
        if !self.file.starts_with(MAGIC) {
            return Err(Error::NotAnAbk(self.file.path().into()));
        }
        let last = (bytes / RECORD_BYTES as u64) as u32;
        if bytes < HEADER_BYTES as u64 {
            return Err(self.damaged(last, "the file ends within its header of 25,200 bytes"));
        }
        if !bytes.is_multiple_of(RECORD_BYTES as u64) {
            return Err(self.damaged(last, "the file ends within this record of 28 bytes"));
        }
        Ok(())
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &InMemory {
        &self.file
    }

    /// The book's header.
    #[must_use]
    pub fn header(&self) -> Header {
        Header::from_bytes(&self.file)
    }

    /// The number of records after the header.
    #[must_use]
    pub fn records(&self) -> u64 {
        ((self.file.len() - HEADER_BYTES) / RECORD_BYTES) as u64
    }

    /// The state before any record has been reached.
    #[must_use]
    pub fn unseen(&self) -> SeenRecords {
        SeenRecords { met: vec![false; self.records() as usize], count: 0 }
    }

    /// The number of the first record; `None` in a book without records.
    #[must_use]
    pub fn first(&self) -> Option<i32> {
        (self.records() > 0).then_some(FIRST_RECORD.cast_signed())
    }

    /// The record `first` and all its alternatives, with their numbers.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Abk`] if a link leads outside the file, or to a record that has already been
    /// reached.
    pub fn alternatives(&self, first: i32, seen: &mut SeenRecords) -> Result<Vec<(u32, AbkMove)>> {
        let (mut found, mut next, mut at) = (Vec::new(), Some(first), None);
        while let Some(link) = next {
            let (number, record) = self.follow(link, at, seen)?;
            found.push((number, record));
            (next, at) = (record.next_sibling, Some(number));
        }
        Ok(found)
    }

    /// The record that `link` leads to; `at` is the record that contains the link.
    fn follow(&self, link: i32, at: Option<u32>, seen: &mut SeenRecords) -> Result<(u32, AbkMove)> {
        let place = u32::try_from(link).ok().and_then(|number| number.checked_sub(FIRST_RECORD));
        let bytes = place.and_then(|place| {
            let at = HEADER_BYTES + place as usize * RECORD_BYTES;
            self.file.get(at..)?.first_chunk::<RECORD_BYTES>()
        });
        let (Some(place), Some(bytes)) = (place, bytes) else {
            let what = "a link leads to a record that the file does not have";
            return Err(self.damaged(at.unwrap_or(link.max(0).cast_unsigned()), what));
        };
        let number = FIRST_RECORD + place;
        if std::mem::replace(&mut seen.met[place as usize], true) {
            return Err(self.damaged(number, "two links lead to this record, or its links go in a circle"));
        }
        seen.count += 1;
        Ok((number, AbkMove::from_bytes(bytes)))
    }

    /// The error for a damaged record.
    #[must_use]
    pub fn damaged(&self, record: u32, what: &'static str) -> Error {
        let offset = u64::from(record) * RECORD_BYTES as u64;
        Error::Abk { path: self.file.path().into(), record, offset, what }
    }
}
