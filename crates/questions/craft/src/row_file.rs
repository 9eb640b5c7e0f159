//! A Parquet file that is written row by row.

use std::fs::File;

use pages::RowGroup;
use parquet::{
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};

use crate::{Error, Result};

/// A type of row that defines the columns of its file.
pub trait Columns: Sized {
    /// The columns of the file, in order.
    fn columns() -> Vec<Column<Self>>;
}

/// Adds a row's value to its column.
type Push<R> = dyn Fn(&R, &mut pages::Column) + Send;

/// A column of a file whose rows are of type `R`.
pub struct Column<R> {
    /// The column in the notation of Parquet's schemas.
    field: String,
    push: Box<Push<R>>,
}

impl<R> Column<R> {
    /// Creates a column. `field` is its type and name, such as `optional int64 games`.
    pub(crate) fn new(
        field: impl Into<String>,
        push: impl Fn(&R, &mut pages::Column) + Send + 'static,
    ) -> Self {
        Self { field: field.into(), push: Box::new(push) }
    }
}

/// A Parquet file that is being written.
///
/// # Memory
///
/// Holds the encoded rows of one row group.
pub struct RowFile<R> {
    writer: SerializedFileWriter<File>,
    columns: Vec<Column<R>>,
    row_group: RowGroup,
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
        let writer = writer(file, &columns).map_err(Error::from)?;
        let row_group = RowGroup::of_schema(writer.schema_descr());
        Ok(Self { writer, columns, row_group })
    }

    pub(crate) fn add(&mut self, row: &R) -> Result<()> {
        for (column, encoder) in self.columns.iter().zip(&mut self.row_group.columns) {
            (column.push)(row, encoder);
        }
        self.row_group.end_row().map_err(Error::from)?;
        if self.row_group.is_full() { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<()> {
        Ok(self.row_group.write(&mut self.writer).map_err(Error::from)?)
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.write()?;
        self.writer.close().map_err(Error::from)?;
        Ok(())
    }
}

fn writer<R>(file: File, columns: &[Column<R>]) -> parquet::errors::Result<SerializedFileWriter<File>> {
    let fields: String = columns.iter().flat_map(|column| [&column.field, ";"]).collect();
    let schema = parse_message_type(&format!("message rows {{ {fields} }}"))?;
    let properties = WriterProperties::builder().set_created_by(table::CREATED_BY.to_owned());
    SerializedFileWriter::new(file, schema.into(), properties.build().into())
}
