//! An open book file, and the two ways to its bytes; both check every block that they touch.
//!
//! A probe reads a few bytes anywhere, so it uses a mapping of the file. The first look at a block of 64 KiB
//! hashes the block, and a bitmap records that it is right: every later look costs the test of a bit.
//!
//! A reader of whole sections uses a [`SectionReader`], which calls `pread`. If another process cuts the file
//! short meanwhile, `pread` reports it, and the reader returns an error. A mapping cannot report it: the
//! system ends a process that looks at a mapped page behind the end of its file, with SIGBUS.

use std::{
    fs::File,
    io,
    ops::Range,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    Error, Result,
    checksums::BLOCK_BYTES,
    header::{HEADER_BYTES, Header, SectionId, corrupt},
};

/// Bytes of a book's file, given out after their blocks were checked.
pub(crate) trait Bytes {
    /// The bytes of a range that is inside the blocks: behind the header, before the checksums.
    fn bytes(&mut self, range: Range<usize>) -> Result<&[u8]>;
}

/// An open book file.
///
/// # Memory
///
/// A bit a block, and after the first look at a block eight bytes a block. The file is mapped, and the
/// system caches the parts in use.
#[derive(Debug)]
pub(crate) struct BookFile {
    path: PathBuf,
    file: File,
    map: Mmap,
    /// Where the checksum section is; the blocks end where it begins.
    checksums_at: Range<usize>,
    checksums_xxh3: u64,
    /// The checksum of each block, once they were read.
    checksums: OnceLock<Vec<u64>>,
    /// A bit for each block: set if the mapped block matches its checksum.
    right: Box<[AtomicU64]>,
}

impl BookFile {
    /// Opens a book's file and reads its header.
    pub(crate) fn open(path: &Path) -> Result<(Self, Header)> {
        let file = File::open(path).map_err(Error::io(path))?;
        let bytes = file.metadata().map_err(Error::io(path))?.len();
        let mut start = vec![0; bytes.min(HEADER_BYTES as u64) as usize];
        file.read_exact_at(&mut start, 0).map_err(Error::io(path))?;
        let header = Header::read(path, &start, bytes)?;
        let checksums_at = header.section(path, SectionId::Checksums)?;
        let blocks = blocks_of(&(HEADER_BYTES..checksums_at.start)).len();
        if checksums_at.len() != blocks * size_of::<u64>() {
            return Err(corrupt(path, checksums_at.start as u64, "checksums are missing, or too many"));
        }
        let opened = Self {
            path: path.to_owned(),
            map: map(&file).map_err(Error::io(path))?,
            file,
            checksums_at,
            checksums_xxh3: header.checksums_xxh3.get(),
            checksums: OnceLock::new(),
            right: (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
        };
        Ok((opened, header))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The checksum of the checksums of all blocks.
    pub(crate) fn checksums_xxh3(&self) -> u64 {
        self.checksums_xxh3
    }

    /// The range of all blocks.
    pub(crate) fn blocks(&self) -> Range<usize> {
        HEADER_BYTES..self.checksums_at.start
    }

    /// Mapped bytes of a range inside the blocks.
    #[inline]
    pub(crate) fn mapped(&self, range: Range<usize>) -> Result<&[u8]> {
        for block in blocks_of(&range) {
            // Relaxed: the bit publishes no other memory, and a thread that does not see it yet checks the
            // block again.
            if self.right[block / 64].load(Relaxed) >> (block % 64) & 1 == 0 {
                self.check_mapped(block)?;
            }
        }
        Ok(&self.map[range])
    }

    #[cold]
    fn check_mapped(&self, block: usize) -> Result<()> {
        self.check(block, &self.map[self.range_of(block)])?;
        self.right[block / 64].fetch_or(1 << (block % 64), Relaxed);
        Ok(())
    }

    /// The bytes of a range inside the blocks, read with `pread`.
    pub(crate) fn read(&self, range: Range<usize>) -> Result<Vec<u8>> {
        SectionReader::new(self).bytes(range).map(<[u8]>::to_vec)
    }

    /// Checks the bytes of a block.
    fn check(&self, block: usize, bytes: &[u8]) -> Result<()> {
        if xxh3_64(bytes) == self.checksums()?[block] {
            return Ok(());
        }
        let offset = self.range_of(block).start as u64;
        Err(corrupt(&self.path, offset, "the block of 64 KiB that begins there does not match its checksum"))
    }

    fn checksums(&self) -> Result<&[u64]> {
        if let Some(checksums) = self.checksums.get() {
            return Ok(checksums);
        }
        let mut section = vec![0; self.checksums_at.len()];
        self.read_at(&mut section, self.checksums_at.start)?;
        if xxh3_64(&section) != self.checksums_xxh3 {
            let offset = self.checksums_at.start as u64;
            return Err(corrupt(&self.path, offset, "the checksums do not match their own"));
        }
        let (checksums, _) = section.as_chunks();
        Ok(self.checksums.get_or_init(|| checksums.iter().copied().map(u64::from_le_bytes).collect()))
    }

    fn range_of(&self, block: usize) -> Range<usize> {
        let start = HEADER_BYTES + block * BLOCK_BYTES;
        start..(start + BLOCK_BYTES).min(self.checksums_at.start)
    }

    /// Fills `buffer` with the bytes from `offset` on, which are not checked.
    fn read_at(&self, buffer: &mut [u8], offset: usize) -> Result<()> {
        self.file.read_exact_at(buffer, offset as u64).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.cut_short(),
            _ => Error::io(&self.path)(error),
        })
    }

