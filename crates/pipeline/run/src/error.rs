//! Why a run stops. A bad game does not stop a run: it is merely counted and reported.

mod setting;

use std::{io, path::PathBuf};

pub use fault::{Error, Result};

pub use self::setting::{SettingError, StageError};

/// Why a run cannot begin or continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The memory limit is too low for the sorters and buffers of this many threads.
    #[error(
        "{mib} MiB of memory are not enough for {threads} threads: give at least {needed_mib} MiB, or fewer threads"
    )]
    TooLittleMemory {
        /// The limit, MiB.
        mib: u64,
        /// Worker threads.
        threads: usize,
        /// The minimum memory, in MiB, that this many threads need.
        needed_mib: u64,
    },
    /// The table is grouped by the colour of a player, but the table does not contain the player's name.
    #[error("the table is grouped by the colour of a player, but it does not contain the name of the player")]
    GroupedByPlayer,
    /// The book is to include the moves from the start position, which is possible only if the games were
    /// counted from the end of a line.
    #[error(
        "--from-start applies only to games counted from the end of a line, but these counts are of {counted}",
        counted = .0
    )]
    NotFromLine(&'static str),
    /// The stage does not take artefacts of this kind.
    #[error("expected {expected}, but {got} was given")]
    WrongArtefact {
        /// The kind of artefact that the stage takes.
        expected: &'static str,
        /// The kind of artefact that was opened.
        got: &'static str,
    },
    /// The file contains no counts.
    #[error("{path} is a Polyglot book, which has weights but no counts", path = .0.display())]
    NoCounts(PathBuf),
    /// The user supplied experience files for a book, but only the book's own experience can be used.
    #[error(
        "{path} is a book, so only its own experience can be used here: to use other experience, give a table instead",
        path = .0.display()
    )]
    BookHasExperience(PathBuf),
    /// An input was changed between two passes over it. Nothing was written.
    #[error("{path} changed while it was being read; run the command again once nothing is writing to it", path = .0)]
    ChangedMeanwhile(String),
    /// A book or a Polyglot book would have no moves. Nothing was written.
    #[error("no move is kept: {why}", why = .0)]
    NothingKept(String),
    /// An output would be empty; the text explains why. Nothing was written.
    #[error("{why}", why = .0)]
    Empty(String),
    /// The system failed to start a thread.
    #[error("the system could not start a thread: {source}; use fewer threads, or allow more memory")]
    Threads {
        /// The system's error.
        source: io::Error,
    },
    /// Work on this input cannot be recorded, so no later run could resume it.
    #[error("this count cannot be made resumable: {why}", why = .0)]
    NotResumable(String),
}

fault::kinds!(RunError {
    Usage: TooLittleMemory
        | GroupedByPlayer
        | NotFromLine
        | WrongArtefact
        | NoCounts
        | BookHasExperience
        | NotResumable,
    Empty: NothingKept | Empty,
});
