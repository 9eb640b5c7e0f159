//! What goes into a sorter and what comes out of it.

/// One thing pushed into a [`Sorter`](crate::Sorter).
///
/// `LANES` is the number of 64-bit sums a row carries: as many as there are things to count; 0 for a
/// plain set of identities. Sixteen-byte items (a `u128` and nothing else) are the fast case.
pub trait Item<const LANES: usize>: Copy + Send + Sync + 'static {
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

    /// Adds this item to the sums of its row; at most 2^32 to each lane.
    fn add_to(&self, sums: &mut [u64; LANES]);
}

/// All items of one identity, summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<const LANES: usize> {
    /// The bits of the items with their payload zeroed.
    pub id: u128,
    /// The smallest note among the items.
    pub note: u16,
    /// The sums, lane by lane.
    pub sums: [u64; LANES],
}

impl<const LANES: usize> Row<LANES> {
    /// What stands where no row was read yet.
    pub(crate) const EMPTY: Self = Self { id: 0, note: 0, sums: [0; LANES] };

    /// Adds the sums of `other`, a row of the same id; `false` where a lane would pass 2^64.
    #[inline]
    pub(crate) fn absorb(&mut self, other: &Self) -> bool {
        let mut fits = true;
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            let (total, carried) = sum.overflowing_add(*more);
            *sum = total;
            fits &= !carried;
        }
        self.note = self.note.min(other.note);
        fits
    }
}

/// Sums items of ascending ids, id by id, into the front of `rows`: how many items, and into how many rows. The items that
/// are left begin with another id.
///
/// Whether an item goes on with a row is as good as chance, so that nothing branches on it.
#[inline]
pub(crate) fn collapse<I: Item<LANES>, const LANES: usize>(
    items: &[I],
    rows: &mut [Row<LANES>],
) -> (usize, usize) {
    let payload = low_mask(I::PAYLOAD_BITS);
    let Some(first) = items.first() else { return (0, 0) };
    // No item's id: its payload is not zero.
    let (mut last, mut made) = (first.bits() | payload, 0);
    for (at, item) in items.iter().enumerate() {
        let id = item.bits() & !payload;
        let goes_on = id == last;
        made += usize::from(!goes_on);
        let Some(row) = rows.get_mut(made.wrapping_sub(1)) else { return (at, made - 1) };
        row.id = id;
        row.note = item.note().min(if goes_on { row.note } else { u16::MAX });
        for sum in &mut row.sums {
            *sum &= u64::from(goes_on).wrapping_neg();
        }
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
