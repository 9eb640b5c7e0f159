//! `DELTA_BINARY_PACKED` (parquet-format, Encodings.md, "Delta Encoding").
//!
//! A block has 128 gaps in 4 miniblocks of 32. This is the smallest size that the format allows. Gaps between
//! random keys vary so much that, with larger miniblocks, each key would take half a byte more.

use crate::bits::{GROUP, pack, varint, width_of, zigzag};

const BLOCK: usize = 128;
const MINIBLOCKS: usize = BLOCK / GROUP;

/// Appends the keys as one page body. They must be in ascending order; equal keys are allowed.
pub fn encode(keys: &[u64], out: &mut Vec<u8>) {
    begin(keys.len(), keys.first().copied(), out);
    let mut gaps = [0; BLOCK];
    let mut start = 1;
    while start < keys.len() {
        let count = BLOCK.min(keys.len() - start);
        let (before, after) = (&keys[start - 1..][..count], &keys[start..][..count]);
        for ((gap, before), after) in gaps.iter_mut().zip(before).zip(after) {
            *gap = after.wrapping_sub(*before);
        }
        // The smallest gap is nearly always 0, because keys repeat.
        encode_block(&mut gaps[..count], 0, out);
        start += count;
    }
}

fn begin(count: usize, first: Option<u64>, out: &mut Vec<u8>) {
    varint(BLOCK as u64, out);
    varint(MINIBLOCKS as u64, out);
    varint(count as u64, out);
    zigzag(first.unwrap_or(0).cast_signed(), out);
}

/// Writes the smallest gap, the widths of the miniblocks, and by how much the gaps exceed the smallest.
///
/// Gaps are taken modulo 2^64, as the format requires, so a gap above 2^63 needs no special treatment.
fn encode_block(gaps: &mut [u64], smallest: i64, out: &mut Vec<u8>) {
    zigzag(smallest, out);
    for gap in gaps.iter_mut() {
        *gap = gap.wrapping_sub(smallest.cast_unsigned());
    }
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

/// Numbers in any order, which are encoded as they are added.
///
/// # Memory
///
/// Holds 1 KiB and the encoded blocks.
pub(crate) struct Deltas {
    first: Option<u64>,
    last: u64,
    gaps: Box<[u64; BLOCK]>,
    /// The number of gaps that are not in `blocks` yet.
    waiting: usize,
    pub(crate) count: usize,
    blocks: Vec<u8>,
}

impl Deltas {
    pub(crate) fn new() -> Self {
        Self { first: None, last: 0, gaps: Box::new([0; BLOCK]), waiting: 0, count: 0, blocks: Vec::new() }
    }

    #[inline]
    pub(crate) fn push(&mut self, number: u64) {
        if self.first.is_none() {
            self.first = Some(number);
        } else {
            self.gaps[self.waiting] = number.wrapping_sub(self.last);
            self.waiting += 1;
            if self.waiting == BLOCK {
                self.end_block();
            }
        }
        self.last = number;
        self.count += 1;
    }

    fn end_block(&mut self) {
        let gaps = &mut self.gaps[..self.waiting];
        let smallest = gaps.iter().map(|gap| gap.cast_signed()).min().unwrap_or(0);
        encode_block(gaps, smallest, &mut self.blocks);
        self.waiting = 0;
    }

    /// Appends the numbers as one page body, and removes them.
    pub(crate) fn take(&mut self, out: &mut Vec<u8>) {
        begin(self.count, self.first, out);
        if self.waiting > 0 {
            self.end_block();
        }
        out.append(&mut self.blocks);
        (self.first, self.count) = (None, 0);
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

    #[test]
    fn numbers_may_descend() {
        let (mut deltas, mut page) = (Deltas::new(), Vec::new());
        for number in [5, 3, 4] {
            deltas.push(number);
        }
        deltas.take(&mut page);
        // As above, but the smallest gap is -2, so the gaps are 0 and 3.
        assert_eq!(page, [0x80, 1, 4, 3, 10, 3, 2, 0, 0, 0, 0b11_00, 0, 0, 0, 0, 0, 0, 0]);
        page.clear();
        deltas.take(&mut page);
        assert_eq!(page, [0x80, 1, 4, 0, 0]);
    }
}
