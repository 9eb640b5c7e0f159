//! Memory that successive sorters share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::sort_buffer::SortBuffer;

/// Keeps the buffers of sorters whose results have been dropped, so that later sorters that
/// [share it](crate::Sorter::with_arena) need not request new memory from the system.
///
/// # Memory
/// Holds the buffers that no sorter is using. For each buffer size, it never holds more buffers than sorters
/// have used at the same time.
pub struct Arena<I> {
    /// The unused buffers; `None` if the arena does not keep any.
    buffers: Option<Arc<Mutex<Vec<SortBuffer<I>>>>>,
}

impl<I> Default for Arena<I> {
    fn default() -> Self {
        Self { buffers: Some(Arc::default()) }
    }
}

impl<I> Clone for Arena<I> {
    fn clone(&self) -> Self {
        Self { buffers: self.buffers.clone() }
    }
}

impl<I> Arena<I> {
    /// An arena that keeps no buffers, for a sorter that does not share them with later sorters.
    pub(crate) fn none() -> Self {
        Self { buffers: None }
    }

    /// Returns an empty buffer for about `items_max` items, reusing a kept buffer if possible.
    pub(crate) fn buffer(&self, items_max: usize) -> SortBuffer<I> {
        self.kept(items_max).unwrap_or_else(|| SortBuffer::new(items_max))
    }

    fn kept(&self, items_max: usize) -> Option<SortBuffer<I>> {
        let mut buffers = self.buffers()?;
        let at = buffers.iter().position(|buffer| buffer.is_for(items_max))?;
        Some(buffers.swap_remove(at))
    }

    /// Empties a buffer and keeps it.
    pub(crate) fn keep(&self, mut buffer: SortBuffer<I>) {
        if let Some(mut buffers) = self.buffers() {
            buffer.clear();
            buffers.push(buffer);
        }
    }

    fn buffers(&self) -> Option<MutexGuard<'_, Vec<SortBuffer<I>>>> {
        // No method leaves the list in an inconsistent state, so it can still be used after another thread
        // has panicked.
        Some(self.buffers.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
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
            assert!(arena.buffers().unwrap().is_empty(), "a reader may still need it");
            drop((rows, result));
            let buffers = arena.buffers().unwrap();
            assert_eq!(buffers.len(), 1);
            places.push(buffers[0].place());
        }
        assert_eq!(places, [places[0]; 3]);
        let other = Sorter::<Count, 3>::with_arena(Options::new(32 << 20, 1), &arena).unwrap();
        other.writer().unwrap().close().unwrap();
        assert_eq!(arena.buffers().unwrap().len(), 2, "a buffer of another size is not taken");
    }
}
