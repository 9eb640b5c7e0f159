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
    #[error("{0}: this is not a journal: its first line is not `% tabia-journal 1 …`, or is damaged")]
    NotAJournal(PathBuf),
    /// The file has the format of a later version.
    #[error("{path}: this journal has format {found}, but this program reads format 1")]
    Version {
        /// The file.
        path: PathBuf,
        /// The format that the file names.
        found: String,
    },
    /// A record is damaged in a way that no interrupted append leaves.
    #[error("{path}: damaged at byte {offset}: {what}; the {offset} bytes before it are a whole journal")]
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
        "{0:?} cannot name a source: that takes 1 to {SOURCE_BYTES_MAX} bytes without control characters"
    )]
    Source(String),
    /// A text is too large; it has this number of bytes.
    #[error("a record of {0} bytes is too large for a journal, which takes at most {TEXT_BYTES_MAX}")]
    TooLarge(usize),
    /// A line of a text looks like a line of the journal.
    #[error("a record must not have a line that begins with `% tabia-journal`")]
    Framed,
}

impl fault::Failure for Error {}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| FileFault::new("", path, source).into()
    }
}
