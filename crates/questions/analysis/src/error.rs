//! The errors of this crate.

use std::path::{Path, PathBuf};

use fault::FileFault;
use parquet::errors::ParquetError;

pub use fault::Result;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A Parquet file could not be written.
    #[error("{path}: {source}")]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The Parquet library's error.
        source: ParquetError,
    },
    /// An option has a value that is not allowed.
    #[error("{name}: expected {expected}, not {got}")]
    Option {
        /// The option's name.
        name: &'static str,
        /// The values that are allowed.
        expected: &'static str,
        /// The value given.
        got: String,
    },
    /// Lines were requested for more positions than fit into memory; the value is the number that would fit.
    #[error(
        "lines are asked for more than {most} positions, which is too many for the memory: ask for positions of more \
         games or fewer plies, or allow more memory",
        most = .0
    )]
    TooManyLines(u64),
    /// The folders do not contain exactly one export for each shard of a table.
    #[error("these exports do not make up one complete table: {why}", why = .0)]
    Shards(String),
    /// The output exists but is not an export; only an export may be replaced.
    #[error("{path} was not replaced, because it is not an export written by tabia: {what}")]
    NotAnExport {
        /// The output.
        path: PathBuf,
        /// The reason why the output is not an export.
        what: &'static str,
    },
}

fault::kinds!(Error { Usage: Option | TooManyLines });

impl Error {
    /// Converts an error that the Parquet library returned for `path`. If a system error caused the library's
    /// error, the result contains only the system error.
    pub(crate) fn parquet(path: &Path) -> impl FnOnce(ParquetError) -> fault::Error {
        move |error| match table::system_error(error) {
            Ok(source) => FileFault::new("write", path, source).into(),
            Err(source) => Error::Parquet { path: path.to_owned(), source }.into(),
        }
    }

    /// Converts an error about the output. If the output's path has no file name, or leads to something other
    /// than a folder with Tabia's `export.json`, the result is [`Error::NotAnExport`].
    pub(crate) fn refused(error: output::Error) -> fault::Error {
        match error {
            output::Error::NoMarker { path, .. } => Self::NotAnExport { path, what: "it has no export.json" },
            output::Error::NoName(path) => Self::NotAnExport { path, what: "the path names no file" },
            other => return other.into(),
        }
        .into()
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn an_error_of_the_system_is_told_without_its_wrapping() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let error = Error::parquet(Path::new("out/moves"))(ParquetError::External(Box::new(full)));
        assert_eq!(error.to_string(), "cannot write out/moves: no storage space");
        let other = Error::parquet(Path::new("out/moves"))(ParquetError::General("too many columns".into()));
        assert_eq!(other.to_string(), "out/moves: Parquet error: too many columns");
    }
}
