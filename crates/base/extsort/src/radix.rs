//! Sorts a few thousand evenly spread values: one radix pass, then an insertion sort.
//!
//! The radix pass distributes the values into groups of one or two values. A group that stays large, because
//! an id occurs repeatedly, is then sorted by comparison. Finally, an insertion sort over all groups puts the
//! values in order. Skewed or constant input merely takes longer; the result is correct for any input.

use crate::Item;
use crate::item::low_mask;

/// The base-2 logarithm of the maximum number of groups when numbers are sorted, usually a few thousand at a
/// time. If there are fewer values than groups, the number of groups is the number of values, rounded up to a
/// power of two.
const NUMBER_GROUPS_LOG2_MAX: u32 = 13;
/// Like [`NUMBER_GROUPS_LOG2_MAX`], but for sorting a piece of a sort buffer. A piece may have a hundred
/// thousand items.
const ITEM_GROUPS_LOG2_MAX: u32 = 16;
/// A group with more items than this is sorted by comparison before the insertion sort passes over it.
const GROUP_ITEMS_MAX: u32 = 12;
/// If a piece of a sort buffer has no more items than this, it is sorted by insertion alone, without the
/// radix pass.
const INSERTION_ITEMS_MAX: usize = 16;

/// Sorts the pieces of sort buffers, one at a time.
///
/// # Memory
/// Holds a copy of the largest piece that it has sorted, plus at most [`GROUPS_BYTES`](Self::GROUPS_BYTES).
pub(crate) struct PieceSorter<I> {
    sorted: Vec<I>,
    /// The number of items in the most recently sorted piece.
    count: usize,
    /// The ends of the groups, for as many groups as any piece has had so far.
    ends: Vec<u32>,
}

impl<I> PieceSorter<I> {
    /// The number of bytes of memory that a sorter needs at most, not counting its copy of a piece.
    pub(crate) const GROUPS_BYTES: u64 = 4 << ITEM_GROUPS_LOG2_MAX;

    pub(crate) fn new() -> Self {
        Self { sorted: Vec::new(), count: 0, ends: Vec::new() }
    }

    /// The items of the most recently sorted piece.
    pub(crate) fn sorted(&self) -> &[I] {
        &self.sorted[..self.count]
    }

    /// Returns the items of `blocks` sorted by id. All of their ids have the same top `skip` bits.
    pub(crate) fn sort<'b, const SUMS: usize>(
        &mut self,
        blocks: impl Iterator<Item = &'b [I]> + Clone,
        skip: u32,
    ) -> &[I]
    where
        I: Item<SUMS>,
    {
        let count: usize = blocks.clone().map(<[I]>::len).sum();
        self.count = count;
        let Some(first) = blocks.clone().next().and_then(<[I]>::first) else { return &[] };
        if self.sorted.len() < count {
            self.sorted.reserve_exact(count - self.sorted.len());
            self.sorted.resize(count, *first);
        }
        let sorted = &mut self.sorted[..count];
        if count <= INSERTION_ITEMS_MAX {
            let mut start = 0;
            for block in blocks {
                sorted[start..start + block.len()].copy_from_slice(block);
                start += block.len();
            }
        } else {
            let groups = count.next_power_of_two().min(1 << ITEM_GROUPS_LOG2_MAX);
            if self.ends.len() < groups {
                self.ends = vec![0; groups];
            }
            let ends = &mut self.ends[..groups];
            deal(blocks, sorted, ends, |item| digit(item, skip, groups));
            sort_large_groups(sorted, ends, id);
        }
        insertion_sort(sorted, id);
        sorted
    }
}

/// Determines which of `groups` groups `item` belongs to, from the bits after the top `skip` bits.
#[inline]
pub(crate) fn digit<I: Item<SUMS>, const SUMS: usize>(item: &I, skip: u32, groups: usize) -> usize {
    // With one group, the mask is 0, so the digit is 0 for any shift; `max` only keeps the shift below 64.
    let shift = 64 - skip - groups.trailing_zeros().max(1);
    ((item.bits() >> 64) as u64 >> shift) as usize & (groups - 1)
}

