//! Processes all shards on several threads, reporting progress and stopping on request.

use std::{
    ops::ControlFlow,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use fault::{Error, Kind, Result, Stop};

/// The progress of one phase of a walk, or of one phase of the work on a walk's results.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct WalkProgress {
    /// The name of the phase. A walk has one phase per ply, all with the same name.
    pub phase: &'static str,
    /// How many shards are done.
    pub shards_done: u32,
    /// How many shards there are.
    pub shards: u32,
}

/// Called after every shard of every phase, on any thread. [`ControlFlow::Break`] stops the work.
pub type OnProgress<'p> = dyn Fn(WalkProgress) -> ControlFlow<()> + Sync + 'p;

/// Settings for all phases.
pub struct Work<'p> {
    /// The number of threads.
    pub threads: usize,
    /// How many bytes of memory may be used for sorting.
    pub memory_bytes: u64,
    /// The directory for temporary files. Temporary files are unnamed, so they are never visible there.
    pub temp_dir: PathBuf,
    /// Where to report progress.
    pub on_progress: &'p OnProgress<'p>,
}

impl Work<'_> {
    /// The same settings, but with `memory_bytes` for sorting.
    #[must_use]
    pub fn with_memory(&self, memory_bytes: u64) -> Self {
        Self { memory_bytes, temp_dir: self.temp_dir.clone(), ..*self }
    }

    fn report(&self, progress: WalkProgress) -> Result<()> {
        match (self.on_progress)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop.into()),
        }
    }
}

/// Calls `each` for every shard, on the threads of `work`. Returns the results in the order of the shards.
///
/// # Errors
///
/// Fails with the error of the first shard that failed. When one of several threads that share a sorter
/// fails, the other threads fail as a consequence; errors of this kind are ignored. Fails with [`Stop`] if
/// `on_progress` breaks.
pub fn for_each_shard<T: Send>(
    work: &Work<'_>,
    phase: &'static str,
    shards: u32,
    each: impl Fn(u32) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let done = AtomicU32::new(0);
    work.report(WalkProgress { phase, shards_done: 0, shards })?;
    let each = |shard| {
        let result = each(shard)?;
        work.report(WalkProgress { phase, shards_done: done.fetch_add(1, Relaxed) + 1, shards })?;
        Ok(result)
    };
    let is_consequence = |error: &Error| error.kind() == Kind::Consequence;
    table::for_each_shard(work.threads, shards, || Ok(()), is_consequence, each)
}
