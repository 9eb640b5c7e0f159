//! Reads a book: probes it by key, and reports what its header says.

mod experience;
mod positions;

use std::{ops::Range, path::Path};

use position::{Key, Root};
use serde_json::Value;

use crate::{
    BookStats, Error, PositionEntry, Result,
    error::DecodeFault,
    tabia::{
        entries::{
            body,
            bucket::{Bucket, KeyBits, SLOT_BITS},
        },
        experience::Section,
        file::{Access, BookFile, Bytes, RandomReader},
        header::{SectionId, corrupt},
        index::{self, Index},
    },
};

pub use self::{experience::Rows, positions::Positions};

/// An open book.
///
/// Opening reads only the header. A probe reads from two places in the file: one in the index and one in the
/// entries. The first probe that reads a block of 64 KiB compares it with its checksum. All other methods
/// check every block that they read. A damaged block therefore causes [`Error::Corrupt`] instead of a wrong
/// answer.
///
/// Probes use a mapping of the file: if another process truncates the file meanwhile, the system ends this
/// process with SIGBUS. If the book was opened by [`open_cached`](Self::open_cached), probes read the file
/// instead. [`positions`](Self::positions), [`experience`](Self::experience), [`verify`](Self::verify) and
/// [`polyglot::write`](crate::polyglot::write) always read the file. Methods and probes that read the file
/// instead of a mapping return [`Error::Length`] if the file was truncated.
///
/// # Memory
///
/// An open book needs one bit per block and, once any block has been checked, eight more bytes per block:
/// 0.012 % of the file size. All books that were opened by [`open_cached`](Self::open_cached) share a cache
/// of at most 128 MiB for the blocks that probes have read.
#[derive(Debug)]
pub struct Book {
    pub(crate) file: BookFile,
    pub(crate) bits: KeyBits,
    pub(crate) entries: Range<usize>,
    pub(crate) index: Index,
    provenance: Range<usize>,
    /// `None` in a book without experience.
    pub(crate) experience: Option<Section>,
    /// `None` in a book whose lines all begin at the start position.
    roots: Option<Range<usize>>,
    stats: BookStats,
}

