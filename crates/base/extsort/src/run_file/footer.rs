//! The directory of a run and the footer after it.

use std::fs::File;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::{FORMAT_VERSION, RunShape, frame::Frame, read_at};
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"EXSORTFT";
const FOOTER_BYTES: usize = 64;
/// The size of a directory entry in bytes.
pub(crate) const ENTRY_BYTES: usize = 24;

/// The offset of a bucket's first segment and the number of the bucket's rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BucketEntry {
    pub(crate) offset: u64,
    pub(crate) rows: u64,
}

impl BucketEntry {
    fn checksum(self, source: u64, bucket: u32) -> u64 {
        let mut bytes = [0; 32];
        let numbers = [source, u64::from(bucket), self.offset, self.rows];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        xxh3_64(&bytes)
    }
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) shape: RunShape,
    pub(crate) directory_offset: u64,
    pub(crate) rows: u64,
    /// A checksum computed over the checksums of all segment headers, followed by the directory.
    pub(crate) content: u64,
}

/// Encodes the directory, in which each bucket has one entry.
pub(crate) fn directory_bytes(source: u64, entries: &[BucketEntry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(entries.len() * ENTRY_BYTES + FOOTER_BYTES);
    for (bucket, entry) in (0..).zip(entries) {
        for number in [entry.offset, entry.rows, entry.checksum(source, bucket)] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }
    bytes
}

impl Footer {
    /// The footer as bytes.
    pub(crate) fn to_bytes(self) -> [u8; FOOTER_BYTES] {
        let mut bytes = [0; FOOTER_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        let halves = [FORMAT_VERSION, self.shape.sums, self.shape.payload_bits, 0];
        for (place, number) in bytes[8..16].chunks_exact_mut(2).zip(halves) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let RunShape { source, buckets, .. } = self.shape;
        let numbers = [source, buckets.into(), self.directory_offset, self.rows, self.content];
        for (place, number) in bytes[16..56].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let checksum = xxh3_64(&bytes[..56]);
        bytes[56..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The checksum of the run's whole contents: its last eight bytes.
    pub(crate) fn checksum(self) -> u64 {
        xxh3_64(&self.to_bytes()[..56])
    }

    /// Reads and checks the footer of `file`.
    pub(crate) fn read(file: &File, path: &Path) -> Result<Self> {
        let file_bytes = file.metadata().map_err(|source| Error::io(path, 0, source))?.len();
        let offset = file_bytes
            .checked_sub(FOOTER_BYTES as u64)
            .ok_or_else(|| Error::corrupt(path, file_bytes, "the file ends before a run's footer"))?;
        let mut bytes = [0; FOOTER_BYTES];
        read_at(file, path, &mut bytes, offset)?;
        let footer = Self::parse(&bytes, path, offset)?;
        if footer.file_bytes() != file_bytes {
            return Err(Error::corrupt(path, offset, "the directory does not end at the footer"));
        }
        Ok(footer)
    }

    fn parse(bytes: &[u8; FOOTER_BYTES], path: &Path, offset: u64) -> Result<Self> {
        let (absent, damaged) = ("no run ends here", "the checksum of the footer does not match");
        let frame = Frame::check(bytes, *MAGIC, path, offset, absent, damaged)?;
        let shape = RunShape {
            sums: frame.u16_at(10),
            payload_bits: frame.u16_at(12),
            source: frame.u64_at(16),
            buckets: frame.u64_at(24) as u32,
        };
        Ok(Self {
            shape,
            directory_offset: frame.u64_at(32),
            rows: frame.u64_at(40),
            content: frame.u64_at(48),
        })
    }

    /// Reads the directory entry for `bucket`.
    pub(crate) fn entry(&self, file: &File, path: &Path, bucket: u32) -> Result<BucketEntry> {
        assert!(
            bucket < self.shape.buckets,
            "a run of {} buckets has no bucket {bucket}",
            self.shape.buckets
        );
        let offset = self.directory_offset + u64::from(bucket) * ENTRY_BYTES as u64;
        let mut bytes = [0; ENTRY_BYTES];
        read_at(file, path, &mut bytes, offset)?;
        let mut numbers = bytes
            .chunks_exact(8)
            .map(|number| number.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte)));
        let mut next = || numbers.next().unwrap_or_default();
        let (entry, checksum) = (BucketEntry { offset: next(), rows: next() }, next());
        if entry.checksum(self.shape.source, bucket) != checksum {
            return Err(Error::corrupt(path, offset, "the checksum of a directory entry does not match"));
        }
        Ok(entry)
    }

    /// The size of the whole file in bytes.
    pub(crate) fn file_bytes(&self) -> u64 {
        let directory_bytes = u64::from(self.shape.buckets) * ENTRY_BYTES as u64;
        self.directory_offset.saturating_add(directory_bytes + FOOTER_BYTES as u64)
    }
}
