//! What goes into a sorter and what comes out of it.

use crate::Combine;

/// One thing pushed into a [`Sorter`](crate::Sorter).
///
/// `SUMS` is the number of 64-bit sums that a row carries: one for each thing that is counted; 0 for a plain
/// set of identities. Items of sixteen bytes (a `u128` and nothing else) are the fast case.
pub trait Item<const SUMS: usize>: Copy + Send + Sync + 'static {
    /// What becomes of several items of one identity: [`Sum`](crate::Sum) adds,
    /// [`Least`](crate::Least) keeps the smallest.
    type Combine: Combine<SUMS>;

    /// How many low bits of [`bits`](Item::bits) are not part of the identity.
    ///
    /// From 16 to 64: a merge keeps a row's place in memory in the lowest 16 bits while it sorts.
    const PAYLOAD_BITS: u32;

    /// All bits, the most significant first. Items are ordered by them without the payload.
    fn bits(&self) -> u128;

    /// Sixteen bits that are carried with the row.
    ///
    /// In sound data they are a function of the identity; where items of one identity differ the
    /// smallest is kept, so that the result never depends on the order of arrival.
    fn note(&self) -> u16;

    /// Adds this item to the sums of its row: with [`Sum`](crate::Sum) at most 2^32 to each sum; with
    /// [`Least`](crate::Least) the row's words become this item's if those are smaller.
    fn add_to(&self, sums: &mut [u64; SUMS]);
}

/// All items of one identity, combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<const SUMS: usize> {
    /// The bits of the items with their payload zeroed.
    pub id: u128,
    /// The smallest note among the items.
    pub note: u16,
    /// The sums of the items; with [`Least`](crate::Least) the words of the smallest.
    pub sums: [u64; SUMS],
}

impl<const SUMS: usize> Row<SUMS> {
    /// Fills buffers before rows are read into them.
    pub(crate) const EMPTY: Self = Self { id: 0, note: 0, sums: [0; SUMS] };

    /// Combines with `other`, a row of the same id; `false` if a sum would pass 2^64.
    #[inline]
    pub(crate) fn absorb<C: Combine<SUMS>>(&mut self, other: &Self) -> bool {
        let fits = C::absorb(&mut self.sums, &other.sums);
        self.note = self.note.min(other.note);
        fits
    }
}

/// Combines items of ascending ids, id by id, into the front of `rows`; returns how many items, and into how
/// many rows. The items that are left begin with another id.
///
/// Whether an item goes on with the row before it is as good as chance: a branch on it would be mispredicted
/// every other time, so everything is computed with masks.
#[inline]
pub(crate) fn collapse<I: Item<SUMS>, const SUMS: usize>(
    items: &[I],
    rows: &mut [Row<SUMS>],
) -> (usize, usize) {
    let payload = low_mask(I::PAYLOAD_BITS);
    let Some(first) = items.first() else { return (0, 0) };
    // The id that comes before the first item's is none that an item can have: its payload bits are not zero.
    let (mut last, mut made) = (first.bits() | payload, 0);
    for (at, item) in items.iter().enumerate() {
        let id = item.bits() & !payload;
        let goes_on = id == last;
        made += usize::from(!goes_on);
        let Some(row) = rows.get_mut(made.wrapping_sub(1)) else { return (at, made - 1) };
        row.id = id;
        row.note = item.note().min(if goes_on { row.note } else { u16::MAX });
        I::Combine::begin(&mut row.sums, goes_on);
        item.add_to(&mut row.sums);
        last = id;
    }
    (items.len(), made)
}

/// The lowest `bits` bits set.
pub(crate) const fn low_mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The largest id that belongs to the same one of `buckets` equal ranges as `id`.
pub(crate) fn bucket_last(id: u128, buckets: u32) -> u128 {
    id | (u128::MAX >> buckets.trailing_zeros())
}

/// Which of `buckets` equal ranges of the id space holds `id`; `buckets` is a power of two.
pub(crate) fn bucket_of(id: u128, buckets: u32) -> u32 {
    // Two shifts, because a shift by all 32 bits (one bucket) is not defined.
    let top = (id >> 96) as u32;
    (top >> 1) >> (31 - buckets.trailing_zeros())
}
