//! Makes segments for a file or for another process.

use std::io;

use xxhash_rust::xxh3::xxh3_64;

use super::RunShape;
use super::body::BodyPacker;
use super::header::{HEADER_BYTES, SegmentHeader};
use crate::Combine;
use crate::block::BlockEncoder;

/// Makes the segments of a run, one after the other.
///
/// # Memory
/// Holds one segment, both compressed and uncompressed.
pub(crate) struct SegmentMaker {
    shape: RunShape,
    packer: BodyPacker,
    block: Vec<u8>,
    body: Vec<u8>,
    /// The bucket of the last segment, and the number of segments made for that bucket.
    bucket: u32,
    sequence: u32,
}

impl SegmentMaker {
    /// Creates a maker for the segments of a run that has the properties in `shape`.
    ///
    /// # Errors
    /// Fails if the compression library cannot be set up.
    pub(crate) fn new(shape: RunShape) -> io::Result<Self> {
        let packer = BodyPacker::new()?;
        Ok(Self { shape, packer, block: Vec::new(), body: Vec::new(), bucket: 0, sequence: 0 })
    }

    pub(crate) fn shape(&self) -> RunShape {
        self.shape
    }

    /// The body of the last segment that was made.
    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }

    /// Encodes the rows as a segment, empties `rows`, and returns the header. `last` says whether it is the
    /// last segment of the bucket.
    pub(crate) fn make<const SUMS: usize, C: Combine<SUMS>>(
        &mut self,
        bucket: u32,
        last: bool,
        rows: &mut BlockEncoder<SUMS, C>,
    ) -> io::Result<[u8; HEADER_BYTES]> {
        self.block.clear();
        self.body.clear();
        let shape = rows.encode(&mut self.block);
        self.packer.pack(&shape, &self.block, &mut self.body)?;
        Ok(self.header(bucket, last, shape.rows as u32))
    }

    /// Makes the single segment that represents a bucket without rows, and returns the segment's header.
    pub(crate) fn make_empty(&mut self, bucket: u32) -> [u8; HEADER_BYTES] {
        self.block.clear();
        self.body.clear();
        self.header(bucket, true, 0)
    }

    fn header(&mut self, bucket: u32, last: bool, rows: u32) -> [u8; HEADER_BYTES] {
        if bucket != self.bucket {
            (self.bucket, self.sequence) = (bucket, 0);
        }
        let header = SegmentHeader {
            shape: self.shape,
            last,
            bucket,
            sequence: self.sequence,
            rows,
            body_bytes: self.body.len() as u32,
            block_bytes: self.block.len() as u32,
            body_checksum: xxh3_64(&self.body),
        };
        self.sequence += 1;
        header.to_bytes()
    }
}
