//! Divides one memory limit among all buffers.

use std::fs::File;

use crate::block::block_bytes_max;
use crate::merge::{BATCH_ROWS, BUFFER_CURSORS, CURSORS_EASY, CURSORS_MAX, buffer_bytes};
use crate::radix::PieceSorter;
use crate::run_file::{BodyUnpacker, RunWriter, SEGMENT_ROWS};
use crate::sort_buffer::SortBuffer;
use crate::{Combine, Error, Item, Options, Result, Row};

/// How much memory each part of a sort may use.
///
/// # Memory
///
/// With a limit of M bytes and T threads, the buffers that exist at any one time never add up to more than M.
/// Their total size has these upper bounds:
///
/// - `T·(buffer + writer) + merge` while items are pushed;
/// - `T·(buffer + merge)` while buckets are read.
///
/// `buffer` is the memory for the items of one thread and for sorting them. While buckets are read, it holds
/// items that were never spilled. `writer` is the memory for writing a run file. `merge` is the memory for
/// merging run files; while items are pushed, files are merged only when there are too many.
///
/// `merge` is M / 4T, or M / 2T if no items are pushed. It is never less than the smallest merge needs, and
/// never more than the largest merge can use. `buffer` is the rest, at most [`BUFFER_BYTES_MAX`]. A limit
/// that leaves less than [`BUFFER_BYTES_MIN`] for `buffer` is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// The number of items that a writer collects before it spills them.
    pub(crate) buffer_items: usize,
    /// The maximum number of run files merged at once.
    pub(crate) files_max: usize,
    /// The number of run files above which some are merged into one.
    pub(crate) files_open_max: usize,
}

/// Sizes that depend on the type of the sorted items.
struct Sizes {
    /// Returns the number of items that fit in a buffer of the given number of bytes.
    buffer_items: fn(u64) -> u64,
    /// The number of bytes that a [`PieceSorter`] needs, not counting its copy of the items.
    groups: u64,
    /// The number of bytes of memory that a merge needs for each run file.
    cursor: u64,
    /// The number of bytes of memory needed to write a run file.
    writer: u64,
    /// The number of bytes of memory that a merge needs, not counting its cursors.
    merge: u64,
    /// All merges together may take up to `1 / merge_share` of the memory.
    merge_share: u64,
}

impl Sizes {
    fn of<I: Item<SUMS>, const SUMS: usize>(buckets: u32) -> Self {
        Self {
            buffer_items: SortBuffer::<I>::items_max,
            groups: PieceSorter::<I>::GROUPS_BYTES,
            merge_share: 4,
            ..Self::of_runs::<SUMS, I::Combine>(buckets)
        }
    }

    /// The sizes for a sort that takes no items and only merges existing runs.
    fn of_runs<const SUMS: usize, C: Combine<SUMS>>(buckets: u32) -> Self {
        Self {
            buffer_items: |_| 0,
            groups: 0,
            cursor: cursor_bytes::<SUMS>() as u64,
            writer: RunWriter::<File, SUMS, C>::memory_bytes(buckets) as u64,
            merge: merge_bytes::<SUMS>(0),
            merge_share: 2,
        }
    }
}

/// The number of bytes of memory that a merge needs for each run file: a decompressed segment, a cursor, and
/// the cursor's share of the merge's buffer. The share is computed for a merge of [`CURSORS_EASY`] cursors,
/// because the buffer is no larger in a merge of more cursors.
const fn cursor_bytes<const SUMS: usize>() -> usize {
    block_bytes_max(SEGMENT_ROWS, SUMS) + buffer_bytes::<SUMS>(CURSORS_EASY) / CURSORS_EASY + 512
}

/// The number of bytes of memory that a merge of `files` run files needs.
pub(crate) const fn merge_bytes<const SUMS: usize>(files: usize) -> u64 {
    // All files share the row buffer, the batch of merged rows, and the decompressor.
    let batch = BATCH_ROWS * size_of::<Row<SUMS>>();
    let shared = buffer_bytes::<SUMS>(BUFFER_CURSORS) + batch + BodyUnpacker::memory_bytes(SUMS);
    (files * cursor_bytes::<SUMS>() + shared) as u64
}

