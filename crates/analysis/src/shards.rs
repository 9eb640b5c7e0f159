//! Work on every shard, on several threads, with progress and a way to stop.

use std::{
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
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
/// The first error that does not follow from another: once one thread fails, a sorter
/// fails in the others, too.
pub(crate) fn for_each_shard<T: Send>(
    work: &Work<'_>,
    phase: &'static str,
    shards: u32,
    each: impl Fn(u32) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let (done, failure) = (AtomicU32::new(0), Mutex::new(None));
    work.report(Progress { phase, shards_done: 0, shards })?;
    let each = |shard| {
        let result = each(shard)?;
        work.report(Progress { phase, shards_done: done.fetch_add(1, Relaxed) + 1, shards })?;
        Ok(result)
    };
    let each = |shard| each(shard).map_err(|error| keep_cause(&failure, error));
    let results = table::for_each_shard(work.threads, shards, || Ok(()), each);
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.map_err(|()| failure.unwrap_or(Error::Stopped))
}

/// Keeps `error` unless one that it may follow from is kept already.
fn keep_cause(failure: &Mutex<Option<Error>>, error: Error) {
    let mut kept = failure.lock().unwrap_or_else(PoisonError::into_inner);
    if matches!(*kept, None | Some(Error::Sort(extsort::Error::AnotherThreadFailed))) {
        *kept = Some(error);
    }
}
