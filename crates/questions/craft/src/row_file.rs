//! A Parquet file of rows, which is written a batch at a time.

use std::{fs::File, mem, sync::Arc};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    errors::ParquetError,
    file::properties::WriterProperties,
};

use crate::{Error, Result};

/// Rows of a batch.
const BATCH_ROWS: usize = 8192;

/// The columns of a batch while its rows come.
pub trait Columns: Default {
    /// Names and types.
    fn fields() -> Vec<Field>;

    /// An array for each column.
    fn finish(self) -> Vec<ArrayRef>;
}

/// The file that is being written.
///
/// # Memory
///
/// The rows of a batch, and the row group that Parquet's writer holds.
pub struct RowFile<C> {
    writer: ArrowWriter<File>,
    schema: SchemaRef,
    columns: C,
    rows: usize,
}

impl<C: Columns> RowFile<C> {
    /// Begins to write `file`, which is opened once more.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn new(file: &File) -> Result<Self> {
        let file = file.try_clone().map_err(Error::Write)?;
        let schema = Arc::new(Schema::new(C::fields()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(table::CREATED_BY.to_owned())
            .build();
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(Error::from)?;
        Ok(Self { writer, schema, columns: C::default(), rows: 0 })
    }

    /// Adds a row by what appends its cells.
    pub(crate) fn add(&mut self, append: impl FnOnce(&mut C)) -> Result<()> {
        append(&mut self.columns);
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.write_batch() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> Result<()> {
        self.rows = 0;
        let columns = mem::take(&mut self.columns).finish();
        let batch = RecordBatch::try_new(self.schema.clone(), columns)
            .map_err(|error| Error::from(ParquetError::from(error)))?;
        Ok(self.writer.write(&batch).map_err(Error::from)?)
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.write_batch()?;
        self.writer.close().map_err(Error::from)?;
        Ok(())
    }
}
