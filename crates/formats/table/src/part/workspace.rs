//! The buffers for writing a part file, which are reused for the next file.

use std::sync::{Arc, Mutex, PoisonError};

use parquet::errors::Result;

use crate::{
    Counting, Row,
    part::{columns::Columns, encode::ColumnEncoder},
};

/// How many rows are checked and put into columns at a time. A batch this small fits in the first-level
/// cache, and rarely includes a large count.
pub(crate) const STAGE_ROWS: usize = 128;

/// The buffers of one part file that is being written.
pub(crate) struct Workspace {
    /// Rows that wait to be moved to the columns as a batch, which is faster than moving single rows.
    pub(crate) staged: Vec<Row>,
    pub(crate) columns: Columns,
    pub(crate) encoder: ColumnEncoder,
}

/// Spare workspaces of one table, kept for its next parts.
#[derive(Clone, Default)]
pub(crate) struct Workspaces(Arc<Mutex<Vec<Workspace>>>);

impl Workspaces {
    /// Returns a spare workspace or a new one; `counting` must be the same for all parts of the table.
    pub(crate) fn take(&self, counting: &Counting) -> Result<Workspace> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.map_or_else(|| Workspace::new(counting), Ok)
    }

    /// Takes back a workspace, which must not contain any rows, so that it can be reused.
    pub(crate) fn put_back(&self, workspace: Workspace) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(workspace);
    }
}

impl Workspace {
    fn new(counting: &Counting) -> Result<Self> {
        Ok(Self {
            staged: Vec::with_capacity(STAGE_ROWS),
            columns: Columns::new(counting),
            encoder: ColumnEncoder::new()?,
        })
    }
}
