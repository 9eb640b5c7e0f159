//! What can go wrong when talking to an engine.

use std::{io, time::Duration};

/// This crate's result type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// This crate's error type.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The engine's command has an unclosed quote, or is empty.
    #[error("`{command}` is not a command: it is empty or has an unclosed quote", command = .0)]
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
    #[error("the engine `{command}` {ended}{during}", ended = ended(status.as_deref()))]
    Ended {
        /// The engine's command.
        command: String,
        /// The exit status; `None` if the engine has only closed its output and is still running.
        status: Option<String>,
        /// Words that end the message and say how far the engine got, such as ` before it answered`.
        during: &'static str,
    },
    /// The engine did not answer in time.
    #[error("the engine `{command}` did not print `{expected}` within {seconds} s", seconds = after.as_secs_f32())]
    NoAnswer {
        /// The engine's command.
        command: String,
        /// The answer that was expected.
        expected: &'static str,
        /// The time waited.
        after: Duration,
    },
    /// The engine does not read its input.
    #[error("the engine `{command}` stopped reading its input", command = .0)]
    NotReading(String),
    /// A line printed by the engine cannot be read.
    #[error("the output of the engine `{command}` cannot be read: {source}")]
    Read {
        /// The engine's command.
        command: String,
        /// The system's error.
        source: io::Error,
    },
    /// The engine's best move is not legal in the position, or was not among the moves to search.
    #[error("the engine `{command}` answered `bestmove {answer}`, which is not a legal move in {fen}")]
    NoMove {
        /// The engine's command.
        command: String,
        /// The move that the engine printed.
        answer: String,
        /// The position.
        fen: String,
    },
    /// The engine ended a search without reporting all values that were asked for.
    #[error("the engine `{command}` searched {fen}, but reported no evaluation")]
    NoValue {
        /// The engine's command.
        command: String,
        /// The position.
        fen: String,
    },
    /// The engine lacks an option.
    #[error("the engine `{command}` has no option `{option}`")]
    NoOption {
        /// The engine's command.
        command: String,
        /// The option.
        option: String,
    },
    /// The caller stopped a search.
    #[error("stopped")]
    Stopped,
}

fault::kinds!(Error { Usage: Command | NoOption, Stopped: Stopped });

impl Error {
    /// If restarting the engine may help, returns a short name for this failure; otherwise, returns `None`.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Ended { .. } => Some("died"),
            Self::NoAnswer { .. } | Self::NotReading(_) => Some("hung"),
            Self::Read { .. } => Some("bad-text"),
            Self::NoMove { .. } => Some("illegal-move"),
            Self::NoValue { .. } => Some("no-value"),
            Self::Command(_) | Self::Start { .. } | Self::NoOption { .. } | Self::Stopped => None,
        }
    }
}

fn ended(status: Option<&str>) -> String {
    status.map_or_else(|| "closed its output".into(), |status| format!("ended ({status})"))
}
