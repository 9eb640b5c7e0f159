//! Work on every shard, on several threads, with progress and a way to stop.

use std::{
    ops::ControlFlow,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

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

/// Called after every shard of every phase, by any thread; [`ControlFlow::Break`] stops the export.
pub type OnProgress<'p> = dyn Fn(Progress) -> ControlFlow<()> + Sync + 'p;

/// What all phases of an export share.
pub(crate) struct Work<'p> {
    pub(crate) threads: usize,
    pub(crate) memory_bytes: u64,
    pub(crate) temp_dir: PathBuf,
    pub(crate) on_progress: &'p OnProgress<'p>,
}

impl Work<'_> {
    fn report(&self, progress: Progress) -> Result<()> {
        match (self.on_progress)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Stopped),
        }
    }
}

/// Does `work` for every shard; the results in the shards' order.
///
/// # Errors
///
/// As [`table::for_each_shard`].
pub(crate) fn for_each_shard<T: Send>(
    work: &Work<'_>,
    phase: &'static str,
    shards: u32,
    each: impl Fn(u32) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let done = AtomicU32::new(0);
    work.report(Progress { phase, shards_done: 0, shards })?;
    let each = |shard| {
        let result = each(shard)?;
        work.report(Progress { phase, shards_done: done.fetch_add(1, Relaxed) + 1, shards })?;
        Ok(result)
    };
    let is_consequence = |error: &Error| matches!(error, Error::Sort(extsort::Error::AnotherThreadFailed));
    table::for_each_shard(work.threads, shards, || Ok(()), is_consequence, each)
}
