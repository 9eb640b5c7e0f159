//! The errors of this crate.

use std::{
    io,
    path::{Path, PathBuf},
};

use parquet::errors::ParquetError;
use rayon::ThreadPoolBuildError;

pub use fault::Result;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A Parquet file could not be written.
    #[error(transparent)]
    Parquet(ParquetError),
    /// A book is to be checked, but the artefact is a table or an experience file.
    #[error("{0} is not a book to play from; `tabia compact TABLE -o BOOK` makes one of a table")]
    NotABook(PathBuf),
    /// The lines have more positions than fit into memory; this is the number that fits.
    #[error(
        "the lines have more than {0} positions, which the memory does not hold: ask for fewer lines, or give \
         more memory"
    )]
    TooMany(u64),
    /// Games left the book at more places than fit into memory; this is the number that fits.
    #[error(
        "the games left the book at more than {0} places, which the memory does not hold: filter the games, or \
         give more memory"
    )]
    TooManyPlaces(u64),
    /// None of the evaluations belongs to a position or move of the book.
    #[error(
        "no evaluation is of a position that lines of {0} reach from the start position: nothing can be \
         backed up"
    )]
    NoEvaluation(PathBuf),
    /// A book or its lines might not fit into memory.
    #[error(
        "up to {} MiB of memory are needed, and there may be {}: use --memory {}MiB, or {instead}",
        mib(*needed_bytes), given_bytes >> 20, mib(*needed_bytes)
    )]
    Memory {
        /// The maximum number of bytes that may be needed.
        needed_bytes: u64,
        /// The bytes of memory that may be used.
        given_bytes: u64,
        /// What the user can do if more memory is not available.
        instead: &'static str,
    },
    /// The file of openings has more names than there are labels for positions; this is the number of labels.
    #[error("the file of openings names more than {0} positions: leave out the rarest of them")]
    TooManyNames(usize),
    /// A line of another suite is not a position.
    #[error("{path}, line {line}: {what}; a suite to compare with is a file of EPD or FEN")]
    OtherSuite {
        /// The file of the other suite.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the line.
        what: String,
    },
    /// The system could not start a thread.
    #[error("the system could not start a thread: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    /// The output could not be written.
    #[error("cannot write: {0}")]
    Write(io::Error),
}

fault::kinds!(Error { Usage: TooMany | TooManyPlaces | NotABook, Empty: NoEvaluation });

impl From<ParquetError> for Error {
    fn from(error: ParquetError) -> Self {
        table::system_error(error).map_or_else(Self::Parquet, Self::Write)
    }
}

/// Converts an error from an operation that writes to `output`. An [`Error::Write`] becomes an error that
/// names `output`.
pub fn of_writing(output: &Path) -> impl Fn(fault::Error) -> fault::Error + '_ {
    move |error| match error.downcast() {
        Ok(Error::Write(source)) => fault::output(output)(source),
        Ok(other) => other.into(),
        Err(error) => error.of_run(),
    }
}

/// Converts bytes to MiB, rounded up.
fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}
