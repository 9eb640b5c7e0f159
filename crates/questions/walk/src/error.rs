//! Rows that are no input of a walk.

use position::{Key, PackedMove};

/// Rows do not ascend strictly by (key, move, group), or lie outside their shard.
#[derive(Debug, thiserror::Error)]
#[error("shard {shard} of the input: the row of {key} {mv} is out of order")]
pub struct RowOrderError {
    /// The shard.
    pub shard: u32,
    /// The position of the row.
    pub key: Key,
    /// The move of the row.
    pub mv: PackedMove,
}

impl fault::Failure for RowOrderError {}

/// What a walk holds for each edge does not fit into its memory.
#[derive(Debug, thiserror::Error)]
#[error(
    "following the lines of {edges} edges takes a bit of memory for each: at least {mib} MiB are needed (--memory)"
)]
pub struct EdgesError {
    /// The edges.
    pub edges: u64,
    /// The least memory that a walk of them needs.
    pub mib: u64,
}

fault::kinds!(EdgesError: Usage);
