//! Memory of sorters that come one after another.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::chunk::Chunk;

/// Keeps the chunks of sorters whose results are read and dropped, for sorters that are made
/// [with it](crate::Sorter::with_arena) later: memory that was written to once need not be got from the
/// system again.
///
/// # Memory
/// The chunks that no sorter uses: as many as sorters had at one time.
pub struct Arena<I> {
    /// `None`: nothing is kept.
    chunks: Option<Arc<Mutex<Vec<Chunk<I>>>>>,
}

impl<I> Default for Arena<I> {
    fn default() -> Self {
        Self { chunks: Some(Arc::default()) }
    }
}

impl<I> Clone for Arena<I> {
    fn clone(&self) -> Self {
        Self { chunks: self.chunks.clone() }
    }
}

impl<I> Arena<I> {
    /// For a sorter that none comes after.
    pub(crate) fn none() -> Self {
        Self { chunks: None }
    }

    /// An empty chunk for about `items_max` items: one that was kept, or else a new one.
    pub(crate) fn chunk(&self, items_max: usize) -> Chunk<I> {
        self.kept(items_max).unwrap_or_else(|| Chunk::new(items_max))
    }

    fn kept(&self, items_max: usize) -> Option<Chunk<I>> {
        let mut chunks = self.chunks()?;
        let at = chunks.iter().position(|chunk| chunk.is_for(items_max))?;
        Some(chunks.swap_remove(at))
    }

    /// Keeps a chunk, without its items.
    pub(crate) fn keep(&self, mut chunk: Chunk<I>) {
        if let Some(mut chunks) = self.chunks() {
            chunk.clear();
            chunks.push(chunk);
        }
    }

    fn chunks(&self) -> Option<MutexGuard<'_, Vec<Chunk<I>>>> {
        // The list is whole at every moment, so a thread that panicked spoils nothing.
        Some(self.chunks.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Sorter, testing::Count};

    #[test]
    fn a_sorter_goes_on_with_the_memory_of_one_before() {
        let arena = Arena::default();
        let mut places = Vec::new();
        for round in 0..3u128 {
            let sorter = Sorter::<Count, 3>::with_arena(Options::new(16 << 20, 1), &arena).unwrap();
            let mut writer = sorter.writer().unwrap();
            for item in 0..1000 {
                writer.push(Count((1000 * round + item) << 70)).unwrap();
            }
            writer.close().unwrap();
            let result = sorter.finish().unwrap();
            let (mut rows, mut batch) = (result.bucket(0).unwrap(), Vec::new());
            assert!(rows.next_batch(&mut batch).unwrap());
            assert_eq!(batch[0].id, (1000 * round) << 70, "nothing is left of the sort before");
            assert!(arena.chunks().unwrap().is_empty(), "a reader may still need it");
            drop((rows, result));
            let chunks = arena.chunks().unwrap();
            assert_eq!(chunks.len(), 1);
            places.push(chunks[0].place());
        }
        assert_eq!(places, [places[0]; 3]);
        let other = Sorter::<Count, 3>::with_arena(Options::new(32 << 20, 1), &arena).unwrap();
        other.writer().unwrap().close().unwrap();
        assert_eq!(arena.chunks().unwrap().len(), 2, "a chunk of another size is not taken");
    }
}
