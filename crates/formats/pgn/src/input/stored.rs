//! Reads bytes as they are stored, counts and hashes them, and stops on request.

mod identity;

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    os::unix::fs::FileExt,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use xxhash_rust::xxh3::Xxh3Default;

pub use identity::{BLOCK_BYTES, identity_of_blocks};

use super::lock::lock;
use identity::BlockHasher;

/// The maximum number of bytes in one read: few enough that they are still in the cache when they are hashed.
const READ_BYTES_MAX: usize = 128 << 10;

/// Stored bytes that can be read at any offset, by several readers at the same time.
pub trait ReadAt: Send + Sync {
    /// Reads the bytes at `offset` into the buffer and returns their number, which is 0 only at the end or
    /// for an empty buffer.
    ///
    /// # Errors
    /// Fails if the bytes cannot be read.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl ReadAt for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        FileExt::read_at(self, buffer, offset)
    }
}

/// The counters and hashes of an input's stored bytes, which all readers of the input share.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    /// The number of stored bytes read so far.
    pub(crate) bytes: AtomicU64,
    /// Set if the operating system failed to read or the input has changed, in which case the error is not
    /// blamed on the data.
    refused: AtomicBool,
    /// The hashes of the input's first blocks, which an earlier run computed.
    known_blocks: Vec<u64>,
    /// The hashes of all blocks so far: of the blocks that were read completely, and of the blocks that need
    /// not be hashed again because an earlier run hashed them.
    blocks: Mutex<Vec<u64>>,
    /// The length and the hashes of the whole input, once it has been read to its end.
    pub(crate) whole: OnceLock<Whole>,
    /// Whether a hash of the whole input is computed in addition to those of its blocks.
    hashes_whole: bool,
    /// A flag that the caller sets to stop reading.
    stop: Arc<AtomicBool>,
}

/// The length and the hashes of an input that was read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Whole {
    /// The stored length of the input.
    pub(crate) bytes: u64,
    /// The hashes of its blocks; for a section, those of the blocks that start in it.
    pub(crate) blocks: Vec<u64>,
    /// The XXH3-64 of all stored bytes together, not block by block; `None` if this hash was not asked for.
    pub(crate) xxh3_at_once: Option<u64>,
}

impl Meter {
    pub(crate) fn new(stop: &Arc<AtomicBool>) -> Arc<Self> {
        Self::with(stop, false, Vec::new())
    }

    /// Does what [`new`](Self::new) does. `hashes_whole` asks for [`Whole::xxh3_at_once`]; `known_blocks`
    /// contains the hashes of the first blocks if an earlier run computed them.
    pub(crate) fn with(stop: &Arc<AtomicBool>, hashes_whole: bool, known_blocks: Vec<u64>) -> Arc<Self> {
        Arc::new(Self { hashes_whole, known_blocks, stop: Arc::clone(stop), ..Self::default() })
    }

    /// Whether an earlier run computed the hashes of any blocks.
    pub(crate) fn knows_blocks(&self) -> bool {
        !self.known_blocks.is_empty()
    }

    /// The hashes of the blocks that are known so far, except the first `from`.
    pub(crate) fn blocks(&self, from: usize) -> Vec<u64> {
        lock(&self.blocks).get(from..).map_or_else(Vec::new, <[u64]>::to_vec)
    }

    /// Adds the hash of the next block.
    fn add_block(&self, block: u64) -> io::Result<()> {
        let mut blocks = lock(&self.blocks);
        let known = self.known_blocks.get(blocks.len());
        if known.is_some_and(|&known| known != block) {
            return Err(self.changed());
        }
        blocks.push(block);
        Ok(())
    }

    /// The error for an input whose bytes differ from those that an earlier run read.
    pub(crate) fn changed(&self) -> io::Error {
        let why = "its bytes are not those that the interrupted run read: restore the file, or start over";
        self.refuse(io::Error::other(why))
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn was_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    /// Calls `read`, and calls it again if a signal interrupted it; records whether the operating system
    /// failed to read.
    fn attempt(&self, mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
        if self.is_stopped() {
            return Err(io::Error::other("interrupted"));
        }
        loop {
            match read() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.refuse(error)),
                Ok(bytes) => return Ok(bytes),
            }
        }
    }

    fn refuse(&self, error: io::Error) -> io::Error {
        self.refused.store(true, Ordering::Relaxed);
        error
    }

    fn shrunk(&self, expected: u64, got: u64) -> io::Error {
        let message = format!("the file had {expected} bytes, but now it ends after {got}");
        self.refuse(io::Error::new(io::ErrorKind::UnexpectedEof, message))
    }
}

/// Reads an input from its first byte to its last, hashing what it reads.
pub(crate) struct Sequential<R> {
    inner: R,
    hasher: BlockHasher,
    /// Computes one hash of all bytes, in addition to the hashes of the blocks; `None` if this hash was not
    /// asked for.
    whole_hasher: Option<Box<Xxh3Default>>,
    /// The number of bytes to read next without hashing them: either the hashes of their blocks are known, or
    /// other readers hash them.
    known_bytes: u64,
    /// The number of bytes to hash after the `known_bytes`.
    hashed_bytes: u64,
    /// The offset in the file of the first byte that is read.
    start: u64,
    read_bytes: u64,
    /// The number of bytes that should be read from a regular file, judging by its length when it was opened.
    expected_bytes: Option<u64>,
    counted: bool,
    meter: Arc<Meter>,
}

