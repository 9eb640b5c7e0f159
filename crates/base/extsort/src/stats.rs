//! Statistics of a sort.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Statistics of a sort, for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Stats {
    /// Items pushed.
    pub items: u64,
    /// The number of rows written to run files when sort buffers were spilled, after items were combined.
    pub rows_spilled: u64,
    /// The total size, in bytes, of the run files to which sort buffers were spilled.
    pub bytes_spilled: u64,
    /// The number of run files to which sort buffers were spilled.
    pub runs_spilled: u64,
    /// The number of times that several run files were merged into one because there were too many.
    pub generations: u64,
    /// The number of bytes that these merges wrote.
    pub bytes_merged: u64,
    /// The peak memory of all buffers together, in bytes.
    pub memory_peak_bytes: u64,
}

/// The counters behind [`Stats`], which several threads update.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// The number of unnamed run files that were created, including the results of merges.
    pub(crate) runs_started: AtomicU64,
    pub(crate) items: AtomicU64,
    pub(crate) rows_spilled: AtomicU64,
    pub(crate) bytes_spilled: AtomicU64,
    pub(crate) runs_spilled: AtomicU64,
    pub(crate) generations: AtomicU64,
    pub(crate) bytes_merged: AtomicU64,
}

impl Counters {
    pub(crate) fn stats(&self, memory_peak_bytes: u64) -> Stats {
        Stats {
            items: self.items.load(Relaxed),
            rows_spilled: self.rows_spilled.load(Relaxed),
            bytes_spilled: self.bytes_spilled.load(Relaxed),
            runs_spilled: self.runs_spilled.load(Relaxed),
            generations: self.generations.load(Relaxed),
            bytes_merged: self.bytes_merged.load(Relaxed),
            memory_peak_bytes,
        }
    }
}
