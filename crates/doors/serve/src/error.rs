//! The errors of this crate.

use std::io;

/// This crate's result type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two artefacts have the same name.
    #[error("two artefacts are called `{name}`: give one of them another name, such as --name {name}2=PATH", name = .0)]
    SameName(String),
    /// A name that is empty or contains a slash, and so cannot be one component of a path.
    #[error("`{name}` is not a valid name: it becomes one part of a path, so it must not be empty or contain `/`", name = .0)]
    Name(String),
    /// The value of a database's option is neither a file nor the name of a served artefact.
    #[error("--{option} {given}: this is neither a file nor the name of a served artefact ({served})")]
    NoArtefact {
        /// The option.
        option: &'static str,
        /// The value of the option.
        given: String,
        /// The names of the artefacts that are served.
        served: String,
    },
    /// An artefact lacks data that is needed to answer requests for a database.
    #[error("--{option} {name}: {why}")]
    CannotAnswer {
        /// The option.
        option: &'static str,
        /// The artefact.
        name: String,
        /// Why such requests cannot be answered.
        why: &'static str,
    },
    /// An experience file was named as an artefact to serve.
    #[error(
        "{path} is an experience file, which cannot be served by itself: serve a table or a book, and give this file with --experience",
        path = .0
    )]
    NoBook(String),
    /// An artefact cannot be opened.
    #[error(transparent)]
    Query(#[from] query::Error),
    /// The experience file or another file cannot be read.
    #[error(transparent)]
    Experience(#[from] fault::Error),
    /// The server cannot run.
    #[error("the server cannot run: {source}", source = .0)]
    Server(io::Error),
}

fault::kinds!(Error { Usage: SameName | Name | NoArtefact | CannotAnswer | NoBook } as Query);
