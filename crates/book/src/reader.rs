//! Reading a book from a mapped file.

use std::{
    fs::File,
    ops::Range,
    path::{Path, PathBuf},
};

use memmap2::{Advice, Mmap};
use position::Key;
use serde_json::Value;

use crate::{
    BookStats, Error, PositionEntry, Positions, Result,
    entries::{
        body,
        bucket::{Bucket, KeyBits, SLOT_BITS},
    },
    error::Malformed,
    experience::Section,
    header::{Header, SectionId, corrupt},
    index::{self, Index},
};

/// An open book.
///
/// Opening reads only the header. A probe touches two places of the file: one in the index and one in the
/// entries. All bytes are checked when they are read: a probe that meets damage returns
/// [`Error::Corrupt`], and [`verify`](Self::verify) checks the whole file.
///
/// # Memory
///
/// None of its own: the file is mapped, and the system caches the parts in use.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    map: Mmap,
    pub(crate) bits: KeyBits,
    pub(crate) entries: Range<usize>,
    pub(crate) index: Index,
    pub(crate) provenance: Range<usize>,
    pub(crate) checksums: Range<usize>,
    pub(crate) checksums_xxh3: u64,
    /// None in a book without experience.
    pub(crate) experience: Option<Section>,
    stats: BookStats,
}

impl Book {
    /// Opens a book in constant time. A replacement that was interrupted is completed first.
    ///
    /// # Errors
    ///
    /// [`Error::NotABook`], [`Error::NewerVersion`], [`Error::Length`] if the file was truncated or has
    /// grown, [`Error::Corrupt`] if the header is damaged, [`Error::Io`].
    pub fn open(path: &Path) -> Result<Self> {
        output::recover(path).map_err(Error::io(path))?;
        let map = map(path).map_err(Error::io(path))?;
        let header = Header::read(path, &map, map.len() as u64)?;
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
        let (provenance, checksums) = (section(SectionId::Provenance)?, section(SectionId::Checksums)?);
        let stats = header.stats(entries.len() as u64, index.at.len() as u64);
        let checksums_xxh3 = header.checksums_xxh3.get();
        Ok(Self {
            path: path.to_owned(),
            map,
            bits,
            entries,
            index,
            provenance,
            checksums,
            checksums_xxh3,
            experience: header.experience(path)?,
            stats,
        })
    }

    /// The path of the book.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its counts and sizes.
    #[must_use]
    pub fn stats(&self) -> BookStats {
        self.stats
    }

    /// Its inputs and settings, as given to [`BookWriter::create`](crate::BookWriter::create).
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] if it is not JSON.
    pub fn provenance(&self) -> Result<Value> {
        let section = self.provenance.clone();
        serde_json::from_slice(&self.file()[section.clone()])
            .map_err(|_| corrupt(&self.path, section.start as u64, "a provenance that is not JSON"))
    }

    /// The position with `key`, if the book has it.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`].
    pub fn probe(&self, key: Key) -> Result<Option<PositionEntry>> {
        let mut entry = PositionEntry::default();
        Ok(self.probe_into(key, &mut entry)?.then_some(entry))
    }

    /// Reads the position with `key` into `entry` and returns whether the book has it; if not, `entry` is
    /// unchanged. A reused entry keeps its memory, so nothing is allocated.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`]; `entry` may then be partly filled.
    #[inline]
    pub fn probe_into(&self, key: Key, entry: &mut PositionEntry) -> Result<bool> {
        let number = self.bits.bucket_of(key);
        let range = self.bucket_range(number)?;
        let bucket = self.bucket(number, range.clone());
        let found = bucket.find(key).and_then(|body| match body {
            None => Ok(false),
            Some(mut cursor) => {
                entry.key = key;
                body::read(&mut cursor, entry).map(|()| true)
            }
        });
        found.map_err(|malformed| self.malformed(range.start, malformed))
    }

    /// Every position, ascending by key.
    #[must_use]
    pub fn positions(&self) -> Positions<'_> {
        Positions::new(self, 0..self.bucket_count())
    }

    /// Every position, ascending by key, as owned entries.
    pub fn iter(&self) -> impl Iterator<Item = Result<PositionEntry>> + '_ {
        self.positions()
    }

    pub(crate) fn bucket_count(&self) -> u64 {
        1 << self.bits.bucket
    }

    pub(crate) fn file(&self) -> &[u8] {
        &self.map
    }

    /// Hints to the system that the file will be read from start to end.
    pub(crate) fn advise_sequential(&self) {
        self.map.advise(Advice::Sequential).unwrap_or_default();
    }

    /// The range of a bucket in the file.
    #[inline]
    pub(crate) fn bucket_range(&self, number: u64) -> Result<Range<usize>> {
        let offset = |number| self.index.offset(&self.map, number);
        let section = self.entries.len() as u64;
        match (offset(number), offset(number + 1)) {
            (Some(start), Some(end)) if start <= end && end <= section => {
                Ok(self.entries.start + start as usize..self.entries.start + end as usize)
            }
            _ => {
                let at = self.index.at.start as u64 + number * u64::from(self.index.offset_bytes);
                Err(corrupt(&self.path, at, "a bucket outside the entries"))
            }
        }
    }

    /// The bucket at a range from [`bucket_range`](Self::bucket_range).
    #[inline]
    pub(crate) fn bucket(&self, number: u64, range: Range<usize>) -> Bucket<'_> {
        Bucket::new(&self.map[range], self.bits, number)
    }

    #[cold]
    pub(crate) fn malformed(&self, offset: usize, malformed: Malformed) -> Error {
        corrupt(&self.path, offset as u64, malformed.0)
    }
}

const _: () = assert!(index::BUCKET_BITS_MAX + SLOT_BITS < 64);

#[expect(unsafe_code, reason = "mapping a file is unsafe: other processes may change it")]
fn map(path: &Path) -> std::io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: books are written under another name and renamed, never changed in place, so no conforming
    // program changes or truncates a mapped one. If another process writes into the file all the same,
    // the bytes change under a reader that checks them before use; if it truncates the file, the process
    // ends with SIGBUS, as with any mapped file. Bytes are only read as numbers, for which every bit
    // pattern is valid.
    unsafe { Mmap::map(&file) }
}
