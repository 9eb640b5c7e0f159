//! The rows of a shard as Arrow record batches, for programs that use Arrow.

use std::path::PathBuf;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::{ProjectionMask, arrow_reader::ParquetRecordBatchReader};

use crate::{Result, Table, part::guarded};

/// Iterates over the rows of a shard in ascending order, in batches that have only the requested columns.
///
/// # Memory
///
/// Holds one batch and, for each column, one compressed and one decoded page.
pub struct Batches {
    path: PathBuf,
    rows: ParquetRecordBatchReader,
}

impl Table {
    /// The columns as Arrow fields, in the order of the file.
    ///
    /// # Errors
    ///
    /// Fails if the first part file cannot be read or is damaged.
    pub fn arrow_schema(&self) -> Result<SchemaRef> {
        Ok(self.arrow_reader(0)?.schema().clone())
    }

    /// Returns the rows of a shard in ascending order, in batches of at most `batch_rows` rows that have only
    /// the columns with the indexes in `columns`. The part's checksum is verified first, but only once per
    /// `Table`.
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
