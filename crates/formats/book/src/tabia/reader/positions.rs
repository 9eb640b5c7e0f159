//! Iterates over a book's positions in ascending order of key.

use std::ops::Range;

use position::Key;

use super::Book;
use crate::{
    PositionEntry, Result,
    tabia::{
        entries::{body, cursor::Cursor},
        file::{Bytes as _, SectionReader},
    },
};

/// The positions of a book, ascending by key. Each block is checked before its positions are returned.
///
/// # Memory
///
/// Holds one bucket with its keys, and the blocks of 64 KiB from which it and its offsets were read.
#[derive(Debug)]
#[must_use]
pub struct Positions<'a> {
    book: &'a Book,
    buckets: Range<u64>,
    index: SectionReader<'a>,
    entries: SectionReader<'a>,
    /// The keys of the bucket, and the index of the next key.
    keys: Vec<Key>,
    next: usize,
    /// The bucket's bytes, copied so that positions can be read without access to the blocks.
    bucket: Vec<u8>,
    /// The offset of the bucket in the file, and the offset of the next body in the bucket.
    bucket_at: usize,
    body: usize,
    /// The place of the position that was read last.
    place: usize,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(book: &'a Book, buckets: Range<u64>) -> Self {
        let [index, entries] = [(); 2].map(|()| SectionReader::new(&book.file));
        let (keys, bucket) = (Vec::new(), Vec::new());
        Self { book, buckets, index, entries, keys, next: 0, bucket, bucket_at: 0, body: 0, place: 0 }
    }

    /// Continues with other buckets, reusing the memory already allocated. This is cheapest if the new
    /// buckets are later in the file.
    pub(crate) fn go_on_with(&mut self, buckets: Range<u64>) {
        self.buckets = buckets;
        self.keys.clear();
        self.next = 0;
    }

    /// Reads the next position into `entry`; returns `false` at the end, with `entry` unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt), [`Error::Length`](crate::Error::Length) if the file was
    /// truncated after it was opened, [`Error::Io`](crate::Error::Io). An error ends the iteration.
    pub fn next_into(&mut self, entry: &mut PositionEntry) -> Result<bool> {
        while self.next == self.keys.len() {
            let Some(number) = self.buckets.next() else { return Ok(false) };
            if let Err(error) = self.open_bucket(number) {
                return Err(self.stop(error));
            }
        }
        let mut cursor = Cursor::new(&self.bucket, self.body);
        if let Err(malformed) = body::read(&mut cursor, entry) {
            return Err(self.stop(self.book.malformed(self.bucket_at + self.body, malformed)));
        }
        self.place = self.bucket_at - self.book.entries.start + self.body;
        self.body = cursor.at;
        entry.key = self.keys[self.next];
        self.next += 1;
        Ok(true)
    }

    /// The place of the position that was read last, as [`Book::probe_place`] returns it.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// Not inlined, because it would take registers away from the code that reads a position.
    #[inline(never)]
    fn open_bucket(&mut self, number: u64) -> Result<()> {
        let range = self.book.bucket_range(&mut self.index, number)?;
        self.bucket_at = range.start;
        self.bucket.clear();
        self.bucket.extend_from_slice(self.entries.bytes(range)?);
        let bodies = self
            .book
            .bucket(number, &self.bucket)
            .keys(&mut self.keys)
            .map_err(|malformed| self.book.malformed(self.bucket_at, malformed))?;
        (self.next, self.body) = (0, bodies.at);
        Ok(())
    }

    fn stop(&mut self, error: crate::Error) -> crate::Error {
        self.go_on_with(0..0);
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
