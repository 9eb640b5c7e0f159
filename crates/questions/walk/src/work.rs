//! Processes all shards on several threads, with reports of progress and a way to stop.

use std::{
    ops::ControlFlow,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use fault::{Error, Kind, Result, Stop};

/// The progress of one phase of a walk, or of work with the results of a walk.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct WalkProgress {
    /// The name of the phase. A walk has one phase for each ply, all with the same name.
    pub phase: &'static str,
    /// The number of shards that are done.
    pub shards_done: u32,
    /// The number of all shards.
    pub shards: u32,
}

/// A callback that is called after every shard of every phase, by any thread. [`ControlFlow::Break`] stops
/// the work.
pub type OnProgress<'p> = dyn Fn(WalkProgress) -> ControlFlow<()> + Sync + 'p;

/// The settings that all phases share.
pub struct Work<'p> {
    /// The number of threads.
    pub threads: usize,
    /// The number of bytes of memory for sorting.
    pub memory_bytes: u64,
    /// The directory for temporary files. They have no names, so they never show up in it.
    pub temp_dir: PathBuf,
    /// The callback that progress is reported to.
    pub on_progress: &'p OnProgress<'p>,
}

impl Work<'_> {
    /// The same settings with another number of bytes for sorting.
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
/// Fails with the first error, in the order of shards, that is not merely a consequence of another error: if
/// one of the threads that share a sorter fails, all of them fail. Fails with [`Stop`] if `on_progress`
/// breaks.
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
