//! What can go wrong with an export.

use std::{
    io,
    path::{Path, PathBuf},
};

use fault::{Failure, Kind};
use parquet::errors::ParquetError;

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reading, writing or renaming failed.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A Parquet file could not be written.
    #[error("{path}: {source}")]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The Parquet library's error.
        source: ParquetError,
    },
    /// The rows could not be read, or put in order.
    #[error(transparent)]
    Walk(#[from] walk::Error),
    /// An option has a value that is not allowed.
    #[error("{name} is {got}, expected {expected}")]
    Option {
        /// The option's name.
        name: &'static str,
        /// The values that are allowed.
        expected: &'static str,
        /// The value given.
        got: String,
    },
    /// Lines are asked for more positions than this number, the most that the memory holds.
    #[error(
        "lines are asked for more than {0} positions, which the memory does not hold: \
         ask for positions of more games, or of fewer plies, or give more memory"
    )]
    TooManyLines(u64),
    /// Something is at the output's path and must not be replaced.
    #[error("{0} exists")]
    OutputExists(PathBuf),
    /// Only an export is replaced by an export.
    #[error("{path}: not an export of tabia, so it is not replaced: {what}")]
    NotAnExport {
        /// The output.
        path: PathBuf,
        /// Why it is no export.
        what: &'static str,
    },
}

impl Failure for Error {
    fn kind(&self) -> Kind {
        match self {
            Error::Option { .. } | Error::TooManyLines { .. } => Kind::Usage,
            Error::OutputExists { .. } => Kind::Exists,
            Error::Walk(error) => error.kind(),
            _ => Kind::Other,
        }
    }
}

impl Error {
    /// Makes an error of a system call at `path` into ours.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Io { path: path.to_owned(), source }
    }

    /// Makes an error of the Parquet library at `path` into ours.
    pub(crate) fn parquet(path: &Path) -> impl FnOnce(ParquetError) -> Error {
        move |source| Error::Parquet { path: path.to_owned(), source }
    }
}

impl From<output::Error> for Error {
    fn from(error: output::Error) -> Self {
        match error {
            output::Error::Exists(path) => Self::OutputExists(path),
            output::Error::NoMarker { path, .. } => Self::NotAnExport { path, what: "it has no export.json" },
            output::Error::NoName(path) => Self::NotAnExport { path, what: "the path names no file" },
            output::Error::Io { path, source } => Self::Io { path, source },
        }
    }
}
