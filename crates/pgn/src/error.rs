//! What can go wrong with an input or a setting. A bad *game* is not an error: see `Rejection`.

use std::{io, path::PathBuf};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an input could not be read, or a setting could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused a read.
    #[error("cannot read {path} at byte {offset}: {source}", path = path.display())]
    Read {
        /// The input as named by the user.
        path: PathBuf,
        /// Byte offset in the file as stored.
        offset: u64,
        /// What the system said.
        source: io::Error,
    },
    /// The run was cancelled.
    #[error("interrupted")]
    Interrupted,
}
