//! The part files of a folder, written one after another.

use std::path::Path;

use position::Tally;

use crate::{PartInfo, Result, cells::RowCells, column::Spec, part::PartWriter};

/// Writes the parts of one folder, one after another.
pub(super) struct Parts {
    spec: Spec,
    open: PartWriter,
    done: Vec<PartInfo>,
}

impl Parts {
    /// Begins the first part. Parts are written to the folder `spec.file` in `dir`.
    pub(super) fn create(dir: &Path, spec: Spec) -> Result<Self> {
        let open = open(dir, &spec, 0)?;
        Ok(Self { spec, open, done: Vec::new() })
    }

    pub(super) fn push(&mut self, write: impl FnOnce(&mut RowCells<'_>)) -> Result<()> {
        self.open.push(write, Tally::default())
    }

    /// Ends the part, and begins the next one.
    pub(super) fn next(&mut self, dir: &Path) -> Result<()> {
        let next = open(dir, &self.spec, self.done.len() + 1)?;
        self.done.push(std::mem::replace(&mut self.open, next).finish()?);
        Ok(())
    }

    /// Ends the last part. Returns all parts, in order.
    pub(super) fn finish(mut self) -> Result<Vec<PartInfo>> {
        self.done.push(self.open.finish()?);
        Ok(self.done)
    }
}

fn open(dir: &Path, spec: &Spec, part: usize) -> Result<PartWriter> {
    PartWriter::create(dir, format!("{}/part-{part:05}.parquet", spec.file), spec)
}
