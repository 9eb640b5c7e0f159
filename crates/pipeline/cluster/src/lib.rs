//! A count that several machines share. It is an external merge sort, as on one machine, but an engine such
//! as Apache Spark carries the runs between machines.
//!
//! # Flow
//!
//! 1. [`plan`] cuts the inputs into [`Chunk`]s.
//! 2. [`map`] counts the games of one chunk, on any machine, and writes the sorted rows as records. The
//!    records contain the chunk's report (`chunk_report.rs`) and a run that is cut into one bucket per shard
//!    of the table.
//! 3. The engine gathers all records of a bucket in one place. [`reduce`] merges them into that shard's part
//!    file, stores a line that describes the file, and passes the line to its caller. Parts and lines are
//!    collected in a folder that the driver [holds](hold) during its run; in a store, the parts get their
//!    final names immediately, and the folder contains only the lines.
//! 4. [`commit`] checks the lines of all shards, writes the manifest, and puts the table in place. The table
//!    is byte for byte the one that a count on one machine would write.
//!
//! Without an engine, [`map_to`] writes the records into a folder that all machines see, one file per bucket
//! and chunk, and [`reduce`] reads its shard's files through [`streams_of`].
//!
//! [`merge_shard`] is step 3 for counts that are already in tables: machines use it to add tables together
//! shard by shard. If machines export a table shard by shard, [`gather`] joins their exports.
//!
//! # Exactly once
//!
//! Nothing depends on the engine's guarantees. Tasks may run twice, die or be restarted, and records may
//! arrive in any order. A shard is written only if every chunk of the plan has delivered its whole run
//! exactly once; for the first shard, every chunk must also have delivered its report exactly once. The
//! reports are summed for each input (`input_totals.rs`), so the number of chunks does not affect the length
//! of the shard's line. A table appears only if there is exactly one line for every shard, and if the digests
//! of its inputs' chunks match the plan. Every segment contains the number of its job (`job.rs`), which is
//! computed from the plan and the settings, so segments of another count are never accepted.

mod batches;
mod chunk;
mod chunk_report;
mod commit;
mod copies;
mod error;
mod gather;
mod hold;
mod input_totals;
mod job;
mod leftovers;
mod list;
mod map;
mod merge;
mod parts;
mod place;
mod reduce;
mod rejects;
mod shard_entries;
mod shard_entry;
mod sink;
mod stored_place;
mod stream;
mod trace;

pub use self::{
    chunk::{Chunk, ChunkPlan, FORMAT as PLAN_FORMAT, check_count, check_format, plan},
    commit::{CommitTask, commit, parts_of},
    error::ClusterError,
    gather::gather,
    hold::{FolderHold, HeldFolder, HeldJob, check_shared, hold},
    job::{CountSettings, PlanId},
    leftovers::list_leftovers,
    map::{MapTask, Pass, map, map_to},
    merge::{MergeTask, merge_shard},
    place::Place,
    reduce::{ReduceTask, reduce, reduce_copies},
    sink::streams_of,
    trace::{CheckInputs, Trace},
};
