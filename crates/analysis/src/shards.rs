//! Work on every shard, on several threads, with progress and a way to stop.

use std::{
    ops::ControlFlow,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use rayon::prelude::*;

use crate::{Error, Result};

/// How far a phase of an export is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Progress {
    /// What is done, in words. A walk has one phase of the same name for every ply.
    pub phase: &'static str,
    /// Shards done.
    pub shards_done: u32,
    /// All shards.
    pub shards: u32,
}

/// Told after every shard of every phase, from any thread; [`ControlFlow::Break`] stops the export.
pub type OnProgress<'p> = dyn Fn(Progress) -> ControlFlow<()> + Sync + 'p;

/// What all phases of an export share.
pub(crate) struct Work<'p> {
    pub(crate) threads: usize,
    pub(crate) memory_bytes: u64,
    pub(crate) temp_dir: PathBuf,
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) on_progress: &'p OnProgress<'p>,
}

impl<'p> Work<'p> {
    pub(crate) fn new(
        threads: usize,
        memory_bytes: u64,
        temp_dir: PathBuf,
        on_progress: &'p OnProgress<'p>,
    ) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
        let pool = pool.map_err(|error| Error::Option {
            name: "threads",
            expected: "as many as the system can start",
            got: format!("{threads} ({error})"),
        })?;
        Ok(Self { threads: threads.max(1), memory_bytes, temp_dir, pool, on_progress })
    }

    fn tell(&self, progress: Progress) -> Result<()> {
        match (self.on_progress)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Cancelled),
        }
    }
}

/// Does `work` for every shard; the results in the shards' order.
pub(crate) fn for_each_shard<T: Send>(
    work: &Work<'_>,
    phase: &'static str,
    shards: u32,
    each: impl Fn(u32) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let done = AtomicU32::new(0);
    work.tell(Progress { phase, shards_done: 0, shards })?;
    let each = |shard| {
        let result = each(shard)?;
        work.tell(Progress { phase, shards_done: done.fetch_add(1, Relaxed) + 1, shards })?;
        Ok(result)
    };
    work.pool.install(|| (0..shards).into_par_iter().with_max_len(1).map(each).collect())
}
