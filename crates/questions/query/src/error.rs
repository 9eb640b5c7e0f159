//! The errors of this crate.

use std::path::PathBuf;

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate. Its [`kind`](fault::Failure::kind) tells whether the cause is a wrong argument, or
/// a damaged or unreadable file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A move was requested, but the artefact is an experience file.
    #[error(
        "{path} is an experience file, which has no moves to choose from; make a book from a table and this file",
        path = .0.display()
    )]
    NoBookToChooseFrom(PathBuf),
    /// The operation needs an artefact of another kind.
    #[error("{path} is {got}, {why}")]
    WrongKind {
        /// The artefact.
        path: PathBuf,
        /// What the artefact is: `a book`, `a table`, `an experience file` or `a Polyglot book`.
        got: &'static str,
        /// The kind of artefact that is needed instead, and what the user can do.
        why: &'static str,
    },
    /// The policy needs games, but a Polyglot book has only weights.
    #[error(
        "policy `{policy}` chooses by games and results, but a Polyglot book has only weights; these policies choose \
         by weights: {others}", others = others.join(", ")
    )]
    NothingToGoBy {
        /// The policy.
        policy: &'static str,
        /// The policies that can choose moves from this artefact.
        others: Vec<&'static str>,
    },
    /// SQL was requested, but the path is neither an export nor a table.
    #[error("{path} is neither an export nor a table: give the folder of an export or a table", path = .0.display())]
    NothingForSql(PathBuf),
    /// The path cannot be used in an SQL statement.
    #[error(
        "{path:?} has a control character or is not UTF-8, so it cannot be used in SQL: rename the folder",
        path = .0
    )]
    NotText(PathBuf),
    /// The file belongs to another program.
    #[error("{path} is {what}; {then}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What the file is.
        what: &'static str,
        /// What the user can do.
        then: &'static str,
    },
    /// There is nothing at the path.
    #[error("{path}: no such file or folder", path = .0.display())]
    Missing(PathBuf),
    /// The path is a device, a pipe or a socket.
    #[error(
        "{path} is neither a file nor a folder, but it must be one, because it is not read from beginning to end",
        path = .0.display()
    )]
    NotAFile(PathBuf),
    /// A simulation of zero walks was requested.
    #[error("games = 0: at least one walk is needed")]
    NoWalks,
    /// The maximum number of plies in a walk is out of range.
    #[error("the ply limit must be from 1 to {most}, not {got}")]
    PlyLimit {
        /// The limit given.
        got: u32,
        /// The highest limit.
        most: u32,
    },
    /// A FEN, a line or a move cannot be read or played.
    #[error(transparent)]
    Position(#[from] position::NamedPositionError),
    /// There is no such policy or setting, or a value is outside its range.
    #[error(transparent)]
    Policy(#[from] policy::Error),
    /// A book's list of experience sources is not in Tabia's format.
    #[error("{path}: cannot read the book's list of experience sources: {source}")]
    Sources {
        /// The book.
        path: PathBuf,
        /// What is wrong with the list.
        source: serde_json::Error,
    },
    /// The file is empty, so there is no telling whether it is meant to be a Polyglot book.
    #[error("{path} is empty: it is a Polyglot book without moves, or a file that was never written", path = .0.display())]
    Empty(PathBuf),
    /// A book could not be read.
    #[error(transparent)]
    Book(#[from] book::Error),
    /// A table or an experience file could not be read.
    #[error(transparent)]
    Table(table::Error),
    /// Another file could not be read.
    #[error(transparent)]
    Other(#[from] fault::Error),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

// For errors of the kind `Usage`, no file is damaged, and a different argument would work.
fault::kinds!(Error {
    Usage: NoBookToChooseFrom
        | WrongKind
        | NothingToGoBy
        | NothingForSql
        | NotText
        | NoWalks
        | PlyLimit
        | Position
        | Policy,
    Stopped: Stopped,
} as Table);

impl Error {
    /// Whether the read failed because the table was replaced in the meantime. If so, opening the table again
    /// will help.
    #[must_use]
    pub fn is_replaced(&self) -> bool {
        matches!(self, Self::Table(table::Error::Replaced { .. }))
    }
}

impl From<table::Error> for Error {
    fn from(error: table::Error) -> Self {
        match error {
            table::Error::Stopped => Self::Stopped,
            other => Self::Table(other),
        }
    }
}
