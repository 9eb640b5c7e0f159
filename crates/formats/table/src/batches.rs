//! The rows of a shard as Arrow's record batches, for programs that use Arrow.

use std::path::PathBuf;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::{ProjectionMask, arrow_reader::ParquetRecordBatchReader};

use crate::{Result, Table, part::guarded};

/// The rows of a shard, ascending, in batches of chosen columns.
///
/// # Memory
///
/// Holds a batch, and a compressed and a decoded page of each column.
pub struct Batches {
    path: PathBuf,
    rows: ParquetRecordBatchReader,
}

impl Table {
    /// The columns as Arrow's fields, in the order of the file.
    ///
    /// # Errors
    ///
    /// Fails if the first part file cannot be read or is damaged.
    pub fn arrow_schema(&self) -> Result<SchemaRef> {
        Ok(self.arrow_reader(0)?.schema().clone())
    }

    /// The rows of a shard, ascending, in batches of at most `batch_rows`. The batches have the columns with
    /// the indexes in `columns`. The part's checksum is checked first, but only once for each `Table`.
    ///
    /// # Errors
    ///
    /// Fails if the part file cannot be read or is damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such shard.
    pub fn batches(&self, shard: u32, columns: &[usize], batch_rows: usize) -> Result<Batches> {
        self.check_part(shard, &|_| ())?;
        let path = self.path().join(&self.shards()[shard as usize].part);
        let reader = self.arrow_reader(shard)?;
        let mask = ProjectionMask::roots(reader.parquet_schema(), columns.iter().copied());
        let rows = guarded(&path, || reader.with_projection(mask).with_batch_size(batch_rows).build())?;
        Ok(Batches { path, rows })
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        guarded(&self.path, || Ok(self.rows.next().transpose()?)).transpose()
    }
}
