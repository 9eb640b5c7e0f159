//! Work on every shard of the key space, on every thread at once.

use crate::{Context, Result};

/// Does `work` for each shard and tells the progress; results in the order of the shards.
pub(crate) fn for_each_shard<T: Send>(
    context: &Context,
    phase: &'static str,
    shards: u32,
    work: impl Fn(u32) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    context.progress.enter(phase, shards);
    table::for_each_shard(
        context.threads,
        shards,
        || context.check_cancelled(),
        |shard| work(shard).inspect(|_| context.progress.shard_done()),
    )
}
