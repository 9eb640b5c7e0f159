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
    /// A book is needed, but the artefact is a table or an experience file.
    #[error("{path} is not a book to play from; `tabia compact TABLE -o BOOK` makes one from a table", path = .0.display())]
    NotABook(PathBuf),
    /// The lines have more positions than fit into memory. The variant holds the number of positions that
    /// would fit.
    #[error(
        "the lines have more than {most} positions, which is too many for the memory: ask for fewer lines, or allow \
         more memory",
        most = .0
    )]
    TooMany(u64),
    /// Games left the book at more places than fit into memory. The variant holds the number of places that
    /// would fit.
    #[error(
        "the games left the book at more than {most} places, which is too many for the memory: filter the games, or \
         allow more memory",
        most = .0
    )]
    TooManyPlaces(u64),
    /// None of the evaluations belongs to a position or move of the book.
    #[error(
        "no position that lines of {book} reach from the start position has an evaluation, so nothing can be backed up",
        book = .0.display()
    )]
    NoEvaluation(PathBuf),
    /// A book or its lines might need more memory than allowed.
    #[error(
        "up to {needed} MiB of memory are needed, but only {given} may be used: use --memory {needed}MiB, or {instead}",
        needed = mib(*needed_bytes), given = given_bytes >> 20
    )]
    Memory {
        /// An upper limit for the number of bytes needed.
        needed_bytes: u64,
        /// The memory limit in bytes.
        given_bytes: u64,
        /// What the user can do if no more memory is available.
        instead: &'static str,
    },
    /// The file of openings has more names than there are labels for positions. The variant holds the number
    /// of labels.
    #[error("the openings file names more than the maximum of {most} positions: leave out the rarest of them", most = .0)]
    TooManyNames(usize),
    /// A line in the EPD or FEN file of an existing suite is not a legal position.
    #[error("{path}, line {line}: {what}; a suite to compare with must be an EPD or FEN file")]
    OtherSuite {
        /// The suite's file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the line.
        what: String,
    },
    /// The system could not start a thread.
    #[error("the system could not start a thread: {source}", source = .0)]
    Threads(#[from] ThreadPoolBuildError),
    /// The output could not be written.
    #[error("cannot write: {source}", source = .0)]
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
