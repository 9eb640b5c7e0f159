//! Writes a run.

use std::io::Write;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3Default;

use super::body::BodyPacker;
use super::footer::{BucketEntry, ENTRY_BYTES, Footer, directory_bytes};
use super::header::CHECKSUM_AT;
use super::segment::SegmentMaker;
use super::{RunShape, SEGMENT_ROWS};
use crate::block::{BlockEncoder, block_bytes_max};
use crate::disk;
use crate::item::{bucket_last, bucket_of};
use crate::{Combine, Error, Result, Row};

/// How many bytes are collected before they are written.
const BUFFER_BYTES: usize = 256 << 10;

/// Writes rows with ascending ids as a run.
///
/// # Memory
/// Holds the rows of a segment, the encoded segment, 256 KiB of output, and 40 bytes of directory for each
/// bucket.
pub(crate) struct RunWriter<W, const SUMS: usize, C> {
    /// The rows of the next segment.
    rows: BlockEncoder<SUMS, C>,
    id_last: u128,
    /// The upper half of the greatest id that the current bucket can have.
    high_last: u64,
    segments: Segments<W>,
}

/// The writer of segments.
struct Segments<W> {
    file: W,
    path: PathBuf,
    maker: SegmentMaker,
    buffer: Vec<u8>,
    entries: Vec<BucketEntry>,
    rows: u64,
    /// The number of bytes written or buffered so far.
    offset: u64,
    /// The hash of the headers' checksums so far.
    content: Box<Xxh3Default>,
}

impl<W: Write, const SUMS: usize, C: Combine<SUMS>> RunWriter<W, SUMS, C> {
    /// The maximum number of bytes of memory that a writer uses for a run with `buckets` buckets.
    pub(crate) const fn memory_bytes(buckets: u32) -> usize {
        let segment =
            BlockEncoder::<SUMS, C>::memory_bytes(SEGMENT_ROWS) + 4 * block_bytes_max(SEGMENT_ROWS, SUMS);
        // While the run is written, the directory entries are held as structs; at the end, they are held in
        // encoded form as well.
        let directory = buckets as usize * (size_of::<BucketEntry>() + ENTRY_BYTES);
        segment + directory + BUFFER_BYTES + BodyPacker::MEMORY_BYTES + size_of::<Xxh3Default>()
    }

    /// Begins a run in `file`. `path` is only used in messages; the error for a full disk names its
    /// directory.
    pub(crate) fn new(file: W, path: &Path, shape: RunShape) -> Result<Self> {
        let segments = Segments {
            file,
            path: path.to_path_buf(),
            maker: SegmentMaker::new(shape).map_err(|source| Error::io(path, 0, source))?,
            buffer: Vec::with_capacity(BUFFER_BYTES),
            entries: vec![BucketEntry::default(); shape.buckets as usize],
            rows: 0,
            offset: 0,
            content: Box::default(),
        };
        Ok(Self { rows: BlockEncoder::new(SEGMENT_ROWS), id_last: 0, high_last: 0, segments })
    }

    /// Adds a row, whose id must be greater than the previous one.
    #[inline]
    pub(crate) fn push(&mut self, row: &Row<SUMS>) -> Result<()> {
        if (row.id >> 64) as u64 > self.high_last || self.rows.is_full() {
            self.start_segment(row.id)?;
        }
        assert!(row.id > self.id_last || self.rows.rows() == 0, "rows of a run ascend");
        self.rows.push(row.id, row.note, &row.sums);
        self.id_last = row.id;
        Ok(())
    }

    /// Starts a segment for `id`, because the current segment is full or `id` belongs to another bucket. If
    /// the current segment has any rows, it is written first.
    #[cold]
    fn start_segment(&mut self, id: u128) -> Result<()> {
        let buckets = self.segments.maker.shape().buckets;
        let goes_on = bucket_of(id, buckets) == bucket_of(self.id_last, buckets);
        self.high_last = (bucket_last(id, buckets) >> 64) as u64;
        self.end_segment(!goes_on)
    }

    /// Writes the rows collected so far, if there are any. `last` says whether they are the last rows of
    /// their bucket.
    fn end_segment(&mut self, last: bool) -> Result<()> {
        if self.rows.rows() == 0 {
            return Ok(());
        }
        let bucket = bucket_of(self.id_last, self.segments.maker.shape().buckets);
        self.segments.push(bucket, last, &mut self.rows)
    }

    /// Writes the directory and the footer, and returns the file.
    pub(crate) fn finish(mut self) -> Result<W> {
        self.end_segment(true)?;
        let mut segments = self.segments;
        let shape = segments.maker.shape();
        let mut bytes = directory_bytes(shape.source, &segments.entries);
        segments.content.update(&bytes);
        let footer = Footer {
            shape,
            directory_offset: segments.offset,
            rows: segments.rows,
            content: segments.content.digest(),
        };
        bytes.extend_from_slice(&footer.to_bytes());
        segments.flush()?;
        segments.write(&bytes)?;
        let flushed = segments.file.flush();
        flushed.map_err(|source| disk::write_error(&segments.path, segments.offset, 0, source))?;
        Ok(segments.file)
    }
}

impl<W: Write> Segments<W> {
    fn flush(&mut self) -> Result<()> {
        let buffer = std::mem::take(&mut self.buffer);
        self.write(&buffer)?;
        self.buffer = buffer;
        self.buffer.clear();
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file
            .write_all(bytes)
            .map_err(|source| disk::write_error(&self.path, self.offset, bytes.len() as u64, source))
    }

    /// Moves the rows, which all belong to `bucket`, from `rows` into a new segment. `last` says whether they
    /// are the bucket's last.
    fn push<const SUMS: usize, C: Combine<SUMS>>(
        &mut self,
        bucket: u32,
        last: bool,
        rows: &mut BlockEncoder<SUMS, C>,
    ) -> Result<()> {
        let entry = &mut self.entries[bucket as usize];
        if entry.rows == 0 {
            *entry = BucketEntry { offset: self.offset, rows: 0 };
        }
        let count = rows.rows() as u64;
        let made = self.maker.make(bucket, last, rows);
        let header = made.map_err(|source| Error::io(&self.path, self.offset, source))?;
        entry.rows += count;
        self.rows += count;
        self.content.update(&header[CHECKSUM_AT..]);
        let bytes = header.len() + self.maker.body().len();
        if self.buffer.len() + bytes > BUFFER_BYTES {
            self.flush()?;
        }
        self.buffer.extend_from_slice(&header);
        self.buffer.extend_from_slice(self.maker.body());
        self.offset += bytes as u64;
        Ok(())
    }
}
