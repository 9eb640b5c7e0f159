//! The index section: the offset of each bucket.
//!
//! # Format
//!
//! The section consists of 2^b + 1 offsets into the entries section, where b is the book's number of bucket
//! bits: the start of each bucket, and finally the end of the entries section. Each offset is a little-endian
//! number. All offsets have the same size, which the header calls *offset bytes*: the smallest that can hold
//! the length of the entries section. The top b bits of a key are the number of its bucket.
//!
//! The number of bucket bits is the smallest for which buckets contain at most 32 positions on average. A
//! book never has more than 32 bucket bits.

use std::ops::Range;

/// The maximum average number of positions per bucket.
const POSITIONS_A_BUCKET_MAX: u64 = 32;
/// The maximum number of bucket bits: 2^32 buckets are enough for 10^11 positions.
pub(crate) const BUCKET_BITS_MAX: u32 = 32;

/// The number of bucket bits for a book with `positions` positions.
pub(crate) fn bucket_bits(positions: u64) -> u32 {
    let buckets = positions.div_ceil(POSITIONS_A_BUCKET_MAX).max(1);
    buckets.checked_next_power_of_two().map_or(BUCKET_BITS_MAX, |power| power.ilog2().min(BUCKET_BITS_MAX))
}

/// The number of bytes per offset if the entries section has `entries_bytes` bytes.
pub(crate) fn offset_bytes(entries_bytes: u64) -> u32 {
    (64 - entries_bytes.leading_zeros()).div_ceil(8).max(1)
}

/// The size of the whole index in bytes; `None` if it does not fit in 64 bits.
pub(crate) fn index_bytes(bucket_bits: u32, offset_bytes: u32) -> Option<u64> {
    1u64.checked_shl(bucket_bits)?.checked_add(1)?.checked_mul(u64::from(offset_bytes))
}

/// The index of an open book.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// The byte range of the index section in the file.
    pub(crate) at: Range<usize>,
    /// The number of bytes per offset.
    pub(crate) offset_bytes: u32,
}

impl Index {
    /// The byte range in which the file stores the offsets of bucket `number` and of the bucket after it.
    #[inline]
    pub(crate) fn pair_at(&self, number: u64) -> Range<usize> {
        let width = self.offset_bytes as usize;
        let at = self.at.start + number as usize * width;
        at..at + 2 * width
    }

    /// Decodes the two offsets of a pair from their bytes.
    #[inline]
    pub(crate) fn pair(&self, bytes: &[u8]) -> (u64, u64) {
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        let (both, bits) = (u128::from_le_bytes(wide), 8 * self.offset_bytes);
        let mask = u64::MAX >> (64 - bits);
        (both as u64 & mask, (both >> bits) as u64 & mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_hold_17_to_32_positions() {
        let cases =
            [(0, 0), (32, 0), (33, 1), (64, 1), (65, 2), (1 << 20, 15), ((1 << 20) + 1, 16), (u64::MAX, 32)];
        for (positions, bits) in cases {
            assert_eq!(bucket_bits(positions), bits, "{positions} positions");
        }
    }

    #[test]
    fn pairs_of_any_width_are_read() {
        for width in 1..=8 {
            let index = Index { at: 600..700, offset_bytes: width };
            let most = u64::MAX >> (64 - 8 * width);
            for (first, second) in [(0, most), (most, 1), (most - 1, most)] {
                let bytes =
                    [first, second].map(|offset| offset.to_le_bytes()[..width as usize].to_vec()).concat();
                assert_eq!((index.pair(&bytes), index.pair_at(3).len()), ((first, second), bytes.len()));
            }
        }
    }

    #[test]
    fn offsets_are_as_short_as_the_last_one_allows() {
        for (bytes, width) in
            [(0, 1), (255, 1), (256, 2), (u64::from(u32::MAX), 4), (1 << 32, 5), (u64::MAX, 8)]
        {
            assert_eq!(offset_bytes(bytes), width, "{bytes} bytes");
        }
    }
}
