//! Why a player ends.

use std::io;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A failure of the engine, of the book, of its policy, of games, of the journal or of the experience
    /// file.
    #[error(transparent)]
    Other(fault::Error),
    /// The exchange's address or answer is wrong.
    #[error(transparent)]
    Connection(exchange::ConnectionError),
    /// An error of the exchange's client, such as a book without provenance.
    #[error(transparent)]
    Exchange(exchange::Error),
    /// The exchange refuses a record.
    #[error("{why}", why = .0)]
    Refused(String),
    /// A signal asked the player to end.
    #[error("interrupted")]
    Interrupted,
    /// The GUI cannot be read.
    #[error("cannot read from the GUI: {source}", source = .0)]
    Read(#[source] io::Error),
    /// The GUI cannot be written to.
    #[error("cannot write to the GUI: {source}", source = .0)]
    Write(#[source] io::Error),
}

impl<E: Into<fault::Error>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}
