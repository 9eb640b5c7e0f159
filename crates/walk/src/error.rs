//! What can go wrong with a walk.

use std::{
    io,
    path::{Path, PathBuf},
};

use position::{Key, PackedMove};

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Any error of the rows that a walk reads.
pub type InputError = Box<dyn std::error::Error + Send + Sync>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A temporary file could not be written or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The directory of temporary files.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The rows could not be read.
    #[error(transparent)]
    Input(InputError),
    /// Rows do not ascend strictly by (key, move, group), or lie outside their shard.
    #[error("shard {shard} of the input: the row of {key} {mv} is out of order")]
    Order {
        /// The shard.
        shard: u32,
        /// The position of the row.
        key: Key,
        /// The move of the row.
        mv: PackedMove,
    },
    /// Positions could not be sorted.
    #[error(transparent)]
    Sort(#[from] extsort::Error),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Error {
    /// Makes an error of the input into ours.
    pub(crate) fn input(error: impl Into<InputError>) -> Error {
        Error::Input(error.into())
    }

    /// Makes an error of a system call at `path` into ours.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Io { path: path.to_owned(), source }
    }
}
