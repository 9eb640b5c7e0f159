//! An open book file and the ways to read its bytes; all of them check every block that they read.
//!
//! A probe uses a [`RandomReader`], which reads a few bytes anywhere in the file. A short-lived process that
//! makes only a few probes maps the file into memory. The first access to a block of 64 KiB compares its hash
//! with the checksum, and a bitmap records that they matched; every later access only tests a bit. A
//! long-running process uses a [`cache`] of blocks.
//!
//! Whole sections are read with a [`SectionReader`]. The section reader and the cache call `pread`. If
//! another process truncates the file meanwhile, `pread` reports that bytes are missing, and the reader
//! returns an error. With a mapping, there is no error to return: if a process accesses a mapped page beyond
//! the end of the file, the system ends the process with SIGBUS.

mod cache;
mod random_reader;
mod section_reader;
#[cfg(test)]
mod tests;

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

use self::cache::{CACHE, FileNumber};
pub(crate) use self::{random_reader::RandomReader, section_reader::SectionReader};
use crate::{
    Error, Result,
    tabia::{
        checksums::BLOCK_BYTES,
        header::{HEADER_BYTES, Header, SectionId, corrupt},
    },
};

/// A reader of a book's file that checks a block before it returns bytes from the block.
pub(crate) trait Bytes {
    /// Returns the bytes of a range that lies between the header and the checksums.
    fn bytes(&mut self, range: Range<usize>) -> Result<&[u8]>;
}

/// The way in which probes read the blocks of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Access {
    /// Probes read from a mapping of the file.
    Mapped,
    /// Probes read from the block cache of the process.
    Cached,
}

/// A file's blocks, either mapped or cached.
#[derive(Debug)]
enum Blocks {
    Mapped(MappedBlocks),
    Cached(FileNumber),
}

/// A mapping of a file, and a bitmap of the blocks that have matched their checksums.
#[derive(Debug)]
struct MappedBlocks {
    map: Mmap,
    right: Box<[AtomicU64]>,
}

/// An open book file.
///
/// # Memory
///
/// Once the first block has been read, an open file needs eight bytes per block for the checksums. A mapped
/// file needs one more bit per block, and the operating system caches those parts of the file that are in
/// use. Files that are not mapped keep their blocks in the shared [`cache`].
#[derive(Debug)]
pub(crate) struct BookFile {
    pub(crate) path: PathBuf,
    file: File,
    bytes: u64,
    blocks: Blocks,
    /// The range of the checksum section; the blocks end where it begins.
    checksums_at: Range<usize>,
    /// The checksum of the checksum section.
    pub(crate) checksums_xxh3: u64,
    /// The checksum of each block, once the checksums have been read.
    checksums: OnceLock<Vec<u64>>,
}

impl BookFile {
    /// Opens a book's file and reads its header.
    pub(crate) fn open(path: &Path, access: Access) -> Result<(Self, Header)> {
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
            bytes,
            blocks: Blocks::open(&file, blocks, access).map_err(Error::io(path))?,
            file,
            checksums_at,
            checksums_xxh3: header.checksums_xxh3.get(),
            checksums: OnceLock::new(),
        };
        Ok((opened, header))
    }

    /// The range of all blocks.
    pub(crate) fn blocks(&self) -> Range<usize> {
        HEADER_BYTES..self.checksums_at.start
    }

    /// Returns the mapped bytes of a range inside the blocks.
    #[inline]
    fn mapped<'b>(&self, blocks: &'b MappedBlocks, range: Range<usize>) -> Result<&'b [u8]> {
        for block in blocks_of(&range) {
            // `Relaxed` is enough, since no other data is published by setting the bit. A thread that does
            // not see the bit yet checks the block again.
            if blocks.right[block / 64].load(Relaxed) >> (block % 64) & 1 == 0 {
                self.check_mapped(blocks, block)?;
            }
        }
        Ok(&blocks.map[range])
    }

    #[cold]
    fn check_mapped(&self, blocks: &MappedBlocks, block: usize) -> Result<()> {
        self.check(block, &blocks.map[self.range_of(block)])?;
        blocks.right[block / 64].fetch_or(1 << (block % 64), Relaxed);
        Ok(())
    }

    /// Reads and checks a block and returns its bytes.
    fn block(&self, block: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.range_of(block).len()];
        self.read_block(block, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads a block into `buffer`, which must have the block's length, and checks it.
    fn read_block(&self, block: usize, buffer: &mut [u8]) -> Result<()> {
        self.read_at(buffer, self.range_of(block).start)?;
        self.check(block, buffer)
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

    /// Fills `buffer` with the bytes starting at `offset`, without checking them.
    fn read_at(&self, buffer: &mut [u8], offset: usize) -> Result<()> {
        self.file.read_exact_at(buffer, offset as u64).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.cut_short(),
            _ => Error::io(&self.path)(error),
        })
    }

    #[cold]
    fn cut_short(&self) -> Error {
        let got = self.file.metadata().map_or(0, |metadata| metadata.len());
        Error::Length { path: self.path.clone(), expected: self.bytes, got }
    }
}

impl Blocks {
    /// Prepares access to the `count` blocks of a file.
    fn open(file: &File, count: usize, access: Access) -> io::Result<Self> {
        if access == Access::Cached {
            return Ok(Self::Cached(FileNumber::next()));
        }
        let right = (0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Self::Mapped(MappedBlocks { map: map(file)?, right }))
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        if let Self::Cached(number) = self {
            CACHE.forget(*number);
        }
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
    // program changes or truncates a mapped book. If another process writes to the file anyway, readers see
    // changed bytes, which they check before use; if it truncates the file, the system ends this process with
    // SIGBUS, as with any mapped file. Bytes are only read as numbers, for which every bit pattern is valid.
    unsafe { Mmap::map(file) }
}
