//! Errors about resuming: this run cannot resume an earlier one, or it ended early and can itself be
//! resumed.

use std::path::PathBuf;

use fault::{Error, Failure, Kind};

/// An interrupted run cannot be resumed from its record.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot continue the interrupted run in {folder}: {why}; use the same settings and files, or remove it to start \
     over"
)]
pub struct CannotResume {
    /// The folder or file of the record.
    pub folder: PathBuf,
    /// The reason.
    pub why: String,
}

impl Failure for CannotResume {}

/// An interrupted run left recorded searches, and this run was not asked to continue from them.
#[derive(Debug, thiserror::Error)]
#[error("{place} contains {searches} searches left over from an interrupted run")]
pub struct LeftOver {
    /// The record.
    pub place: PathBuf,
    /// The number of searches in the record.
    pub searches: usize,
}

fault::kinds!(LeftOver: Usage);

/// A run ended early, and its work is recorded.
#[derive(Debug, thiserror::Error)]
#[error("{error}; the work done so far is kept in {folder}")]
pub struct Resumable {
    /// The reason.
    #[source]
    pub error: Error,
    /// The folder or file of the record.
    pub folder: PathBuf,
}

impl Failure for Resumable {
    fn kind(&self) -> Kind {
        self.error.kind()
    }
}
