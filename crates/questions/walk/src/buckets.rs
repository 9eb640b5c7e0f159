//! Divides the keys of a window into buckets, so that a key is found with hardly any search.
//!
//! Keys are evenly distributed, so a bucket has about four to eight rows, in one or two lines of the cache.
//! The buckets themselves are read in the order of the keys.

use std::ops::Range;

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
    /// Divides rows with these keys, which must be in ascending order.
    pub(crate) fn of(keys: impl DoubleEndedIterator<Item = u64> + Clone) -> Self {
        let (first, last) = (keys.clone().next(), keys.clone().next_back());
        let Some((first_key, last_key)) = first.zip(last) else { return Self::default() };
        let bits = u64::BITS - (last_key - first_key).leading_zeros();
        let mut buckets = Self { first_key, shift: bits.saturating_sub(BUCKETS_LOG2), ..Self::default() };
        for key in keys {
            // A count reaches its limit only if all rows have one key; their first row is then enough.
            let count = &mut buckets.starts[buckets.number(key) + 1];
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

    /// The rows in the bucket of `key`: only they may have this key.
    #[inline]
    pub(crate) fn bucket(&self, key: u64) -> Range<usize> {
        let number = self.number(key);
        self.starts[number].into()..self.starts[number + 1].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_of_a_key_is_in_its_bucket() {
        let even = (0..4096).map(|key| (key / 3 * 2) << 40).collect();
        let uneven = (0..60).map(|key| key * key * key).chain([u64::MAX]).collect();
        let keys: [Vec<u64>; 3] = [even, uneven, vec![7]];
        for keys in keys {
            let buckets = Buckets::of(keys.iter().copied());
            for key in keys.iter().flat_map(|key| [*key, key | 1, key.saturating_add(1 << 41)]) {
                let bucket = buckets.bucket(key);
                let first = bucket.start + keys[bucket].partition_point(|other| *other < key);
                assert_eq!(first, keys.partition_point(|other| *other < key), "{key}");
            }
        }
        assert_eq!(Buckets::default().bucket(7), 0..0);
        let many = Buckets::of(std::iter::repeat_n(7, 70_000));
        assert_eq!(many.bucket(7).start, 0, "rows of a single key may be more than 16 bits count");
    }
}
