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
