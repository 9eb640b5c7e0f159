//! A queue of entries, kept in memory up to a limit and beyond that in a temporary file.
//!
//! # Format
//!
//! Each entry is encoded and preceded by the length of its encoding, as four little-endian bytes. The file
//! has no name and does not outlive the run.

use std::{
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use fault::FileFault;
use run::Result;
use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use crate::encoding::{decode, encode};

/// Bytes kept in memory. A larger limit would not help, since the system caches files anyway.
const MEMORY_BYTES: usize = 8 << 20;
/// The number of bytes that are buffered before they are written to the file.
const PIECE_BYTES: usize = 1 << 18;

/// Takes entries and returns them later, in order.
///
/// # Memory
///
/// A spool uses up to about eight and a half megabytes of memory.
pub struct Spool {
    file: SpooledTempFile,
    folder: PathBuf,
    piece: Vec<u8>,
    /// The number of entries so far.
    pub entries: u64,
}

impl Spool {
    /// A spool that keeps entries in memory up to the limit, and the rest in `folder`.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self::with_memory(MEMORY_BYTES, folder)
    }

    fn with_memory(bytes: usize, folder: &Path) -> Self {
        let file = tempfile::spooled_tempfile_in(bytes, folder);
        Self { file, folder: folder.into(), piece: Vec::with_capacity(PIECE_BYTES * 2), entries: 0 }
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: &impl Serialize) -> Result<()> {
        self.entries += 1;
        let start = self.piece.len();
        self.piece.extend([0; 4]);
        encode(entry, &mut self.piece);
        let length = (self.piece.len() - start - 4) as u32;
        self.piece[start..start + 4].copy_from_slice(&length.to_le_bytes());
        if self.piece.len() >= PIECE_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let written = self.file.write_all(&self.piece);
        self.piece.clear();
        written.map_err(FileFault::of("write in", &self.folder))
    }

    /// Calls `each` with every entry, in order.
    pub fn for_each(&mut self, mut each: impl FnMut(Entry<'_>) -> Result<()>) -> Result<()> {
        self.flush()?;
        let Self { file, folder, .. } = self;
        let failed = |source| FileFault::new("read in", folder.clone(), source);
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut file = BufReader::with_capacity(PIECE_BYTES, file);
        let mut entry = Vec::new();
        while let Some(length) = next_length(&mut file).map_err(failed)? {
            entry.resize(length as usize, 0);
            file.read_exact(&mut entry).map_err(failed)?;
            each(Entry(&entry))?;
        }
        Ok(())
    }
}

/// The next entry's length; `None` at the end.
fn next_length(file: &mut impl Read) -> io::Result<Option<u32>> {
    let mut bytes = [0; 4];
    match file.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(u32::from_le_bytes(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// An encoded entry that was read back from a spool.
#[derive(Clone)]
pub struct Entry<'s>(&'s [u8]);

impl<'s> Entry<'s> {
    /// Decodes the entry. `T` must be the type that was pushed, or a type that consists of the first few
    /// fields of that type.
    #[must_use]
    pub fn read<T: Deserialize<'s>>(mut self) -> T {
        decode(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use pgn::input::Place;
    use position::{Key, PackedMove};

    use super::*;

    type Found<'s> = (Place, &'s str, i64, Vec<(Key, PackedMove)>);

    #[test]
    fn entries_come_back_in_order_past_the_memory() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::with_memory(1000, folder.path());
        let plies = |n: u64| (0..n % 7).map(|ply| (Key(n * ply), PackedMove(ply as u16))).collect();
        let place = |n: u64| Place { input: 3, part: n as u32, offset: n * n };
        let name = |n: u64| "name".repeat(n as usize % 9);
        for n in 0..20_000u64 {
            let entry: Found<'_> = (place(n), &name(n), -n.cast_signed(), plies(n));
            spool.push(&entry).unwrap();
        }
        let mut n = 0;
        spool
            .for_each(|found| {
                let found: Found<'_> = found.read();
                assert_eq!(found, (place(n), &*name(n), -n.cast_signed(), plies(n)));
                n += 1;
                Ok(())
            })
            .unwrap();
        assert_eq!(n, 20_000);
    }
}
