//! A count shared by several machines: the external merge sort of one machine, with its runs carried between
//! machines by an engine such as Apache Spark.
//!
//! # Flow
//!
//! 1. [`plan`] cuts the inputs into [`Chunk`]s.
//! 2. [`map`] counts the games of one chunk, on any machine, and gives the sorted rows as records: blobs of
//!    runs, cut into as many buckets as the table has shards, and the chunk's account (`account.rs`).
//! 3. The engine brings all records of a bucket together. [`reduce`] merges them into the part file of that
//!    shard and gives a line that says what it is.
//! 4. [`commit`] checks the lines of all shards, writes the manifest, and lets the table appear. It is the
//!    same, byte for byte, as that of a count on one machine.
//!
//! [`merge_shard`] is a step 3 for tables that are there: machines add tables up shard by shard.
//!
//! # Exactly once
//!
//! Nothing relies on the engine. Tasks may run twice, die, or be started again; records may come in any
//! order. A shard is written only if of each chunk of the plan its whole run is there, once; a table appears
//! only if each shard is there, once, and the accounts of all chunks, once. A number of the job (`job.rs`)
//! that follows from plan and settings is in every segment, so nothing of another count is taken for it.

mod account;
mod chunk;
mod commit;
mod error;
mod job;
mod line;
mod map;
mod merge;
mod parts;
mod place;
mod reduce;
mod stream;

pub use self::{
    chunk::{Chunk, check_count, plan},
    commit::{Commit, commit},
    error::ClusterError,
    job::{CountSettings, PlanId},
    map::map,
    merge::{MergeShard, merge_shard},
    place::Place,
    reduce::{Reduce, reduce},
};
