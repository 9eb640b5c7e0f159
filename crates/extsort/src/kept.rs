//! Items that stay where they were pushed, and are sorted when they are read.

use std::ops::Range;
use std::sync::Arc;

use crate::chunk::Chunk;
use crate::gauge::Lease;
use crate::item::collapse;
use crate::merge::Source;
use crate::radix::PieceSorter;
use crate::spill::Shared;
use crate::{Item, Result, Row};

/// The last chunks of all writers, which were not full.
///
/// # Memory
/// That of the chunks, which their leases count, the room to sort a piece of each with them.
pub(crate) struct Kept<I> {
    chunks: Vec<(Chunk<I>, Lease)>,
}

impl<I> Default for Kept<I> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<I> Kept<I> {
    pub(crate) fn push(&mut self, chunk: Chunk<I>, lease: Lease) {
        self.chunks.push((chunk, lease));
    }

    fn pieces(&self) -> usize {
        self.chunks.first().map_or(0, |(chunk, _)| chunk.pieces())
    }

    /// The blocks of a piece of all chunks.
    fn piece(&self, piece: usize) -> impl Iterator<Item = &[I]> + Clone {
        self.chunks.iter().flat_map(move |(chunk, _)| chunk.piece(piece))
    }

    /// Spills the chunks if they cannot be read as they are: if a bucket is less than a piece, or a piece so
    /// large that there is no room to sort it.
    pub(crate) fn finish<const LANES: usize>(mut self, shared: &Shared) -> Result<Option<Self>>
    where
        I: Item<LANES>,
    {
        let Some((first, _)) = self.chunks.first() else { return Ok(None) };
        let fits = |piece: usize| {
            let items: usize = self.chunks.iter().map(|(chunk, _)| chunk.piece_items(piece)).sum();
            items <= first.piece_items_max()
        };
        if shared.options.buckets as usize <= first.pieces() && (0..first.pieces()).all(fits) {
            return Ok(Some(self));
        }
        let mut sorter = PieceSorter::new();
        for (mut chunk, _lease) in self.chunks.drain(..) {
            shared.spill(&mut chunk, &mut sorter)?;
        }
        Ok(None)
    }
}

/// Kept items of whatever type, as rows.
pub(crate) trait KeptRows<const LANES: usize>: Send + Sync {
    /// The rows of one of so many buckets.
    fn bucket(self: Arc<Self>, bucket: u32, buckets: u32) -> Box<dyn Source<LANES>>;
}

impl<I: Item<LANES>, const LANES: usize> KeptRows<LANES> for Kept<I> {
    fn bucket(self: Arc<Self>, bucket: u32, buckets: u32) -> Box<dyn Source<LANES>> {
        let pieces = self.pieces() / buckets as usize;
        let first = bucket as usize * pieces;
        Box::new(KeptSource { kept: self, pieces: first..first + pieces, sorter: PieceSorter::new(), at: 0 })
    }
}

/// Reads some pieces.
struct KeptSource<I> {
    kept: Arc<Kept<I>>,
    /// Those not sorted yet.
    pieces: Range<usize>,
    sorter: PieceSorter<I>,
    /// How many of the sorted items were read.
    at: usize,
}

impl<I: Item<LANES>, const LANES: usize> Source<LANES> for KeptSource<I> {
    fn refill(&mut self, rows: &mut [Row<LANES>]) -> Result<usize> {
        while self.at == self.sorter.sorted().len() {
            let Some(piece) = self.pieces.next() else { return Ok(0) };
            let same_bits = self.kept.pieces().trailing_zeros();
            self.sorter.sort(self.kept.piece(piece), same_bits);
            self.at = 0;
        }
        let (items, count) = collapse(&self.sorter.sorted()[self.at..], rows);
        self.at += items;
        Ok(count)
    }
}
