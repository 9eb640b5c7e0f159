//! What happened to a file.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::{Error, Failure, Kind};

/// A file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {path}: {source}", path = path.display())]
pub struct FileFault {
    /// What was being done: `read`, `write`, `create` …
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl FileFault {
    /// The system's error when something was done to the file at `path`.
    pub fn new(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self { action, path: path.into(), source }
    }

    /// Makes the system's error into ours; for `map_err`.
    pub fn of<'p, E: From<Self>>(action: &'static str, path: &'p Path) -> impl Fn(io::Error) -> E + 'p {
        move |source| Self::new(action, path, source).into()
    }
}

impl Failure for FileFault {}

/// Something is at the place of an output.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{} exists", path.display())]
pub struct Exists {
    /// What would have been replaced.
    pub path: PathBuf,
}

impl Failure for Exists {
    fn kind(&self) -> Kind {
        Kind::Exists
    }
}

/// Why creating, writing or finishing the output at `path` failed; for `map_err`.
pub fn output(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
    move |source| match source.kind() {
        io::ErrorKind::AlreadyExists => Exists { path: path.into() }.into(),
        _ => FileFault::new("write", path, source).into(),
    }
}