impl<R: Read> Sequential<R> {
    pub(crate) fn new(inner: R, expected_bytes: Option<u64>, meter: &Arc<Meter>) -> Self {
        let meter = Arc::clone(meter);
        Self {
            inner,
            hasher: BlockHasher::new(),
            whole_hasher: meter.hashes_whole.then(Box::default),
            known_bytes: 0,
            hashed_bytes: u64::MAX,
            start: 0,
            read_bytes: 0,
            expected_bytes,
            counted: true,
            meter,
        }
    }

    /// Does not count the bytes, because they are read only for the hash and other readers count them.
    pub(crate) fn uncounted(mut self) -> Self {
        self.counted = false;
        self
    }

    /// The maximum number of bytes for the next read, which must not extend past the known blocks.
    fn bytes_to_block(&self) -> usize {
        if self.known_bytes == 0 {
            usize::MAX
        } else {
            usize::try_from(self.known_bytes).unwrap_or(usize::MAX)
        }
    }

    fn hash(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(hasher) = &mut self.whole_hasher {
            hasher.update(bytes);
        }
        let hashed = self.hashed_bytes.min(bytes.len() as u64);
        self.hashed_bytes -= hashed;
        let (bytes, mut added) = (&bytes[..hashed as usize], Ok(()));
        let meter = &self.meter;
        self.hasher.update(bytes, |block| added = meter.add_block(block));
        added
    }

    fn finish(&self) -> io::Result<()> {
        if let Some(expected) = self.expected_bytes.filter(|&expected| self.read_bytes < expected) {
            return Err(self.meter.shrunk(self.start + expected, self.start + self.read_bytes));
        }
        self.meter.whole.get_or_init(|| {
            let mut blocks = lock(&self.meter.blocks).clone();
            blocks.extend(self.hasher.last());
            Whole {
                bytes: self.read_bytes,
                blocks,
                xxh3_at_once: self.whole_hasher.as_ref().map(|hasher| hasher.digest()),
            }
        });
        Ok(())
    }
}

/// Reads stored bytes in order, up to `end` or the end of the file.
pub(crate) struct InTurn {
    file: Arc<dyn ReadAt>,
    at: u64,
    end: u64,
}

impl Read for InTurn {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let bytes = self.file.read_at(&mut buffer[..wanted], self.at)?;
        self.at += bytes as u64;
        Ok(bytes)
    }
}

/// Reads a regular file from its first byte to its last, or a section of it.
pub(crate) type StoredFile = Sequential<InTurn>;

impl StoredFile {
    /// Reads all of a file.
    pub(crate) fn of_file(file: &Arc<dyn ReadAt>, expected_bytes: u64, meter: &Arc<Meter>) -> Self {
        let inner = InTurn { file: Arc::clone(file), at: 0, end: u64::MAX };
        Self::new(inner, Some(expected_bytes), meter)
    }

    /// Reads `section` of a file that is `file_bytes` long, and continues to `end` or to the end of the last
    /// block that starts in the section, whichever is later. Hashes the blocks that start in the section.
    pub(crate) fn of_section(
        file: &Arc<dyn ReadAt>,
        section: Range<u64>,
        (end, file_bytes): (u64, u64),
        meter: &Arc<Meter>,
    ) -> Self {
        let hashed = blocks_from(&section, file_bytes);
        let end = end.max(section.end).max(hashed.end);
        let inner = InTurn { file: Arc::clone(file), at: section.start, end };
        Self {
            known_bytes: hashed.start.min(end) - section.start,
            hashed_bytes: hashed.end - hashed.start,
            start: section.start,
            ..Self::new(inner, Some(end - section.start), meter)
        }
    }

    /// Reads a plain file whose first blocks are known: they are not hashed again, and can be skipped unread.
    pub(crate) fn after_known_blocks(
        file: &Arc<dyn ReadAt>,
        expected_bytes: u64,
        meter: &Arc<Meter>,
    ) -> Self {
        lock(&meter.blocks).clone_from(&meter.known_blocks);
        let known_bytes = meter.known_blocks.len() as u64 * BLOCK_BYTES;
        Self { known_bytes, ..Self::of_file(file, expected_bytes, meter) }
    }

    /// Skips up to `bytes`; returns the number of bytes skipped. Bytes of known blocks are not read.
    pub(crate) fn skip(&mut self, bytes: u64) -> io::Result<u64> {
        let unread = bytes.min(self.known_bytes);
        self.inner.at += unread;
        self.known_bytes -= unread;
        self.read_bytes += unread;
        self.meter.bytes.fetch_add(unread, Ordering::Relaxed);
        Ok(unread + io::copy(&mut self.take(bytes - unread), &mut io::sink())?)
    }
}

