//! Reads Polyglot books, whichever program wrote them.

use std::{
    fs::File,
    ops::Range,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use position::Key;

use super::{
    Header, PolyglotEntry,
    entry::ENTRY_BYTES,
    header::{RECORDS_MAX, is_header_record},
    seal::Sealer,
};
use crate::{Error, Result};

/// The number of entries read at a time when the whole file is scanned.
const BLOCK_ENTRIES: u64 = 4096;
/// The number of entries read at a time when a key is searched for.
const GUESSED_ENTRIES: u64 = 256;
/// The number of entries read at a time when a position is read.
const POSITION_ENTRIES: u64 = 32;

/// An open Polyglot book.
///
/// # Memory
///
/// The reader holds no entries: a probe reads the entries that it compares, 4 KiB at a time.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    file: File,
    header: Option<Header>,
    /// The number of records in the header.
    before: u64,
    entries: u64,
}

impl Reader {
    /// Opens a book, with a header or without. If an earlier replacement of the book was interrupted, it is
    /// completed first.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NotPolyglot`] if the file's size is not a multiple of 16, and with [`Error::Io`]
    /// if the file cannot be opened or read.
    pub fn open(path: &Path) -> Result<Self> {
        output::recover(path).map_err(Error::io(path))?;
        let file = File::open(path).map_err(Error::io(path))?;
        let bytes = file.metadata().map_err(Error::io(path))?.len();
        let (path, entries) = (path.to_owned(), bytes / ENTRY_BYTES as u64);
        let reader = Self { path, file, header: None, before: 0, entries };
        if !bytes.is_multiple_of(ENTRY_BYTES as u64) {
            return Err(reader.unsound(
                reader.entries,
                "its size is not a multiple of 16, so the last entry is incomplete",
            ));
        }
        reader.after_header()
    }

    /// Reads the header, if there is one; from then on, the entries begin after the records of the header.
    fn after_header(mut self) -> Result<Self> {
        let mut records = Vec::new();
        while (records.len() as u64) < self.entries.min(RECORDS_MAX as u64) {
            let block = self.block(records.len() as u64, POSITION_ENTRIES)?;
            let headers = block.iter().take_while(|record| is_header_record(record)).count();
            records.extend_from_slice(&block[..headers]);
            if headers < block.len() {
                break;
            }
        }
        if let Some((header, count)) = Header::read(&records) {
            self.header = Some(header);
            self.before = count as u64;
            self.entries -= self.before;
        }
        Ok(self)
    }

