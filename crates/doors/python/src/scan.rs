//! The rows of a table as an Arrow stream.

use std::{path::PathBuf, sync::Arc};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use parquet::arrow::{
    ProjectionMask,
    arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder},
};
use pyo3::{prelude::*, types::PyCapsule};
use query::Artefact;
use table::{
    Table,
    storage::{FileBytes, guarded},
};

use crate::{
    arrow::stream_capsule,
    error::{Error, failed},
};

/// The rows of a table in ascending order, for any library that accepts Arrow data; each reader starts at the
/// first row.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Scan {
    table: Arc<Artefact>,
    /// The indexes of the chosen columns, in ascending order.
    columns: Vec<usize>,
    schema: SchemaRef,
    batch_rows: usize,
}

impl Scan {
    /// All rows of a table, with the named columns or, if none are named, with all columns.
    pub(crate) fn new(
        artefact: Arc<Artefact>,
        names: Option<&[String]>,
        batch_rows: usize,
    ) -> PyResult<Self> {
        let schema = reader(table_of(&artefact).map_err(failed)?, 0).map_err(failed)?.1.schema().clone();
        let unknown = |name: &String| {
            let known: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            let known = known.join(", ");
            Error::new_err(format!("the table has no column `{name}`; its columns are {known}"))
        };
        let number = |name: &String| schema.index_of(name).map_err(|_| unknown(name));
        let mut columns = match names {
            None => (0..schema.fields().len()).collect(),
            Some(names) => names.iter().map(number).collect::<PyResult<Vec<_>>>()?,
        };
        columns.sort_unstable();
        columns.dedup();
        let fields: Vec<_> = columns.iter().map(|&column| Arc::clone(&schema.fields()[column])).collect();
        Ok(Self {
            table: artefact,
            columns,
            schema: Arc::new(Schema::new(fields)),
            batch_rows: batch_rows.max(1),
        })
    }

    /// Names of the columns.
    pub(crate) fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }
}

#[pymethods]
impl Scan {
    /// Exports the rows through the Arrow C stream interface. Nothing is copied.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer may ask for other types, but the interface does not require the producer to provide
        // them.
        drop(requested_schema);
        let rows = Reading {
            table: Arc::clone(&self.table),
            columns: self.columns.clone(),
            schema: Arc::clone(&self.schema),
            batch_rows: self.batch_rows,
            next_shard: 0,
            batches: None,
        };
        stream_capsule(py, Box::new(rows))
    }

    fn __repr__(&self) -> String {
        format!("<tabia.Scan of {}: {}>", self.table.path().display(), self.names().join(", "))
    }
}

/// The artefact as a table; fails if it is not one.
pub(crate) fn table_of(artefact: &Artefact) -> query::Result<&Table> {
    match artefact {
        Artefact::Table(table) => Ok(table),
        Artefact::Book(_) | Artefact::Experience(_) | Artefact::Polyglot(_) => Err(artefact.not_a_table()),
    }
}

/// The path of a shard's part file, and Arrow's reader for the file, which is not checked.
fn reader(table: &Table, shard: u32) -> table::Result<(PathBuf, ParquetRecordBatchReaderBuilder<FileBytes>)> {
    let (path, bytes) = table.part_bytes(shard)?;
    let reader = guarded(&path, || ParquetRecordBatchReaderBuilder::try_new(bytes))?;
    Ok((path, reader))
}

/// The rows of all shards, one after another.
struct Reading {
    table: Arc<Artefact>,
    columns: Vec<usize>,
    schema: SchemaRef,
    batch_rows: usize,
    next_shard: u32,
    /// The batches of a shard, and the path of its part file.
    batches: Option<(PathBuf, ParquetRecordBatchReader)>,
}

impl Reading {
    /// The batches of the next shard, which have only the chosen columns.
    fn batches_of(&self, table: &Table) -> table::Result<(PathBuf, ParquetRecordBatchReader)> {
        table.check_part(self.next_shard, &|_| ())?;
        let (path, reader) = reader(table, self.next_shard)?;
        let mask = ProjectionMask::roots(reader.parquet_schema(), self.columns.iter().copied());
        let batches =
            guarded(&path, || reader.with_projection(mask).with_batch_size(self.batch_rows).build())?;
        Ok((path, batches))
    }

    fn read(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let damaged = |error| ArrowError::ExternalError(Box::new(error));
        loop {
            if let Some((path, batches)) = &mut self.batches
                && let Some(batch) = guarded(path, || Ok(batches.next().transpose()?)).map_err(damaged)?
            {
                // The part's own schema is not used, because it carries the part's metadata.
                let columns = batch.columns().to_vec();
                return RecordBatch::try_new(Arc::clone(&self.schema), columns).map(Some);
            }
            let table = table_of(&self.table).map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
            if self.next_shard as usize == table.shards().len() {
                return Ok(None);
            }
            self.batches = Some(self.batches_of(table).map_err(damaged)?);
            self.next_shard += 1;
        }
    }
}

impl Iterator for Reading {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

impl RecordBatchReader for Reading {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
