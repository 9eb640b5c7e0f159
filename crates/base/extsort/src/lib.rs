//! External sorting and summing of small fixed-size items under one memory limit.
//!
//! A [`Sorter`] takes [`Item`]s from several threads, each through its own [`Writer`]. [`Sorted`] returns the
//! [`Row`]s in order, bucket by bucket. Items with the same identity are combined: they are summed ([`Sum`]),
//! or the smallest is kept ([`Least`]). Items that fit in [`Options::memory_bytes`] are kept in memory; the
//! others are spilled as compressed, checksummed runs ([`RunFile`]). This crate does not care what the items
//! mean.
//!
//! # Flow
//!
//! 1. A writer distributes items among the pieces of its sort buffer. A full buffer is radix-sorted piece by
//!    piece, equal ids are summed, and the rows are encoded into a run file. Each thread does this on its
//!    own, without waiting for any other.
//! 2. When there are too many files, the smallest are merged into one.
//! 3. Each bucket of the result is produced by one last merge, which reads the bucket's part of every file.
//!    Buffers that are not full at the end are kept in memory, and are sorted piece by piece when they are
//!    read. If no buffer ever became full, there are no files and there is nothing to merge.
//!
//! # Resuming
//!
//! Runs are temporary files without names, unless [`Options::runs`] is set to a [`RunFolder`]. With such a
//! folder, [`Writer::end_group`] returns runs that contain exactly the items pushed since the previous group.
//! The caller records which items are in these runs and hands the runs back ([`Sorter::adopt`]). Another
//! process can adopt the recorded runs and push the remaining items, with the same result. If no items remain
//! to be pushed, [`Sorted::open`] reads the recorded runs.
//!
//! # Sharing a sort
//!
//! Several machines can each sort a part of the items. Each machine [sends](RunSender) its rows bucket by
//! bucket, as blobs that any program may transport. A machine that has all blobs of a bucket
//! [merges](ReceivedRuns) them. It refuses a bucket if any of the bucket's blobs is missing, damaged or
//! duplicated.
//!
//! # Memory
//!
//! [`Options::memory_bytes`] limits the total size of the sort buffers of all writers, the memory used for
//! spilling, and the buffers of all buckets being read. A writer may take over the buffer of a closed writer,
//! and successive sorters may share buffers through an [`Arena`].
//!
//! # Errors
//!
//! An error in one thread stops the others with [`Error::AnotherThreadFailed`]. [`Error::Stopped`] means that
//! the caller asked to stop.
//!
//! # Example
//!
//! ```
//! use extsort::{Item, Options, Sorter, Sum};
//!
//! /// One occurrence of a word, represented by the word's hash.
//! #[derive(Clone, Copy)]
//! struct Seen(u64);
//!
//! impl Item<1> for Seen {
//!     type Combine = Sum;
//!     const PAYLOAD_BITS: u32 = 64;
//!     fn bits(&self) -> u128 { u128::from(self.0) << 64 }
//!     fn note(&self) -> u16 { 0 }
//!     fn add_to(&self, sums: &mut [u64; 1]) { sums[0] += 1 }
//! }
//!
//! let sorter = Sorter::<Seen, 1>::new(Options::new(16 << 20, 1))?;
//! let mut writer = sorter.writer()?;
//! for word in [3, 1, 3] {
//!     writer.push(Seen(word))?;
//! }
//! writer.close()?;
//! let mut rows = Vec::new();
//! sorter.finish()?.bucket(0)?.next_batch(&mut rows)?;
//! assert_eq!((rows[1].id >> 64, rows[1].sums), (3, [2]));
//! # Ok::<(), extsort::Error>(())
//! ```

mod arena;
mod block;
mod budget;
mod combine;
mod disk;
mod error;
mod gauge;
mod item;
mod merge;
mod options;
mod prefetch;
mod radix;
mod received;
mod run_file;
mod run_folder;
mod sent;
mod sort_buffer;
mod sorted;
mod sorter;
mod spill;
mod stats;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod unspilled;

pub use arena::Arena;
pub use combine::{Combine, Least, Sum};
pub use error::{Error, Result};
pub use item::{Item, Row};
pub use options::Options;
pub use prefetch::prefetch;
pub use received::ReceivedRuns;
pub use run_file::RunFile;
pub use run_folder::{RunFolder, RunLedger};
pub use sent::{Blob, RunSender};
pub use sorted::{BucketRows, Lookup, Sorted};
pub use sorter::{RunGroup, Sorter, Writer};
pub use stats::Stats;
