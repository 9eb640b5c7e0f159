//! `DELTA_BINARY_PACKED` for ascending keys (parquet-format, Encodings.md, "Delta Encoding").
//!
//! A block has 128 gaps in 4 miniblocks of 32. This is the smallest size that the format allows. Gaps between
//! random keys vary so much that, with larger miniblocks, each key would take half a byte more.

use super::bits::{GROUP, pack, varint, width_of, zigzag};

const BLOCK: usize = 128;
const MINIBLOCKS: usize = BLOCK / GROUP;

/// Appends the keys as one page body. They must be in ascending order; equal keys are allowed.
pub(super) fn encode(keys: &[u64], out: &mut Vec<u8>) {
    varint(BLOCK as u64, out);
    varint(MINIBLOCKS as u64, out);
    varint(keys.len() as u64, out);
    zigzag(keys.first().map_or(0, |key| key.cast_signed()), out);
    let mut gaps = [0; BLOCK];
    let mut start = 1;
    while start < keys.len() {
        let count = BLOCK.min(keys.len() - start);
        let (before, after) = (&keys[start - 1..][..count], &keys[start..][..count]);
        for ((gap, before), after) in gaps.iter_mut().zip(before).zip(after) {
            *gap = after.wrapping_sub(*before);
        }
        encode_block(&gaps[..count], out);
        start += count;
    }
}

/// Writes 0 as the smallest gap, the widths of the miniblocks, and the gaps. The smallest gap is nearly
/// always 0 anyway, because keys repeat.
///
/// Gaps are taken modulo 2^64, as the format requires, so a gap above 2^63 needs no special treatment.
fn encode_block(gaps: &[u64], out: &mut Vec<u8>) {
    zigzag(0, out);
    let mut widths = [0; MINIBLOCKS];
    for (width, miniblock) in widths.iter_mut().zip(gaps.chunks(GROUP)) {
        *width = width_of(miniblock.iter().fold(0, |all, gap| all | gap));
    }
    out.extend_from_slice(&widths.map(|width| width as u8));
    // The last miniblock is padded to the full length.
    for (width, miniblock) in widths.into_iter().zip(gaps.chunks(GROUP)) {
        pack(miniblock, |gap| gap, width, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_page_is_padded_to_its_miniblock() {
        let mut page = Vec::new();
        encode(&[5, 6, 9], &mut page);
        // In order: 128 values in a block, 4 miniblocks, 3 values in all, first value 5, smallest gap 0, the
        // widths, and gaps 1 and 3 in 2 bits each.
        assert_eq!(page, [0x80, 1, 4, 3, 10, 0, 2, 0, 0, 0, 0b11_01, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn equal_keys_take_no_bits() {
        let mut page = Vec::new();
        encode(&[7; 129], &mut page);
        assert_eq!(page, [0x80, 1, 4, 0x81, 1, 14, 0, 0, 0, 0, 0]);
    }
}
