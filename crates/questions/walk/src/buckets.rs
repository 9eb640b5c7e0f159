//! Divides the keys of a window into buckets, so that a key is found with hardly any search.
//!
//! Keys are evenly distributed, so a bucket has about four to eight rows, which are in one or two lines of the
//! cache. The buckets themselves are read in the order of the keys.

use std::ops::Range;

use crate::pending::{Bytes, key_of};

/// A window has at most 4,096 rows, unless they all have the same key.
const BUCKETS: usize = 1 << BUCKETS_LOG2;
const BUCKETS_LOG2: u32 = 10;

/// The buckets of a window. Each takes keys that are equal in their upper bits, once the window's first key
/// has been subtracted.
pub(crate) struct Buckets {
    first_key: u64,
    shift: u32,
    /// The first row of each bucket, and the number of rows.
    starts: [u16; BUCKETS + 1],
}

impl Default for Buckets {
    fn default() -> Self {
        Self { first_key: 0, shift: 0, starts: [0; BUCKETS + 1] }
    }
}

impl Buckets {
    /// Divides rows, which must be in ascending order of their keys.
    pub(crate) fn of(rows: &[Bytes]) -> Self {
        let [Some(first_key), Some(last_key)] = [rows.first(), rows.last()].map(|row| row.map(key_of)) else {
            return Self::default();
        };
        let bits = u64::BITS - (last_key - first_key).leading_zeros();
        let mut buckets = Self { first_key, shift: bits.saturating_sub(BUCKETS_LOG2), ..Self::default() };
        for row in rows {
            // Only rows with equal keys can be so many that they do not fit in 16 bits; the first is enough.
            let count = &mut buckets.starts[buckets.number(key_of(row)) + 1];
            *count = count.saturating_add(1);
        }
        let mut start = 0_u16;
        for count in &mut buckets.starts {
            start = start.saturating_add(*count);
            *count = start;
        }
        buckets
    }

    fn number(&self, key: u64) -> usize {
        // A key after the last one goes to the last bucket.
        ((key.saturating_sub(self.first_key) >> self.shift) as usize).min(BUCKETS - 1)
    }

    /// The rows in the bucket of `key`.
    #[inline]
    pub(crate) fn bucket(&self, key: u64) -> Range<usize> {
        let number = self.number(key);
        self.starts[number].into()..self.starts[number + 1].into()
    }

    /// Returns the index of the first of the window's rows whose key is at least `key`.
    #[inline]
    pub(crate) fn seek(&self, rows: &[Bytes], key: u64) -> usize {
        let bucket = self.bucket(key);
        bucket.start + rows[bucket].partition_point(|row| key_of(row) < key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(keys: impl IntoIterator<Item = u64>) -> Vec<Bytes> {
        let row = |key: u64| {
            let mut row = Bytes::default();
            row[..8].copy_from_slice(&key.to_le_bytes());
            row
        };
        keys.into_iter().map(row).collect()
    }

    #[test]
    fn seek_is_a_search() {
        let even = rows((0..4096).map(|key| key / 3 * 2 << 40));
        let uneven = rows((0..60).map(|key| key * key * key).chain([u64::MAX]));
        let one = rows([7]);
        for rows in [even, uneven, one] {
            let buckets = Buckets::of(&rows);
            let keys = rows.iter().map(key_of);
            for key in keys.flat_map(|key| [key, key | 1, key.saturating_add(1 << 41)]) {
                let expected = rows.partition_point(|row| key_of(row) < key);
                assert_eq!(buckets.seek(&rows, key), expected, "{key}");
            }
        }
        assert_eq!(Buckets::default().seek(&[], 7), 0);
    }

    #[test]
    fn many_rows_may_have_one_key() {
        let rows = rows([7; 70_000]);
        assert_eq!(Buckets::of(&rows).seek(&rows, 7), 0);
    }
}