/// Groups the values of `blocks` by their digits, and writes the groups to `to` in ascending order of the
/// digits. Afterwards, `ends` holds the end of each digit's group.
fn deal<'b, T: Copy + 'b>(
    blocks: impl Iterator<Item = &'b [T]> + Clone,
    to: &mut [T],
    ends: &mut [u32],
    digit: impl Fn(&T) -> usize,
) {
    // There are two loops: the first only counts, so that the second can write each value straight to its
    // place in its group. During the second loop, `ends` holds the place of each group's next value, and
    // afterwards the group's end.
    ends.fill(0);
    for block in blocks.clone() {
        for value in block {
            ends[digit(value)] += 1;
        }
    }
    let mut start = 0;
    for end in ends.iter_mut() {
        start += std::mem::replace(end, start);
    }
    for block in blocks {
        for value in block {
            let place = &mut ends[digit(value)];
            to[*place as usize] = *value;
            *place += 1;
        }
    }
}

/// Sorts large groups by comparison, because an insertion sort takes time quadratic in the size of a group.
fn sort_large_groups<T>(values: &mut [T], ends: &[u32], key: impl Fn(&T) -> u128) {
    let mut start = 0;
    for end in ends.iter().copied() {
        if end - start > GROUP_ITEMS_MAX {
            values[start as usize..end as usize].sort_unstable_by_key(&key);
        }
        start = end;
    }
}

#[inline]
fn id<I: Item<SUMS>, const SUMS: usize>(item: &I) -> u128 {
    item.bits() & !low_mask(I::PAYLOAD_BITS)
}

/// Sorts values whose groups are already in order, so no value moves out of its own group.
fn insertion_sort<T: Copy>(values: &mut [T], key: impl Fn(&T) -> u128) {
    for at in 1..values.len() {
        let value = values[at];
        let mut hole = at;
        while hole > 0 && key(&value) < key(&values[hole - 1]) {
            values[hole] = values[hole - 1];
            hole -= 1;
        }
        values[hole] = value;
    }
}

/// Sorts numbers that are spread evenly between their minimum and their maximum.
///
/// # Memory
/// [`MEMORY_BYTES`](Self::MEMORY_BYTES).
pub(crate) struct NumberSorter {
    ends: Box<[u32]>,
}

impl NumberSorter {
    /// The number of bytes of memory that a sorter needs.
    pub(crate) const MEMORY_BYTES: usize = 4 << NUMBER_GROUPS_LOG2_MAX;

    pub(crate) fn new() -> Self {
        Self { ends: vec![0; 1 << NUMBER_GROUPS_LOG2_MAX].into() }
    }

    /// Sorts `numbers` into `sorted`, which must have the same length. All numbers must be between `least`
    /// and `greatest`.
    pub(crate) fn sort(&mut self, numbers: &[u128], sorted: &mut [u128], least: u128, greatest: u128) {
        assert_eq!(numbers.len(), sorted.len(), "the result is as long as the input");
        let groups = numbers.len().next_power_of_two().min(1 << NUMBER_GROUPS_LOG2_MAX);
        let ends = &mut self.ends[..groups];
        // Subtracting the least number makes the range of values start at 0. The shift then leaves the top
        // bits of that range as the digit.
        let least = (least >> 64) as u64;
        let bits = 64 - ((greatest >> 64) as u64 - least).leading_zeros();
        let shift = bits.saturating_sub(groups.trailing_zeros());
        let digit =
            |number: &u128| ((number >> 64) as u64).wrapping_sub(least) as usize >> shift & (groups - 1);
        deal(std::iter::once(numbers), sorted, ends, digit);
        sort_large_groups(sorted, ends, |number| *number);
        insertion_sort(sorted, |number| *number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn prop_numbers_are_sorted(
            mut numbers in proptest::collection::vec(proptest::num::u128::ANY, 1..3000),
            spread in 0u32..128,
        ) {
            for number in &mut numbers {
                *number >>= spread;
            }
            let mut sorted = vec![0; numbers.len()];
            let (least, greatest) = (numbers.iter().min().copied(), numbers.iter().max().copied());
            NumberSorter::new().sort(&numbers, &mut sorted, least.unwrap(), greatest.unwrap());
            numbers.sort_unstable();
            proptest::prop_assert_eq!(sorted, numbers);
        }
    }
}
