//! Yields the numbers below a bound in random order. Each number is drawn only when it is needed.

use std::collections::HashMap;

use crate::Rng;

/// Returns each number in `0..count` once, as if popped from a shuffled list.
///
/// # Memory
///
/// Uses about fifty bytes for each number drawn so far.
#[derive(Clone, Debug)]
pub struct Permutation {
    rng: Rng,
    /// The count of numbers that have not been returned yet. Think of them as the first `left` items of a
    /// list; the list itself is not stored.
    left: u64,
    /// The items of the list that differ from their own index, by index. All other items are equal to their
    /// index.
    moved: HashMap<u64, u64>,
}

impl Permutation {
    /// Creates a random permutation of the numbers below `count`.
    #[must_use]
    pub fn new(rng: Rng, count: u64) -> Self {
        Self { rng, left: count, moved: HashMap::new() }
    }
}

impl Iterator for Permutation {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let end = self.left.checked_sub(1)?;
        self.left = end;
        let at_end = self.moved.remove(&end).unwrap_or(end);
        // A shuffle leaves the last remaining number in place, so no random number is drawn for it.
        let other = if end == 0 { end } else { self.rng.below(end + 1) };
        Some(if other == end { at_end } else { self.moved.insert(other, at_end).unwrap_or(other) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shuffles `items`, with every order equally likely.
    fn shuffle<T>(mut rng: Rng, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let other = rng.below(end as u64 + 1) as usize;
            items.swap(end, other);
        }
    }

    #[test]
    fn the_order_is_that_of_a_shuffle() {
        for count in (0..40).chain([1000]) {
            let mut all: Vec<u64> = (0..count).collect();
            shuffle(Rng::stream(5, count), &mut all);
            all.reverse();
            assert_eq!(Permutation::new(Rng::stream(5, count), count).collect::<Vec<_>>(), all, "{count}");
        }
    }
}
