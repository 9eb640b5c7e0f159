//! The body of a segment: a block whose columns are compressed one by one.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use zstd::bulk::{Compressor, Decompressor};

use super::SEGMENT_ROWS;
use crate::block::{COLUMNS, Damage, HEADER_BYTES, Shape, block_bytes_max};
use crate::{Error, Result};

/// If this bit of a stored length is set, the column is a zstd frame.
const COMPRESSED: u32 = 1 << 31;
/// Columns with fewer bytes than this are stored uncompressed, because a frame would not be smaller.
const COMPRESS_BYTES_MIN: usize = 64;
/// The column of packed gaps, which is never compressed because its bits are random.
const GAPS_COLUMN: usize = 1;
/// Zstd's level 1. Higher levels make the sparse columns a few per cent smaller, but take twice the time.
const LEVEL: i32 = 1;

/// The maximum size of a segment's body in bytes. No column takes more than its uncompressed length.
pub(crate) const fn body_bytes_max(sums: usize) -> usize {
    block_bytes_max(SEGMENT_ROWS, sums) + 4 * COLUMNS
}

/// Writes bodies.
pub(crate) struct BodyPacker {
    zstd: Compressor<'static>,
}

impl BodyPacker {
    /// The size in bytes, rounded up, of the zstd context that compresses a segment's columns.
    pub(crate) const MEMORY_BYTES: usize = 640 << 10;

    pub(crate) fn new() -> io::Result<Self> {
        let mut zstd = Compressor::new(LEVEL)?;
        zstd.include_contentsize(false)?;
        zstd.include_checksum(false)?;
        Ok(Self { zstd })
    }

    /// Appends the body of `block` to `out`; `shape` is the block's header.
    pub(crate) fn pack(&mut self, shape: &Shape, block: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        let (header, mut rest) = block.split_at(HEADER_BYTES);
        out.extend_from_slice(header);
        for (index, length) in shape.column_bytes().into_iter().enumerate().filter(|(_, length)| *length > 0)
        {
            let (column, after) = rest.split_at(length);
            rest = after;
            let compress = index != GAPS_COLUMN && length >= COMPRESS_BYTES_MIN;
            if !(compress && self.pack_column(column, out)?) {
                out.extend_from_slice(&(length as u32).to_le_bytes());
                out.extend_from_slice(column);
            }
        }
        Ok(())
    }

    /// Appends the column as a frame, or appends nothing if a frame would save less than a sixteenth.
    fn pack_column(&mut self, column: &[u8], out: &mut Vec<u8>) -> io::Result<bool> {
        let start = out.len();
        out.resize(start + 4 + zstd::zstd_safe::compress_bound(column.len()), 0);
        let stored = self.zstd.compress_to_buffer(column, &mut out[start + 4..])?;
        let saves = stored < column.len() - column.len() / 16;
        if saves {
            out[start..start + 4].copy_from_slice(&(stored as u32 | COMPRESSED).to_le_bytes());
            out.truncate(start + 4 + stored);
        } else {
            out.truncate(start);
        }
        Ok(saves)
    }
}

/// Reads bodies.
pub(crate) struct BodyUnpacker {
    zstd: Decompressor<'static>,
    body: Vec<u8>,
}

/// The unpacker that all cursors of a merge share, because zstd's context is large.
pub(crate) type SharedUnpacker = Arc<Mutex<BodyUnpacker>>;

impl BodyUnpacker {
    /// The number of bytes that zstd's context (rounded up) and a body take.
    pub(crate) const fn memory_bytes(sums: usize) -> usize {
        (192 << 10) + body_bytes_max(sums)
    }

    pub(crate) fn shared() -> Result<SharedUnpacker> {
        let zstd = Decompressor::new().map_err(|source| Error::io(Path::new("zstd"), 0, source))?;
        Ok(Arc::new(Mutex::new(Self { zstd, body: Vec::new() })))
    }

    /// A buffer of `bytes` bytes for a body, which the caller fills and then passes to
    /// [`unpack`](Self::unpack).
    pub(crate) fn body(&mut self, bytes: usize) -> &mut [u8] {
        self.body.resize(bytes, 0);
        &mut self.body
    }

    /// Unpacks the body into `block`, replacing its contents, and returns the block's shape.
    pub(crate) fn unpack(&mut self, sums: usize, block: &mut Vec<u8>) -> std::result::Result<Shape, Damage> {
        let shape = Shape::parse(&self.body, sums)?;
        block.resize(shape.block_bytes(), 0);
        let (header, mut rest) = self.body.split_at(HEADER_BYTES);
        block[..HEADER_BYTES].copy_from_slice(header);
        let mut at = HEADER_BYTES;
        for length in shape.column_bytes().into_iter().filter(|length| *length > 0) {
            rest = unpack_column(&mut self.zstd, rest, &mut block[at..at + length])?;
            at += length;
        }
        if rest.is_empty() { Ok(shape) } else { Err(Damage("bytes after the last column")) }
    }
}

/// Fills `column` from the front of `body` and returns the rest.
fn unpack_column<'b>(
    zstd: &mut Decompressor<'_>,
    body: &'b [u8],
    column: &mut [u8],
) -> std::result::Result<&'b [u8], Damage> {
    const SHORT: Damage = Damage("the body of a segment is cut short");
    let (stored, rest) = body.split_first_chunk::<4>().ok_or(SHORT)?;
    let stored = u32::from_le_bytes(*stored);
    let (bytes, rest) = rest.split_at_checked((stored & !COMPRESSED) as usize).ok_or(SHORT)?;
    if stored & COMPRESSED == 0 {
        if bytes.len() != column.len() {
            return Err(Damage("a column has the wrong length"));
        }
        column.copy_from_slice(bytes);
    } else {
        let unpacked = zstd.decompress_to_buffer(bytes, column);
        if unpacked.ok() != Some(column.len()) {
            return Err(Damage("a compressed column does not unpack"));
        }
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;

    #[test]
    fn a_column_is_packed_only_if_that_saves_a_sixteenth() {
        let mut packer = BodyPacker::new().unwrap();
        let random: Vec<_> = (0..512_u64).flat_map(|n| xxh3_64(&n.to_le_bytes()).to_le_bytes()).collect();
        let mut out = vec![7];
        assert!(!packer.pack_column(&random, &mut out).unwrap(), "a frame of random bytes is longer");
        assert_eq!(out, [7]);
        assert!(packer.pack_column(&[5; 4096], &mut out).unwrap());
        assert!(out.len() < 100);
    }
}
