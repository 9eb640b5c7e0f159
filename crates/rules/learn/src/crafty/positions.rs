//! A sorted list of keys and the ranges of their moves, with an index over the list.

use std::ops::Range;

use position::Key;

/// The positions by key. The last item is an end mark: it holds the index at which the last position's moves
/// end.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    all: Vec<Position>,
    /// The index at which each bucket starts, followed by the end of the last bucket.
    buckets: Vec<u32>,
    /// The number of bits by which a key is shifted right to get the number of its bucket.
    shift: u32,
}

/// A key and the index of its first move. The key is split into halves to keep the struct at twelve bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    key: [u32; 2],
    start: u32,
}

impl Position {
    pub(super) fn new(key: Key, start: u32) -> Self {
        Self { key: [(key.0 >> 32) as u32, key.0 as u32], start }
    }

    #[inline]
    pub(super) fn key(self) -> Key {
        Key(u64::from(self.key[0]) << 32 | u64::from(self.key[1]))
    }
}

impl Positions {
    /// Builds the index; `positions` must be in ascending order, and `moves` is the total number of moves.
    ///
    /// Keys are hashes, so buckets that are chosen by the leading bits of keys are about the same size: two
    /// to four positions each.
    pub(super) fn new(mut positions: Vec<Position>, moves: u32) -> Self {
        let bits = (positions.len() / 2).max(2).ilog2();
        let shift = u64::BITS - bits;
        let mut buckets = vec![0; (1 << bits) + 1];
        for position in &positions {
            buckets[(position.key().0 >> shift) as usize + 1] += 1;
        }
        for bucket in 1..buckets.len() {
            buckets[bucket] += buckets[bucket - 1];
        }
        positions.push(Position::new(Key(u64::MAX), moves));
        Self { all: positions, buckets, shift }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len() - 1
    }

    /// Every position with its moves, in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Key, Range<usize>)> + '_ {
        (0..self.len()).map(|at| (self.all[at].key(), self.moves(at)))
    }

    fn moves(&self, at: usize) -> Range<usize> {
        self.all[at].start as usize..self.all[at + 1].start as usize
    }

    /// Returns the range of the moves that belong to `key`; it is empty if there is no such position.
    #[inline]
    pub(super) fn find(&self, key: Key) -> Range<usize> {
        self.find_in(self.bucket(key), key)
    }

    /// The first half of [`Self::find`]. If the caller does the first half for many keys, and only then the
    /// second half, the cache misses for different keys overlap.
    #[inline]
    pub(super) fn bucket(&self, key: Key) -> Range<usize> {
        let bucket = (key.0 >> self.shift) as usize;
        self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize
    }

    /// The second half of [`Self::find`].
    #[inline]
    pub(super) fn find_in(&self, bucket: Range<usize>, key: Key) -> Range<usize> {
        let end = bucket.end;
        let at = bucket.start + self.all[bucket].partition_point(|position| position.key() < key);
        if at < end && self.all[at].key() == key { self.moves(at) } else { 0..0 }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn prop_every_key_is_found_and_no_other(
            keys in prop::collection::btree_set(any::<u64>(), 0..300),
            others in prop::collection::vec(any::<u64>(), 50),
            shift in 0_u32..60,
        ) {
            let keys: BTreeSet<u64> = keys.into_iter().map(|key| key >> shift).collect();
            let all = keys.iter().zip(0..).map(|(&key, at)| Position::new(Key(key), 2 * at)).collect();
            let positions = Positions::new(all, 2 * keys.len() as u32);
            for (&key, at) in keys.iter().zip(0..) {
                prop_assert_eq!(positions.find(Key(key)), 2 * at..2 * at + 2);
            }
            for other in others.into_iter().chain([0, u64::MAX]) {
                prop_assert_eq!(!positions.find(Key(other)).is_empty(), keys.contains(&other));
            }
            prop_assert!(positions.iter().map(|position| position.0.0).eq(keys));
        }
    }
}
