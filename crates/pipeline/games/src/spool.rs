//! Entries that wait in order: in memory up to a limit, then in a temporary file.
//!
//! # Format
//!
//! Each entry has its length as four little-endian bytes, then that number of bytes, as the entry's type
//! writes them. The file has no name and does not outlive the run.

use std::{
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use fault::FileFault;
use pgn::input::Place;
use position::{Key, PackedMove};
use run::Result;
use tempfile::SpooledTempFile;

/// Bytes kept in memory. The system caches files anyway, so more would not help.
const MEMORY_BYTES: usize = 8 << 20;
/// Bytes gathered before they go to the file.
const PIECE_BYTES: usize = 1 << 18;

/// Takes entries and gives them back, in order.
///
/// # Memory
///
/// Eight megabytes and a half.
pub struct Spool {
    file: SpooledTempFile,
    folder: PathBuf,
    piece: Vec<u8>,
    entries: u64,
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

    /// Adds the entry that `write` writes.
    pub fn push(&mut self, write: impl FnOnce(&mut Encoder<'_>)) -> Result<()> {
        self.entries += 1;
        let start = self.piece.len();
        self.piece.extend([0; 4]);
        write(&mut Encoder::new(&mut self.piece));
        let length = (self.piece.len() - start - 4) as u32;
        self.piece[start..start + 4].copy_from_slice(&length.to_le_bytes());
        if self.piece.len() >= PIECE_BYTES { self.flush() } else { Ok(()) }
    }

    /// The number of entries so far.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    fn flush(&mut self) -> Result<()> {
        let written = self.file.write_all(&self.piece);
        self.piece.clear();
        written.map_err(FileFault::of("write in", &self.folder))
    }

    /// Gives every entry to `each`, in order.
    pub fn for_each(mut self, mut each: impl FnMut(Decoder<'_>) -> Result<()>) -> Result<()> {
        self.flush()?;
        let Self { mut file, folder, .. } = self;
        let failed = |source| FileFault::new("read in", folder.clone(), source);
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut file = BufReader::with_capacity(PIECE_BYTES, file);
        let mut entry = Vec::new();
        while let Some(length) = next_length(&mut file).map_err(failed)? {
            entry.resize(length as usize, 0);
            file.read_exact(&mut entry).map_err(failed)?;
            each(Decoder::new(&entry))?;
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

/// Writes the parts of an entry.
pub struct Encoder<'s>(&'s mut Vec<u8>);

impl<'s> Encoder<'s> {
    /// An encoder that appends to `bytes`.
    pub fn new(bytes: &'s mut Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Writes a number.
    pub fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    /// Writes a number that may be negative.
    pub fn signed(&mut self, number: i64) {
        self.number(number.cast_unsigned());
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    /// Writes the place of a game, and its number.
    pub fn place(&mut self, place: Place, number: u64) {
        self.number(u64::from(place.input) << 32 | u64::from(place.part));
        self.number(place.offset);
        self.number(number);
    }

    /// Writes positions, each with the move played there.
    pub fn plies(&mut self, plies: impl ExactSizeIterator<Item = (Key, PackedMove)>) {
        self.number(plies.len() as u64);
        for (key, mv) in plies {
            self.0.extend(key.0.to_le_bytes());
            self.0.extend(mv.0.to_le_bytes());
        }
    }
}

/// Reads the parts of an entry, in the order in which they were written.
///
/// # Panics
///
/// If they are read in another order. That is a bug: only this crate writes these entries.
pub struct Decoder<'s>(&'s [u8]);

impl<'s> Decoder<'s> {
    /// A decoder of the entry that an [`Encoder`] wrote.
    #[must_use]
    pub fn new(bytes: &'s [u8]) -> Self {
        Self(bytes)
    }

    /// Whether the whole entry is read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn take(&mut self, bytes: usize) -> &'s [u8] {
        let (taken, rest) = self.0.split_at(bytes);
        self.0 = rest;
        taken
    }

    /// Reads a number.
    pub fn number(&mut self) -> u64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(self.take(8));
        u64::from_le_bytes(bytes)
    }

    /// Reads a number that may be negative.
    pub fn signed(&mut self) -> i64 {
        self.number().cast_signed()
    }

    /// Reads a text.
    pub fn text(&mut self) -> &'s str {
        let length = self.number() as usize;
        let Ok(text) = std::str::from_utf8(self.take(length)) else { unreachable!("it was written as text") };
        text
    }

    /// Reads the place of a game, and its number.
    pub fn place(&mut self) -> (Place, u64) {
        let stream = self.number();
        let place = Place { input: (stream >> 32) as u32, part: stream as u32, offset: self.number() };
        (place, self.number())
    }

    /// Replaces `plies` by the plies of the entry.
    pub fn plies(&mut self, plies: &mut Vec<(Key, PackedMove)>) {
        let count = self.number() as usize;
        let ply = |bytes: &[u8]| {
            let (mut key, mut mv) = ([0; 8], [0; 2]);
            key.copy_from_slice(&bytes[..8]);
            mv.copy_from_slice(&bytes[8..]);
            (Key(u64::from_le_bytes(key)), PackedMove(u16::from_le_bytes(mv)))
        };
        plies.clear();
        plies.extend(self.take(count * 10).chunks_exact(10).map(ply));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_in_order_past_the_memory() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::with_memory(1000, folder.path());
        let plies = |n: u64| (0..n % 7).map(move |ply| (Key(n * ply), PackedMove(ply as u16)));
        for n in 0..20_000u64 {
            let place = Place { input: 3, part: n as u32, offset: n * n };
            spool
                .push(|entry| {
                    entry.place(place, n);
                    entry.text(&"name".repeat(n as usize % 9));
                    entry.signed(-n.cast_signed());
                    entry.plies(plies(n).collect::<Vec<_>>().into_iter());
                })
                .unwrap();
        }
        let (mut n, mut found) = (0, Vec::new());
        spool
            .for_each(|mut entry| {
                let (place, number) = entry.place();
                assert_eq!((place.input, u64::from(place.part), place.offset, number), (3, n, n * n, n));
                assert_eq!(entry.text().len(), n as usize % 9 * 4);
                assert_eq!(entry.signed(), -n.cast_signed());
                entry.plies(&mut found);
                assert!(found.iter().copied().eq(plies(n)));
                n += 1;
                Ok(())
            })
            .unwrap();
        assert_eq!(n, 20_000);
    }
}
