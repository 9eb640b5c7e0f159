//! The buffers that a part file is made in, handed on from one file to the next.

use std::sync::{Arc, Mutex, PoisonError};

use parquet::errors::Result;

use crate::{
    Counting, Row,
    part::{columns::Columns, encode::ColumnEncoder, schema::zstd_level},
};

/// Rows checked and put into columns at a time: they stay in the first-level cache, and a large
/// count is seldom among them.
pub(crate) const STAGE_ROWS: usize = 128;

/// Buffers of one part file in the making.
pub(crate) struct Workspace {
    /// Rows on their way to the columns, where whole batches go faster than single rows.
    pub(crate) staged: Vec<Row>,
    pub(crate) columns: Columns,
    pub(crate) encoder: ColumnEncoder,
}

/// The workspaces of one table: memory that was touched once is not given back while there
/// is another part to write.
#[derive(Clone, Default)]
pub(crate) struct Workspaces(Arc<Mutex<Vec<Workspace>>>);

impl Workspaces {
    /// A workspace for a table with this counting, the same for all parts of a table.
    pub(crate) fn take(&self, counting: &Counting) -> Result<Workspace> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.map_or_else(|| Workspace::new(counting), Ok)
    }

    /// Takes back a workspace without rows.
    pub(crate) fn put_back(&self, workspace: Workspace) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(workspace);
    }
}

impl Workspace {
    fn new(counting: &Counting) -> Result<Self> {
        Ok(Self {
            staged: Vec::with_capacity(STAGE_ROWS),
            columns: Columns::new(counting),
            encoder: ColumnEncoder::new(zstd_level()?)?,
        })
    }
}
