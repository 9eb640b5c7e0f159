//! The errors of journals.

use std::{
    io,
    path::{Path, PathBuf},
};

use fault::FileFault;

use crate::frame::{SOURCE_BYTES_MAX, TEXT_BYTES_MAX};

/// Why a journal could not be read or appended to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reading, writing or syncing failed. The text was not appended.
    #[error(transparent)]
    Io(#[from] FileFault),
    /// The file cannot be locked.
    #[error(transparent)]
    Lock(#[from] output::LockError),
    /// The file does not begin like a journal.
    #[error("{path} is not a journal: its first line is damaged or is not `% tabia-journal 1 …`", path = .0.display())]
    NotAJournal(PathBuf),
    /// The file has a later format version.
    #[error("{path} is a journal of format {found}, but this version reads only format 1: use a newer tabia")]
    Version {
        /// The file.
        path: PathBuf,
        /// The format version stated in the file.
        found: String,
    },
    /// A record is damaged in a way that an interrupted append cannot explain.
    #[error("{path} is damaged at byte {offset}: {what}; the first {offset} bytes are a complete journal")]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The offset of the damaged record.
        offset: u64,
        /// The fault.
        what: &'static str,
    },
    /// The name of a source is empty, too long or not printable.
    #[error(
        "{name:?} is not the name of a source: expected 1 to {SOURCE_BYTES_MAX} bytes and no control characters",
        name = .0
    )]
    Source(String),
    /// The text of a record is too large. The value is the size of the text in bytes.
    #[error("a record of {bytes} bytes is too large for a journal: at most {TEXT_BYTES_MAX} are allowed", bytes = .0)]
    TooLarge(usize),
    /// The text of a record contains a line that looks like a line of the journal.
    #[error("a record must not have a line that begins with `% tabia-journal`")]
    Framed,
}

impl fault::Failure for Error {}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| FileFault::new("", path, source).into()
    }
}
