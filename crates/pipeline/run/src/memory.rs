//! Divides the memory limit among the sorters and buffers that exist at the same time.

use crate::{Result, RunError};

/// How many bytes each consumer gets. The bytes for observations, leaves and segments add up to the limit.
///
/// # Memory
///
/// While a count is compacted into a book, three things take up memory: the sorted runs of the count, the
/// sorter that finds leaves, and the encoded segments that are waiting to be written. Segments get an eighth
/// of the limit; leaves get a fifth, or the minimum that a sorter needs if that is more; the count gets the
/// rest. While games are being counted, a large decompression window takes up some of the count's memory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Memory {
    /// Bytes for the sorter of observations.
    pub count: u64,
    /// How many bytes the sorter of observations gets under the lowest possible limit.
    count_least: u64,
    /// Bytes for the sorter that finds leaves. It sorts the positions to which kept moves lead.
    pub leaves: u64,
    /// Bytes for encoded segments of a book that are waiting to be written.
    pub segments: u64,
}

const MIB: u64 = 1 << 20;
/// The minimum memory of the sorter that finds leaves: a fixed amount, plus an amount for each thread.
const LEAVES_BYTES_MIN: u64 = 4 * MIB;
const LEAVES_BYTES_A_THREAD_MIN: u64 = 2 * MIB;
/// The minimum memory of a run.
const BYTES_MIN: u64 = 16 * MIB;
const BYTES_A_THREAD_MIN: u64 = 8 * MIB;

/// This many bytes of a window are not counted towards the memory limit. A decoder's other buffers are not
/// counted either.
const WINDOW_BYTES_FREE: u64 = 32 * MIB;

impl Memory {
    /// Divides a limit.
    ///
    /// # Errors
    ///
    /// Fails with [`RunError::TooLittleMemory`] if the limit is too low for that many threads.
    pub fn of(memory_bytes: u64, threads: usize) -> Result<Self> {
        let needed = BYTES_MIN + threads as u64 * BYTES_A_THREAD_MIN;
        if memory_bytes < needed {
            return Err(RunError::TooLittleMemory {
                mib: memory_bytes / MIB,
                threads,
                needed_mib: needed / MIB,
            }
            .into());
        }
        let least = Self::divided(needed, threads);
        Ok(Self { count_least: least.count, ..Self::divided(memory_bytes, threads) })
    }

    fn divided(memory_bytes: u64, threads: usize) -> Self {
        let segments = memory_bytes / 8;
        let leaves_min = LEAVES_BYTES_MIN + threads as u64 * LEAVES_BYTES_A_THREAD_MIN;
        let leaves = (memory_bytes / 5).max(leaves_min);
        Self { count: memory_bytes - segments - leaves, count_least: 0, leaves, segments }
    }

    /// The whole limit, for work that does not share memory with anything else.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.count + self.leaves + self.segments
    }

    /// The largest window, in bytes, that may be used to decompress an input. With a window of this size, the
    /// sorter of observations still gets as much memory as under the lowest possible limit.
    #[must_use]
    pub fn window_bytes_max(&self) -> u64 {
        WINDOW_BYTES_FREE + self.count - self.count_least
    }

    /// The memory that is left for the sorter of observations while a window of `window_bytes` bytes is in
    /// use.
    #[must_use]
    pub fn count_beside(&self, window_bytes: u64) -> u64 {
        self.count - window_bytes.saturating_sub(WINDOW_BYTES_FREE).min(self.count - self.count_least)
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
                assert_eq!(parts.all(), memory);
                assert!(parts.count > memory / 4, "{parts:?}");
                assert_eq!(parts.count_beside(parts.window_bytes_max()), parts.count_least);
                assert_eq!(parts.count_beside(8 * MIB), parts.count);
            }
        }
        let error = Memory::of(20 * MIB, 2).unwrap_err().to_string();
        assert!(error.starts_with("20 MiB") && error.contains("at least 32 MiB"), "{error}");
    }
}
