//! A count shared by several machines. It is the external merge sort of one machine, with the runs carried
//! between machines by an engine such as Apache Spark.
//!
//! # Flow
//!
//! 1. [`plan`] cuts the inputs into [`Chunk`]s.
//! 2. [`map`] counts the games of one chunk, on any machine, and writes the sorted rows as records. The
//!    records are blobs of runs, cut into one bucket for each shard of the table, and the chunk's account
//!    (`account.rs`).
//! 3. The engine brings all records of a bucket together. [`reduce`] merges them into the part file of that
//!    shard, and writes and returns a line that describes the file. The parts wait in a folder that the
//!    driver [holds](hold) for its run; in a store the parts get their final names immediately, and only
//!    the lines wait.
//! 4. [`commit`] checks the lines of all shards, writes the manifest, and makes the table appear. The table
//!    is the same, byte for byte, as that of a count on one machine.
//!
//! Without an engine, [`map_to`] writes the records into a folder that all machines see, one file per bucket
//! and chunk, and [`reduce`] reads the files of its shard with [`streams_of`].
//!
//! [`merge_shard`] is step 3 for tables that already exist: machines add tables together shard by shard.
//! [`gather`] joins the exports that machines made of a table, shard by shard.
//!
//! # Exactly once
//!
//! Nothing relies on the engine. Tasks may run twice, die, or be started again, and records may come in any
//! order. A shard is written only if the whole run of every chunk of the plan has arrived exactly once, and
//! the first shard only if the account of every chunk has arrived exactly once, too. Accounts are summed for
//! each input (`input_account.rs`), so the lines do not grow with the chunks. A table appears only if there
//! is exactly one line for every shard, and the digests of the inputs' chunks are those of the plan. Every
//! segment holds the number of its job (`job.rs`), which follows from plan and settings, so that no segment
//! of another count is accepted.

mod account;
mod batches;
mod chunk;
mod commit;
mod copies;
mod error;
mod gather;
mod hold;
mod input_account;
mod job;
mod leftovers;
mod line;
mod lines;
mod list;
mod map;
mod merge;
mod parts;
mod place;
mod reduce;
mod rejects;
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
