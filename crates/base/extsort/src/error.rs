//! The errors of this crate.

use std::io;
use std::path::{Path, PathBuf};

use fault::{Failure, Kind};

/// Why sorting failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option is outside what it may be.
    #[error("{name} is {got}, expected {expected}")]
    Option {
        /// The option's name.
        name: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        got: String,
    },
    /// The memory limit cannot hold the buffers of that many threads.
    #[error(
        "a memory limit of {given_bytes} bytes is too small to sort with {threads} threads: \
         at least {needed_bytes} bytes are needed; give more memory, or fewer threads"
    )]
    BudgetTooSmall {
        /// The limit given.
        given_bytes: u64,
        /// The smallest limit that works.
        needed_bytes: u64,
        /// The number of threads asked for.
        threads: usize,
    },
    /// More writers are open at once than the options promised.
    #[error("all {threads} writers of the sorter are in use")]
    TooManyWriters {
        /// The number of writers the memory was divided for.
        threads: usize,
    },
    /// The file system cannot take what has to be spilled.
    #[error(
        "not enough disk in {}: need about {needed_bytes} bytes, {free_bytes} free", dir.display()
    )]
    DiskFull {
        /// The directory for temporary files.
        dir: PathBuf,
        /// About how many bytes are needed.
        needed_bytes: u64,
        /// How many bytes are free.
        free_bytes: u64,
    },
    /// Reading or writing a run failed.
    #[error("{} at byte {offset}: {source}", path.display())]
    Io {
        /// The run.
        path: PathBuf,
        /// Where in it, in bytes.
        offset: u64,
        /// The system's error.
        source: io::Error,
    },
    /// The user's quota leaves too little of the disk.
    #[error("not enough disk in {}: need about {needed_bytes} bytes: {source}", dir.display())]
    QuotaExceeded {
        /// The directory of the runs.
        dir: PathBuf,
        /// Bytes that were to be written.
        needed_bytes: u64,
        /// The system's error.
        source: io::Error,
    },
    /// A run is not what was written.
    #[error("{} at byte {offset}: damaged run: {what}", path.display())]
    Corrupt {
        /// The run.
        path: PathBuf,
        /// Where in it, in bytes.
        offset: u64,
        /// What is wrong.
        what: String,
    },
    /// A run that was sent is not what was sent, or not all of it.
    #[error("bucket {bucket}: the run of source {run} {what}")]
    Run {
        /// What the run was made of.
        run: u64,
        /// The bucket.
        bucket: u32,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A run was written by another version of the format.
    #[error("{} at byte {offset}: run format version {got}, expected {expected}", path.display())]
    Version {
        /// The run.
        path: PathBuf,
        /// Where in it, in bytes.
        offset: u64,
        /// The version this crate reads.
        expected: u16,
        /// The version found.
        got: u16,
    },
    /// A sum passed 2^64 - 1.
    #[error("the sums of row {id:#034x} do not fit 64 bits")]
    SumOverflow {
        /// The row.
        id: u128,
    },
    /// A writer was dropped with items in it instead of being closed.
    #[error("a sort writer was dropped before it was closed: its items are lost")]
    WriterDropped,
    /// Another thread of the sorter failed; that thread has the error itself, and this
    /// one only follows from it.
    #[error("sorting stopped because another thread failed")]
    AnotherThreadFailed,
    /// The caller asked to stop, by [`Options::stop`](crate::Options::stop).
    #[error("stopped")]
    Stopped,
}

impl Failure for Error {
    fn kind(&self) -> Kind {
        match self {
            Error::DiskFull { .. } | Error::QuotaExceeded { .. } => Kind::TemporarySpace,
            Error::AnotherThreadFailed => Kind::Consequence,
            Error::Stopped => Kind::Stopped,
            _ => Kind::Other,
        }
    }
}

impl Error {
    pub(crate) fn io(path: &Path, offset: u64, source: io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), offset, source }
    }

    pub(crate) fn corrupt(path: &Path, offset: u64, what: impl Into<String>) -> Self {
        Self::Corrupt { path: path.to_path_buf(), offset, what: what.into() }
    }
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
