//! The errors that can occur when experience files are read, changed and written.

use std::path::PathBuf;

pub use fault::Result;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The position cannot be set up from its FEN or its line of moves.
    #[error(transparent)]
    Position(#[from] position::NamedPositionError),
    /// The file has no source with this name.
    #[error("nothing in this file was learned from `{name}`; its sources are {known}", known = known.join(", "))]
    UnknownSource {
        /// The name asked for.
        name: String,
        /// The sources of the file.
        known: Vec<String>,
    },
    /// A string is not a date.
    #[error("`{day}` is not a valid date: expected a date such as 1998-03-01", day = .0)]
    Day(String),
    /// A line in a list of settings is faulty.
    #[error("{path}, line {line}: {why}")]
    List {
        /// The list.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// The fault.
        why: fault::Error,
    },
    /// A line of comma-separated values does not have the expected form.
    #[error("{path}, line {line}: expected {expected}")]
    Csv {
        /// The text.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// What was expected.
        expected: String,
    },
    /// A list of settings is empty.
    #[error("{path} contains no settings; write one per line, such as `e4 c5: 75`", path = .0.display())]
    EmptyList(PathBuf),
    /// A line in a list of settings has no colon after its moves.
    #[error("write a colon between the moves and the value, as in `e4 c5: 75`")]
    NoColon,
    /// A string is not a priority.
    #[error("`{priority}` is not a priority: expected a number from 0 to 5", priority = .0)]
    PriorityText(String),
    /// A line has no move to set a value for.
    #[error("the line has no move to set a value for")]
    NoMove,
    /// Neither a value nor a priority was given.
    #[error("give a value or a priority for the move")]
    NothingToSet,
    /// A priority outside Lokasoft's range.
    #[error("a priority must be from 0 to 5, not {priority}", priority = .0)]
    Priority(u8),
    /// The values of this version of Crafty are not centipawns from White's point of view.
    #[error(
        "Crafty {version}: name a version from 14.4 to 20.16, whose values are centipawns from White's view",
        version = .0
    )]
    CraftyVersion(String),
    /// The experience has no value to export.
    #[error("{path} contains no learned values, so there is nothing to export", path = .0.display())]
    NothingLearned(PathBuf),
    /// The experience has no evaluation that can be written to an engine's file.
    #[error(
        "{path} has no evaluation of a move that a line from the start position reaches, and only those can be \
         written: `tabia learn engine --moves` evaluates moves",
        path = .0.display()
    )]
    NoMoveEvaluated(PathBuf),
    /// The experience has only the keys of its learned positions, not the positions themselves.
    #[error(
        "{path} holds {unknown} learned positions, but only their keys: learn again from the file that they \
         came from"
    )]
    OnlyKeys {
        /// The experience.
        path: PathBuf,
        /// The number of positions.
        unknown: usize,
    },
}

fault::kinds!(Error {
    Usage: Position
        | UnknownSource
        | Day
        | List
        | EmptyList
        | NoColon
        | PriorityText
        | NoMove
        | NothingToSet
        | Priority
        | CraftyVersion,
});
