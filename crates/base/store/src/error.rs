//! Why an object cannot be read or written.

use std::{io, path::PathBuf};

/// Why an object cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// This program was compiled without support for object stores.
    #[error("{url}: this tabia was built without support for object stores; build it with --features object-store", url = .0)]
    NotBuilt(String),

    /// The scheme is not supported.
    #[error("{url} is not the URL of a supported object store (s3://, gs:// or az://){instead}")]
    Scheme {
        /// The URL as given.
        url: String,
        /// The end of the message: `; ` followed by a suggestion. It is empty if there is nothing to suggest.
        instead: &'static str,
    },

    /// No object can have this name.
    #[error("{url} is not the URL of an object: {reason}")]
    Malformed {
        /// The name as given.
        url: String,
        /// The reason.
        reason: &'static str,
    },

    /// There is no such object, or no such bucket.
    #[error(
        "{url} cannot be {done}: there is no such object or no such bucket ({reason}); check the name, and the \
         endpoint, region and account in the environment"
    )]
    Missing {
        /// The object.
        url: String,
        /// The action that failed, such as `read`.
        done: &'static str,
        /// The server's message.
        reason: String,
    },

    /// The server did not accept the credentials, or there are no credentials.
    #[error(
        "{url} cannot be {done}: access is refused ({reason}); check the credentials in the environment: {expected}"
    )]
    Refused {
        /// The object.
        url: String,
        /// The action that failed, such as `read`.
        done: &'static str,
        /// The server's message.
        reason: String,
        /// The variables that hold credentials.
        expected: &'static str,
    },

    /// The object is no longer the one that was opened, so its bytes must not be mixed with those already
    /// read.
    #[error(
        "{url} changed while it was being read ({reason}); run the command again once nothing is writing to it"
    )]
    Changed {
        /// The object.
        url: String,
        /// The difference.
        reason: String,
    },

    /// All writers of this object must write the same bytes, but the existing object has different bytes.
    #[error(
        "{url} already exists with different content ({got}, expected {expected}); remove it if no command is writing to it"
    )]
    Different {
        /// The object.
        url: String,
        /// Length and checksum of the bytes to be written.
        expected: String,
        /// Length and checksum of the existing object.
        got: String,
    },

    /// Any other failure in the server, the network or the settings.
    #[error("{url} cannot be {done}: {reason}{after_attempts}", after_attempts = after(*attempts))]
    Failed {
        /// The object.
        url: String,
        /// The action that failed, such as `read`.
        done: &'static str,
        /// The reason.
        reason: String,
        /// The number of attempts.
        attempts: usize,
    },

    /// The local file that is copied to a store cannot be read.
    #[error("{path} cannot be copied to {url}: {source}")]
    Local {
        /// The file.
        path: PathBuf,
        /// The object.
        url: String,
        /// The system's reason.
        source: io::Error,
    },
}

/// The part of a message that says how many times an operation was tried; empty if it was tried only once.
fn after(attempts: usize) -> String {
    if attempts > 1 { format!(", after {attempts} attempts") } else { String::new() }
}

// These three errors mean that the command itself is wrong, no matter which objects the store holds.
fault::kinds!(Error { Usage: NotBuilt | Scheme | Malformed });

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match &error {
            Error::Missing { .. } => io::ErrorKind::NotFound,
            Error::Refused { .. } => io::ErrorKind::PermissionDenied,
            Error::NotBuilt { .. } => io::ErrorKind::Unsupported,
            Error::Scheme { .. } | Error::Malformed { .. } => io::ErrorKind::InvalidInput,
            Error::Changed { .. } | Error::Different { .. } => io::ErrorKind::InvalidData,
            Error::Failed { .. } => io::ErrorKind::Other,
            Error::Local { source, .. } => source.kind(),
        };
        Self::new(kind, error)
    }
}
