//! Dictionary encoding for numbers that are mostly small (parquet-format, Encodings.md, "Dictionary
//! Encoding").
//!
//! The dictionary is sorted. Small numbers, which are the most frequent, therefore have small indices, and
//! the same rows always give the same bytes.

use pages::{packed_page, width_of};

/// The index of a number below this is looked up in an array; the index of any other number is found by
/// binary search.
const SMALL: usize = 1 << 16;

/// The number of flags in `occurs` that are tested at once.
const BLOCK: usize = 64;

/// The distinct values of one column chunk and their indices.
///
/// # Memory
///
/// Uses 192 KiB, plus 8 bytes for every distinct value and 8 for every occurrence of a value of 65,536 or
/// more.
pub(super) struct Dictionary {
    /// For each small number, whether it is one of the values. The flags are bytes rather than bits, so that
    /// setting a flag never has to wait for the previous flag.
    occurs: Box<[bool; SMALL]>,
    /// For each small number that is one of the values, its index in `values`.
    indices: Box<[u16; SMALL]>,
    /// The distinct large numbers, in ascending order.
    large: Vec<u64>,
    /// All distinct numbers, in ascending order.
    pub(super) values: Vec<u64>,
}

impl Dictionary {
    pub(super) fn new() -> Self {
        Self { occurs: table(false), indices: table(0), large: Vec::new(), values: Vec::new() }
    }

    /// Rebuilds the dictionary for `values`.
    pub(super) fn build(&mut self, values: impl Iterator<Item: Into<u64>>) {
        self.occurs.fill(false);
        self.large.clear();
        for value in values {
            let value = value.into();
            match self.occurs.get_mut(value as usize) {
                Some(occurs) => *occurs = true,
                None => self.large.push(value),
            }
        }
        self.large.sort_unstable();
        self.large.dedup();
        self.number();
    }

    fn number(&mut self) {
        self.values.clear();
        for (block, occurs) in self.occurs.chunks_exact(BLOCK).enumerate() {
            // In most blocks of flags, no flag is set; a single test is enough to skip such a block.
            if occurs.iter().fold(false, |any, occurs| any | occurs) {
                for (offset, _) in occurs.iter().enumerate().filter(|(_, occurs)| **occurs) {
                    let value = block * BLOCK + offset;
                    self.indices[value] = self.values.len() as u16;
                    self.values.push(value as u64);
                }
            }
        }
        self.values.extend_from_slice(&self.large);
    }

    #[inline]
    fn index(&self, value: u64) -> u64 {
        match self.indices.get(value as usize) {
            Some(&index) => u64::from(index),
            None => self.large_index(value),
        }
    }

    #[cold]
    fn large_index(&self, value: u64) -> u64 {
        self.values.partition_point(|&other| other < value) as u64
    }

    /// Appends the indices of `values` as one page body, with the smallest width.
    pub(super) fn pack<T: Copy + Into<u64>>(&self, values: &[T], out: &mut Vec<u8>) {
        let width = width_of(self.values.len().saturating_sub(1) as u64);
        packed_page(values, |value| self.index(value.into()), width, out);
    }

    /// Appends the index of each value to `out` as one byte; every index must be below 256.
    pub(super) fn index_bytes<T: Copy + Into<u64>>(&self, values: &[T], out: &mut Vec<u8>) {
        out.extend(values.iter().map(|&value| self.index(value.into()) as u8));
    }
}

/// Creates an array that has an entry for every small number. All entries are `value`.
#[expect(clippy::unnecessary_box_returns, reason = "too large for the stack")]
fn table<T: Clone>(value: T) -> Box<[T; SMALL]> {
    let table = vec![value; SMALL].into_boxed_slice();
    table.try_into().unwrap_or_else(|_| unreachable!("it is so long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_values_share_an_ascending_dictionary() {
        let values = [7_u64, 1 << 40, 0, 7, 65_535, 65_536, 1 << 40];
        let mut dictionary = Dictionary::new();
        dictionary.build(values.into_iter());
        assert_eq!(dictionary.values, [0, 7, 65_535, 65_536, 1 << 40]);
        assert_eq!(values.map(|value| dictionary.index(value)), [1, 4, 0, 1, 2, 3, 4]);
        dictionary.build([3_u16, 3].into_iter());
        assert_eq!(dictionary.values, [3]);
    }

    #[test]
    fn a_page_is_one_run() {
        let mut dictionary = Dictionary::new();
        let mut page = Vec::new();
        dictionary.build([5_u16, 9, 5, 13].into_iter());
        dictionary.pack(&[5_u16, 9, 5, 13], &mut page);
        // Width 2; one group of eight, bit-packed; indices 0 1 0 2 and four of padding.
        assert_eq!(page, [2, 0b11, 0b10_00_01_00, 0]);
        page.clear();
        dictionary.build([5_u16; 3].into_iter());
        dictionary.pack(&[5_u16; 3], &mut page);
        assert_eq!(page, [0, 6]);
    }
}