    #[cold]
    fn cut_short(&self) -> Error {
        let got = self.file.metadata().map_or(0, |metadata| metadata.len());
        Error::Length { path: self.path.clone(), expected: self.map.len() as u64, got }
    }
}

impl Bytes for &BookFile {
    #[inline]
    fn bytes(&mut self, range: Range<usize>) -> Result<&[u8]> {
        self.mapped(range)
    }
}

/// The blocks that a range touches.
#[inline]
fn blocks_of(range: &Range<usize>) -> Range<usize> {
    block_of(range.start)..(range.end - HEADER_BYTES).div_ceil(BLOCK_BYTES)
}

/// The block that holds the byte at an offset.
#[inline]
fn block_of(offset: usize) -> usize {
    (offset - HEADER_BYTES) / BLOCK_BYTES
}

#[expect(unsafe_code, reason = "mapping a file is unsafe: other processes may change it")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: books are written under another name and renamed, never changed in place, so no conforming
    // program changes or truncates a mapped one. If another process writes into the file all the same,
    // the bytes change under a reader that checks them before use; if it truncates the file, the process
    // ends with SIGBUS, as with any mapped file. Bytes are only read as numbers, for which every bit
    // pattern is valid.
    unsafe { Mmap::map(file) }
}

/// Reads ranges of a book's file with `pread`, mostly in ascending order, and checks every block that it
/// reads.
///
/// # Memory
///
/// The last block read, and what the last range has of the blocks before it.
#[derive(Debug)]
pub(crate) struct SectionReader<'a> {
    file: &'a BookFile,
    /// Bytes that were checked, and room that is used again.
    window: Vec<u8>,
    /// How many bytes of the window were checked. They end where a block ends.
    checked: usize,
    /// The offset of the window in the file.
    at: usize,
}

impl<'a> SectionReader<'a> {
    /// A reader that has read nothing.
    pub(crate) fn new(file: &'a BookFile) -> Self {
        Self { file, window: Vec::new(), checked: 0, at: HEADER_BYTES }
    }

    /// Reads what is missing of a range. Bytes before it are dropped, so little is moved: what begins a range
    /// that ends in a later block.
    #[cold]
    fn move_to(&mut self, range: &Range<usize>) -> Result<()> {
        if (self.at..self.at + self.checked).contains(&range.start) {
            let dropped = range.start - self.at;
            self.window.copy_within(dropped..self.checked, 0);
            self.checked -= dropped;
            self.at = range.start;
        } else {
            self.checked = 0;
            self.at = self.file.range_of(block_of(range.start)).start;
        }
        while self.at + self.checked < range.end {
            self.read_block(block_of(self.at + self.checked)).inspect_err(|_| self.checked = 0)?;
        }
        Ok(())
    }

