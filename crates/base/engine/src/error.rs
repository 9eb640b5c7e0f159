//! Why an engine is of no use.

use std::{io, time::Duration};

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
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
    #[error("the engine `{0}` no longer reads its input")]
    Deaf(String),
    /// What the engine says cannot be read.
    #[error("cannot read what the engine `{command}` says: {source}")]
    Read {
        /// The engine's command.
        command: String,
        /// The system's error.
        source: io::Error,
    },
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
}

fault::kinds!(Error { Usage: Command });

fn ending(status: Option<&str>) -> String {
    status.map_or_else(|| "closed its output".into(), |status| format!("ended ({status})"))
}
