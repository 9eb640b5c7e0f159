//! What can go wrong with a walk.

use std::{
    io,
    path::{Path, PathBuf},
};

use fault::{Failure, Kind};
use position::{Key, PackedMove};

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A temporary file could not be written or read.
    #[error("{path}: {source}")]
    Io {
        /// The directory of temporary files.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The rows could not be read.
    #[error(transparent)]
    Input(fault::Error),
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

impl Failure for Error {
    fn kind(&self) -> Kind {
        match self {
            Error::Input(error) => error.kind(),
            Error::Sort(error) => error.kind(),
            Error::Stopped => Kind::Stopped,
            _ => Kind::Other,
        }
    }
}

impl Error {
    /// Turns an error of the input into ours.
    pub(crate) fn input(error: impl Into<fault::Error>) -> Error {
        Error::Input(error.into())
    }

    /// Turns an error of a system call at `path` into ours.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Io { path: path.to_owned(), source }
    }
}
