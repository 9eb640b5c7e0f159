//! What a run is doing right now, for a caller who shows it. This crate only counts; it
//! knows nothing of terminals.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// Counters that only grow; read them at any time from any thread.
#[derive(Debug, Default)]
pub struct Progress {
    /// The present phase, and what its steps are.
    phase: Mutex<(&'static str, &'static str)>,
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
    /// Steps done of the present phase: shards, records, or walks.
    pub steps_done: AtomicU64,
    /// Steps of the present phase; 0 while reading games.
    pub steps_total: AtomicU64,
}

impl Progress {
    /// Enters a phase with a number of shards to do (0: it is counted in bytes of input).
    pub fn enter(&self, phase: &'static str, shards: u32) {
        self.enter_steps(phase, u64::from(shards), "shards");
    }

    /// Enters a phase with a number of steps to do, in the plural.
    pub fn enter_steps(&self, phase: &'static str, steps: u64, unit: &'static str) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = (phase, unit);
        self.steps_done.store(0, Relaxed);
        self.steps_total.store(steps, Relaxed);
    }

    /// Counts `steps` more steps.
    pub fn steps_done(&self, steps: u64) {
        self.steps_done.fetch_add(steps, Relaxed);
    }

    /// Counts one more shard.
    pub fn shard_done(&self) {
        self.steps_done(1);
    }

    /// Counts games read, and those of them that are rejected.
    pub(crate) fn add_games(&self, games: u64, rejected: u64) {
        self.games.fetch_add(games, Relaxed);
        self.rejected.fetch_add(rejected, Relaxed);
    }

    /// Shows how far reading has come, and what was spilled.
    pub(crate) fn show_reading(&self, read: pgn::input::ReadProgress, spilled_bytes: u64) {
        self.bytes_done.store(read.bytes_done, Relaxed);
        self.bytes_total.store(read.bytes_total.unwrap_or(0), Relaxed);
        self.spilled_bytes.store(spilled_bytes, Relaxed);
    }

    /// The present phase.
    #[must_use]
    pub fn phase(&self) -> &'static str {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// What the steps of the present phase are.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}
