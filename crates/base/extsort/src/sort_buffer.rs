//! A sort buffer holds the items of one thread, and partitions them by their top bits as they arrive. Each
//! partition is called a *piece*.
//!
//! If the top bits are evenly distributed, as in a hash, a piece of a full buffer fits into the cache. A
//! piece is a chain of blocks, and each block holds several items. All blocks are in one reusable vector. An
//! item is written to the vector once, and is not moved until its piece is sorted.

use std::ops::RangeInclusive;

use crate::Item;
use crate::prefetch::prefetch;
use crate::radix::{PieceSorter, digit};

/// The base-2 logarithm of the maximum number of pieces in a buffer. With this many pieces, the cache lines
/// being written fit into the L1 cache; with four times as many, distributing the items takes three to six
/// per cent longer. If a buffer has 64 MiB, each of its pieces takes up about 100 KiB and is sorted in the L2
/// cache. In the largest buffer, each piece takes up 7 MiB and is sorted in the L3 cache, which is still
/// cheaper than merging more runs.
const PIECES_LOG2_MAX: u32 = 9;
/// The base-2 logarithm of the approximate number of blocks in a piece of average size. In a large buffer,
/// each piece has more blocks than this, because blocks have a maximum size. The last block of each piece is
/// half empty on average.
const PIECE_BLOCKS_LOG2: u32 = 2;
/// The base-2 logarithms of the minimum and the maximum number of items in a block. A block of the maximum
/// size takes up 4 KiB if each item has 16 bytes. A buffer larger than the cache is thus read back a page at
/// a time; with smaller blocks, TLB misses would take most of the time.
const BLOCK_ITEMS_LOG2: RangeInclusive<u32> = 4..=8;
/// A piece takes up at most `1 / PIECE_SHARE` of its buffer. Sorting copies one piece at a time, so this also
/// limits the memory for the copy.
const PIECE_SHARE: usize = 4;

/// A buffer that distributes items into pieces as they are added.
///
/// # Memory
/// Takes memory for the items, plus four bytes per block and eight bytes per piece. All of this memory is
/// reserved at the start, but most of it is not touched until items are stored in it. While a piece is
/// sorted, the buffer and the copy of this piece take at most [`memory_bytes`](Self::memory_bytes) in total.
pub(crate) struct SortBuffer<I> {
    /// All blocks that have ever been used; the first `blocks_used` of them are in use now.
    items: Vec<I>,
    /// For each block, the index in `items` at which its piece ended before the block was added.
    ends_before: Vec<u32>,
    /// For each piece, the index in `items` just after the piece's last item; 0 if the piece is empty.
    ends: Vec<u32>,
    /// For each piece, the number of its blocks.
    blocks: Vec<u32>,
    blocks_used: usize,
    layout: Layout,
}

/// How a buffer is divided into blocks and pieces.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Layout {
    pieces_log2: u32,
    /// One less than the number of items in a block. As a mask, this number reduces an item's index in the
    /// buffer to the item's index in its block.
    block_mask: usize,
    blocks_max: usize,
    piece_blocks_max: usize,
}

impl Layout {
    fn of(items: usize) -> Self {
        let items_log2 = items.max(1).ilog2();
        let block_log2 = items_log2
            .saturating_sub(PIECES_LOG2_MAX + PIECE_BLOCKS_LOG2)
            .clamp(*BLOCK_ITEMS_LOG2.start(), *BLOCK_ITEMS_LOG2.end());
        let blocks_max = (items >> block_log2).max(1);
        Self {
            pieces_log2: blocks_max.ilog2().saturating_sub(PIECE_BLOCKS_LOG2).min(PIECES_LOG2_MAX),
            block_mask: (1 << block_log2) - 1,
            blocks_max,
            piece_blocks_max: (blocks_max / PIECE_SHARE).max(1),
        }
    }

    fn block_items(&self) -> usize {
        self.block_mask + 1
    }
}

impl<I> SortBuffer<I> {
    /// Creates a buffer for about `items_max` items, with at least one block.
    pub(crate) fn new(items_max: usize) -> Self {
        let layout = Layout::of(items_max);
        let pieces = 1 << layout.pieces_log2;
        Self {
            items: Vec::with_capacity(layout.blocks_max * layout.block_items()),
            ends_before: Vec::with_capacity(layout.blocks_max),
            ends: vec![0; pieces],
            blocks: vec![0; pieces],
            blocks_used: 0,
            layout,
        }
    }

