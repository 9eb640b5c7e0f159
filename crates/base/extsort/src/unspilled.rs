//! Items that are kept in the buffers they were pushed into, and are sorted when they are read.

use std::ops::Range;
use std::sync::Arc;

use crate::arena::Arena;
use crate::gauge::Lease;
use crate::item::collapse;
use crate::merge::Cursor;
use crate::radix::PieceSorter;
use crate::sort_buffer::SortBuffer;
use crate::spill::Shared;
use crate::{Item, Result, Row};

/// The last, partly filled buffers of all writers.
///
/// # Memory
/// Holds the buffers and, for each buffer, the memory needed to sort one of its pieces. The leases cover
/// both.
pub(crate) struct Unspilled<I> {
    buffers: Vec<(SortBuffer<I>, Lease)>,
    /// The arena that lends the buffers and takes them back.
    pub(crate) arena: Arena<I>,
}

impl<I> Drop for Unspilled<I> {
    fn drop(&mut self) {
        self.buffers.drain(..).for_each(|(buffer, _)| self.arena.keep(buffer));
    }
}

impl<I> Unspilled<I> {
    /// An empty list of buffers. Once the buffers have been read, they are returned to the arena.
    pub(crate) fn new(arena: Arena<I>) -> Self {
        Self { buffers: Vec::new(), arena }
    }

    pub(crate) fn push(&mut self, buffer: SortBuffer<I>, lease: Lease) {
        if buffer.is_empty() {
            self.arena.keep(buffer);
        } else {
            self.buffers.push((buffer, lease));
        }
    }

    /// Takes a buffer off the list, so that another writer can continue to fill it. There are thus never more
    /// buffers than the greatest number of writers that were open at once.
    pub(crate) fn pop(&mut self) -> Option<(SortBuffer<I>, Lease)> {
        self.buffers.pop()
    }

    /// The number of items in all buffers.
    pub(crate) fn items(&self) -> u64 {
        self.buffers.iter().map(|(buffer, _)| buffer.items()).sum()
    }

    fn pieces(&self) -> usize {
        self.buffers.first().map_or(0, |(buffer, _)| buffer.pieces())
    }

    /// The blocks that belong to the piece with this number, from all buffers.
    fn piece(&self, piece: usize) -> impl Iterator<Item = &[I]> + Clone {
        self.buffers.iter().flat_map(move |(buffer, _)| buffer.piece(piece))
    }

    /// Spills the buffers if they cannot be read in place: if a bucket is smaller than a piece, or if there
    /// is no memory to sort the largest piece.
    pub(crate) fn finish<const SUMS: usize>(mut self, shared: &Shared) -> Result<Option<Self>>
    where
        I: Item<SUMS>,
    {
        let Some((first, _)) = self.buffers.first() else { return Ok(None) };
        let fits = |piece: usize| {
            let items: usize = self.buffers.iter().map(|(buffer, _)| buffer.piece_items(piece)).sum();
            items <= first.piece_items_max()
        };
        if shared.options.buckets as usize <= first.pieces() && (0..first.pieces()).all(fits) {
            return Ok(Some(self));
        }
        let mut sorter = PieceSorter::new();
        for (mut buffer, _lease) in self.buffers.drain(..) {
            shared.spill(&mut buffer, &mut sorter)?;
            self.arena.keep(buffer);
        }
        Ok(None)
    }
}

/// Returns unspilled items as rows. Unlike [`Unspilled`], this trait does not depend on the type of the
/// items.
pub(crate) trait UnspilledRows<const SUMS: usize>: Send + Sync {
    /// The rows of a bucket; `buckets` is the total number of buckets.
    fn bucket(self: Arc<Self>, bucket: u32, buckets: u32) -> Box<dyn Cursor<SUMS>>;
}

impl<I: Item<SUMS>, const SUMS: usize> UnspilledRows<SUMS> for Unspilled<I> {
    fn bucket(self: Arc<Self>, bucket: u32, buckets: u32) -> Box<dyn Cursor<SUMS>> {
        let pieces = self.pieces() / buckets as usize;
        let first = bucket as usize * pieces;
        Box::new(PieceCursor {
            unspilled: self,
            pieces: first..first + pieces,
            sorter: PieceSorter::new(),
            at: 0,
        })
    }
}

/// Reads the items in a range of pieces as rows. The items of each piece come from all buffers.
struct PieceCursor<I> {
    unspilled: Arc<Unspilled<I>>,
    /// The numbers of the pieces that have not been sorted yet.
    pieces: Range<usize>,
    sorter: PieceSorter<I>,
    /// The number of items that have already been read from the most recently sorted piece.
    at: usize,
}

impl<I: Item<SUMS>, const SUMS: usize> Cursor<SUMS> for PieceCursor<I> {
    fn refill(&mut self, rows: &mut [Row<SUMS>]) -> Result<usize> {
        while self.at == self.sorter.sorted().len() {
            let Some(piece) = self.pieces.next() else { return Ok(0) };
            let same_bits = self.unspilled.pieces().trailing_zeros();
            self.sorter.sort(self.unspilled.piece(piece), same_bits);
            self.at = 0;
        }
        let (items, count) = collapse(&self.sorter.sorted()[self.at..], rows);
        self.at += items;
        Ok(count)
    }
}
