//! A Parquet file that is written in batches of rows.

use std::{fs::File, sync::Arc};

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    errors::ParquetError,
    file::properties::WriterProperties,
};

use crate::{Error, Result};

/// The number of rows in a batch.
const BATCH_ROWS: usize = 8192;

/// A type of row that defines the columns of its file.
pub trait Columns: Sized {
    /// The columns of the file, in order.
    fn columns() -> Vec<Column<Self>>;
}

/// Turns the rows of a batch into the array of one column.
type ArrayOf<R> = dyn Fn(&[R]) -> ArrayRef + Send;

/// A column of a file whose rows are of type `R`.
pub struct Column<R> {
    field: Field,
    /// Turns the rows of a batch into the array of this column.
    array: Box<ArrayOf<R>>,
}

impl<R> Column<R> {
    /// Creates a column. For each row, `cell` returns the column's value; `None` is written as null. The
    /// array type `A` determines the column's type.
    pub(crate) fn of<A, T>(name: impl Into<String>, cell: impl Fn(&R) -> Option<T> + Send + 'static) -> Self
    where
        A: Array + FromIterator<Option<T>> + 'static,
    {
        let array = move |rows: &[R]| Arc::new(rows.iter().map(&cell).collect::<A>()) as ArrayRef;
        Self { field: Field::new(name, array(&[]).data_type().clone(), true), array: Box::new(array) }
    }

    /// Marks the column as non-nullable, because every row has a value.
    pub(crate) fn never_null(self) -> Self {
        Self { field: self.field.with_nullable(false), ..self }
    }
}

/// A Parquet file that is being written.
///
/// # Memory
///
/// Holds one batch of rows, plus the row group that the Parquet library has not written yet.
pub struct RowFile<R> {
    writer: ArrowWriter<File>,
    schema: SchemaRef,
    columns: Vec<Column<R>>,
    rows: Vec<R>,
}

impl<R: Columns> RowFile<R> {
    /// Starts writing to `file` through a duplicate of its handle.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn new(file: &File) -> Result<Self> {
        let file = file.try_clone().map_err(Error::Write)?;
        let columns = R::columns();
        let fields: Vec<_> = columns.iter().map(|column| column.field.clone()).collect();
        let schema = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(table::CREATED_BY.to_owned())
            .build();
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(Error::from)?;
        Ok(Self { writer, schema, columns, rows: Vec::new() })
    }

    pub(crate) fn add(&mut self, row: R) -> Result<()> {
        self.rows.push(row);
        if self.rows.len() == BATCH_ROWS { self.write_batch() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> Result<()> {
        let arrays = self.columns.iter().map(|column| (column.array)(&self.rows)).collect();
        self.rows.clear();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays)
            .map_err(|error| Error::from(ParquetError::from(error)))?;
        Ok(self.writer.write(&batch).map_err(Error::from)?)
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.write_batch()?;
        self.writer.close().map_err(Error::from)?;
        Ok(())
    }
}
