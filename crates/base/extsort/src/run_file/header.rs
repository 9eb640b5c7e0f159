//! The header of a segment.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::{FORMAT_VERSION, RunShape, frame::Frame};
use crate::Result;

/// The size of a segment's header in bytes.
pub(crate) const HEADER_BYTES: usize = 64;

/// The offset of the checksum in a header.
pub(crate) const CHECKSUM_AT: usize = HEADER_BYTES - 8;

const MAGIC: &[u8; 8] = b"EXSORTSG";

/// The header of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    pub(crate) shape: RunShape,
    pub(crate) last: bool,
    pub(crate) bucket: u32,
    pub(crate) sequence: u32,
    pub(crate) rows: u32,
    pub(crate) body_bytes: u32,
    pub(crate) block_bytes: u32,
    pub(crate) body_checksum: u64,
}

impl SegmentHeader {
    pub(crate) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..10].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&u16::from(self.last).to_le_bytes());
        bytes[12..14].copy_from_slice(&self.shape.sums.to_le_bytes());
        bytes[14..16].copy_from_slice(&self.shape.payload_bits.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.shape.source.to_le_bytes());
        let words =
            [self.bucket, self.shape.buckets, self.sequence, self.rows, self.body_bytes, self.block_bytes];
        for (place, word) in bytes[24..48].chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes[48..56].copy_from_slice(&self.body_checksum.to_le_bytes());
        let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Parses a header that begins at `offset` in the file at `path`.
    pub(crate) fn parse(bytes: &[u8; HEADER_BYTES], path: &Path, offset: u64) -> Result<Self> {
        let damaged = "the checksum of a segment's header does not match";
        let frame = Frame::check(bytes, *MAGIC, path, offset, "no segment starts here", damaged)?;
        Ok(Self {
            shape: RunShape {
                sums: frame.u16_at(12),
                payload_bits: frame.u16_at(14),
                source: frame.u64_at(16),
                buckets: frame.u32_at(28),
            },
            last: frame.u16_at(10) == 1,
            bucket: frame.u32_at(24),
            sequence: frame.u32_at(32),
            rows: frame.u32_at(36),
            body_bytes: frame.u32_at(40),
            block_bytes: frame.u32_at(44),
            body_checksum: frame.u64_at(48),
        })
    }
}
