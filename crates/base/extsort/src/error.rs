//! The errors of this crate.

use std::io;
use std::path::{Path, PathBuf};

/// Why sorting failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option is out of range.
    #[error("{name} must be {expected}, but is {got}")]
    Option {
        /// The option's name.
        name: &'static str,
        /// The allowed range.
        expected: &'static str,
        /// Its value.
        got: String,
    },
    /// The memory limit is too small for the threads' buffers.
    #[error(
        "a memory limit of {given_bytes} bytes is too small to sort with {threads} threads: \
         at least {needed_bytes} bytes are needed; allow more memory, or use fewer threads"
    )]
    BudgetTooSmall {
        /// The limit given.
        given_bytes: u64,
        /// The smallest limit that works.
        needed_bytes: u64,
        /// The number of threads asked for.
        threads: usize,
    },
    /// All [`Options::threads`](crate::Options::threads) writers are already open.
    #[error("all {writers} writers of the sorter are in use", writers = .0)]
    TooManyWriters(usize),
    /// There is not enough free disk space to spill the rows.
    #[error(
        "not enough disk space in {dir}: about {needed_bytes} bytes are needed, but only {free_bytes} are free"
    )]
    DiskFull {
        /// The directory for temporary files.
        dir: PathBuf,
        /// The approximate number of bytes needed.
        needed_bytes: u64,
        /// The number of bytes free.
        free_bytes: u64,
    },
    /// Reading or writing a run failed.
    #[error("{path} at byte {offset}: {source}")]
    Io {
        /// The run.
        path: PathBuf,
        /// The offset in the run, in bytes.
        offset: u64,
        /// The system's error.
        source: io::Error,
    },
    /// The user's disk quota leaves too little space.
    #[error("not enough disk space in {dir} for about {needed_bytes} bytes: {source}")]
    QuotaExceeded {
        /// The directory of the runs.
        dir: PathBuf,
        /// The number of bytes to be written.
        needed_bytes: u64,
        /// The system's error.
        source: io::Error,
    },
    /// A run is damaged, or comes from a different kind of sort.
    #[error("{path}: the run is damaged at byte {offset}: {what}")]
    Corrupt {
        /// The run.
        path: PathBuf,
        /// The offset in the run, in bytes.
        offset: u64,
        /// What is wrong.
        what: String,
    },
    /// A run from another process arrived damaged or incomplete.
    #[error("the run from source {run} in bucket {bucket} {what}")]
    Run {
        /// The source of the run.
        run: u64,
        /// The bucket.
        bucket: u32,
        /// The fault.
        what: &'static str,
    },
    /// A run was written in another version of the format.
    #[error("{path}: the run at byte {offset} has format version {got}, expected {expected}")]
    Version {
        /// The run.
        path: PathBuf,
        /// The offset in the run, in bytes.
        offset: u64,
        /// The version that this crate reads.
        expected: u16,
        /// The version found.
        got: u16,
    },
    /// A sum in the row with this id exceeds 2^64 - 1.
    #[error("the sums of row {id:#034x} do not fit in 64 bits", id = .0)]
    SumOverflow(u128),
    /// A writer that held items was dropped without being closed.
    #[error("a sort writer was dropped before it was closed, so its items are lost")]
    WriterDropped,
    /// Another thread of the sorter failed. That thread returns the cause; this error is merely a
    /// consequence.
    #[error("sorting stopped because another thread failed")]
    AnotherThreadFailed,
    /// The caller asked to stop through [`Options::stop`](crate::Options::stop).
    #[error("stopped")]
    Stopped,
}

fault::kinds!(Error {
    TemporarySpace: DiskFull | QuotaExceeded,
    Consequence: AnotherThreadFailed,
    Stopped: Stopped,
});

impl Error {
    pub(crate) fn io(path: &Path, offset: u64, source: io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), offset, source }
    }

    pub(crate) fn corrupt(path: &Path, offset: u64, what: impl Into<String>) -> Self {
        Self::Corrupt { path: path.to_path_buf(), offset, what: what.into() }
    }
}

/// A result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
