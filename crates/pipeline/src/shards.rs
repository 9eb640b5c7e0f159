//! Work on every shard of the key space, on every thread at once.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    thread,
};

use crate::{Context, Result};

/// Does `work` for each shard; results in the order of the shards. The first error stops what has not begun.
pub(crate) fn for_each_shard<T: Send>(
    context: &Context,
    phase: &'static str,
    shards: u32,
    work: impl Fn(u32) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    context.progress.enter(phase, shards);
    let next = AtomicU32::new(0);
    let results: Mutex<Vec<Option<Result<T>>>> = Mutex::new((0..shards).map(|_| None).collect());
    thread::scope(|scope| {
        for _ in 0..context.threads.min(shards as usize) {
            scope.spawn(|| {
                loop {
                    let shard = next.fetch_add(1, Relaxed);
                    if shard >= shards {
                        break;
                    }
                    let result = context.check_cancelled().and_then(|()| work(shard));
                    if result.is_err() {
                        next.store(shards, Relaxed);
                    }
                    results.lock().unwrap_or_else(PoisonError::into_inner)[shard as usize] = Some(result);
                    context.progress.shard_done();
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    // After an error the shards never begun have no result; the error comes before them or among them.
    results.into_iter().flatten().collect()
}