/// The number of bytes needed to hold a buffer of `buffer_items` items and to sort its pieces.
pub(crate) fn sorting_bytes<I>(buffer_items: usize) -> u64 {
    SortBuffer::<I>::memory_bytes(buffer_items) + PieceSorter::<I>::GROUPS_BYTES
}

const BUFFER_BYTES_MIN: u64 = 128 << 10;
const BUFFER_BYTES_MAX: u64 = 4 << 30;
/// At least this many run files can exist before any are merged, even if fewer can be merged at once. Every
/// system allows a process to have this many open files.
const FILES_OPEN: usize = 256;
/// The greatest fan-in. One of a merge's cursors is reserved for the items in memory.
const FILES_MAX: u64 = CURSORS_MAX as u64 - 1;

impl Budget {
    /// Divides the options' memory.
    ///
    /// # Errors
    /// Fails with [`Error::BudgetTooSmall`] if the memory limit is too small for all parts of a sort.
    pub(crate) fn derive<I: Item<SUMS>, const SUMS: usize>(options: &Options) -> Result<Self> {
        Self::of_sizes(options, &Sizes::of::<I, SUMS>(options.buckets))
    }

    /// Divides the options' memory for a sort that takes no items and only merges existing runs.
    ///
    /// # Errors
    /// Fails with the same errors as [`derive`](Self::derive).
    pub(crate) fn of_runs<const SUMS: usize, C: Combine<SUMS>>(options: &Options) -> Result<Self> {
        Self::of_sizes(options, &Sizes::of_runs::<SUMS, C>(options.buckets))
    }

    fn of_sizes(options: &Options, sizes: &Sizes) -> Result<Self> {
        let memory = options.memory_bytes;
        Self::divide(options, sizes, memory).ok_or_else(|| {
            let needed_bytes = (20..63)
                .map(|power| 1u64 << power)
                .find(|bytes| Self::divide(options, sizes, *bytes).is_some())
                .unwrap_or(u64::MAX);
            Error::BudgetTooSmall { given_bytes: memory, needed_bytes, threads: options.threads }
        })
    }

    fn divide(options: &Options, sizes: &Sizes, memory: u64) -> Option<Self> {
        let threads = options.threads as u64;
        let fan_in = (options.fan_in as u64).min(FILES_MAX);
        let merge = (memory / sizes.merge_share / threads)
            .clamp(sizes.merge + 2 * sizes.cursor, sizes.merge + fan_in * sizes.cursor);
        let fixed = threads * sizes.groups + (threads * sizes.writer + merge).max(threads * merge);
        let buffer = memory.checked_sub(fixed)? / threads;
        if buffer < BUFFER_BYTES_MIN {
            return None;
        }
        let files = ((merge - sizes.merge) / sizes.cursor) as usize;
        Some(Self {
            buffer_items: (sizes.buffer_items)(buffer.min(BUFFER_BYTES_MAX)).max(1) as usize,
            files_max: files,
            files_open_max: files.max(FILES_OPEN),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sum;
    use crate::testing::Count;

    #[test]
    fn shares_never_exceed_the_limit() {
        for power in 20..40 {
            for threads in [1, 2, 7, 64, 500] {
                let options = Options { fan_in: 100_000, ..Options::new(3 << power, threads) };
                let Ok(budget) = Budget::derive::<Count, 3>(&options) else { continue };
                let merge = merge_bytes::<3>(budget.files_max);
                let items = sorting_bytes::<Count>(budget.buffer_items);
                let writer = RunWriter::<File, 3, Sum>::memory_bytes(1) as u64;
                let pushing = merge + threads as u64 * (items + writer);
                let reading = threads as u64 * (items + merge);
                assert!(pushing.max(reading) <= options.memory_bytes, "{threads} threads, {options:?}");
                assert!(budget.files_max >= 2 && budget.files_max < CURSORS_MAX);
            }
        }
    }

    #[test]
    fn eight_mebibytes_do_for_two_threads() {
        assert!(Budget::derive::<Count, 3>(&Options::new(8 << 20, 2)).is_ok());
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
