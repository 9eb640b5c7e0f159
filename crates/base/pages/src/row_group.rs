//! The row group of a file that is being filled.

use std::io::Write;

use parquet::{
    basic::Encoding,
    errors::Result,
    file::writer::SerializedFileWriter,
    schema::types::{ColumnDescPtr, SchemaDescriptor},
};

use crate::{Column, PAGE_ROWS, Packing, ROW_GROUP_ROWS};

/// The columns of a row group, which all have the same rows.
///
/// # Memory
///
/// That of its [columns](Column).
pub struct RowGroup {
    /// The columns, in the order of the schema.
    pub columns: Vec<Column>,
    /// The number of rows in the open page.
    page_rows: usize,
    /// The number of rows.
    rows: usize,
}

impl RowGroup {
    /// Creates a row group without rows.
    #[must_use]
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns, page_rows: 0, rows: 0 }
    }

    /// Creates a row group without rows for a file whose rows are sorted by the column `key`, if it has one.
    /// Keys are stored as deltas, and the values of all other columns as dictionaries.
    #[must_use]
    pub fn of_schema(schema: &SchemaDescriptor) -> Self {
        let column = |description: &ColumnDescPtr| {
            let encoding = match description.name() {
                "key" => Encoding::DELTA_BINARY_PACKED,
                _ => Encoding::RLE_DICTIONARY,
            };
            Column::new(description.clone(), encoding, Packing::Repetitions, true)
        };
        Self::new(schema.columns().iter().map(column).collect())
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether the row group has the most rows that one may have.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.rows == ROW_GROUP_ROWS
    }

    /// The memory that the finished pages and the dictionaries take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.columns.iter().map(Column::bytes).sum()
    }

    /// Ends a row, for which every column was given a value, and also its page if the page is full. Returns
    /// whether the page ended.
    ///
    /// # Errors
    ///
    /// Fails if a page cannot be compressed.
    #[inline]
    pub fn end_row(&mut self) -> Result<bool> {
        self.rows += 1;
        self.page_rows += 1;
        let is_full = self.page_rows == PAGE_ROWS;
        if is_full {
            self.end_page()?;
        }
        Ok(is_full)
    }

    /// Ends the open page of every column, if it has rows.
    ///
    /// # Errors
    ///
    /// Fails if a page cannot be compressed.
    pub fn end_page(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.page_rows);
        if rows == 0 { Ok(()) } else { self.columns.iter_mut().try_for_each(|column| column.end_page(rows)) }
    }

    /// Writes the rows to a file, and removes them. Without rows, nothing is written.
    ///
    /// # Errors
    ///
    /// Fails if a page cannot be compressed, or if the file cannot be written.
    pub fn write<W: Write + Send>(&mut self, file: &mut SerializedFileWriter<W>) -> Result<()> {
        self.end_page()?;
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        let mut row_group = file.next_row_group()?;
        self.columns.iter_mut().try_for_each(|column| column.finish(&mut row_group))?;
        row_group.close().map(|_| ())
    }
}
