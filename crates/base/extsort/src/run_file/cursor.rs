//! Reads a run: one bucket, or all buckets.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::body::{SharedUnpacker, body_bytes_max};
use super::header::{HEADER_BYTES, SegmentHeader};
use super::{RunFile, RunShape};
use crate::block::{BlockReader, Damage, Shape};
use crate::item::bucket_of;
use crate::merge::Cursor;
use crate::{Error, Result, Row};

/// The segments of a run, from a file or elsewhere.
pub(crate) trait RunBytes: Send + Sync {
    /// The properties that all segments share.
    fn shape(&self) -> RunShape;

    /// The path to the segments, for use in messages.
    fn path(&self) -> &Path;

    /// Reads the header or the body at `offset` into `bytes`.
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<()>;
}

/// Reads segments with positioned reads, and checks that they are the right ones, complete and in order.
///
/// # Memory
/// One decompressed segment.
pub(crate) struct RunCursor {
    run: Arc<dyn RunBytes>,
    unpacker: SharedUnpacker,
    block: Vec<u8>,
    reader: Option<BlockReader>,
    /// The offsets of the current segment and of the next one.
    segment_offset: u64,
    offset: u64,
    /// The buckets that have not been read to the end. If `open` is set, the first of these buckets is the
    /// current one.
    buckets: Range<u32>,
    /// Whether the first segment of the current bucket has been read, but not the last one.
    open: bool,
    sequence: u32,
    rows_left: u64,
    /// The bucket of the segment being read, and the last id that was read.
    bucket: u32,
    id_last: Option<u128>,
}

impl RunCursor {
    /// Reads one bucket.
    pub(crate) fn bucket<const SUMS: usize>(
        run: Arc<RunFile>,
        bucket: u32,
        unpacker: &SharedUnpacker,
    ) -> Result<Self> {
        let entry = run.footer.entry(&run.file, &run.path, bucket)?;
        Self::new::<SUMS>(run, entry.offset, entry.rows, bucket..bucket + 1, unpacker)
    }

    /// Reads `buckets`, one after the other. Together, the buckets have `rows_left` rows. The first bucket
    /// begins at `offset`.
    pub(crate) fn new<const SUMS: usize>(
        run: Arc<dyn RunBytes>,
        offset: u64,
        rows_left: u64,
        buckets: Range<u32>,
        unpacker: &SharedUnpacker,
    ) -> Result<Self> {
        if usize::from(run.shape().sums) != SUMS {
            let sums = run.shape().sums;
            let what = format!("each row has {sums} sums, expected {SUMS}");
            return Err(Error::corrupt(run.path(), offset, what));
        }
        Ok(Self {
            run,
            unpacker: Arc::clone(unpacker),
            block: Vec::new(),
            reader: None,
            segment_offset: offset,
            offset,
            bucket: buckets.start,
            buckets,
            open: false,
            sequence: 0,
            rows_left,
            id_last: None,
        })
    }

    fn corrupt(&self, what: &'static str) -> Error {
        Error::corrupt(self.run.path(), self.segment_offset, what)
    }

    /// Reads the next segment. Returns `false` if there are no more segments to read.
    fn next_segment<const SUMS: usize>(&mut self) -> Result<bool> {
        if self.rows_left == 0 {
            return if self.open {
                Err(self.corrupt("a bucket's last segment is missing"))
            } else {
                Ok(false)
            };
        }
        self.segment_offset = self.offset;
        let mut bytes = [0; HEADER_BYTES];
        self.run.read_at(&mut bytes, self.offset)?;
        let header = SegmentHeader::parse(&bytes, self.run.path(), self.offset)?;
        self.check_place(&header)?;
        if header.body_bytes as usize > body_bytes_max(SUMS) {
            return Err(self.corrupt("a segment is too long"));
        }
        let shape = self.read_body(&header, SUMS)?;
        if shape.rows != header.rows as usize || self.block.len() != header.block_bytes as usize {
            return Err(self.corrupt("a segment's header and body disagree"));
        }
        self.reader = Some(BlockReader::new(shape, u32::from(header.shape.payload_bits)));
        self.offset += HEADER_BYTES as u64 + u64::from(header.body_bytes);
        Ok(true)
    }

    /// Reads the body of the current segment into `block`.
    fn read_body(&mut self, header: &SegmentHeader, sums: usize) -> Result<Shape> {
        let mut unpacker = self.unpacker.lock().unwrap_or_else(PoisonError::into_inner);
        let body = unpacker.body(header.body_bytes as usize);
        self.run.read_at(body, self.offset + HEADER_BYTES as u64)?;
        if xxh3_64(body) != header.body_checksum {
            return Err(self.corrupt("the checksum of a segment's body does not match"));
        }
        unpacker.unpack(sums, &mut self.block).map_err(|Damage(what)| self.corrupt(what))
    }

    /// Checks that this segment is the one that must come next, and counts it.
    fn check_place(&mut self, header: &SegmentHeader) -> Result<()> {
        if header.shape != self.run.shape() {
            return Err(self.corrupt("a segment of another run"));
        }
        if !self.open && self.buckets.contains(&header.bucket) {
            self.buckets.start = header.bucket;
            self.sequence = 0;
        }
        if header.bucket != self.buckets.start || header.sequence != self.sequence {
            return Err(self.corrupt("segments out of order"));
        }
        self.bucket = header.bucket;
        self.sequence += 1;
        self.open = !header.last;
        self.buckets.start += u32::from(header.last);
        self.rows_left = self
            .rows_left
            .checked_sub(u64::from(header.rows))
            .ok_or_else(|| self.corrupt("more rows than the directory says"))?;
        Ok(())
    }

    /// Checks that the rows follow the last row that was read, and that all of them belong to the segment's
    /// bucket.
    fn check_rows<const SUMS: usize>(&mut self, batch: &[Row<SUMS>]) -> Result<()> {
        let buckets = self.run.shape().buckets;
        if let (Some(first), Some(last)) = (batch.first(), batch.last()) {
            if self.id_last.is_some_and(|id| id >= first.id) {
                return Err(self.corrupt("rows out of order"));
            }
            if [first, last].iter().any(|row| bucket_of(row.id, buckets) != self.bucket) {
                return Err(self.corrupt("a row of another bucket"));
            }
            self.id_last = Some(last.id);
        }
        Ok(())
    }
}

impl<const SUMS: usize> Cursor<SUMS> for RunCursor {
    fn refill(&mut self, rows: &mut [Row<SUMS>]) -> Result<usize> {
        loop {
            if let Some(reader) = &mut self.reader {
                let read = reader.read(&self.block, rows);
                let count = read.map_err(|Damage(what)| self.corrupt(what))?;
                if count > 0 {
                    self.check_rows(&rows[..count])?;
                    return Ok(count);
                }
                self.reader = None;
            }
            if !self.next_segment::<SUMS>()? {
                return Ok(0);
            }
        }
    }
}
