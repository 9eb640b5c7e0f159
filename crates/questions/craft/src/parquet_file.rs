//! A Parquet file that is written a batch at a time.

use std::{fs::File, sync::Arc};

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
pub(crate) const BATCH_ROWS: usize = 8192;

pub(crate) struct ParquetFile {
    writer: ArrowWriter<File>,
    schema: SchemaRef,
}

impl ParquetFile {
    /// Begins a file with these columns.
    pub(crate) fn new(file: File, columns: Vec<Field>) -> Result<Self> {
        let schema = Arc::new(Schema::new(columns));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(table::CREATED_BY.to_owned())
            .build();
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(Error::from)?;
        Ok(Self { writer, schema })
    }

    /// Adds rows: an array for each column.
    pub(crate) fn write(&mut self, columns: Vec<ArrayRef>) -> Result<()> {
        let batch = RecordBatch::try_new(self.schema.clone(), columns)
            .map_err(|error| Error::from(ParquetError::from(error)))?;
        Ok(self.writer.write(&batch).map_err(Error::from)?)
    }

    /// Ends the file.
    pub(crate) fn finish(self) -> Result<()> {
        self.writer.close().map_err(Error::from)?;
        Ok(())
    }
}
