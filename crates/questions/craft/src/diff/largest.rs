//! Finds the largest of many changes.

use std::{cmp::Reverse, collections::BTreeMap};

use position::{Key, PackedMove};

use super::Pair;

/// The largest changes found so far.
pub(super) struct LargestChanges {
    limit: usize,
    /// The changes by size. Sizes are never negative, so they sort like their bit patterns. If two changes
    /// have the same size, the one whose position comes first counts as larger.
    ranked: BTreeMap<(u64, Reverse<(Key, PackedMove)>), Pair>,
}

impl LargestChanges {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, ranked: BTreeMap::new() }
    }

    /// Keeps a change if it is one of the largest.
    pub(super) fn offer(&mut self, size: Option<f64>, pair: Pair) {
        let Some(size) = size else { return };
        self.ranked.insert((size.to_bits(), Reverse((pair.key, pair.mv))), pair);
        if self.ranked.len() > self.limit {
            self.ranked.pop_first();
        }
    }

    /// The changes, the largest first.
    pub(super) fn into_pairs(self) -> Vec<Pair> {
        self.ranked.into_values().rev().collect()
    }
}
