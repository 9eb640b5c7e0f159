//! Why a player ends.

use std::{io, path::PathBuf, time::Duration};

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The book or its policy failed.
    #[error(transparent)]
    Query(#[from] query::Error),
    /// The engine's command has an open quote, or nothing in it.
    #[error("`{0}` is no command: it is empty, or a quote is not closed")]
    Command(String),
    /// The engine cannot be started.
    #[error("the engine `{command}` cannot be started: {source}")]
    Start {
        /// The engine's command.
        command: String,
        /// The system's error.
        source: io::Error,
    },
    /// The engine ended.
    #[error("the engine `{command}` {}{during}", ending(status.as_deref()))]
    Ended {
        /// The engine's command.
        command: String,
        /// How it ended; `None` if it only closed its output.
        status: Option<String>,
        /// What it was asked for.
        during: &'static str,
    },
    /// The engine does not answer.
    #[error("the engine `{command}` does not answer: no `{expected}` within {} s", after.as_secs_f32())]
    Silent {
        /// The engine's command.
        command: String,
        /// What it owes.
        expected: &'static str,
        /// How long it was waited for.
        after: Duration,
    },
    /// The engine does not read.
    #[error("the engine `{0}` does not read what it is told")]
    Deaf(String),
    /// The engine answered with something that is not a legal move of the position.
    #[error("the engine `{command}` answered `bestmove {answer}`, which is no move of {fen}")]
    NoMove {
        /// The engine's command.
        command: String,
        /// Its answer.
        answer: String,
        /// The position.
        fen: String,
    },
    /// The PGN of a game cannot be read.
    #[error(transparent)]
    Pgn(#[from] pgn::Error),
    /// The journal of games failed.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// The experience file.
    #[error(transparent)]
    Experience(#[from] experience::Error),
    /// The experience file.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// No rule can learn from what the experience file holds.
    #[error(transparent)]
    Learn(#[from] learn::Error),
    /// The experience file cannot be locked.
    #[error(transparent)]
    Lock(output::LockError),
    /// The exchange's address or its answer is wrong.
    #[error(transparent)]
    Connection(#[from] exchange::ConnectionError),
    /// An error of the exchange's client, such as a book that does not say what it was made of.
    #[error(transparent)]
    Exchange(#[from] exchange::Error),
    /// The exchange refuses what is sent.
    #[error("{0}")]
    Refused(String),
    /// A file cannot be written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A signal asked the player to end.
    #[error("interrupted")]
    Interrupted,
    /// A stream between the programs failed.
    #[error("cannot read what {from} says: {source}")]
    Read {
        /// `the GUI`, or the engine.
        from: String,
        /// The system's error.
        source: io::Error,
    },
    /// The GUI cannot be written to.
    #[error("cannot write to the GUI: {0}")]
    Write(#[source] io::Error),
}

fn ending(status: Option<&str>) -> String {
    status.map_or_else(|| "closed its output".into(), |status| format!("ended ({status})"))
}
