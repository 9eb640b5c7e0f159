//! Why a store cannot do what it was asked for.

use std::{io, path::PathBuf};

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a store or a server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A record without a game of the player.
    #[error(
        "the record has no game of `{0}` that can be read: one side must have that name, and every move must be legal"
    )]
    NoGame(String),
    /// A text without a record in Crafty's layout.
    #[error(
        "there is no record in Crafty's layout: moves from the start position and three numbers in braces"
    )]
    NoRecord,
    /// A player's name that cannot be kept.
    #[error("a player's name has 1 to 200 bytes and no control characters")]
    Player,
    /// The book has no provenance that tells it from others.
    #[error("{0}: the book does not say what it was made of; compact its table again")]
    NoIdentity(PathBuf),
    /// The folder cannot be made, or a file in it cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The server cannot run.
    #[error("the server cannot run: {0}")]
    Server(#[source] io::Error),
    /// The book.
    #[error(transparent)]
    Query(#[from] query::Error),
    /// The PGN of a record cannot be read.
    #[error(transparent)]
    Pgn(#[from] pgn::Error),
    /// The journal of records failed.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// The experience file.
    #[error(transparent)]
    Experience(#[from] experience::Error),
    /// The experience file.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// No rule can learn from what the experience holds.
    #[error(transparent)]
    Learn(#[from] learn::Error),
    /// Another server has the folder.
    #[error(transparent)]
    Lock(#[from] output::LockError),
}

impl Error {
    /// Whether the client's record is at fault, and not the server.
    #[must_use]
    pub fn is_of_record(&self) -> bool {
        use journal::Error as Journal;
        let of_journal = |error: &Journal| {
            matches!(error, Journal::Framed | Journal::TooLarge { .. } | Journal::Source { .. })
        };
        matches!(self, Self::NoGame { .. } | Self::NoRecord | Self::Player | Self::Pgn(_))
            || matches!(self, Self::Journal(error) if of_journal(error))
    }
}

impl Error {
    pub(crate) fn io(path: &std::path::Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}
