//! One byte limit, divided among everything that buffers.

use std::fs::File;

use crate::block::{BlockEncoder, block_bytes_max};
use crate::chunk::Chunk;
use crate::merge::{DESK_SOURCES, SOURCES_MAX, desk_bytes};
use crate::run_file::{BodyUnpacker, RunWriter, SEGMENT_ROWS};
use crate::{Error, Item, Options, Result, Row};

/// The rows of a block in memory: its encoder and the block itself stay in the L1 cache.
pub(crate) const MEMORY_BLOCK_ROWS: usize = 512;

/// The share of each consumer.
///
/// # Memory
///
/// With M the limit and T the threads, every sum of buffers that can be alive together is at most M:
///
/// - while items are pushed: `2·T·chunk` (items of each writer, and room to sort a piece) + `T·encoder`
///   + `pool` (all sorted runs in memory, whole or in the making) + one `merge` + `writer` (a spill);
/// - while buckets are read: `pool` + `T·merge` + `2·T·chunk` (chunks that were not full, and room to sort a piece of them).
///
/// M = `writer` + `T·(2·chunk + encoder + merge)` + `pool`, where `writer` is what writing a run file takes, `chunk` is M / 8T between 64 KiB and 512 MiB,
/// and `merge` is M / 4T between what the smallest merge needs and what the greatest can use.
/// A limit that leaves less than a quarter of itself, or less than four pages a thread, to the pool is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Items a writer gathers before it sorts them.
    pub(crate) chunk_items: usize,
    /// Bytes of all pages of sorted runs in memory.
    pub(crate) pool_bytes: u64,
    /// Bytes of a page; a block never crosses one.
    pub(crate) page_bytes: usize,
    /// The most run files merged at once.
    pub(crate) files_max: usize,
    /// The most run files kept before some are merged into one.
    pub(crate) files_open_max: usize,
    /// The most runs in memory merged at once.
    pub(crate) memory_runs_max: usize,
}

/// The sizes that depend on what is sorted.
struct Sizes {
    /// How many items a chunk of so many bytes may have.
    chunk_items: fn(u64) -> u64,
    file_source: u64,
    memory_source: u64,
    encoder: u64,
    page_min: u64,
    /// What writing a run file takes.
    writer: u64,
    /// What a merge takes beside its sources.
    merge: u64,
}

impl Sizes {
    fn of<I: Item<LANES>, const LANES: usize>(buckets: u32) -> Self {
        let block_bytes = block_bytes_max(MEMORY_BLOCK_ROWS, LANES);
        Self {
            chunk_items: Chunk::<I>::items_max,
            file_source: file_source_bytes::<LANES>() as u64,
            memory_source: memory_source_bytes::<LANES>() as u64,
            encoder: (BlockEncoder::<LANES>::memory_bytes(MEMORY_BLOCK_ROWS) + block_bytes) as u64,
            page_min: block_bytes.next_power_of_two() as u64,
            writer: RunWriter::<File, LANES>::memory_bytes(buckets) as u64,
            merge: merge_bytes::<LANES>(0, 0),
        }
    }
}

/// What one run file holds while it is merged: a segment as stored, the same unpacked, its rows on the desk.
const fn file_source_bytes<const LANES: usize>() -> usize {
    2 * block_bytes_max(SEGMENT_ROWS, LANES) + memory_source_bytes::<LANES>()
}

/// What one run in memory holds beside its pages while it is merged: its cursor, and its rows on the desk
/// where there are so many sources that the desk has to grow.
const fn memory_source_bytes<const LANES: usize>() -> usize {
    desk_bytes::<LANES>(SOURCES_MAX) / SOURCES_MAX + 512
}

/// What a merge of so many run files and runs in memory holds.
pub(crate) const fn merge_bytes<const LANES: usize>(files: usize, memory_runs: usize) -> u64 {
    let sources = files * file_source_bytes::<LANES>() + memory_runs * memory_source_bytes::<LANES>();
    // The rows on the desk, the batch that comes out, of 1024 rows at most, and the unpacker that all files
    // share.
    let batch = 1024 * size_of::<Row<LANES>>();
    (sources + desk_bytes::<LANES>(DESK_SOURCES) + batch + BodyUnpacker::MEMORY_BYTES) as u64
}

