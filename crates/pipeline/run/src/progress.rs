//! Lets callers see what a run is doing. This crate only counts; printing is up to the caller.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Counters that any thread may read at any time.
#[derive(Debug, Default)]
pub struct Progress {
    /// The name of the current phase, the unit that it is measured in, and when it began.
    phase: Mutex<(&'static str, &'static str, Option<Instant>)>,
    /// Bytes of input read so far; for compressed inputs, compressed bytes.
    pub bytes_done: AtomicU64,
    /// Total bytes of input; 0 if unknown, as for standard input.
    pub bytes_total: AtomicU64,
    /// Games read.
    pub games: AtomicU64,
    /// Games rejected.
    pub rejected: AtomicU64,
    /// Bytes spilled to disk.
    pub spilled_bytes: AtomicU64,
    /// How much of the current phase is done, in its unit: shards, records, or walks.
    pub steps_done: AtomicU64,
    /// The total size of the current phase, in its unit; 0 while games are being read.
    pub steps_total: AtomicU64,
}

impl Progress {
    /// Enters a phase that is measured in shards or, if `shards` is 0, in bytes of input.
    pub fn enter(&self, phase: &'static str, shards: u32) {
        self.enter_steps(phase, u64::from(shards), "shards");
    }

    /// Enters a phase whose size is counted in `unit`, a plural noun.
    pub fn enter_steps(&self, phase: &'static str, steps: u64, unit: &'static str) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = (phase, unit, Some(Instant::now()));
        self.steps_done.store(0, Relaxed);
        self.steps_total.store(steps, Relaxed);
    }

    /// Advances the current phase by `steps` of its units.
    pub fn steps_done(&self, steps: u64) {
        self.steps_done.fetch_add(steps, Relaxed);
    }

    /// Counts one more shard.
    pub fn shard_done(&self) {
        self.steps_done(1);
    }

    /// Adds to the numbers of games read and games rejected.
    pub fn add_games(&self, games: u64, rejected: u64) {
        self.games.fetch_add(games, Relaxed);
        self.rejected.fetch_add(rejected, Relaxed);
    }

    /// Updates the counters of bytes read and bytes spilled.
    pub fn show_reading(&self, read: pgn::input::ReadProgress, spilled_bytes: u64) {
        self.bytes_done.store(read.bytes_done, Relaxed);
        self.bytes_total.store(read.bytes_total.unwrap_or(0), Relaxed);
        self.spilled_bytes.store(spilled_bytes, Relaxed);
    }

    /// The current phase.
    #[must_use]
    pub fn phase(&self) -> &'static str {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// How long the current phase has lasted.
    #[must_use]
    pub fn of_phase(&self) -> Duration {
        let began = self.phase.lock().unwrap_or_else(PoisonError::into_inner).2;
        began.map_or(Duration::ZERO, |began| began.elapsed())
    }

    /// The name of the unit that the current phase is measured in.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}