    /// The book's header, if it has one.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// The header's records as stored in the file; empty if the book has no header.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Io`] if the file cannot be read.
    pub fn header_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.before as usize * ENTRY_BYTES];
        self.file.read_exact_at(&mut bytes, 0).map_err(Error::io(&self.path))?;
        Ok(bytes)
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.before + self.entries) * ENTRY_BYTES as u64
    }

    /// The path of the book.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of entries in the file, not counting the records of the header.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The entries with `key`, in the order in which they are stored; empty if there are none. The file must
    /// be sorted, which [`verify`](Self::verify) checks.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Io`] if the file cannot be read.
    pub fn probe(&self, key: Key) -> Result<Vec<PolyglotEntry>> {
        let (mut found, mut index) = (Vec::new(), self.first_not_below(key)?);
        while index < self.entries {
            let block = self.block(index, POSITION_ENTRIES)?;
            for &bytes in &block {
                let entry = PolyglotEntry::from_bytes(bytes);
                if entry.key != key {
                    return Ok(found);
                }
                found.push(entry);
            }
            index += block.len() as u64;
        }
        Ok(found)
    }

    /// The index of the first entry whose key is not below `key`. Keys are hashes, so an entry's place in the
    /// file is almost proportional to its key, and in most files two reads are enough to find the entry.
    /// Every fourth guess halves the remaining range, so that files whose keys are not hashes are also
    /// searched quickly.
    fn first_not_below(&self, key: Key) -> Result<u64> {
        let (mut low, mut high) = (0, self.entries);
        let (mut below, mut above) = (0, u64::MAX);
        for guess in 1_u32.. {
            let count = GUESSED_ENTRIES.min(high - low);
            let share = u128::from(key.0 - below) * u128::from(high - low) / (u128::from(above - below) + 1);
            let near = if guess.is_multiple_of(4) { low.midpoint(high) } else { low + share as u64 };
            let start = near.saturating_sub(count / 2).clamp(low, high - count);
            let block = self.block(start, count)?;
            let place = block.partition_point(|&bytes| PolyglotEntry::from_bytes(bytes).key < key);
            if place == 0 && start > low {
                (high, above) = (start, key_at(&block, 0));
            } else if place == block.len() && start + count < high {
                (low, below) = (start + count, key_at(&block, place - 1));
            } else {
                return Ok(start + place as u64);
            }
        }
        unreachable!("each guess leaves less")
    }

    /// All entries in the order in which they are stored, read in blocks of 64 KiB. An item is an
    /// [`Error::Io`] if its block cannot be read.
    pub fn iter(&self) -> impl Iterator<Item = Result<PolyglotEntry>> + '_ {
        self.iter_of(0..self.entries)
    }

    /// The entries in one of `shards` key ranges of equal size. `shards` must be a power of two, and the file
    /// must be sorted.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Io`] if the file cannot be read.
    pub fn entries_of(
        &self,
        shard: u32,
        shards: u32,
    ) -> Result<impl Iterator<Item = Result<PolyglotEntry>> + '_> {
        let keys = (1_u128 << u64::BITS) / u128::from(shards);
        let place = |shard: u32| match u64::try_from(keys * u128::from(shard)) {
            Ok(first) => self.first_not_below(Key(first)),
            Err(_) => Ok(self.entries),
        };
        Ok(self.iter_of(place(shard)?..place(shard + 1)?))
    }

    fn iter_of(&self, entries: Range<u64>) -> impl Iterator<Item = Result<PolyglotEntry>> + '_ {
        let mut block = Vec::new();
        entries.map(move |index| {
            let at = (index % BLOCK_ENTRIES) as usize;
            if at == 0 || block.is_empty() {
                block = self.block(index - at as u64, BLOCK_ENTRIES)?;
            }
            Ok(PolyglotEntry::from_bytes(block[at]))
        })
    }

    /// The `count` entries starting at `first`, or fewer at the end of the file.
    fn block(&self, first: u64, count: u64) -> Result<Vec<[u8; ENTRY_BYTES]>> {
        let count = count.min(self.entries - first) as usize;
        let mut block = vec![[0; ENTRY_BYTES]; count];
        let offset = (self.before + first) * ENTRY_BYTES as u64;
        let read = self.file.read_exact_at(block.as_flattened_mut(), offset);
        read.map(|()| block).map_err(Error::io(&self.path))
    }

    /// Counts the positions, and checks the entries. The keys must be in ascending order, because otherwise a
    /// probe would miss moves. If the header has a count and a checksum, the entries must match both.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NotPolyglot`] if a key is lower than the previous one or the entries do not match
    /// the header's seal, and with [`Error::Io`] if the file cannot be read.
    pub fn verify(&self) -> Result<u64> {
        let seal = self.header().and_then(Header::seal);
        if seal.is_some_and(|seal| seal.entries != self.entries) {
            return Err(self.unsound(0, "the header has another number of entries: copy the file again"));
        }
        let mut positions = 0;
        let mut previous = None;
        let mut sealer = Sealer::default();
        for (index, entry) in self.iter().enumerate() {
            let entry = entry?;
            let key = Some(entry.key);
            if key < previous {
                return Err(self.unsorted_at(index as u64));
            }
            positions += u64::from(key != previous);
            previous = key;
            if seal.is_some() {
                sealer.add(&entry.to_bytes());
            }
        }
        if seal.is_some_and(|seal| seal != sealer.seal()) {
            return Err(
                self.unsound(0, "the header has another checksum of the entries: copy the file again")
            );
        }
        Ok(positions)
    }

    /// The number of entries whose key is lower than the previous one; 0 in a sound book.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Io`] if the file cannot be read.
    pub fn unsorted(&self) -> Result<u64> {
        let (mut unsorted, mut previous) = (0, Key(0));
        for entry in self.iter() {
            let key = entry?.key;
            unsorted += u64::from(key < previous);
            previous = key;
        }
        Ok(unsorted)
    }

    pub(super) fn unsorted_at(&self, index: u64) -> Error {
        self.unsound(
            index,
            "a key below the one before (the file is not sorted: `tabia merge --repair` makes a sorted one)",
        )
    }

    fn unsound(&self, index: u64, what: &'static str) -> Error {
        Error::NotPolyglot {
            path: self.path.clone(),
            offset: (self.before + index) * ENTRY_BYTES as u64,
            what,
        }
    }
}

/// The key of the entry at index `place` in a block.
fn key_at(block: &[[u8; ENTRY_BYTES]], place: usize) -> u64 {
    PolyglotEntry::from_bytes(block[place]).key.0
}

#[cfg(test)]
mod tests {
    use std::fs;

    use position::PackedMove;

    use super::*;

    /// Checks that probes return the right entries, for keys in the file and for other keys.
    fn check(keys: impl Iterator<Item = u64>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        let entry = |(number, key)| PolyglotEntry {
            key: Key(key),
            mv: PackedMove(number as u16),
            weight: 1,
            learn: 0,
        };
        let entries: Vec<_> = keys.enumerate().map(entry).collect();
        fs::write(&path, entries.iter().flat_map(|entry| entry.to_bytes()).collect::<Vec<_>>()).unwrap();
        let reader = Reader::open(&path).unwrap();
        let beside = |entry: &PolyglotEntry| [entry.key.0.saturating_sub(1), entry.key.0, entry.key.0 | 1];
        let mut asked: Vec<_> = entries.iter().step_by(7).flat_map(beside).collect();
        asked.extend([0, 1, 1 << 63, u64::MAX]);
        for key in asked.into_iter().map(Key) {
            let first = entries.partition_point(|entry| entry.key < key);
            let expected: Vec<_> = entries[first..].iter().take_while(|entry| entry.key == key).collect();
            assert_eq!(reader.probe(key).unwrap().iter().collect::<Vec<_>>(), expected, "{key}");
        }
    }

    #[test]
    fn keys_are_found_however_they_are_spread() {
        let hash = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut hashes: Vec<_> = (0..5000).map(hash).collect();
        hashes.sort_unstable();
        check(hashes.iter().copied());
        check(hashes.iter().flat_map(|&key| [key; 3]));
        check(0..5000);
        check((0..5000).map(|number| u64::MAX - 5000 + number));
        check((0..5000).map(|number| if number < 2500 { number } else { u64::MAX - 5000 + number }));
        check((0..60).map(|bit| 1 << bit));
        check([7; 1000].into_iter());
        check([].into_iter());
    }
}
