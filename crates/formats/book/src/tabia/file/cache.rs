//! Caches the blocks that a long-running process has read and checked. All books share one cache.
//!
//! The cache is unaffected if another process writes into a file or truncates it. A block that is not in the
//! cache is read with `pread`, which reports a file that has become too short.

use std::{
    collections::HashMap,
    sync::{
        Arc, LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use crate::{Result, tabia::checksums::BLOCK_BYTES};

/// The blocks that all books of this process share.
pub(super) static CACHE: LazyLock<BlockCache> = LazyLock::new(|| BlockCache::new(CACHE_BYTES_MAX));

const CACHE_BYTES_MAX: usize = 128 << 20;
/// The number of shards; each has its own lock, so that threads seldom wait for each other.
const SHARDS: usize = 16;

/// A number that identifies an open file within the process.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct FileNumber(u64);

/// A block: the number of its file, and its index in that file.
pub(super) type BlockId = (FileNumber, usize);

/// Blocks that were checked.
///
/// # Memory
///
/// The cache is bounded. When it is full, the clock algorithm chooses the block that a new one replaces: a
/// hand moves over the slots until it finds a block that has not been requested since the hand last passed
/// it. This keeps roughly the most recently used blocks.
#[derive(Debug)]
pub(super) struct BlockCache(Box<[Mutex<Shard>]>);

#[derive(Debug)]
struct Shard {
    places: HashMap<BlockId, usize>,
    slots: Vec<Slot>,
    slots_max: usize,
    /// The slot at which the search for a block to replace begins.
    hand: usize,
}

#[derive(Debug)]
struct Slot {
    id: BlockId,
    bytes: Arc<Vec<u8>>,
    /// Whether the block has been requested since the hand last passed it.
    is_recent: bool,
}

impl FileNumber {
    /// A number for a newly opened file.
    pub(super) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Relaxed))
    }
}

impl BlockCache {
    pub(super) fn new(bytes_max: usize) -> Self {
        let slots_max = (bytes_max / SHARDS / BLOCK_BYTES).max(1);
        let shard = || Shard { places: HashMap::new(), slots: Vec::new(), slots_max, hand: 0 };
        Self((0..SHARDS).map(|_| Mutex::new(shard())).collect())
    }

    /// Returns the block from the cache; if it is not there, calls `read` and adds the result. No lock is
    /// held while `read` runs.
    pub(super) fn get_or_read(
        &self,
        id: BlockId,
        read: impl FnOnce() -> Result<Vec<u8>>,
    ) -> Result<Arc<Vec<u8>>> {
        if let Some(bytes) = self.shard(id).get(id) {
            return Ok(bytes);
        }
        let bytes = Arc::new(read()?);
        self.shard(id).insert(id, Arc::clone(&bytes));
        Ok(bytes)
    }

    /// Drops the blocks of a file.
    pub(super) fn forget(&self, file: FileNumber) {
        self.0.iter().for_each(|shard| locked(shard).forget(file));
    }

    /// Locks the shard of a block; neighbouring blocks are in different shards.
    fn shard(&self, (FileNumber(file), block): BlockId) -> MutexGuard<'_, Shard> {
        locked(&self.0[(file as usize).wrapping_add(block) % SHARDS])
    }
}

/// Locks a shard. Even if a thread panicked, the shard is consistent, because each change to a shard is a
/// single operation.
fn locked(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shard {
    fn get(&mut self, id: BlockId) -> Option<Arc<Vec<u8>>> {
        let slot = &mut self.slots[*self.places.get(&id)?];
        slot.is_recent = true;
        Some(Arc::clone(&slot.bytes))
    }

    fn insert(&mut self, id: BlockId, bytes: Arc<Vec<u8>>) {
        let slot = Slot { id, bytes, is_recent: false };
        if self.places.contains_key(&id) {
            return;
        }
        if self.slots.len() < self.slots_max {
            self.places.insert(id, self.slots.len());
            self.slots.push(slot);
            return;
        }
        let place = self.free();
        self.places.insert(id, place);
        self.slots[place] = slot;
    }

    /// Evicts a block that has not been requested lately, and returns the index of its slot.
    fn free(&mut self) -> usize {
        while std::mem::take(&mut self.slots[self.hand].is_recent) {
            self.hand = (self.hand + 1) % self.slots.len();
        }
        let place = self.hand;
        self.places.remove(&self.slots[place].id);
        self.hand = (place + 1) % self.slots.len();
        place
    }

    fn forget(&mut self, file: FileNumber) {
        self.slots.retain(|slot| slot.id.0 != file);
        self.places = self.slots.iter().enumerate().map(|(place, slot)| (slot.id, place)).collect();
        self.hand = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests a block that consists of one byte. Returns whether the block had to be read because the cache
    /// did not have it.
    fn is_read(cache: &BlockCache, id: BlockId) -> bool {
        let mut is_read = false;
        let bytes = cache.get_or_read(id, || {
            is_read = true;
            Ok(vec![id.1 as u8])
        });
        assert_eq!(*bytes.unwrap(), [id.1 as u8]);
        is_read
    }

    #[test]
    fn blocks_in_use_stay_and_their_number_is_bounded() {
        let (cache, file) = (BlockCache::new(4 * SHARDS * BLOCK_BYTES), FileNumber::next());
        // All blocks of this test are in the same shard, and a shard has room for four blocks.
        let id = |number: usize| (file, number * SHARDS);
        assert!(is_read(&cache, id(0)) && !is_read(&cache, id(0)));
        for number in 1..100 {
            assert!(is_read(&cache, id(number)), "{number}");
            assert!(!is_read(&cache, id(0)), "in use, after {number}");
        }
        assert!(is_read(&cache, id(1)), "its place was taken");
        let shard = cache.shard(id(0));
        assert_eq!((shard.slots.len(), shard.places.len()), (4, 4));
    }

    #[test]
    fn a_file_is_forgotten_alone_and_an_error_is_not_kept() {
        let cache = BlockCache::new(64 * SHARDS * BLOCK_BYTES);
        let files = [FileNumber::next(), FileNumber::next()];
        let ids: Vec<_> =
            files.into_iter().flat_map(|file| (0..40).map(move |block| (file, block))).collect();
        assert!(ids.iter().all(|&id| is_read(&cache, id)));
        cache.forget(files[0]);
        for &id in &ids {
            assert_eq!(is_read(&cache, id), id.0 == files[0], "{id:?}");
        }
        let failed = cache.get_or_read((files[0], 99), || {
            Err(crate::Error::Corrupt { path: "x".into(), offset: 0, what: "x" })
        });
        assert!(failed.is_err() && is_read(&cache, (files[0], 99)));
    }

    #[test]
    fn threads_read_what_they_ask_for() {
        let (cache, file) = (BlockCache::new(2 * SHARDS * BLOCK_BYTES), FileNumber::next());
        std::thread::scope(|threads| {
            for thread in 0..4 {
                let cache = &cache;
                threads.spawn(move || {
                    for number in 0..20_000 {
                        is_read(cache, (file, number * (7 + thread) % 200));
                    }
                });
            }
        });
    }
}
