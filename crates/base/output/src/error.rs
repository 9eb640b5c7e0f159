//! Why an output cannot be written or published.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Why an output cannot be written or published.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Writing, syncing or renaming failed.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A store refuses the output.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// Something already exists at the output's path and must not be replaced.
    #[error("{path} already exists", path = .0.display())]
    Exists(PathBuf),
    /// The output's path already exists, and is not a folder of the same kind.
    #[error("{path} was not replaced: it contains no {marker} written by tabia")]
    NoMarker {
        /// The output.
        path: PathBuf,
        /// The file that marks a folder of this kind.
        marker: &'static str,
    },
    /// The path does not end in the name of a folder, for example because it is empty, is `-`, or ends in
    /// `..`.
    #[error("{path} does not end in the name of a folder", path = .0.display())]
    NoName(PathBuf),
}

fault::kinds!(Error { Exists: Exists });

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }

    /// Returns a function that converts system errors about the output at `path`.
    /// [`io::ErrorKind::AlreadyExists`] becomes [`Exists`](Self::Exists).
    pub(crate) fn of_file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| match source.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists(path.to_owned()),
            _ => Self::Io { path: path.to_owned(), source },
        }
    }
}
