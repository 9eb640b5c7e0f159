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
    (range.start - HEADER_BYTES) / BLOCK_BYTES..(range.end - HEADER_BYTES).div_ceil(BLOCK_BYTES)
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
/// The blocks that the last range touched: 64 or 128 KiB, unless a range is larger.
#[derive(Debug)]
pub(crate) struct SectionReader<'a> {
    file: &'a BookFile,
    /// Whole blocks, checked.
    window: Vec<u8>,
    /// The offset of the window in the file.
    at: usize,
}

impl<'a> SectionReader<'a> {
    /// A reader that has read nothing.
    pub(crate) fn new(file: &'a BookFile) -> Self {
        Self { file, window: Vec::new(), at: HEADER_BYTES }
    }

    /// Reads what is missing of a range; blocks before it are dropped.
    #[cold]
    fn move_to(&mut self, range: &Range<usize>) -> Result<()> {
        let blocks = blocks_of(range);
        let at = self.file.range_of(blocks.start).start;
        let before = at.checked_sub(self.at).unwrap_or(usize::MAX).min(self.window.len());
        self.window.drain(..before);
        self.at = at;
        for block in blocks.skip(self.window.len().div_ceil(BLOCK_BYTES)) {
            self.read_block(block).inspect_err(|_| self.window.clear())?;
        }
        Ok(())
    }

    /// Appends a block to the window.
    fn read_block(&mut self, block: usize) -> Result<()> {
        let (range, from) = (self.file.range_of(block), self.window.len());
        self.window.resize(from + range.len(), 0);
        self.file.read_at(&mut self.window[from..], range.start)?;
        self.file.check(block, &self.window[from..])
    }
}

impl Bytes for SectionReader<'_> {
    #[inline]
    fn bytes(&mut self, range: Range<usize>) -> Result<&[u8]> {
        if range.start < self.at || range.end > self.at + self.window.len() {
            self.move_to(&range)?;
        }
        Ok(&self.window[range.start - self.at..range.end - self.at])
    }
}
