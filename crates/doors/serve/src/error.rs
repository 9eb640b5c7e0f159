//! Why nothing is served.

use std::io;

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two artefacts have one name.
    #[error("two of them are called `{0}`: give one of them another name, as --name {0}2=PATH")]
    SameName(String),
    /// A name that cannot be a part of a path.
    #[error("`{0}` cannot be a name: it is a part of a path, so give one without `/`")]
    Name(String),
    /// An experience file was named where a book is served.
    #[error("{0} is an experience file, which has no moves to serve: give it as --experience")]
    NoBook(String),
    /// An artefact cannot be opened.
    #[error(transparent)]
    Query(#[from] query::Error),
    /// The experience file or another file cannot be read.
    #[error(transparent)]
    Experience(#[from] fault::Error),
    /// The server cannot run.
    #[error("the server cannot run: {0}")]
    Server(io::Error),
}

fault::kinds!(Error { Usage: SameName | Name | NoBook } as Query);
