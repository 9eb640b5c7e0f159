//! Failures of files.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::{Error, Failure, Kind};

/// A file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {path}: {source}")]
pub struct FileFault {
    /// The action that failed: `read`, `write`, `create` …
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The error of the system.
    pub source: io::Error,
}

impl FileFault {
    /// The failure of an action on the file at `path`, with the system's error.
    pub fn new(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self { action, path: path.into(), source }
    }

    /// Converts an error of the system for `map_err`.
    pub fn of<'p>(action: &'static str, path: &'p Path) -> impl Fn(io::Error) -> Error + 'p {
        move |source| Self::new(action, path, source).into()
    }
}

impl Failure for FileFault {}

/// The place of an output is taken.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{path} exists")]
pub struct Exists {
    /// The path that would have been replaced.
    pub path: PathBuf,
}

impl Failure for Exists {
    fn kind(&self) -> Kind {
        Kind::Exists
    }
}

/// Converts the error of creating, writing or finishing the output at `path` for `map_err`.
pub fn output(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
    move |source| match source.kind() {
        io::ErrorKind::AlreadyExists => Exists { path: path.into() }.into(),
        _ => FileFault::new("write", path, source).into(),
    }
}
