//! Verifies every byte of a book.

use position::Key;

use crate::{
    Book, BookStats, PositionEntry, Result,
    error::DecodeFault,
    tabia::{
        checksums::BLOCK_BYTES,
        entries::{
            body::{self, Body},
            bucket::OpenBucket,
            cursor::Cursor,
        },
        file::{Bytes as _, SectionReader},
        header::corrupt,
        index,
        segment::EntryCounts,
    },
};

impl Book {
    /// Checks every checksum, the index, the order of keys and moves, and the header's counts. Also checks
    /// that every position can be decoded, and that a writer would write the same bytes again. Returns the
    /// counts. The header was checked when the book was opened.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Corrupt`](crate::Error::Corrupt) at the first fault, with
    /// [`Error::Length`](crate::Error::Length) if the file was truncated after it was opened, and with
    /// [`Error::Io`](crate::Error::Io) if it cannot be read.
    pub fn verify(&self) -> Result<BookStats> {
        self.verify_checksums()?;
        self.provenance()?;
        self.verify_experience()?;
        self.roots()?;
        let counts = self.verify_entries()?;
        let stats = self.stats();
        let counted =
            BookStats { positions: counts.positions, edges: counts.edges, leaves: counts.leaves, ..stats };
        if counted != stats {
            return Err(corrupt(
                self.path(),
                24,
                "the header has other counts of positions, edges or leaves than the entries",
            ));
        }
        let fitting = (index::bucket_bits(stats.positions), index::offset_bytes(stats.entries_bytes));
        if fitting != (self.bits.bucket, self.index.offset_bytes) {
            return Err(corrupt(self.path(), 48, "bucket bits or offset bytes that no writer chooses"));
        }
        Ok(stats)
    }

    fn verify_checksums(&self) -> Result<()> {
        let (mut reader, blocks) = (SectionReader::new(&self.file), self.file.blocks());
        let end = blocks.end;
        blocks.step_by(BLOCK_BYTES).try_for_each(|at| reader.bytes(at..end.min(at + BLOCK_BYTES)).map(drop))
    }

    fn verify_entries(&self) -> Result<EntryCounts> {
        let [mut index, mut entries] = [(); 2].map(|()| SectionReader::new(&self.file));
        let mut verifier = Verifier::default();
        let mut end = self.entries.start;
        for number in 0..self.bucket_count() {
            let range = self.bucket_range(&mut index, number)?;
            if range.start != end {
                return Err(corrupt(
                    self.path(),
                    range.start as u64,
                    "a bucket does not begin where the last one ended",
                ));
            }
            end = range.end;
            let start = range.start;
            let bytes = entries.bytes(range)?;
            verifier.bucket(self, number, bytes).map_err(|malformed| self.malformed(start, malformed))?;
        }
        if end != self.entries.end {
            return Err(corrupt(
                self.path(),
                end as u64,
                "the last bucket does not end where the entries do",
            ));
        }
        Ok(verifier.counts)
    }
}

/// Decodes buckets and encodes them again.
#[derive(Default)]
struct Verifier {
    counts: EntryCounts,
    previous: Option<Key>,
    keys: Vec<Key>,
    entry: PositionEntry,
    again: OpenBucket,
    bytes_again: Vec<u8>,
}

impl Verifier {
    fn bucket(&mut self, book: &Book, number: u64, bytes: &[u8]) -> std::result::Result<(), DecodeFault> {
        let mut keys = std::mem::take(&mut self.keys);
        let mut bodies = book.bucket(number, bytes).keys(&mut keys)?;
        for &key in &keys {
            self.position(key, &mut bodies)?;
        }
        self.keys = keys;
        self.bytes_again.clear();
        self.again.close(book.bits, &mut self.bytes_again);
        if self.bytes_again == bytes { Ok(()) } else { Err(DecodeFault("a bucket that no writer writes")) }
    }

    fn position(&mut self, key: Key, bodies: &mut Cursor<'_>) -> std::result::Result<(), DecodeFault> {
        if self.previous >= Some(key) {
            return Err(DecodeFault("keys that do not ascend"));
        }
        self.previous = Some(key);
        body::read(bodies, &mut self.entry)?;
        self.entry.key = key;
        self.counts.count(&self.entry);
        self.again.push(key, Body::of(&self.entry)?);
        Ok(())
    }
}