impl Book {
    /// Opens a book in constant time, to make a few probes or to read all of it. If an earlier process was
    /// interrupted while it replaced the file, the replacement is completed first.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NotABook`] if the file is not a book, with [`Error::NewerVersion`] if a newer
    /// version of Tabia is needed to read it, with [`Error::Length`] if it was truncated or has grown, with
    /// [`Error::Corrupt`] if its header is damaged, and with [`Error::Io`] if it cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_for(path, Access::Mapped)
    }

    /// Opens a book as [`open`](Self::open) does, but for a long-running process, which must not be killed
    /// when another process truncates the file. Blocks that probes have read are kept in a cache, which all
    /// books that are opened this way share.
    ///
    /// # Errors
    ///
    /// Fails as [`open`](Self::open) does.
    pub fn open_cached(path: &Path) -> Result<Self> {
        Self::open_for(path, Access::Cached)
    }

    fn open_for(path: &Path, access: Access) -> Result<Self> {
        output::recover(path).map_err(Error::io(path))?;
        let (file, header) = BookFile::open(path, access)?;
        let section = |id| header.section(path, id);
        let (entries, index_at) = (section(SectionId::Entries)?, section(SectionId::Index)?);
        let bits = KeyBits { bucket: header.bucket_bits.get() };
        let index = Index { at: index_at, offset_bytes: header.offset_bytes.get() };
        if bits.bucket > index::BUCKET_BITS_MAX
            || !(1..=8).contains(&index.offset_bytes)
            || index::index_bytes(bits.bucket, index.offset_bytes) != Some(index.at.len() as u64)
        {
            return Err(corrupt(
                path,
                48,
                "bucket bits and offset bytes do not match the length of the index",
            ));
        }
        let provenance = section(SectionId::Provenance)?;
        let experience = Section::find(&header, path)?;
        let roots = header.has(SectionId::Roots).then(|| section(SectionId::Roots)).transpose()?;
        let stats = header.stats(entries.len() as u64, index.at.len() as u64);
        Ok(Self { file, bits, entries, index, provenance, experience, roots, stats })
    }

    /// The path of the book.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// The counts and sizes of the book.
    #[must_use]
    pub fn stats(&self) -> BookStats {
        self.stats
    }

    /// A checksum of the book's block checksums, as 16 hex digits; it differs between books with different
    /// content.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("{:016x}", self.file.checksums_xxh3)
    }

    /// The book's inputs and settings, as passed to [`BookWriter::create`](crate::BookWriter::create).
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Corrupt`] if the provenance is damaged, with [`Error::Length`] if the file was
    /// truncated after it was opened, and with [`Error::Io`] if it cannot be read.
    pub fn provenance(&self) -> Result<Value> {
        let bytes = self.file.read(self.provenance.clone())?;
        let not_json =
            |_| corrupt(self.path(), self.provenance.start as u64, "a provenance that is not JSON");
        serde_json::from_slice(&bytes).map_err(not_json)
    }

    /// The positions at which lines begin, in ascending order of key; empty if all lines begin at the start
    /// position.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Corrupt`] if the list of these positions is damaged, with [`Error::Length`] if the
    /// file was truncated after it was opened, and with [`Error::Io`] if it cannot be read.
    pub fn roots(&self) -> Result<Vec<Root>> {
        let Some(range) = &self.roots else { return Ok(Vec::new()) };
        let bytes = self.file.read(range.clone())?;
        let (roots, rest) = bytes.as_chunks();
        let roots: Vec<_> = roots.iter().map(Root::of_bytes).collect();
        let ascend = roots.windows(2).all(|roots| roots[0].key < roots[1].key);
        if rest.is_empty() && ascend && roots.iter().all(Root::is_sound) {
            return Ok(roots);
        }
        Err(corrupt(self.path(), range.start as u64, "roots that do not ascend or are no positions"))
    }

    /// The position with `key`, if the book has it.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Corrupt`] if the bytes that the probe reads are damaged, with [`Error::Length`] if
    /// the file was truncated after it was opened, and with [`Error::Io`] if it cannot be read.
    pub fn probe(&self, key: Key) -> Result<Option<PositionEntry>> {
        let mut entry = PositionEntry::default();
        Ok(self.probe_into(key, &mut entry)?.then_some(entry))
    }

    /// Reads the position with `key` into `entry`. Returns whether the book has the position; if not, `entry`
    /// is unchanged. A reused entry keeps its memory, so nothing is allocated.
    ///
    /// # Errors
    ///
    /// Fails as [`probe`](Self::probe) does; `entry` may then be partly filled.
    #[inline]
    pub fn probe_into(&self, key: Key, entry: &mut PositionEntry) -> Result<bool> {
        Ok(self.probe_place(key, entry)?.is_some())
    }

    /// Like [`probe_into`](Self::probe_into), but returns the position's place. This number is below
    /// [`places`](Self::places), and no other position in the book has the same place.
    ///
    /// # Errors
    ///
    /// Fails as [`probe_into`](Self::probe_into) does.
    #[inline]
    pub fn probe_place(&self, key: Key, entry: &mut PositionEntry) -> Result<Option<usize>> {
        let (number, mut reader) = (self.bits.bucket_of(key), RandomReader::new(&self.file));
        let range = self.bucket_range(&mut reader, number)?;
        let bucket = self.bucket(number, reader.bytes(range.clone())?);
        let found = bucket.find(key).and_then(|body| match body {
            None => Ok(None),
            Some(mut cursor) => {
                let place = range.start - self.entries.start + cursor.at;
                entry.key = key;
                body::read(&mut cursor, entry).map(|()| Some(place))
            }
        });
        found.map_err(|malformed| self.malformed(range.start, malformed))
    }

    /// An exclusive upper bound for places: the length of the entries in bytes.
    #[must_use]
    pub fn places(&self) -> usize {
        self.entries.len()
    }

    /// Every position, in ascending order of key.
    pub fn positions(&self) -> Positions<'_> {
        Positions::new(self, 0..self.bucket_count())
    }

    /// The number of key ranges of equal size that can be read independently, at most `most`. If `most` is a
    /// power of two, the result is a power of two as well.
    #[must_use]
    pub fn shards(&self, most: u32) -> u32 {
        self.bucket_count().min(most.into()) as u32
    }

    /// The positions in one of `shards` key ranges of equal size; see [`shards`](Self::shards).
    pub fn positions_of(&self, shard: u32, shards: u32) -> Positions<'_> {
        let buckets = self.bucket_count() / u64::from(shards);
        let first = buckets * u64::from(shard);
        Positions::new(self, first..first + buckets)
    }

    /// Every position, in ascending order of key, as owned entries.
    pub fn iter(&self) -> impl Iterator<Item = Result<PositionEntry>> + '_ {
        self.positions()
    }

    pub(crate) fn bucket_count(&self) -> u64 {
        1 << self.bits.bucket
    }

    /// The byte range of a bucket in the file, read from `index`.
    #[inline]
    pub(crate) fn bucket_range(&self, index: &mut impl Bytes, number: u64) -> Result<Range<usize>> {
        let at = self.index.pair_at(number);
        let (start, end) = self.index.pair(index.bytes(at.clone())?);
        if start <= end && end <= self.entries.len() as u64 {
            return Ok(self.entries.start + start as usize..self.entries.start + end as usize);
        }
        Err(corrupt(self.path(), at.start as u64, "a bucket outside the entries"))
    }

    /// Bucket `number`, which consists of `bytes`.
    #[inline]
    pub(crate) fn bucket<'b>(&self, number: u64, bytes: &'b [u8]) -> Bucket<'b> {
        Bucket::new(bytes, self.bits, number)
    }

    #[cold]
    pub(crate) fn malformed(&self, offset: usize, malformed: DecodeFault) -> Error {
        corrupt(self.path(), offset as u64, malformed.0)
    }
}

const _: () = assert!(index::BUCKET_BITS_MAX + SLOT_BITS < 64);
