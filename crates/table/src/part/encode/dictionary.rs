//! Dictionary encoding for numbers most of which are small (parquet-format, Encodings.md, "Dictionary Encoding").
//!
//! The dictionary is ascending, so that frequent small counts have small indices and the same rows give the same bytes.

use super::bits::{pack, varint, width_of};

/// Numbers below this find their index in a table, larger ones by binary search.
const SMALL: usize = 1 << 16;

/// The distinct values of one column chunk and their indices.
///
/// # Memory
///
/// 256 KiB, and 8 bytes for every distinct value of 65,536 and more.
pub(super) struct Dictionary {
    /// For every small number its index; while values are collected, whether it occurs.
    small: Vec<u32>,
    /// Distinct small numbers.
    small_count: u32,
    /// Distinct large numbers, ascending.
    large: Vec<u64>,
    /// All of it, ascending.
    values: Vec<u64>,
}

impl Dictionary {
    pub(super) fn new() -> Self {
        Self { small: vec![0; SMALL], small_count: 0, large: Vec::new(), values: Vec::new() }
    }

    /// Makes this the dictionary of `values`.
    pub(super) fn build(&mut self, values: impl Iterator<Item = u64>) {
        self.small.fill(0);
        self.large.clear();
        for value in values {
            match self.small.get_mut(value as usize) {
                Some(occurs) => *occurs = 1,
                None => self.large.push(value),
            }
        }
        self.large.sort_unstable();
        self.large.dedup();
        self.number();
    }

    fn number(&mut self) {
        self.values.clear();
        for (value, index) in self.small.iter_mut().enumerate() {
            if *index == 1 {
                *index = self.values.len() as u32;
                self.values.push(value as u64);
            }
        }
        self.small_count = self.values.len() as u32;
        self.values.extend_from_slice(&self.large);
    }

    /// The distinct values, ascending.
    pub(super) fn values(&self) -> &[u64] {
        &self.values
    }

    #[inline]
    fn index(&self, value: u64) -> u64 {
        match self.small.get(value as usize) {
            Some(&index) => u64::from(index),
            None => u64::from(self.small_count) + self.large.partition_point(|&large| large < value) as u64,
        }
    }

    /// Appends `count` values' indices as one page body: their width in a byte, then one run of the RLE/bit-packed hybrid.
    pub(super) fn encode(&self, values: impl Iterator<Item = u64>, count: usize, out: &mut Vec<u8>) {
        let width = width_of(self.values.len().saturating_sub(1) as u64);
        out.push(width as u8);
        if width == 0 {
            // A repeated run of index 0, which takes no bytes.
            varint((count as u64) << 1, out);
            return;
        }
        let groups_of_8 = count.div_ceil(8);
        varint((groups_of_8 as u64) << 1 | 1, out);
        let end = out.len() + groups_of_8 * width as usize;
        pack(values.map(|value| self.index(value)), width, out);
        out.resize(end, 0);
    }
}
