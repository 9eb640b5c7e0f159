//! Errors of runs that cannot resume an interrupted run, or that can be resumed.

use std::path::PathBuf;

use fault::{Error, Failure, Kind};

/// The record of an interrupted run cannot be resumed.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot go on with the interrupted run in {folder}: {why}; give the same settings and files, or \
     remove that folder to begin anew"
)]
pub struct CannotResume {
    /// The folder of the record.
    pub folder: PathBuf,
    /// The reason.
    pub why: String,
}

impl Failure for CannotResume {}

/// A run ended early and has recorded what it counted.
#[derive(Debug, thiserror::Error)]
#[error("{error}; what was counted is kept in {folder}")]
pub struct Resumable {
    /// The reason.
    #[source]
    pub error: Error,
    /// The folder of the record.
    pub folder: PathBuf,
}

impl Failure for Resumable {
    fn kind(&self) -> Kind {
        self.error.kind()
    }
}
