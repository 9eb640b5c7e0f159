//! Why a run cannot go on with what an interrupted one has recorded, and the error of one that can.

use std::path::PathBuf;

use fault::{Error, Failure, Kind};

/// What an interrupted run has recorded cannot be gone on with.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot go on with the interrupted run in {folder}: {why}; give the same settings and files, or remove that folder to begin anew",
    folder = folder.display()
)]
pub struct CannotResume {
    /// Where the record is.
    pub folder: PathBuf,
    /// What is in the way.
    pub why: String,
}

impl Failure for CannotResume {}

/// A run ended before its end, and has recorded what it counted.
#[derive(Debug, thiserror::Error)]
#[error("{error}; what was counted is kept in {folder}", folder = folder.display())]
pub struct Resumable {
    /// Why it ended.
    #[source]
    pub error: Error,
    /// Where the record is.
    pub folder: PathBuf,
}

impl Failure for Resumable {
    fn kind(&self) -> Kind {
        self.error.kind()
    }
}
