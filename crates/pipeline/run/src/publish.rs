//! The outputs of a run, and how they appear.

mod error;

use std::{path::Path, sync::Arc};

use output::{OutputLock, Prepared};

use crate::{Error, Result, Summary, summary::peak_rss_bytes};

pub use self::error::{CannotResume, LeftOver, Resumable};

/// The outputs of a plan before any of them appears.
pub struct Run {
    /// What was done.
    pub summary: Summary,
    /// The outputs, whole, under temporary names.
    pub outputs: Vec<Prepared>,
    /// Locks held until the outputs have appeared.
    pub locks: Vec<OutputLock>,
    /// The record for a later run to resume from, kept until the outputs have appeared.
    pub recorded: RunRecords,
}

/// The record of what a run did, if it keeps one.
#[derive(Default)]
pub struct RunRecords(pub Option<Arc<dyn RunRecord>>);

/// The record of a run's work on disk, for a later run to resume from.
pub trait RunRecord: Send + Sync {
    /// The folder or file of the record.
    fn folder(&self) -> &Path;

    /// Whether work would be lost with it.
    fn has_records(&self) -> bool;

    /// Removes it.
    fn remove(&self) -> Result<()>;
}

impl RunRecords {
    /// Removes the record, since the run is done.
    fn remove(self) -> Result<()> {
        self.0.map_or(Ok(()), |resume| resume.remove())
    }

    /// The error of a run that ends early. If anything was recorded, it says where; else the record is
    /// removed.
    #[must_use]
    pub fn keep(self, error: Error) -> Error {
        let Some(resume) = self.0 else { return error };
        if error.is::<CannotResume>() {
            return error;
        }
        if resume.has_records() {
            return Resumable { error, folder: resume.folder().to_owned() }.into();
        }
        // A failure to remove an empty record must not hide why the run stopped.
        drop(resume.remove());
        error
    }
}

impl Run {
    /// Lets all outputs appear.
    pub fn publish(mut self) -> Result<Summary> {
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