    /// The maximum number of items in a buffer that takes at most `bytes` bytes.
    pub(crate) const fn items_max(bytes: u64) -> u64 {
        let item = if size_of::<I>() == 0 { 1 } else { size_of::<I>() as u64 };
        bytes * PIECE_SHARE as u64 / (PIECE_SHARE as u64 + 1) / (item + 1)
    }

    /// The maximum number of bytes of memory that a buffer of `items_max` items takes together with a copy of
    /// one piece.
    pub(crate) fn memory_bytes(items_max: usize) -> u64 {
        let layout = Layout::of(items_max);
        let items = (layout.blocks_max + layout.piece_blocks_max) * layout.block_items();
        (items * size_of::<I>() + 4 * layout.blocks_max + (8 << layout.pieces_log2)) as u64
    }

    /// Whether a new buffer for this number of items would have the same layout.
    pub(crate) fn is_for(&self, items_max: usize) -> bool {
        self.layout == Layout::of(items_max)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocks_used == 0
    }

    /// The number of pieces in the buffer, a power of two.
    pub(crate) fn pieces(&self) -> usize {
        self.ends.len()
    }

    /// The maximum number of items that one piece of the buffer can hold.
    pub(crate) fn piece_items_max(&self) -> usize {
        self.layout.piece_blocks_max * self.layout.block_items()
    }

    /// The blocks that make up one piece of the buffer, in no particular order.
    pub(crate) fn piece(&self, piece: usize) -> impl Iterator<Item = &[I]> + Clone {
        Blocks {
            items: &self.items,
            ends_before: &self.ends_before,
            block_items: self.layout.block_items(),
            end: self.ends[piece] as usize,
        }
    }

    /// The number of items in the buffer.
    pub(crate) fn items(&self) -> u64 {
        (0..self.pieces()).map(|piece| self.piece_items(piece) as u64).sum()
    }

    /// The number of items that fit in the unused blocks.
    pub(crate) fn room_items(&self) -> u64 {
        ((self.layout.blocks_max - self.blocks_used) * self.layout.block_items()) as u64
    }

    /// The number of items in one piece of the buffer.
    pub(crate) fn piece_items(&self, piece: usize) -> usize {
        self.piece(piece).map(<[I]>::len).sum()
    }

    /// The address of the items.
    #[cfg(test)]
    pub(crate) fn place(&self) -> *const I {
        self.items.as_ptr()
    }

    pub(crate) fn clear(&mut self) {
        self.ends.fill(0);
        self.blocks.fill(0);
        self.ends_before.clear();
        self.blocks_used = 0;
    }

    /// Adds an item. Returns `false` without adding it if there is no room. An empty buffer always has room.
    #[inline]
    pub(crate) fn push<const SUMS: usize>(&mut self, item: I) -> bool
    where
        I: Item<SUMS>,
    {
        let piece = digit(&item, 0, self.ends.len());
        let mut end = self.ends[piece] as usize;
        // The end is a multiple of the block size if the piece has no block yet (end 0) or its last block is
        // full. In both cases, the piece needs a new block.
        if end & self.layout.block_mask == 0 {
            match self.take_block(piece, item) {
                Some(start) => end = start,
                None => return false,
            }
        }
        self.items[end] = item;
        self.ends[piece] = end as u32 + 1;
        // Without a prefetch, the memory to which this piece's next item is written would not be in the cache
        // when that item arrives. Small items need no prefetch, because they share a cache line with the
        // previous item.
        if size_of::<I>() > size_of::<u128>() {
            prefetch(&self.items, end + 1);
        }
        true
    }

    /// Adds a block to `piece` and returns the block's start, or returns `None` if there is no room. A block
    /// that is used for the first time is filled with `item`.
    #[inline(never)]
    fn take_block(&mut self, piece: usize, item: I) -> Option<usize>
    where
        I: Copy,
    {
        let layout = &self.layout;
        let full =
            self.blocks_used == layout.blocks_max || self.blocks[piece] as usize == layout.piece_blocks_max;
        if full {
            return None;
        }
        let start = self.blocks_used * layout.block_items();
        // `ends_before` links the new block to the piece's previous block, because it holds the previous end
        // of the piece.
        self.ends_before.push(self.ends[piece]);
        self.blocks[piece] += 1;
        self.blocks_used += 1;
        if start == self.items.len() {
            self.items.resize(start + layout.block_items(), item);
        }
        Some(start)
    }

