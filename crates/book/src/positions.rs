//! Iteration over a book in order of key.

use std::ops::Range;

use position::Key;

use crate::{
    Book, PositionEntry, Result,
    entries::{body, cursor::Cursor},
};

/// The positions of a book, ascending by key.
///
/// # Memory
///
/// The keys of one bucket.
#[derive(Debug)]
pub struct Positions<'a> {
    book: &'a Book,
    buckets: Range<u64>,
    keys: Vec<Key>,
    next: usize,
    bodies: Cursor<'a>,
    /// The offset of the bucket in the file.
    bucket_at: usize,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(book: &'a Book, buckets: Range<u64>) -> Self {
        Self { book, buckets, keys: Vec::new(), next: 0, bodies: Cursor::new(&[], 0), bucket_at: 0 }
    }

    /// Reads the next position into `entry`; `false` at the end, with `entry` unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt); then the iteration is over.
    pub fn next_into(&mut self, entry: &mut PositionEntry) -> Result<bool> {
        while self.next == self.keys.len() {
            let Some(number) = self.buckets.next() else { return Ok(false) };
            if let Err(error) = self.open_bucket(number) {
                return Err(self.stop(error));
            }
        }
        let offset = self.bucket_at + self.bodies.at();
        if let Err(malformed) = body::read(&mut self.bodies, entry) {
            return Err(self.stop(self.book.malformed(offset, malformed)));
        }
        entry.key = self.keys[self.next];
        self.next += 1;
        Ok(true)
    }

    fn open_bucket(&mut self, number: u64) -> Result<()> {
        let range = self.book.bucket_range(number)?;
        self.bucket_at = range.start;
        let bucket = self.book.bucket(number, range);
        self.bodies = bucket
            .keys(&mut self.keys)
            .map_err(|malformed| self.book.malformed(self.bucket_at, malformed))?;
        self.next = 0;
        Ok(())
    }

    fn stop(&mut self, error: crate::Error) -> crate::Error {
        self.buckets = 0..0;
        self.keys.clear();
        self.next = 0;
        error
    }
}

impl Iterator for Positions<'_> {
    type Item = Result<PositionEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut entry = PositionEntry::default();
        match self.next_into(&mut entry) {
            Ok(true) => Some(Ok(entry)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}
