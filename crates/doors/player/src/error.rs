//! Why a player ends.

use std::io;

/// This crate's result type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error from the engine, the book, its policy, the games, the journal or the experience file.
    #[error(transparent)]
    Other(fault::Error),
    /// The address of the exchange server is not valid.
    #[error(transparent)]
    Connection(exchange::ConnectionError),
    /// An error of the exchange's client, for example because the book has no provenance.
    #[error(transparent)]
    Exchange(exchange::Error),
    /// The exchange refused a record.
    #[error("{why}", why = .0)]
    Refused(String),
    /// A signal told the player to exit.
    #[error("interrupted")]
    Interrupted,
    /// Reading from the GUI failed.
    #[error("cannot read from the GUI: {source}", source = .0)]
    Read(#[source] io::Error),
    /// Writing to the GUI failed.
    #[error("cannot write to the GUI: {source}", source = .0)]
    Write(#[source] io::Error),
}

impl<E: Into<fault::Error>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}
