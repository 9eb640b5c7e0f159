//! Sends sorted rows to another process: the segments of a run, bucket by bucket.

use std::path::Path;

use crate::block::BlockEncoder;
use crate::run_file::{SEGMENT_ROWS, SegmentMaker};
use crate::{BucketRows, Combine, Error, Result, Row, Sorted, Sum};

/// A blob ends once it has at least this many bytes, or at the end of its bucket.
const BLOB_BYTES: usize = 1 << 20;

/// One or more consecutive segments of a bucket.
#[derive(Clone, Copy, Debug)]
pub struct Blob<'b> {
    /// The bucket.
    pub bucket: u32,
    /// The number of the blob in its bucket, from 0.
    pub sequence: u32,
    /// The segments, at most 2 MiB.
    pub bytes: &'b [u8],
}

/// Sends the rows of a [`Sorted`] as the segments of a run that has no directory and no footer. Each segment
/// names its source, its bucket and its place in the bucket, so a process that
/// [receives](crate::ReceivedRuns) the segments can check that it has each of them exactly once.
///
/// # Memory
/// Holds one blob, and the segment that is being made.
pub struct RunSender<const SUMS: usize, C = Sum> {
    rows: BlockEncoder<SUMS, C>,
    maker: SegmentMaker,
    blob: Vec<u8>,
    sequence: u32,
}

impl<const SUMS: usize, C: Combine<SUMS>> RunSender<SUMS, C> {
    /// Creates a sender for the rows of `sorted`.
    ///
    /// # Errors
    /// Fails if the compression library cannot be set up.
    pub fn new(sorted: &Sorted<SUMS, C>) -> Result<Self> {
        let maker = SegmentMaker::new(sorted.run_shape());
        let maker = maker.map_err(|source| Error::io(Path::new("zstd"), 0, source))?;
        Ok(Self { rows: BlockEncoder::new(SEGMENT_ROWS), maker, blob: Vec::new(), sequence: 0 })
    }

    /// Sends a bucket as at least one blob, even if it has no rows.
    ///
    /// # Errors
    /// The errors of reading the rows, and the errors that `send` returns.
    pub fn bucket<E: From<Error>>(
        &mut self,
        bucket: u32,
        mut rows: BucketRows<SUMS, C>,
        mut send: impl FnMut(Blob<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.sequence = 0;
        let mut batch: Vec<Row<SUMS>> = Vec::new();
        while rows.next_batch(&mut batch)? {
            for row in &batch {
                if self.rows.is_full() {
                    self.end_segment(bucket, false)?;
                    if self.blob.len() >= BLOB_BYTES {
                        self.end_blob(bucket, &mut send)?;
                    }
                }
                self.rows.push(row.id, row.note, &row.sums);
            }
        }
        self.end_segment(bucket, true)?;
        self.end_blob(bucket, &mut send)
    }

    fn end_segment(&mut self, bucket: u32, last: bool) -> Result<()> {
        let header = match self.rows.rows() {
            0 => self.maker.make_empty(bucket),
            _ => self
                .maker
                .make(bucket, last, &mut self.rows)
                .map_err(|source| Error::io(Path::new("zstd"), 0, source))?,
        };
        self.blob.extend_from_slice(&header);
        self.blob.extend_from_slice(self.maker.body());
        Ok(())
    }

    fn end_blob<E>(
        &mut self,
        bucket: u32,
        send: &mut impl FnMut(Blob<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        send(Blob { bucket, sequence: self.sequence, bytes: &self.blob })?;
        self.sequence += 1;
        self.blob.clear();
        Ok(())
    }
}
