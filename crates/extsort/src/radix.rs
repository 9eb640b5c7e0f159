//! Sorting a chunk of items: two radix passes on the top bits, then insertion.
//!
//! The top bits are taken to be spread evenly, as hashes are. The first pass deals the chunk into pieces
//! that fit the L1 cache; the second deals a piece into groups of one or two, which an insertion sort over
//! the whole piece puts right. Groups that stay large, because an id occurs again and again, are sorted
//! by comparison first. A skewed or constant input costs time, never correctness.

use crate::Item;
use crate::item::low_mask;

/// Items a piece has on average.
const PIECE_ITEMS_LOG2: u32 = 9;
/// The most pieces, as a power of two: more write streams than this thrash the TLB.
const PIECES_LOG2_MAX: u32 = 11;
/// The most groups of a piece, as a power of two; a piece has about as many as items.
const GROUPS_LOG2_MAX: u32 = 11;
/// A group above this size is sorted by comparison before the insertion sort passes over it.
const GROUP_ITEMS_MAX: u32 = 12;
/// A piece up to this size goes to the insertion sort at once.
const INSERTION_ITEMS_MAX: usize = 16;

/// Sorts `items` by id and hands them to `emit` in pieces; equal ids are always in one piece.
///
/// `scratch` must be as long as `items`; both hold the same items in some order afterwards.
///
/// # Errors
/// The first error of `emit`, after which nothing more is sorted.
pub(crate) fn sort_pieces<I: Item<LANES>, const LANES: usize, E>(
    items: &mut [I],
    scratch: &mut [I],
    mut emit: impl FnMut(&[I]) -> Result<(), E>,
) -> Result<(), E> {
    assert_eq!(items.len(), scratch.len(), "the scratch is as long as the items");
    let pieces_log2 = items.len().max(1).ilog2().saturating_sub(PIECE_ITEMS_LOG2).min(PIECES_LOG2_MAX);
    let mut ends = [0u32; 1 << PIECES_LOG2_MAX];
    let ends = &mut ends[..1 << pieces_log2];
    deal(items, scratch, 0, ends);
    let mut start = 0;
    for end in ends.iter().map(|end| *end as usize) {
        let (piece, spare) = (&mut scratch[start..end], &mut items[start..end]);
        if piece.len() > INSERTION_ITEMS_MAX {
            sort_piece(piece, spare, pieces_log2);
            emit(spare)?;
        } else if !piece.is_empty() {
            insertion_sort(piece);
            emit(piece)?;
        }
        start = end;
    }
    Ok(())
}

/// Deals `from` into `to` by the bits below the top `skip`; `ends` becomes the end of each group.
fn deal<I: Item<LANES>, const LANES: usize>(from: &[I], to: &mut [I], skip: u32, ends: &mut [u32]) {
    let (mask, bits) = (ends.len() - 1, ends.len().trailing_zeros());
    // With one group the digit is masked to 0, whatever the shift.
    let shift = 64 - skip - bits.max(1);
    let digit = |item: &I| ((item.bits() >> 64) as u64 >> shift) as usize & mask;
    ends.fill(0);
    for item in from {
        ends[digit(item)] += 1;
    }
    let mut start = 0;
    for end in ends.iter_mut() {
        start += std::mem::replace(end, start);
    }
    for item in from {
        let place = &mut ends[digit(item)];
        to[*place as usize] = *item;
        *place += 1;
    }
}

/// Sorts `piece`, whose top `skip` bits are equal, into `sorted`.
fn sort_piece<I: Item<LANES>, const LANES: usize>(piece: &[I], sorted: &mut [I], skip: u32) {
    let mut ends = [0u32; 1 << GROUPS_LOG2_MAX];
    let ends = &mut ends[..1 << piece.len().ilog2().min(GROUPS_LOG2_MAX)];
    deal(piece, sorted, skip, ends);
    let mut start = 0;
    for end in ends.iter().copied() {
        if end - start > GROUP_ITEMS_MAX {
            sorted[start as usize..end as usize].sort_unstable_by_key(id);
        }
        start = end;
    }
    insertion_sort(sorted);
}

#[inline]
fn id<I: Item<LANES>, const LANES: usize>(item: &I) -> u128 {
    item.bits() & !low_mask(I::PAYLOAD_BITS)
}

fn insertion_sort<I: Item<LANES>, const LANES: usize>(items: &mut [I]) {
    for at in 1..items.len() {
        let item = items[at];
        let mut hole = at;
        while hole > 0 && id(&item) < id(&items[hole - 1]) {
            items[hole] = items[hole - 1];
            hole -= 1;
        }
        items[hole] = item;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Count;
    use proptest::prelude::*;

    fn sorted(mut items: Vec<Count>) -> Vec<Count> {
        let (mut scratch, mut out) = (items.clone(), Vec::new());
        let mut last = None;
        sort_pieces(&mut items, &mut scratch, |piece| {
            assert!(!piece.is_empty() && last < Some(id(&piece[0])), "an id in two pieces");
            last = piece.last().map(id);
            out.extend_from_slice(piece);
            Ok::<_, ()>(())
        })
        .unwrap();
        out
    }

    fn check(items: Vec<Count>) {
        let mut expected = items.clone();
        let mut got = sorted(items);
        assert!(got.is_sorted_by_key(id));
        expected.sort_unstable();
        got.sort_unstable();
        assert_eq!(got, expected);
    }

    #[test]
    fn small_constant_and_skewed_inputs() {
        check(Vec::new());
        check(vec![Count(5 << 20)]);
        check((0..5000).map(|i| Count(i % 3)).collect());
        check((0..5000u128).rev().map(|i| Count(i << 18)).collect());
        check((0..50_000u128).map(|i| Count((i * i % 77) << 120 | (i % 5) << 30)).collect());
        check(vec![Count(u128::MAX); 3000]);
    }

    proptest! {
        #[test]
        fn prop_sorts_hashes_with_duplicates(seed: u64, ids in 1u64..5000, items in 0usize..6000) {
            let hash = |i: u64| u128::from(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64;
            check((0..items as u64).map(|i| Count(hash(seed ^ (i % ids)) | u128::from(i & 3))).collect());
        }
    }
}
