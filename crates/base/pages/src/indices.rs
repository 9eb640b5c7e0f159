//! Indices into a dictionary (parquet-format, Encodings.md, "Dictionary Encoding").

use crate::bits::{pack, varint};

/// The number of different indices that fit in a byte.
pub const BYTE_INDICES: usize = 256;

/// The hybrid encoding packs indices in groups of eight.
const GROUP_OF_8: usize = 8;

/// Appends indices as one page body, always one byte each, so that an entropy coder sees them one by one.
pub fn byte_page(indices: &[u8], out: &mut Vec<u8>) {
    begin_page(u8::BITS, indices.len(), out);
    out.extend_from_slice(indices);
    out.resize(out.len() + indices.len().next_multiple_of(GROUP_OF_8) - indices.len(), 0);
}

/// Appends what `number` says of each of `values`, which are indices of `width` bits, as one page body.
#[inline]
pub fn packed_page<T: Copy>(values: &[T], number: impl Fn(T) -> u64, width: u32, out: &mut Vec<u8>) {
    begin_page(width, values.len(), out);
    packed_groups(values, number, width, out);
}

/// Appends numbers of `width` bits, packed and padded to a multiple of eight numbers.
#[inline]
pub(crate) fn packed_groups<T: Copy>(values: &[T], number: impl Fn(T) -> u64, width: u32, out: &mut Vec<u8>) {
    let end = out.len() + values.len().div_ceil(GROUP_OF_8) * width as usize;
    pack(values, number, width, out);
    out.truncate(end);
}

/// Appends the header of a single run that is packed.
pub(crate) fn packed_header(count: usize, out: &mut Vec<u8>) {
    varint((count.div_ceil(GROUP_OF_8) as u64) << 1 | 1, out);
}

/// Appends the beginning of a page: a byte that gives the width of the indices, then the header of a single
/// run of the RLE/bit-packed hybrid.
fn begin_page(width: u32, count: usize, out: &mut Vec<u8>) {
    out.push(width as u8);
    match width {
        // A single run repeats the index 0. The index itself takes no bytes, because its width is 0.
        0 => varint((count as u64) << 1, out),
        _ => packed_header(count, out),
    }
}
