//! Dictionary encoding for numbers most of which are small (parquet-format, Encodings.md, "Dictionary Encoding").
//!
//! The dictionary is ascending, so that frequent small counts have small indices and the same rows give the same bytes.

use super::bits::{pack, varint, width_of};

/// Numbers below this find their index in a table, larger ones by binary search.
const SMALL: usize = 1 << 16;

/// Small numbers looked through at a time.
const BLOCK: usize = 64;

/// The distinct values of one column chunk and their indices.
///
/// # Memory
///
/// 192 KiB, and 16 bytes for every distinct value of 65,536 and more.
pub(super) struct Dictionary {
    /// Whether a small number occurs. Bytes, not bits: setting one never waits for the one before.
    occurs: Vec<bool>,
    /// Index of every small number that occurs.
    indices: Vec<u16>,
    /// Distinct large numbers, ascending.
    large: Vec<u64>,
    /// All distinct numbers, ascending.
    values: Vec<u64>,
}

impl Dictionary {
    pub(super) fn new() -> Self {
        Self { occurs: vec![false; SMALL], indices: vec![0; SMALL], large: Vec::new(), values: Vec::new() }
    }

    /// Makes this the dictionary of `values`.
    pub(super) fn build<T: Copy + Into<u64>>(&mut self, values: &[T]) {
        self.occurs.fill(false);
        self.large.clear();
        for &value in values {
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
            // Most blocks are empty, and that is seen at once.
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

    /// The distinct values, ascending.
    pub(super) fn values(&self) -> &[u64] {
        &self.values
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

    /// Appends the indices of `values` as one page body: their width in a byte, then one run of the RLE/bit-packed hybrid.
    pub(super) fn encode<T: Copy + Into<u64>>(&self, values: &[T], out: &mut Vec<u8>) {
        let width = width_of(self.values.len().saturating_sub(1) as u64);
        out.push(width as u8);
        if width == 0 {
            // A repeated run of index 0, which takes no bytes.
            varint((values.len() as u64) << 1, out);
            return;
        }
        let groups_of_8 = values.len().div_ceil(8);
        varint((groups_of_8 as u64) << 1 | 1, out);
        let end = out.len() + groups_of_8 * width as usize;
        pack(values.iter().map(|&value| self.index(value.into())), width, out);
        out.resize(end, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_values_share_an_ascending_dictionary() {
        let values = [7_u64, 1 << 40, 0, 7, 65_535, 65_536, 1 << 40];
        let mut dictionary = Dictionary::new();
        dictionary.build(&values);
        assert_eq!(dictionary.values(), [0, 7, 65_535, 65_536, 1 << 40]);
        assert_eq!(values.map(|value| dictionary.index(value)), [1, 4, 0, 1, 2, 3, 4]);
        dictionary.build(&[3_u16, 3]);
        assert_eq!(dictionary.values(), [3]);
    }

    #[test]
    fn a_page_is_one_run() {
        let mut dictionary = Dictionary::new();
        let mut page = Vec::new();
        dictionary.build(&[5_u16, 9, 5, 13]);
        dictionary.encode(&[5_u16, 9, 5, 13], &mut page);
        // Width 2; one group of eight, bit-packed; indices 0 1 0 2 and four of padding.
        assert_eq!(page, [2, 0b11, 0b10_00_01_00, 0]);
        page.clear();
        dictionary.build(&[5_u16; 3]);
        dictionary.encode(&[5_u16; 3], &mut page);
        assert_eq!(page, [0, 6]);
    }
}
