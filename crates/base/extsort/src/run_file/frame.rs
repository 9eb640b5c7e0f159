//! The parts that all fixed-size records of a run file share: a magic number and the format version at the
//! start, and a checksum at the end.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::FORMAT_VERSION;
use crate::{Error, Result};

/// The bytes of a record whose magic, checksum and version have been checked.
pub(super) struct Frame<'b>(&'b [u8]);

impl<'b> Frame<'b> {
    /// Checks `bytes`, a record that begins at `offset` in the file at `path`. The error says `absent` if the
    /// magic number is wrong, and `damaged` if the checksum does not match.
    pub(super) fn check(
        bytes: &'b [u8],
        magic: [u8; 8],
        path: &Path,
        offset: u64,
        absent: &'static str,
        damaged: &'static str,
    ) -> Result<Self> {
        let frame = Self(bytes);
        let checksum_at = bytes.len() - 8;
        if bytes[..8] != magic {
            return Err(Error::corrupt(path, offset, absent));
        }
        if frame.u64_at(checksum_at) != xxh3_64(&bytes[..checksum_at]) {
            return Err(Error::corrupt(path, offset, damaged));
        }
        match frame.u16_at(8) {
            FORMAT_VERSION => Ok(frame),
            got => {
                Err(Error::Version { path: path.into(), offset: offset + 8, expected: FORMAT_VERSION, got })
            }
        }
    }

    pub(super) fn u16_at(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    pub(super) fn u32_at(&self, at: usize) -> u32 {
        u32::from(self.u16_at(at)) | u32::from(self.u16_at(at + 2)) << 16
    }

    pub(super) fn u64_at(&self, at: usize) -> u64 {
        u64::from(self.u32_at(at)) | u64::from(self.u32_at(at + 4)) << 32
    }
}
