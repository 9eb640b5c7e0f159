//! Failures of files.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::{Error, Failure};

/// A file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{beginning}{path}: {source}", beginning = beginning(action))]
pub struct FileFault {
    /// The action that failed: `read`, `write`, `create` …; empty if the system's error is clear without it.
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
}

impl FileFault {
    /// Creates the error for an action that failed on the file at `path`.
    pub fn new(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self { action, path: path.into(), source }
    }

    /// Returns a function that converts system errors, for use in `map_err`.
    pub fn of<'p>(action: &'static str, path: &'p Path) -> impl Fn(io::Error) -> Error + 'p {
        move |source| Self::new(action, path, source).into()
    }

    /// Like [`of`](Self::of), but without an action.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
        Self::of("", path)
    }
}

impl Failure for FileFault {}

/// Returns the words that precede the path in the message; empty if there is no action.
fn beginning(action: &str) -> String {
    if action.is_empty() { String::new() } else { format!("cannot {action} ") }
}

/// An output would replace something that must not be replaced.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{path} already exists")]
pub struct Exists {
    /// The path that would have been replaced.
    pub path: PathBuf,
}

crate::kinds!(Exists: Exists);

/// Returns a function, for use in `map_err`, that converts errors from creating, writing or finishing the
/// output at `path`.
pub fn output(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
    move |source| match source.kind() {
        io::ErrorKind::AlreadyExists => Exists { path: path.into() }.into(),
        _ => FileFault::new("write", path, source).into(),
    }
}
