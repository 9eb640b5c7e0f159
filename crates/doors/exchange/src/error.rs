//! What can go wrong in a store or a server.

use std::{io, path::PathBuf};

/// This crate's result type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a store or a server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The posted record contains no game of this player.
    #[error(
        "the record has no readable game of `{player}`: one side must have that name, and every move must be legal",
        player = .0
    )]
    NoGame(String),
    /// The text that a client posted contains no record in Crafty's layout.
    #[error(
        "there is no record in Crafty's layout: expected moves from the start position and three numbers in braces"
    )]
    NoRecord,
    /// The player's name is too long for the journal, or has control characters.
    #[error("a player's name must be 1 to 200 bytes long and have no control characters")]
    Player,
    /// The book has no provenance, so it has no identity.
    #[error("{path} has no provenance, so the book cannot be identified; compact its table again", path = .0.display())]
    NoIdentity(PathBuf),
    /// The server cannot run.
    #[error("the server cannot run: {source}", source = .0)]
    Server(#[source] io::Error),
    /// An error from the book, a record, the journal or the experience file.
    #[error(transparent)]
    Other(fault::Error),
}

impl<E: Into<fault::Error>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

impl Error {
    /// Whether the client's record, rather than the server, is at fault.
    #[must_use]
    pub fn is_of_record(&self) -> bool {
        use journal::Error as Journal;
        match self {
            Self::NoGame(_) | Self::NoRecord | Self::Player => true,
            Self::Other(error) => {
                let of_journal = error.downcast_ref();
                error.is::<pgn::Error>()
                    || matches!(of_journal, Some(Journal::Framed | Journal::TooLarge(_) | Journal::Source(_)))
            }
            Self::NoIdentity(_) | Self::Server(_) => false,
        }
    }
}