impl<R: Read> Read for Sequential<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = buffer.len().min(READ_BYTES_MAX).min(self.bytes_to_block());
        let bytes = self.meter.attempt(|| self.inner.read(&mut buffer[..wanted]))?;
        if self.known_bytes > 0 {
            self.known_bytes -= bytes as u64;
        } else {
            self.hash(&buffer[..bytes])?;
        }
        self.read_bytes += bytes as u64;
        if self.counted {
            self.meter.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
        if bytes == 0 && wanted > 0 {
            self.finish()?;
        }
        Ok(bytes)
    }
}

/// The byte range of the blocks that start in a section; the file is `file_bytes` long. If no block starts in
/// the section, the range is empty and lies at the section's end.
fn blocks_from(section: &Range<u64>, file_bytes: u64) -> Range<u64> {
    let boundary = |offset: u64| offset.next_multiple_of(BLOCK_BYTES).min(file_bytes);
    let first = section.start.next_multiple_of(BLOCK_BYTES);
    if first < section.end { first..boundary(section.end) } else { section.end..section.end }
}

/// Reads a range of a regular file, independently of all other readers.
#[derive(Clone)]
pub(crate) struct RangeReader {
    file: Arc<dyn ReadAt>,
    start: u64,
    at: u64,
    end: u64,
    counted: bool,
    meter: Arc<Meter>,
}

impl RangeReader {
    /// Reads the bytes from `start` up to `end`, which must be within the file.
    pub(crate) fn new(file: &Arc<dyn ReadAt>, start: u64, end: u64, meter: &Arc<Meter>) -> Self {
        Self { file: Arc::clone(file), start, at: start, end, counted: false, meter: Arc::clone(meter) }
    }

    /// Counts the bytes read by this reader towards the progress of the run.
    pub(crate) fn counted(mut self) -> Self {
        self.counted = true;
        self
    }
}

impl Read for RangeReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left).min(READ_BYTES_MAX);
        let bytes = self.meter.attempt(|| self.file.read_at(&mut buffer[..wanted], self.at))?;
        if bytes == 0 && wanted > 0 {
            return Err(self.meter.shrunk(self.end, self.at));
        }
        self.at += bytes as u64;
        if self.counted {
            self.meter.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
        Ok(bytes)
    }
}

impl Seek for RangeReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(offset) => self.start.checked_add(offset),
            SeekFrom::End(offset) => self.end.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        match target.filter(|target| (self.start..=self.end).contains(target)) {
            Some(target) => self.at = target,
            None => {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "a seek past the ends of the file"));
            }
        }
        Ok(self.at - self.start)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn sequential_reading_counts_and_hashes() {
        let meter = Meter::new(&Arc::default());
        let bytes = vec![7; 300_000];
        let mut text = Vec::new();
        Sequential::new(&bytes[..], Some(300_000), &meter).read_to_end(&mut text).unwrap();
        assert_eq!(text, bytes);
        assert_eq!(meter.bytes.load(Ordering::Relaxed), 300_000);
        let blocks = vec![xxhash_rust::xxh3::xxh3_64(&bytes)];
        assert_eq!(meter.whole.get(), Some(&Whole { bytes: 300_000, blocks, xxh3_at_once: None }));
    }

    #[test]
    fn the_hash_of_all_bytes_at_once_is_made_where_it_is_asked_for() {
        let meter = Meter::with(&Arc::default(), true, Vec::new());
        Sequential::new(&b"abc"[..], None, &meter).read_to_end(&mut Vec::new()).unwrap();
        let whole = meter.whole.get().unwrap();
        assert_eq!(whole.xxh3_at_once, Some(xxhash_rust::xxh3::xxh3_64(b"abc")));
    }

    #[test]
    fn a_file_that_shrinks_is_refused() {
        let meter = Meter::new(&Arc::default());
        let error = Sequential::new(&b"abc"[..], Some(4), &meter).read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "the file had 4 bytes, but now it ends after 3");
        assert!(meter.was_refused());
        assert_eq!(meter.whole.get(), None);
    }

    #[test]
    fn a_range_is_read_and_sought_within() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let (file, meter) = (Arc::new(file) as Arc<dyn ReadAt>, Meter::new(&Arc::default()));
        let mut range = RangeReader::new(&file, 2, 8, &meter).counted();
        let mut text = String::new();
        range.read_to_string(&mut text).unwrap();
        assert_eq!(text, "234567");
        assert_eq!(range.seek(SeekFrom::End(-1)).unwrap(), 5);
        assert_eq!(range.seek(SeekFrom::Current(-2)).unwrap(), 3);
        assert!(range.seek(SeekFrom::Start(7)).is_err());
        assert_eq!(meter.bytes.load(Ordering::Relaxed), 6);
        assert!(RangeReader::new(&file, 8, 12, &meter).read_to_string(&mut text).is_err());
        assert!(meter.was_refused());
    }

    #[test]
    fn reading_stops_when_asked_to() {
        let stop = Arc::new(AtomicBool::new(true));
        let meter = Meter::new(&stop);
        assert!(Sequential::new(&b"abc"[..], None, &meter).read(&mut [0; 3]).is_err());
        assert!(!meter.was_refused());
    }
}
