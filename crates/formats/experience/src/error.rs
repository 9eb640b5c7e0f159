//! The errors of reading, changing and writing experience files.

use std::path::PathBuf;

pub use fault::Result;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A FEN or a line of moves does not name a position.
    #[error(transparent)]
    Position(#[from] position::NamedPositionError),
    /// The file has no source with this name.
    #[error("`{name}` taught nothing here; these did: {known}", known = known.join(", "))]
    UnknownSource {
        /// The name asked for.
        name: String,
        /// The sources of the file.
        known: Vec<String>,
    },
    /// A string is not a day.
    #[error("`{0}` is not a day: write it as 1998-03-01")]
    Day(String),
    /// A line of a list of settings makes no sense.
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
    #[error("{path}, line {line}: {why} was expected")]
    Csv {
        /// The text.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// What was expected.
        why: String,
    },
    /// A list of settings is empty.
    #[error("{0} has no setting; write one per line: `e4 c5: 75`")]
    EmptyList(PathBuf),
    /// A line of a list has no colon after its moves.
    #[error("a colon goes between the moves and the value: `e4 c5: 75`")]
    NoColon,
    /// A string is not a priority.
    #[error("`{0}` is not a priority: expected 0 to 5")]
    PriorityText(String),
    /// A line without a move cannot be given a value.
    #[error("the line has no move to set a value for")]
    NoMove,
    /// Neither a value nor a priority was given.
    #[error("give a value or a priority for the move")]
    NothingToSet,
    /// A priority outside Lokasoft's range.
    #[error("priority {0}: a priority is 0 to 5")]
    Priority(u8),
    /// The values of this version of Crafty are not centipawns from White's view.
    #[error("Crafty {0}: name a version from 14.4 to 20.16, whose values are centipawns from White's view")]
    CraftyVersion(String),
    /// The experience has no value to export.
    #[error("{0} holds no learned value: there is nothing to export")]
    NothingLearned(PathBuf),
    /// The experience has no evaluation that an engine's file can hold.
    #[error(
        "{0} has no evaluation of a move to which lines from the start position lead, and only those are \
         written: `tabia learn engine --moves` has moves searched"
    )]
    NoMoveEvaluated(PathBuf),
    /// The experience has only the keys of its learned positions.
    #[error(
        "{path} holds {unknown} learned positions, but only their keys: learn the file that they came \
         from again"
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
