//! What a run is doing right now, for whoever wants to show it. The pipeline only counts; it knows nothing of terminals.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// Counters that only grow; read them at any time from any thread.
#[derive(Debug, Default)]
pub struct Progress {
    phase: Mutex<&'static str>,
    /// Bytes of input consumed, as stored.
    pub bytes_done: AtomicU64,
    /// Bytes of input in all; 0 where unknown (standard input).
    pub bytes_total: AtomicU64,
    /// Games met.
    pub games: AtomicU64,
    /// Games rejected.
    pub rejected: AtomicU64,
    /// Bytes spilled to disk.
    pub spilled_bytes: AtomicU64,
    /// Shards done of the present phase.
    pub shards_done: AtomicU64,
    /// Shards of the present phase; 0 while reading games.
    pub shards_total: AtomicU64,
}

impl Progress {
    /// Enters a phase with a number of shards to do (0: it is counted in bytes of input).
    pub fn enter(&self, phase: &'static str, shards: u32) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = phase;
        self.shards_done.store(0, Relaxed);
        self.shards_total.store(u64::from(shards), Relaxed);
    }

    /// One more shard is done.
    pub fn shard_done(&self) {
        self.shards_done.fetch_add(1, Relaxed);
    }

    /// The present phase.
    #[must_use]
    pub fn phase(&self) -> &'static str {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
