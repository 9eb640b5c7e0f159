//! The items that go into a sorter, and the rows that come out.

use crate::Combine;

/// One item pushed into a [`Sorter`](crate::Sorter).
///
/// `SUMS` is the number of 64-bit sums in a row. With 0 sums, a row only contains the identity and the note
/// of its items. Sorting is optimized for items of sixteen bytes (a `u128` alone).
pub trait Item<const SUMS: usize>: Copy + Send + Sync + 'static {
    /// How items with the same identity are combined: [`Sum`](crate::Sum) adds, [`Least`](crate::Least) keeps
    /// the smallest.
    type Combine: Combine<SUMS>;

    /// How many low bits of [`bits`](Item::bits) are not part of the item's identity.
    ///
    /// This must be at least 16 and at most 64. While a merge sorts, 16 of these bits hold a row's index in
    /// the merge's buffer.
    const PAYLOAD_BITS: u32;

    /// All bits of the item as one number. Items are ordered by this number without its payload bits.
    fn bits(&self) -> u128;

    /// Sixteen bits that are stored in the row. They are 0 unless the item type overrides this method.
    ///
    /// In valid data, items with the same identity have the same note. If they differ, the smallest note is
    /// kept, so the result does not depend on the order in which items arrive.
    #[inline]
    fn note(&self) -> u16 {
        0
    }

    /// Adds this item to the sums of its row. With [`Sum`](crate::Sum), an item may add at most 2^32 to each
    /// sum. With [`Least`](crate::Least), `sums` contains the words of the smallest item so far; if the words
    /// of this item are smaller, they replace `sums`.
    fn add_to(&self, sums: &mut [u64; SUMS]);
}

/// All items with one identity, combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<const SUMS: usize> {
    /// The items' bits with the payload zeroed.
    pub id: u128,
    /// The smallest note among the items.
    pub note: u16,
    /// With [`Sum`](crate::Sum), the sums over all items. With [`Least`](crate::Least), the 64-bit words of
    /// the item whose words are smallest.
    pub sums: [u64; SUMS],
}

impl<const SUMS: usize> Row<SUMS> {
    /// The value that buffers are filled with before rows are read into them.
    pub(crate) const EMPTY: Self = Self { id: 0, note: 0, sums: [0; SUMS] };

    /// Combines the row with `other`, a row with the same id. Returns `false` if a sum would reach 2^64.
    #[inline]
    pub(crate) fn absorb<C: Combine<SUMS>>(&mut self, other: &Self) -> bool {
        let fits = C::absorb(&mut self.sums, &other.sums);
        self.note = self.note.min(other.note);
        fits
    }
}

/// Combines items with equal ids into rows, and stores these at the front of `rows`. The items must be in
/// ascending order of their ids. Returns the number of items used and the number of rows stored. If items are
/// left over, the first of them has a different id than the last row.
///
/// The processor cannot predict whether an item belongs to the same row as the previous one. A branch would
/// be mispredicted about half of the time, so masks are used instead.
#[inline]
pub(crate) fn collapse<I: Item<SUMS>, const SUMS: usize>(
    items: &[I],
    rows: &mut [Row<SUMS>],
) -> (usize, usize) {
    let payload = low_mask(I::PAYLOAD_BITS);
    let Some(first) = items.first() else { return (0, 0) };
    // `last` starts with an id that no item can have, since its payload bits are not zero.
    let (mut last, mut note, mut made) = (first.bits() | payload, u16::MAX, 0);
    for (at, item) in items.iter().enumerate() {
        let id = item.bits() & !payload;
        let goes_on = id == last;
        made += usize::from(!goes_on);
        let Some(row) = rows.get_mut(made.wrapping_sub(1)) else { return (at, made - 1) };
        row.id = id;
        note = item.note().min(note | u16::from(!goes_on).wrapping_neg());
        row.note = note;
        I::Combine::begin(&mut row.sums, goes_on);
        item.add_to(&mut row.sums);
        last = id;
    }
    (items.len(), made)
}

/// A number whose lowest `bits` bits are set.
pub(crate) const fn low_mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The largest id in the range that holds `id`, if the id space is divided into `buckets` equal ranges.
pub(crate) fn bucket_last(id: u128, buckets: u32) -> u128 {
    id | (u128::MAX >> buckets.trailing_zeros())
}

/// The index of the range that holds `id`, if the id space is divided into `buckets` equal ranges; `buckets`
/// is a power of two.
pub(crate) fn bucket_of(id: u128, buckets: u32) -> u32 {
    // This shifts twice, because shifting by all 32 bits at once (for one bucket) is not defined.
    let top = (id >> 96) as u32;
    (top >> 1) >> (31 - buckets.trailing_zeros())
}
