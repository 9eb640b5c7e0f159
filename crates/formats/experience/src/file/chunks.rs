//! Encodes the columns of row groups, one after the other.
//!
//! In most files most columns have one value, or none, in all rows: own results where there are only
//! evaluations, and the other way round. The library would hash each of those values. Here such a column
//! is encoded once, and its bytes are used again in the next row group that has the same.

use std::{fmt::Debug, io::Write, vec::IntoIter};

use bytes::Bytes;
use parquet::{
    column::writer::{ColumnCloseResult, ColumnWriterImpl},
    data_type::DataType,
    errors::Result,
    file::{
        properties::WriterPropertiesPtr,
        writer::{SerializedFileWriter, SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite},
    },
    schema::types::{ColumnDescPtr, SchemaDescriptor},
};

/// The entries of a column: its values, and for each entry its definition level, in a column that may be
/// null or is of a list, and its repetition level, in one of a list.
pub(super) struct Entries<'c, S> {
    pub(super) values: &'c [S],
    pub(super) definitions: Option<&'c [i16]>,
    pub(super) repetitions: Option<&'c [i16]>,
}

impl<'c, S: PartialEq + Debug> Entries<'c, S> {
    /// Those of a column that has a value in each row.
    pub(super) fn required(values: &'c [S]) -> Self {
        Self { values, definitions: None, repetitions: None }
    }

    /// What all entries are, in words, with their number; `None` if they differ.
    fn alike(&self) -> Option<String> {
        let (values, definitions) = (self.values, self.definitions.unwrap_or_default());
        let are_alike = same(values) && same(definitions) && self.repetitions.is_none_or(same);
        let words = || format!("{:?} {:?} {}", values.first(), definitions.first(), values.len());
        are_alike.then(|| format!("{} {}", words(), definitions.len()))
    }
}

fn same<S: PartialEq>(entries: &[S]) -> bool {
    entries.first().is_none_or(|first| entries.iter().all(|entry| entry == first))
}

/// A column chunk: its pages, and what the file's metadata say of it.
type Chunk = (Bytes, ColumnCloseResult);

/// The chunk that a column had last when all its entries were alike, and what they were.
type Kept = Option<(String, Chunk)>;

/// What is kept from one row group to the next.
pub(super) struct KeptChunks(Vec<Kept>);

impl KeptChunks {
    pub(super) fn of(schema: &SchemaDescriptor) -> Self {
        Self(vec![None; schema.num_columns()])
    }
}

/// Writes one row group, column by column in the order of the schema.
pub(super) struct Chunks<'w, W: Write> {
    row_group: SerializedRowGroupWriter<'w, W>,
    columns: IntoIter<(ColumnDescPtr, &'w mut Kept)>,
    properties: WriterPropertiesPtr,
}

impl<'w, W: Write + Send> Chunks<'w, W> {
    pub(super) fn new(file: &'w mut SerializedFileWriter<W>, kept: &'w mut KeptChunks) -> Result<Self> {
        let columns = file.schema_descr().columns().to_vec();
        let columns: Vec<_> = columns.into_iter().zip(&mut kept.0).collect();
        let properties = file.properties().clone();
        Ok(Self { row_group: file.next_row_group()?, columns: columns.into_iter(), properties })
    }

    /// Adds the next column; `value` makes a value of the file's type.
    pub(super) fn add<T: DataType, S: PartialEq + Debug>(
        &mut self,
        entries: &Entries<'_, S>,
        value: impl Fn(&S) -> T::T,
    ) -> Result<()> {
        let Some((column, kept)) = self.columns.next() else { unreachable!("the columns are the schema's") };
        let alike = entries.alike();
        let (pages, close) = match kept {
            Some((words, chunk)) if alike.as_ref() == Some(words) => chunk.clone(),
            _ => {
                let values: Vec<_> = entries.values.iter().map(value).collect();
                let chunk = encode::<T>(
                    (column, self.properties.clone()),
                    &values,
                    entries.definitions,
                    entries.repetitions,
                )?;
                *kept = alike.map(|words| (words, chunk.clone()));
                chunk
            }
        };
        self.row_group.append_column(&pages, close)
    }

    pub(super) fn finish(self) -> Result<()> {
        self.row_group.close().map(|_| ())
    }
}

fn encode<T: DataType>(
    (column, properties): (ColumnDescPtr, WriterPropertiesPtr),
    values: &[T::T],
    definitions: Option<&[i16]>,
    repetitions: Option<&[i16]>,
) -> Result<Chunk> {
    let mut pages = TrackedWrite::new(Vec::new());
    let page_writer = Box::new(SerializedPageWriter::new(&mut pages));
    let mut writer = ColumnWriterImpl::<T>::new(column, properties, page_writer);
    writer.write_batch(values, definitions, repetitions)?;
    let close = writer.close()?;
    Ok((pages.into_inner()?.into(), close))
}
