//! Encodes the columns of row groups, one after the other.
//!
//! In most files, most columns have the same value in every row, or no values at all. A file that has only
//! evaluations, for example, has no results of the engine's own games. The Parquet library would hash every
//! value of such a column, in every row group. This module encodes such a column once, and reuses the bytes
//! for the next row groups until the column has another value.

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

/// The entries of a column, as values and levels. An entry has a definition level if the column is nullable
/// or in a list, and also a repetition level if the column is in a list.
pub(super) struct Entries<'c, S> {
    pub(super) values: &'c [S],
    pub(super) definitions: Option<&'c [i16]>,
    pub(super) repetitions: Option<&'c [i16]>,
}

impl<'c, S: PartialEq + Debug> Entries<'c, S> {
    /// The entries of a column that has a value in each row.
    pub(super) fn required(values: &'c [S]) -> Self {
        Self { values, definitions: None, repetitions: None }
    }

    /// If all entries are equal, returns a string with the entry and the number of entries; otherwise,
    /// returns `None`.
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

/// The number of entries that are encoded at a time.
const BATCH_ENTRIES: usize = 8192;

/// A column chunk: its pages, and its description in the file's metadata.
type Chunk = (Bytes, ColumnCloseResult);

/// The last chunk of a column whose entries were all equal, and the text that [`Entries::alike`] returned for
/// these entries.
type Kept = Option<(String, Chunk)>;

/// The data that is kept from one row group to the next.
pub(super) struct KeptChunks {
    of_columns: Vec<Kept>,
    /// Memory for the next chunk; allocating new memory would cost more than filling it.
    pages: Vec<u8>,
}

impl KeptChunks {
    pub(super) fn of(schema: &SchemaDescriptor) -> Self {
        Self { of_columns: vec![None; schema.num_columns()], pages: Vec::new() }
    }
}

/// Writes one row group, column by column in the order of the schema.
pub(super) struct Chunks<'w, W: Write> {
    row_group: SerializedRowGroupWriter<'w, W>,
    columns: IntoIter<(ColumnDescPtr, &'w mut Kept)>,
    pages: &'w mut Vec<u8>,
    properties: WriterPropertiesPtr,
}

impl<'w, W: Write + Send> Chunks<'w, W> {
    pub(super) fn new(file: &'w mut SerializedFileWriter<W>, kept: &'w mut KeptChunks) -> Result<Self> {
        let columns = file.schema_descr().columns().to_vec();
        let KeptChunks { of_columns, pages } = kept;
        let columns: Vec<_> = columns.into_iter().zip(of_columns).collect();
        let (columns, properties) = (columns.into_iter(), file.properties().clone());
        Ok(Self { row_group: file.next_row_group()?, columns, pages, properties })
    }

    /// Adds the next column; `value` converts a value to the file's type.
    pub(super) fn add<T: DataType, S: PartialEq + Debug>(
        &mut self,
        entries: &Entries<'_, S>,
        value: impl Fn(&S) -> T::T,
    ) -> Result<()> {
        let Some((column, kept)) = self.columns.next() else { unreachable!("the columns are the schema's") };
        let alike = entries.alike();
        if let Some((_, (pages, close))) = kept.as_ref().filter(|(words, _)| alike.as_ref() == Some(words)) {
            return self.row_group.append_column(pages, close.clone());
        }
        let pages = std::mem::take(self.pages);
        let (pages, close) = encode::<T, S>((column, self.properties.clone()), entries, value, pages)?;
        self.row_group.append_column(&pages, close.clone())?;
        match alike {
            Some(words) => *kept = Some((words, (pages, close))),
            None => *self.pages = pages.into(),
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<()> {
        self.row_group.close().map(|_| ())
    }
}

/// Encodes a chunk into the memory of `pages`, a batch of rows at a time, so that the rows' values stay in
/// the processor's cache.
fn encode<T: DataType, S>(
    (column, properties): (ColumnDescPtr, WriterPropertiesPtr),
    entries: &Entries<'_, S>,
    value: impl Fn(&S) -> T::T,
    mut pages: Vec<u8>,
) -> Result<Chunk> {
    pages.clear();
    let mut pages = TrackedWrite::new(pages);
    let (present, Entries { values, definitions, repetitions }) = (column.max_def_level(), entries);
    let page_writer = Box::new(SerializedPageWriter::new(&mut pages));
    let mut writer = ColumnWriterImpl::<T>::new(column, properties, page_writer);
    let all = definitions.map_or(values.len(), <[i16]>::len);
    // A batch must not end inside a list.
    let step = if repetitions.is_some() { all } else { BATCH_ENTRIES };
    let (mut left, mut batch) = (values.iter(), Vec::new());
    for start in (0..all).step_by(step.max(1)) {
        let range = start..all.min(start + step);
        let levels = definitions.map(|levels| &levels[range.clone()]);
        let count =
            levels.map_or(range.len(), |levels| levels.iter().filter(|level| **level == present).count());
        batch.clear();
        batch.extend(left.by_ref().take(count).map(&value));
        writer.write_batch(&batch, levels, *repetitions)?;
    }
    let close = writer.close()?;
    Ok((pages.into_inner()?.into(), close))
}
