//! Reads a Polyglot book in order, one position at a time.

use std::iter::Peekable;

use position::Key;

use super::{PolyglotEntry, Reader};
use crate::Result;

/// Reads the positions of a Polyglot book in ascending order of key; the entries of a position keep their
/// order in the file.
///
/// # Memory
///
/// Holds a block of 64 KiB, and the entries of one position.
pub struct ByPosition<'r> {
    reader: &'r Reader,
    entries: Peekable<Box<dyn Iterator<Item = Result<PolyglotEntry>> + 'r>>,
    /// Entries read so far.
    read: u64,
    last: Option<Key>,
}

impl Reader {
    /// The book's positions, ascending by key.
    #[must_use]
    pub fn by_position(&self) -> ByPosition<'_> {
        let entries: Box<dyn Iterator<Item = _>> = Box::new(self.iter());
        ByPosition { reader: self, entries: entries.peekable(), read: 0, last: None }
    }
}

impl ByPosition<'_> {
    /// Fills `of_position` with the entries of the next position and returns its key, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NotPolyglot`](crate::Error::NotPolyglot) if a key is lower than the previous one,
    /// and with [`Error::Io`](crate::Error::Io) if the file cannot be read.
    pub fn next_into(&mut self, of_position: &mut Vec<PolyglotEntry>) -> Result<Option<Key>> {
        of_position.clear();
        let Some(first) = self.entries.next().transpose()? else { return Ok(None) };
        if self.last.is_some_and(|last| first.key < last) {
            return Err(self.reader.unsorted_at(self.read));
        }
        of_position.push(first);
        let same = |entry: &Result<PolyglotEntry>| entry.as_ref().is_ok_and(|entry| entry.key == first.key);
        while let Some(entry) = self.entries.next_if(same).transpose()? {
            of_position.push(entry);
        }
        self.read += of_position.len() as u64;
        self.last = Some(first.key);
        Ok(self.last)
    }
}
