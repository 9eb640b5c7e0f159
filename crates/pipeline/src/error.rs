//! What stops a pipeline. A bad game does not: it is counted and reported.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a recipe could not be planned, or a plan could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The recipe, or the settings given for it, make no sense: nothing was read or written.
    #[error("{0}")]
    Recipe(String),
    /// The output is there already.
    #[error("{path} exists; name another output, or --force to replace it", path = path.display())]
    OutputExists {
        /// What would have been replaced.
        path: PathBuf,
    },
    /// Games that the table counts already were to be added.
    #[error(
        "{table} counts {name} ({xxh3}) already; --force counts it again",
        table = table.display()
    )]
    AlreadyCounted {
        /// The table.
        table: PathBuf,
        /// The source, as it was named.
        name: String,
        /// Its XXH3-64.
        xxh3: String,
    },
    /// A file could not be read or written.
    #[error("cannot {action} {path}: {source}", path = path.display())]
    File {
        /// What was being done: `read`, `write`, `create` …
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that should be checked holds nothing.
    #[error(
        "{path} is empty: a Polyglot book without a move, or a file that was never written",
        path = path.display()
    )]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// An input could not be read.
    #[error(transparent)]
    Pgn(#[from] pgn::Error),
    /// Sorting failed.
    #[error(transparent)]
    Sort(#[from] extsort::Error),
    /// A table could not be read or written.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// A book could not be read or written.
    #[error(transparent)]
    Book(#[from] book::Error),
    /// An export failed.
    #[error(transparent)]
    Analysis(#[from] analysis::Error),
    /// A learning rule refused what it was given.
    #[error(transparent)]
    Learn(#[from] learn::Error),
    /// No such policy or setting.
    #[error(transparent)]
    Policy(#[from] policy::Error),
    /// A page could not be put together.
    #[error("the page could not be put together: {0}")]
    Page(#[from] askama::Error),
    /// The user interrupted the run; nothing was left behind.
    #[error("interrupted; no output was written")]
    Interrupted,
}

impl Error {
    /// What creating, writing or finishing the output at `path` failed with; made for `map_err`.
    pub(crate) fn output(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
        move |source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::OutputExists { path: path.into() },
            _ => Error::File { action: "write", path: path.into(), source },
        }
    }

    /// Whether the run never started: wrong usage or a wrong recipe.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Error::Recipe(_)
                | Error::Analysis(analysis::Error::OutputExists { .. } | analysis::Error::Option { .. })
                | Error::Learn(_)
                | Error::Policy(_)
                | Error::OutputExists { .. }
                | Error::Table(table::Error::OutputExists { .. })
                | Error::Book(book::Error::OutputExists { .. })
        )
    }

    /// Whether the user stopped the run.
    #[must_use]
    pub fn is_interrupt(&self) -> bool {
        matches!(
            self,
            Error::Interrupted
                | Error::Pgn(pgn::Error::Interrupted)
                | Error::Sort(extsort::Error::Interrupted)
                | Error::Analysis(analysis::Error::Cancelled)
                | Error::Table(table::Error::Cancelled)
        )
    }

    /// The system's error below this one, where there is one.
    #[must_use]
    pub fn io(&self) -> Option<&io::Error> {
        let mut error: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(current) = error {
            if let Some(io) = current.downcast_ref() {
                return Some(io);
            }
            error = current.source();
        }
        None
    }
}
