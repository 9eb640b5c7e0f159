//! Errors of libraries as errors of a run, and with the names that the user gave.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{Error, RecipeError, SettingError};
use crate::books::BooksError;

impl Error {
    /// Why creating, writing or finishing the output at `path` failed; made for `map_err`.
    pub fn output(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
        move |source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::OutputExists { path: path.into() },
            _ => Error::File { action: "write", path: path.into(), source },
        }
    }

    /// The error of a walk: one of ours that came back through it, or its own.
    pub(crate) fn of_walk(error: walk::Error) -> Self {
        match error {
            walk::Error::Input(inner) => match inner.downcast::<Error>() {
                Ok(ours) => *ours,
                Err(inner) => Error::Walk(walk::Error::Input(inner)),
            },
            walk::Error::Sort(error) => error.into(),
            walk::Error::Stopped => Error::Stopped,
            other => Error::Walk(other),
        }
    }

    /// A library stops only when the user interrupts the run, except in a reading, which keeps its own cause.
    pub(crate) fn of_run(self) -> Self {
        if self.is_stop() { Error::Interrupted } else { self }
    }

    /// The error of an output that is temporary, with the name that the user gave in place of its own.
    pub(crate) fn renamed(self, temporary: &Path, given: &Path) -> Self {
        let name = |path: PathBuf| if path == temporary { given.to_owned() } else { path };
        match self {
            Error::File { action, path, source } => Error::File { action, path: name(path), source },
            Error::Table(table::Error::Io { path, source }) => {
                Error::Table(table::Error::Io { path: name(path), source })
            }
            Error::Lock(output::LockError::Io { output, source }) => {
                Error::Lock(output::LockError::Io { output: name(output), source })
            }
            other => other,
        }
    }

    /// A setting of a stage that makes no sense.
    pub(crate) fn setting(stage: &str, error: SettingError) -> Self {
        RecipeError::Setting { stage: stage.to_owned(), error }.into()
    }
}

impl From<BooksError> for Error {
    fn from(error: BooksError) -> Self {
        Self::Books(Box::new(error))
    }
}

impl From<craft::Error> for Error {
    fn from(error: craft::Error) -> Self {
        match error {
            craft::Error::Walk(error) => Error::of_walk(error),
            craft::Error::Query(error) => error.into(),
            other => Error::Craft(other),
        }
    }
}

impl From<report::Error<Error>> for Error {
    fn from(error: report::Error<Error>) -> Self {
        match error {
            report::Error::Rows(error) => error,
            report::Error::Table(error) => error.into(),
            report::Error::RootDiffers { root } => Error::RootDiffers { root },
            report::Error::Stopped => Error::Stopped,
            other => Error::Page(other.to_string()),
        }
    }
}
