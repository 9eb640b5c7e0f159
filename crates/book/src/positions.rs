//! Iteration over a book in order of key.

use std::ops::Range;

use position::Key;

use crate::{
    Book, PositionEntry, Result,
    entries::{body, cursor::Cursor},
    file::{Bytes as _, SectionReader},
};

/// The positions of a book, ascending by key. Every block that they are read from is checked.
///
/// # Memory
///
/// The keys of one bucket, and for the index and the entries one or two blocks of 64 KiB each.
#[derive(Debug)]
pub struct Positions<'a> {
    book: &'a Book,
    buckets: Range<u64>,
    index: SectionReader<'a>,
    entries: SectionReader<'a>,
    keys: Vec<Key>,
    next: usize,
    /// The bucket's range in the file.
    bucket: Range<usize>,
    /// Offset in the bucket of the next body.
    body: usize,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(book: &'a Book, buckets: Range<u64>) -> Self {
        let reader = || SectionReader::new(&book.file);
        let (keys, bucket) = (Vec::new(), book.entries.start..book.entries.start);
        Self { book, buckets, index: reader(), entries: reader(), keys, next: 0, bucket, body: 0 }
    }

    /// Reads the next position into `entry`; `false` at the end, with `entry` unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt), [`Error::Length`](crate::Error::Length) if the file was
    /// cut short since it was opened, [`Error::Io`](crate::Error::Io); then the iteration is over.
    pub fn next_into(&mut self, entry: &mut PositionEntry) -> Result<bool> {
        while self.next == self.keys.len() {
            let Some(number) = self.buckets.next() else { return Ok(false) };
            if let Err(error) = self.open_bucket(number) {
                return Err(self.stop(error));
            }
        }
        if let Err(error) = self.read_body(entry) {
            return Err(self.stop(error));
        }
        entry.key = self.keys[self.next];
        self.next += 1;
        Ok(true)
    }

    fn open_bucket(&mut self, number: u64) -> Result<()> {
        self.bucket = self.book.bucket_range(&mut self.index, number)?;
        let bucket = self.book.bucket(number, self.entries.bytes(self.bucket.clone())?);
        let bodies = bucket
            .keys(&mut self.keys)
            .map_err(|malformed| self.book.malformed(self.bucket.start, malformed))?;
        (self.next, self.body) = (0, bodies.at());
        Ok(())
    }

    fn read_body(&mut self, entry: &mut PositionEntry) -> Result<()> {
        let mut cursor = Cursor::new(self.entries.bytes(self.bucket.clone())?, self.body);
        let offset = self.bucket.start + self.body;
        body::read(&mut cursor, entry).map_err(|malformed| self.book.malformed(offset, malformed))?;
        self.body = cursor.at();
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