const CHUNK_BYTES_MIN: u64 = 64 << 10;
const CHUNK_BYTES_MAX: u64 = 512 << 20;
const PAGE_BYTES_MAX: u64 = 256 << 10;
/// Every merge has room for two files and so many runs in memory.
const MEMORY_RUNS_MIN: u64 = 32;
/// Open files that any system allows; with fewer of them there is no hurry to merge.
const FILES_OPEN: usize = 256;
const MEMORY_RUNS_MAX: u64 = 2048;
/// However large the fan-in: with the runs in memory it must not pass what a merge can have.
const FILES_MAX: u64 = SOURCES_MAX as u64 - MEMORY_RUNS_MAX;

impl Budget {
    /// Divides the options' memory.
    ///
    /// # Errors
    /// [`Error::BudgetTooSmall`] where the parts do not fit.
    pub(crate) fn derive<I: Item<LANES>, const LANES: usize>(options: &Options) -> Result<Self> {
        let sizes = Sizes::of::<I, LANES>(options.buckets);
        let memory = options.memory_bytes;
        Self::divide(options, &sizes, memory).ok_or_else(|| {
            let needed_bytes = (20..63)
                .map(|power| 1u64 << power)
                .find(|bytes| Self::divide(options, &sizes, *bytes).is_some())
                .unwrap_or(u64::MAX);
            Error::BudgetTooSmall { given_bytes: memory, needed_bytes, threads: options.threads }
        })
    }

    fn divide(options: &Options, sizes: &Sizes, memory: u64) -> Option<Self> {
        let threads = options.threads as u64;
        let eighth = memory / 8 / threads;
        let chunk = eighth.clamp(CHUNK_BYTES_MIN, CHUNK_BYTES_MAX);
        let merge_min = sizes.merge + 2 * sizes.file_source + MEMORY_RUNS_MIN * sizes.memory_source;
        let merge_max = sizes.merge
            + (options.fan_in as u64).min(FILES_MAX) * sizes.file_source
            + MEMORY_RUNS_MAX * sizes.memory_source;
        let merge = (2 * eighth).clamp(merge_min, merge_max.max(merge_min));
        let shares = sizes.writer + threads * (2 * chunk + sizes.encoder + merge);
        let pool = memory.checked_sub(shares)?;
        if pool < (memory / 4).max(4 * threads * sizes.page_min) {
            return None;
        }
        let page = (pool / 256 / threads).clamp(sizes.page_min, sizes.page_min.max(PAGE_BYTES_MAX));
        let sources = merge - sizes.merge;
        let files = (sources / 2 / sizes.file_source).clamp(2, (options.fan_in as u64).min(FILES_MAX));
        let memory_runs = (sources - files * sizes.file_source) / sizes.memory_source;
        Some(Self {
            chunk_items: (sizes.chunk_items)(2 * chunk).max(1) as usize,
            pool_bytes: pool,
            page_bytes: page as usize,
            files_max: files as usize,
            files_open_max: (files as usize).max(FILES_OPEN),
            memory_runs_max: memory_runs.clamp(1, MEMORY_RUNS_MAX) as usize,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Count;

    #[test]
    fn shares_never_exceed_the_limit() {
        for power in 20..40 {
            for threads in [1, 2, 7, 64, 500] {
                let options = Options { fan_in: 100_000, ..Options::new(3 << power, threads) };
                let Ok(budget) = Budget::derive::<Count, 3>(&options) else { continue };
                let merge = merge_bytes::<3>(budget.files_max, budget.memory_runs_max);
                let items = Chunk::<Count>::memory_bytes(budget.chunk_items);
                let writer = RunWriter::<File, 3>::memory_bytes(1) as u64;
                let total = writer + budget.pool_bytes + threads as u64 * (merge + items);
                assert!(total <= options.memory_bytes, "{threads} threads, {} bytes", options.memory_bytes);
                assert!(budget.files_max >= 2 && budget.memory_runs_max >= 1);
                assert!(budget.files_max + budget.memory_runs_max <= SOURCES_MAX);
            }
        }
    }

    #[test]
    fn sixteen_mebibytes_do_for_two_threads() {
        assert!(Budget::derive::<Count, 3>(&Options::new(16 << 20, 2)).is_ok());
    }

    #[test]
    fn too_small_a_limit_says_what_is_needed() {
        let refused = Budget::derive::<Count, 3>(&Options::new(1 << 20, 4)).unwrap_err();
        let Error::BudgetTooSmall { given_bytes, needed_bytes, threads: 4 } = refused else {
            panic!("wrong error: {refused}")
        };
        assert_eq!(given_bytes, 1 << 20);
        assert!(Budget::derive::<Count, 3>(&Options::new(needed_bytes, 4)).is_ok());
    }
}