    /// Reads the block behind the checked bytes.
    fn read_block(&mut self, block: usize) -> Result<()> {
        let range = self.file.range_of(block);
        let end = self.checked + range.len();
        if self.window.len() < end {
            self.window.resize(end, 0);
        }
        let bytes = &mut self.window[self.checked..end];
        self.file.read_at(bytes, range.start)?;
        self.file.check(block, bytes)?;
        self.checked = end;
        Ok(())
    }
}

impl Bytes for SectionReader<'_> {
    #[inline]
    fn bytes(&mut self, range: Range<usize>) -> Result<&[u8]> {
        if range.start < self.at || range.end > self.at + self.checked {
            self.move_to(&range)?;
        }
        Ok(&self.window[range.start - self.at..range.end - self.at])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Bytes of the blocks of the test's file: three whole ones and a shorter one.
    const BLOCKS_BYTES: usize = 3 * BLOCK_BYTES + 1234;

    /// A file of blocks and their checksums behind a header that is not read.
    fn file_of(path: &Path, blocks: &[u8]) -> BookFile {
        let hashes = blocks.chunks(BLOCK_BYTES).flat_map(|block| xxh3_64(block).to_le_bytes());
        let checksums: Vec<u8> = hashes.collect();
        std::fs::write(path, [&[0; HEADER_BYTES], blocks, &checksums[..]].concat()).unwrap();
        let file = File::open(path).unwrap();
        let end = HEADER_BYTES + blocks.len();
        BookFile {
            path: path.to_owned(),
            map: map(&file).unwrap(),
            file,
            checksums_at: end..end + checksums.len(),
            checksums_xxh3: xxh3_64(&checksums),
            checksums: OnceLock::new(),
            right: [const { AtomicU64::new(0) }; 1].into(),
        }
    }

    fn noise() -> Vec<u8> {
        (0..BLOCKS_BYTES as u32).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect()
    }

    #[test]
    fn a_damaged_block_is_read_by_no_range_that_touches_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = file_of(&folder.path().join("blocks"), &noise());
        let second = HEADER_BYTES + BLOCK_BYTES;
        let bytes = noise()[BLOCK_BYTES] ^ 1;
        File::options().write(true).open(file.path()).unwrap().write_all_at(&[bytes], second as u64).unwrap();
        let mut reader = SectionReader::new(&file);
        reader.bytes(second - 9..second).unwrap();
        for _ in 0..2 {
            assert!(matches!(reader.bytes(second - 9..second + 1), Err(Error::Corrupt { .. })));
        }
        assert_eq!(reader.bytes(second - 9..second).unwrap(), &noise()[BLOCK_BYTES - 9..BLOCK_BYTES]);
        reader.bytes(second + BLOCK_BYTES..second + BLOCK_BYTES + 9).unwrap();
        assert!(matches!(reader.bytes(second + 99..second + 100), Err(Error::Corrupt { .. })));
    }

    proptest! {
        #[test]
        fn prop_ranges_in_any_order_have_their_bytes(
            ranges in prop::collection::vec((0..BLOCKS_BYTES, prop_oneof![0..300_usize, 0..2 * BLOCK_BYTES]), 1..20),
            ascending: bool,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let (blocks, mut ranges) = (noise(), ranges);
            let file = file_of(&folder.path().join("blocks"), &blocks);
            if ascending {
                ranges.sort_unstable();
            }
            let mut reader = SectionReader::new(&file);
            for (start, length) in ranges {
                let end = BLOCKS_BYTES.min(start + length);
                let bytes = reader.bytes(HEADER_BYTES + start..HEADER_BYTES + end).unwrap();
                prop_assert!(bytes == &blocks[start..end], "{start}..{end}");
            }
        }
    }
}
