//! What a run has made, and how that appears.

mod error;

use std::{path::Path, sync::Arc};

use output::{OutputLock, Prepared};

pub use self::error::{CannotResume, Resumable};
use crate::{Error, Result, Summary, summary::peak_rss_bytes};

/// What a plan has made, before any of it appears.
pub(crate) struct Run {
    pub(crate) summary: Summary,
    pub(crate) outputs: Vec<Prepared>,
    /// Held until the outputs have appeared.
    pub(crate) locks: Vec<OutputLock>,
    /// What is recorded for another run to go on with, until the outputs have appeared.
    pub(crate) recorded: RunRecords,
}

/// The record of what a run counted, if the user asked for one.
#[derive(Default)]
pub(crate) struct RunRecords(pub(crate) Option<Arc<dyn RunRecord>>);

/// What a run records of its work on disk, for another run to go on with.
pub(crate) trait RunRecord: Send + Sync {
    /// Where it is.
    fn folder(&self) -> &Path;

    /// Whether anything would be lost with the folder.
    fn has_records(&self) -> bool;

    /// Removes it.
    fn remove(&self) -> Result<()>;
}

impl RunRecords {
    /// Removes it: the run is done.
    fn remove(self) -> Result<()> {
        self.0.map_or(Ok(()), |resume| resume.remove())
    }

    /// The error of a run that ends before its end: with where the record is, if anything was recorded; else
    /// it is removed.
    pub(crate) fn keep(self, error: Error) -> Error {
        let Some(resume) = self.0 else { return error };
        if error.is::<CannotResume>() {
            return error;
        }
        if resume.has_records() {
            return Resumable { error, folder: resume.folder().to_owned() }.into();
        }
        // What stopped the run matters more than an empty folder that stays.
        drop(resume.remove());
        error
    }
}

impl Run {
    /// Lets all outputs appear.
    pub(crate) fn publish(mut self) -> Result<Summary> {
        self.summary.outputs.extend(self.outputs.iter().map(|output| output.path().display().to_string()));
        if let Err(error) = output::publish(self.outputs) {
            return Err(self.recorded.keep(error.into()));
        }
        self.recorded.remove()?;
        drop(self.locks);
        self.summary.peak_rss_bytes = peak_rss_bytes();
        self.summary.warnings.extend(output::take_notices());
        Ok(self.summary)
    }
}
