//! A sorted run on disk: a sequence of segments, then a directory.
//!
//! # Format
//!
//! Little-endian throughout. Checksums are XXH3-64 with seed 0.
//!
//! ```text
//! segment … segment   directory entry × buckets   footer
//! ```
//!
//! A **segment** is a [block](crate::block) with a header that says where it belongs. A reader can therefore
//! verify from the segments alone that none is missing or duplicated. The segments of a bucket follow one
//! another, the buckets are in ascending order, and an empty bucket has no segment. A run that is
//! [sent](crate::RunSender) has neither a directory nor a footer, and each of its empty buckets has one
//! segment, with no rows and no body.
//!
//! | offset | bytes | segment header |
//! |-------:|------:|----------------|
//! | 0 | 8 | magic `EXSORTSG` |
//! | 8 | 2 | format version, 2 |
//! | 10 | 2 | flags: 1 = last segment of its bucket |
//! | 12 | 2 | sums |
//! | 14 | 2 | payload bits |
//! | 16 | 8 | source: what the run was made of, a number that the caller chooses |
//! | 24 | 4 | bucket |
//! | 28 | 4 | number of buckets |
//! | 32 | 4 | sequence: number of the segment in its bucket, from 0 |
//! | 36 | 4 | rows |
//! | 40 | 4 | bytes of the body |
//! | 44 | 4 | bytes of the block once unpacked |
//! | 48 | 8 | checksum of the body |
//! | 56 | 8 | checksum of bytes 0 to 55 |
//!
//! The **body** is the uncompressed header of the block, followed by the columns that are not empty. Each
//! column consists of its stored length (4 bytes) and its bytes. Bit 31 of the length is set if the column is
//! a zstd frame, and not set if it is uncompressed.
//!
//! Each bucket has a **directory entry** of 24 bytes: the offset of its first segment, its number of rows,
//! and a checksum. The checksum covers the source, the bucket, the offset and the number of rows, each as 8
//! bytes.
//!
//! | offset | bytes | footer |
//! |-------:|------:|--------|
//! | 0 | 8 | magic `EXSORTFT` |
//! | 8 | 2 | format version, 2 |
//! | 10 | 2 | sums |
//! | 12 | 2 | payload bits |
//! | 14 | 2 | zero |
//! | 16 | 8 | source |
//! | 24 | 4 | number of buckets |
//! | 28 | 4 | zero |
//! | 32 | 8 | offset of the directory |
//! | 40 | 8 | rows |
//! | 48 | 8 | checksum of the segment headers' checksums, in order, and of the directory |
//! | 56 | 8 | checksum of bytes 0 to 55 |
//!
//! The last eight bytes therefore identify the run, including all its rows ([`RunFile::checksum`]). A reader
//! that has a separate record of these bytes can use them to check that it has the right run. Each segment is
//! checked when it is read.
//!
//! # Stability
//!
//! A run without a name lives as long as the process that wrote it; a run with a name lives until the work
//! that needs it is done. A reader refuses every version but its own.

mod body;
mod cursor;
mod footer;
mod frame;
mod header;
mod segment;
#[cfg(test)]
mod tests;
mod writer;

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::merge::Cursor;
use crate::{Error, Result, Row};

pub(crate) use body::BodyUnpacker;
pub(crate) use cursor::{RunBytes, RunCursor};
use footer::Footer;
pub(crate) use header::{HEADER_BYTES, SegmentHeader};
pub(crate) use segment::SegmentMaker;
pub(crate) use writer::RunWriter;

/// The version of the format that is written and read.
pub(crate) const FORMAT_VERSION: u16 = 2;

/// The number of rows that [`RunFile::read`] reads at a time.
const BATCH_ROWS: usize = 128;

/// The maximum number of rows in a segment.
pub(crate) const SEGMENT_ROWS: usize = 4096;

/// The properties that all parts of a run share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunShape {
    pub(crate) sums: u16,
    pub(crate) payload_bits: u16,
    pub(crate) source: u64,
    pub(crate) buckets: u32,
}

/// A run on disk, open for reading.
///
/// # Memory
/// Holds only the footer; readers have their own buffers.
#[derive(Debug)]
pub struct RunFile {
    file: File,
    path: PathBuf,
    footer: Footer,
    /// Whether this run's file is recorded in a ledger.
    is_recorded: bool,
}

impl RunFile {
    /// Opens the run at `path` and checks its footer.
    ///
    /// # Errors
    /// Fails with [`Error::Io`] if the file cannot be read, with [`Error::Corrupt`] if its footer is damaged,
    /// and with [`Error::Version`] if it has another format version.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|source| Error::io(path, 0, source))?;
        Self::from_file(file, path.to_path_buf())
    }

    /// Reads the footer of an open file. For a file without a name, `path` is only used in messages.
    pub(crate) fn from_file(file: File, path: PathBuf) -> Result<Self> {
        let footer = Footer::read(&file, &path)?;
        Ok(Self { file, path, footer, is_recorded: false })
    }

    /// The path of the run. If the run has no name, this is only used in messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Marks the run as recorded in a ledger.
    pub(crate) fn recorded(self) -> Self {
        Self { is_recorded: true, ..self }
    }

    /// Whether the run is recorded in a ledger.
    pub(crate) fn is_recorded(&self) -> bool {
        self.is_recorded
    }

    /// The properties that all parts of the run share.
    pub(crate) fn shape(&self) -> RunShape {
        self.footer.shape
    }

    /// The checksum of the run's whole contents.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.footer.checksum()
    }

    /// The number of rows in the run.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.footer.rows
    }

    /// The number of buckets that the run is divided into.
    #[must_use]
    pub fn buckets(&self) -> u32 {
        self.footer.shape.buckets
    }

    /// The source of the run: [`Options::source`](crate::Options::source).
    #[must_use]
    pub fn source(&self) -> u64 {
        self.footer.shape.source
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.footer.file_bytes()
    }

    /// Reads the whole run, including its directory, and passes its rows to `each` in order, in batches.
    ///
    /// # Errors
    /// Fails with [`Error::Corrupt`] if any byte of the run has changed, and with [`Error::Io`] if the run
    /// cannot be read.
    pub fn read<const SUMS: usize>(self, mut each: impl FnMut(&[Row<SUMS>])) -> Result<()> {
        let (run, unpacker) = (Arc::new(self), BodyUnpacker::shared()?);
        let mut batch = vec![Row::EMPTY; BATCH_ROWS];
        for bucket in 0..run.buckets() {
            let mut cursor = RunCursor::bucket::<SUMS>(Arc::clone(&run), bucket, &unpacker)?;
            loop {
                match cursor.refill(&mut batch)? {
                    0 => break,
                    count => each(&batch[..count]),
                }
            }
        }
        Ok(())
    }
}

impl RunBytes for RunFile {
    fn shape(&self) -> RunShape {
        self.footer.shape
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        read_at(&self.file, &self.path, bytes, offset)
    }
}

/// Fills `bytes` from the file at `offset`. Fails with [`Error::Corrupt`] if the file ends too early.
fn read_at(file: &File, path: &Path, bytes: &mut [u8], offset: u64) -> Result<()> {
    file.read_exact_at(bytes, offset).map_err(|source| match source.kind() {
        std::io::ErrorKind::UnexpectedEof => Error::corrupt(path, offset, "the file ends here"),
        _ => Error::io(path, offset, source),
    })
}
