//! Reading Polyglot books of any program.

use std::{
    fs::File,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use position::Key;

use super::{PolyglotEntry, entry::ENTRY_BYTES};
use crate::{Error, Result};

const BLOCK_ENTRIES: u64 = 4096;

/// An open Polyglot book.
///
/// # Memory
///
/// None: a probe reads the entries that it compares.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    file: File,
    entries: u64,
}

impl Reader {
    /// Opens a book. A replacement that was interrupted is completed first.
    ///
    /// # Errors
    ///
    /// [`Error::NotPolyglot`] if its size is not a multiple of 16, [`Error::Io`].
    pub fn open(path: &Path) -> Result<Self> {
        output::recover(path).map_err(Error::io(path))?;
        let file = File::open(path).map_err(Error::io(path))?;
        let bytes = file.metadata().map_err(Error::io(path))?.len();
        let reader = Self { path: path.to_owned(), file, entries: bytes / ENTRY_BYTES as u64 };
        if !bytes.is_multiple_of(ENTRY_BYTES as u64) {
            return Err(reader.unsound(
                reader.entries,
                "its size is not a multiple of 16, so the last entry is incomplete",
            ));
        }
        Ok(reader)
    }

    /// Where the book is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Entries in the file.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The entries of `key` in the order of the file; none if it is absent. The file must be sorted, see
    /// [`verify`](Self::verify).
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn probe(&self, key: Key) -> Result<Vec<PolyglotEntry>> {
        let mut found = Vec::new();
        for index in self.first_not_below(key)?..self.entries {
            let entry = self.entry(index)?;
            if entry.key != key {
                break;
            }
            found.push(entry);
        }
        Ok(found)
    }

    fn first_not_below(&self, key: Key) -> Result<u64> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low.midpoint(high);
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    fn entry(&self, index: u64) -> Result<PolyglotEntry> {
        let mut bytes = [0; ENTRY_BYTES];
        self.file.read_exact_at(&mut bytes, index * ENTRY_BYTES as u64).map_err(Error::io(&self.path))?;
        Ok(PolyglotEntry::from_bytes(bytes))
    }

    /// Every entry in the order of the file, read in blocks of 64 KiB. An item is an [`Error::Io`] if its
    /// block cannot be read.
    pub fn iter(&self) -> impl Iterator<Item = Result<PolyglotEntry>> + '_ {
        let mut block = Vec::new();
        (0..self.entries).map(move |index| {
            let at = (index % BLOCK_ENTRIES) as usize;
            if at == 0 || block.is_empty() {
                block = self.block(index - at as u64)?;
            }
            Ok(PolyglotEntry::from_bytes(block[at]))
        })
    }

    /// The block of entries from `first` on.
    fn block(&self, first: u64) -> Result<Vec<[u8; ENTRY_BYTES]>> {
        let count = BLOCK_ENTRIES.min(self.entries - first) as usize;
        let mut block = vec![[0; ENTRY_BYTES]; count];
        let read = self.file.read_exact_at(block.as_flattened_mut(), first * ENTRY_BYTES as u64);
        read.map(|()| block).map_err(Error::io(&self.path))
    }

    /// Checks that keys ascend (binary search would miss moves otherwise) and counts the positions.
    ///
    /// # Errors
    ///
    /// [`Error::NotPolyglot`] at the first key below the one before, [`Error::Io`].
    pub fn verify(&self) -> Result<u64> {
        let (mut positions, mut previous) = (0, None);
        for (index, entry) in self.iter().enumerate() {
            let key = Some(entry?.key);
            if key < previous {
                return Err(self.unsound(index as u64, "a key below the one before: the file is not sorted"));
            }
            positions += u64::from(key != previous);
            previous = key;
        }
        Ok(positions)
    }

    fn unsound(&self, index: u64, what: &'static str) -> Error {
        Error::NotPolyglot { path: self.path.clone(), offset: index * ENTRY_BYTES as u64, what }
    }
}
