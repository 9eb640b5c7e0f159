//! Indices into a dictionary (parquet-format, Encodings.md, "Dictionary Encoding").

use crate::bits::varint;

/// The number of different indices that fit in a byte.
pub const BYTE_INDICES: usize = 256;

/// The hybrid encoding packs indices in groups of eight.
const GROUP_OF_8: usize = 8;

/// Appends indices as one page body, always one byte each, so that an entropy coder sees them one by one.
pub fn byte_page(indices: &[u8], out: &mut Vec<u8>) {
    begin_page(u8::BITS, indices.len(), out);
    let end = out.len() + packed_bytes(indices.len(), u8::BITS);
    out.extend_from_slice(indices);
    out.resize(end, 0);
}

/// Appends the beginning of a page: a byte that gives the width of the indices, then the header of a single
/// run of the RLE/bit-packed hybrid.
pub fn begin_page(width: u32, count: usize, out: &mut Vec<u8>) {
    out.push(width as u8);
    match width {
        // A single run repeats the index 0. The index itself takes no bytes, because its width is 0.
        0 => varint((count as u64) << 1, out),
        _ => varint((count.div_ceil(GROUP_OF_8) as u64) << 1 | 1, out),
    }
}

/// The length in bytes of `count` packed indices.
#[must_use]
pub fn packed_bytes(count: usize, width: u32) -> usize {
    count.div_ceil(GROUP_OF_8) * width as usize
}
