//! The largest of many changes.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use super::Pair;

/// The largest changes so far.
pub(super) struct Largest {
    limit: usize,
    /// The smallest of them on top.
    ranked: BinaryHeap<Reverse<Ranked>>,
}

/// A change, and how large it is. Of two of one size the one whose position comes first is the greater.
struct Ranked {
    size: f64,
    pair: Pair,
}

impl Largest {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, ranked: BinaryHeap::new() }
    }

    /// Keeps a change if it is one of the largest.
    pub(super) fn offer(&mut self, size: Option<f64>, pair: Pair) {
        let Some(size) = size else { return };
        self.ranked.push(Reverse(Ranked { size, pair }));
        if self.ranked.len() > self.limit {
            self.ranked.pop();
        }
    }

    /// They, the largest first.
    pub(super) fn into_pairs(self) -> Vec<Pair> {
        self.ranked.into_sorted_vec().into_iter().map(|Reverse(ranked)| ranked.pair).collect()
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |ranked: &Self| (ranked.pair.key, ranked.pair.mv);
        self.size.total_cmp(&other.size).then_with(|| place(other).cmp(&place(self)))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}