    /// Passes the items to `emit` piece by piece, sorted by id, and empties the buffer. Items with the same
    /// id always fall into the same piece.
    ///
    /// # Errors
    /// Returns the first error that `emit` returns, and sorts nothing after that.
    pub(crate) fn drain_sorted<const SUMS: usize, E>(
        &mut self,
        pieces: &mut PieceSorter<I>,
        mut emit: impl FnMut(&[I]) -> Result<(), E>,
    ) -> Result<(), E>
    where
        I: Item<SUMS>,
    {
        for piece in 0..self.pieces() {
            let sorted = pieces.sort(self.piece(piece), self.layout.pieces_log2);
            if !sorted.is_empty() {
                emit(sorted)?;
            }
        }
        self.clear();
        Ok(())
    }
}

/// Iterates over the blocks that make up one piece of a buffer, from the last block to the first.
struct Blocks<'c, I> {
    items: &'c [I],
    ends_before: &'c [u32],
    block_items: usize,
    end: usize,
}

impl<I> Clone for Blocks<'_, I> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'c, I> Iterator for Blocks<'c, I> {
    type Item = &'c [I];

    fn next(&mut self) -> Option<&'c [I]> {
        let block = self.end.checked_sub(1)? / self.block_items;
        let items = &self.items[block * self.block_items..self.end];
        self.end = self.ends_before[block] as usize;
        Some(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::low_mask;
    use crate::testing::Count;
    use proptest::prelude::*;

    fn id(item: &Count) -> u128 {
        item.bits() & !low_mask(Count::PAYLOAD_BITS)
    }

    /// Sorts all items in buffers of `items_max` items, and checks that every buffer comes out in order and
    /// nothing is lost.
    fn check(items_max: usize, mut items: Vec<Count>) {
        let (mut buffer, mut all) = (SortBuffer::new(items_max), Vec::new());
        let mut sorter = PieceSorter::new();
        let mut drain = |buffer: &mut SortBuffer<Count>| {
            let mut last = None;
            let count = buffer.items();
            buffer
                .drain_sorted(&mut sorter, |piece| {
                    assert!(piece.is_sorted_by_key(id) && last < Some(id(&piece[0])), "an id in two pieces");
                    last = piece.last().map(id);
                    all.extend_from_slice(piece);
                    Ok::<_, ()>(())
                })
                .unwrap();
            assert!(count > 0 && buffer.is_empty());
        };
        for item in &items {
            if !buffer.push(*item) {
                drain(&mut buffer);
                assert!(buffer.push(*item), "an empty buffer has room");
            }
        }
        if !buffer.is_empty() {
            drain(&mut buffer);
        }
        assert!(buffer.items.len() <= items_max.max(16));
        items.sort_unstable();
        all.sort_unstable();
        assert_eq!(all, items);
    }

    #[test]
    fn small_constant_and_skewed_inputs() {
        for items_max in [1, 100, 10_000, 200_000] {
            check(items_max, Vec::new());
            check(items_max, vec![Count(5 << 20)]);
            check(items_max, (0..5000).map(|i| Count(i % 3)).collect());
            check(items_max, (0..5000u128).rev().map(|i| Count(i << 18)).collect());
            check(items_max, (0..50_000u128).map(|i| Count((i * i % 77) << 120 | (i % 5) << 30)).collect());
            check(items_max, vec![Count(u128::MAX); 3000]);
        }
    }

    #[test]
    fn memory_is_within_what_was_asked() {
        for bytes in (10..30).map(|power| 3u64 << power) {
            let items_max = SortBuffer::<Count>::items_max(bytes) as usize;
            let held = SortBuffer::<Count>::memory_bytes(items_max);
            assert!(held <= bytes && (bytes < 1 << 17 || held > bytes / 8 * 7), "{held} of {bytes}");
        }
    }

    proptest! {
        #[test]
        fn prop_sorts_hashes_with_duplicates(seed: u64, ids in 1u64..5000, items in 0usize..6000) {
            let hash = |i: u64| u128::from(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64;
            let items = (0..items as u64).map(|i| Count(hash(seed ^ (i % ids)) | u128::from(i & 3))).collect();
            check(4096, items);
        }
    }
}
