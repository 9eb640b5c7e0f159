//! Does work on every shard, on several threads, with progress and a way to stop.

use std::{
    ops::ControlFlow,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use fault::{Error, Kind, Result, Stop};

/// The progress of a phase of a walk, or of work with its results.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct WalkProgress {
    /// The name of the phase. A walk has one phase of the same name for every ply.
    pub phase: &'static str,
    /// Shards done.
    pub shards_done: u32,
    /// All shards.
    pub shards: u32,
}

/// A callback after every shard of every phase, from any thread; [`ControlFlow::Break`] stops the work.
pub type OnProgress<'p> = dyn Fn(WalkProgress) -> ControlFlow<()> + Sync + 'p;

/// The settings that all phases share.
pub struct Work<'p> {
    /// Threads to work with.
    pub threads: usize,
    /// Bytes for sorting.
    pub memory_bytes: u64,
    /// Where temporary files go; they have no names there.
    pub temp_dir: PathBuf,
    /// The callback that progress is reported to.
    pub on_progress: &'p OnProgress<'p>,
}

impl Work<'_> {
    /// The same work with other memory.
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

/// Does `each` for every shard, on the threads of `work`; returns the results in the shards' order.
///
/// # Errors
///
/// Fails with the first error, by number of shard, that is not a consequence of another's: threads that share
/// a sorter all fail if one does. Fails with [`Stop`] if `on_progress` breaks.
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
