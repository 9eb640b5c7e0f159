//! How one memory limit is divided between the sorters and buffers that are alive together.

use crate::{Error, Result};

/// Bytes for each consumer; their sum is the limit.
///
/// # Memory
///
/// While a book is compacted from the sorted runs of a count, three things hold memory: the count's runs, the
/// sorter of leaves, and encoded segments that wait to be written. An eighth goes to the segments, a fifth
/// (or what a sorter needs at least) to the leaves, the rest to the count.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Memory {
    /// The sorter of observations.
    pub(crate) count: u64,
    /// The sorter of positions that kept moves lead to.
    pub(crate) leaves: u64,
    /// Encoded segments of a book that wait for their turn.
    pub(crate) segments: u64,
}

const MIB: u64 = 1 << 20;
/// What a sorter of leaves needs at least: a part of its own and one a thread.
const LEAVES_BYTES_MIN: u64 = 4 * MIB;
const LEAVES_BYTES_A_THREAD_MIN: u64 = 2 * MIB;
/// What a run needs at least.
const BYTES_MIN: u64 = 16 * MIB;
const BYTES_A_THREAD_MIN: u64 = 8 * MIB;

impl Memory {
    /// Divides a limit.
    ///
    /// # Errors
    ///
    /// [`Error::TooLittleMemory`] if it is too small for that many threads.
    pub(crate) fn of(memory_bytes: u64, threads: usize) -> Result<Self> {
        let threads_count = threads as u64;
        let needed = BYTES_MIN + threads_count * BYTES_A_THREAD_MIN;
        if memory_bytes < needed {
            return Err(Error::TooLittleMemory {
                mib: memory_bytes / MIB,
                threads,
                needed_mib: needed / MIB,
            });
        }
        let segments = memory_bytes / 8;
        let leaves_min = LEAVES_BYTES_MIN + threads_count * LEAVES_BYTES_A_THREAD_MIN;
        let leaves = (memory_bytes / 5).max(leaves_min);
        Ok(Self { count: memory_bytes - segments - leaves, leaves, segments })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_limit() {
        for threads in 1..64 {
            for memory in [8 * MIB * (threads as u64 + 2), 4096 * MIB * threads as u64] {
                let parts = Memory::of(memory, threads).unwrap();
                assert_eq!(parts.count + parts.leaves + parts.segments, memory);
                assert!(parts.count > memory / 4, "{parts:?}");
            }
        }
        let error = Memory::of(20 * MIB, 2).unwrap_err().to_string();
        assert!(error.starts_with("20 MiB") && error.contains("at least 32 MiB"), "{error}");
    }
}
