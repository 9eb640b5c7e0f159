//! Keeps a run's finished outputs, and makes them all appear at the end.

mod error;

use std::{path::Path, sync::Arc};

use output::{OutputLock, Prepared};

use crate::{Error, Result, Summary, summary::peak_rss_bytes};

pub use self::error::{CannotResume, LeftOver, Resumable};

/// A run whose outputs are finished but have not appeared yet.
#[derive(Default)]
pub struct Run {
    /// The summary of the run.
    pub summary: Summary,
    /// The finished outputs, still under temporary names.
    pub outputs: Vec<Prepared>,
    /// Locks that are held until the outputs are in place.
    pub locks: Vec<OutputLock>,
    /// The records from which a later run could resume; they are kept until the outputs are in place.
    pub recorded: RunRecords,
}

/// The records that the stages of a run keep on disk. Some stages keep no record.
#[derive(Default)]
pub struct RunRecords(pub Vec<Arc<dyn RunRecord>>);

/// The on-disk record of a stage's work, from which a later run can resume.
pub trait RunRecord: Send + Sync {
    /// The folder or file that contains the record.
    fn folder(&self) -> &Path;

    /// Whether work would be lost if the record were removed.
    fn has_records(&self) -> bool;

    /// Removes the record.
    fn remove(&self) -> Result<()>;
}

impl RunRecords {
    /// Removes the records, since the run is done.
    fn remove(self) -> Result<()> {
        self.0.iter().try_for_each(|record| record.remove())
    }

    /// Turns `error`, which ended a run early, into the error to report. If any work was recorded, the error
    /// says where the record is. Empty records are removed.
    #[must_use]
    pub fn keep(self, error: Error) -> Error {
        if error.is::<CannotResume>() {
            return error;
        }
        let (kept, empty): (Vec<_>, Vec<_>) = self.0.into_iter().partition(|record| record.has_records());
        // A failure to remove an empty record must not hide why the run stopped.
        for record in &empty {
            drop(record.remove());
        }
        // The error names the last record, because the last stage builds on the results of the earlier ones.
        match kept.last() {
            Some(record) => Resumable { error, folder: record.folder().to_owned() }.into(),
            None => error,
        }
    }
}

impl Run {
    /// Makes all outputs appear.
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
