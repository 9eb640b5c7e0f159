//! Errors about the rows that a walk reads.

use position::{Key, PackedMove};

/// Rows are not in strictly ascending order of (key, move, group), or are in the wrong shard.
#[derive(Debug, thiserror::Error)]
#[error("shard {shard} of the input: the row with key {key} and move {mv} is out of order")]
pub struct RowOrderError {
    /// The shard.
    pub shard: u32,
    /// The position of the offending row.
    pub key: Key,
    /// The move of the offending row.
    pub mv: PackedMove,
}

impl fault::Failure for RowOrderError {}

/// The data that a walk must keep in memory for its edges, mostly one bit per edge, exceeds the limit.
#[derive(Debug, thiserror::Error)]
#[error(
    "a walk along the lines of {edges} edges needs at least {mib} MiB of memory: give more with --memory"
)]
pub struct EdgesError {
    /// The number of edges.
    pub edges: u64,
    /// The minimum memory, in MiB, that a walk along these edges needs.
    pub mib: u64,
}

fault::kinds!(EdgesError: Usage);

/// A walk may always use this many bytes for its edges, however low the memory limit is. Sorters also take
/// the memory they need, whatever the limit.
const LEAST_BYTES: u64 = 1 << 20;

impl EdgesError {
    /// Fails if the `bytes` that a walk needs for its edges are more than a quarter of `memory_bytes` and
    /// also more than [`LEAST_BYTES`].
    pub(crate) fn check(edges: u64, bytes: u64, memory_bytes: u64) -> Result<(), Self> {
        if bytes <= LEAST_BYTES.max(memory_bytes / 4) {
            return Ok(());
        }
        Err(Self { edges, mib: (4 * bytes).div_ceil(1 << 20) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_that_do_not_fit_are_refused() {
        let refused = |bytes, memory_bytes| EdgesError::check(9, bytes, memory_bytes).err();
        assert!(refused(LEAST_BYTES, 0).is_none() && refused(64 << 20, 256 << 20).is_none());
        assert_eq!(refused(LEAST_BYTES + 1, 0).unwrap().mib, 5);
        let error = refused((64 << 20) + 1, 256 << 20).unwrap().to_string();
        assert!(error.contains("9 edges") && error.contains("at least 257 MiB"), "{error}");
    }
}
