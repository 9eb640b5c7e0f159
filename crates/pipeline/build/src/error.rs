//! What stops a run. A bad game does not: it is counted and reported.

mod setting;

use std::{io, path::PathBuf};

pub use fault::{Error, Result};
use fault::{Failure, Kind};

pub use self::setting::{SettingError, StageError};

/// Why a run cannot begin, or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Memory for less than the sorters and buffers of that many threads need.
    #[error(
        "{mib} MiB of memory are too few for {threads} threads: give at least {needed_mib} MiB, or fewer threads"
    )]
    TooLittleMemory {
        /// The limit, MiB.
        mib: u64,
        /// Worker threads.
        threads: usize,
        /// The least that this number of threads needs, MiB.
        needed_mib: u64,
    },
    /// A table whose groups depend on a name that it does not hold.
    #[error("the table is grouped by the colour of a player whose name it does not hold")]
    GroupedByPlayer,
    /// A way from the start position that is not there.
    #[error("there is no way from the start position to add: {why} were counted")]
    NoWay {
        /// What was counted in place of games from a line.
        why: &'static str,
    },
    /// An artefact of another kind than the stage takes.
    #[error("{expected} is needed here, and {got} was given")]
    WrongArtefact {
        /// What the stage takes.
        expected: &'static str,
        /// What was opened.
        got: &'static str,
    },
    /// A file that holds no counts.
    #[error("{path} is a Polyglot book, which holds weights and no counts", path = path.display())]
    NoCounts {
        /// The file.
        path: PathBuf,
    },
    /// Experience that was given for a book.
    #[error("{path} is a book, which has its own experience: other experience goes with a table", path = path.display())]
    BookHasExperience {
        /// The book.
        path: PathBuf,
    },
    /// An input that changed between two passes over it. Nothing was written.
    #[error("{name} changed while it was read; run the command again when it does not change any more")]
    ChangedMeanwhile {
        /// The input, as it was named.
        name: String,
    },
    /// A book or a Polyglot book that would have no move. Nothing was written.
    #[error("no move is kept: {why}")]
    NothingKept {
        /// What the book was to keep, and what there is.
        why: String,
    },
    /// The system gave no thread.
    #[error("the system refused a thread: {source}; give fewer threads, or allow the process more memory")]
    Threads {
        /// The system's error.
        source: io::Error,
    },
    /// Input of which no record can be kept for another run to go on with.
    #[error("cannot record what is counted for another run to go on with: {why}")]
    NotResumable {
        /// Why not.
        why: String,
    },
}

impl Failure for RunError {
    fn kind(&self) -> Kind {
        match self {
            RunError::NothingKept { .. } => Kind::Empty,
            RunError::ChangedMeanwhile { .. } | RunError::Threads { .. } => Kind::Other,
            _ => Kind::Usage,
        }
    }
}
