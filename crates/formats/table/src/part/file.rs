//! An open part file: its metadata, and the key ranges of its row groups.

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use parquet::{
    column::reader::ColumnReader,
    file::{
        metadata::{
            ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
        },
        page_index::column_index::ColumnIndexMetaData,
        properties::ReaderProperties,
        reader::RowGroupReader,
        serialized_reader::SerializedRowGroupReader,
        statistics::Statistics,
    },
};
use position::Key;

use crate::{
    Counting, Error, Result,
    file_bytes::FileBytes,
    part::schema::{Column, schema},
};

/// The index of the column `key`, which is the same in every layout.
pub(crate) const KEY_COLUMN: usize = 0;

/// A part file's metadata, checked against the schema that its table's counting requires.
pub(crate) struct Part {
    pub(crate) path: PathBuf,
    pub(crate) layout: Vec<Column>,
    /// The first and the last key that may occur in the part.
    pub(crate) range: (Key, Key),
    metadata: ParquetMetaData,
}

impl Part {
    /// Reads a part file's metadata, including the page index if single pages will be looked up.
    pub(crate) fn open(
        bytes: &FileBytes,
        path: &Path,
        counting: &Counting,
        range: (Key, Key),
        page_index: PageIndexPolicy,
    ) -> Result<Self> {
        let read = || ParquetMetaDataReader::new().with_page_index_policy(page_index).parse_and_finish(bytes);
        let metadata = guarded(path, read)?;
        let expected = schema(counting).map_err(Error::parquet(path))?;
        let got = metadata.file_metadata().schema();
        if *got != *expected {
            return Err(Error::Mismatch {
                path: path.to_owned(),
                what: "schema",
                expected: format!("{expected:?}"),
                got: format!("{got:?}"),
            });
        }
        Ok(Self { path: path.to_owned(), layout: Column::layout(counting), range, metadata })
    }

    pub(crate) fn row_groups(&self) -> &[RowGroupMetaData] {
        self.metadata.row_groups()
    }

    /// The byte range that a row group's columns occupy in the part file.
    pub(crate) fn bytes_of(&self, row_group: usize) -> Range<u64> {
        let columns = self.metadata.row_group(row_group).columns().iter();
        let (start, end) = columns
            .map(ColumnChunkMetaData::byte_range)
            .fold((u64::MAX, 0), |(first, end), (start, length)| {
                (first.min(start), end.max(start.saturating_add(length)))
            });
        start..end
    }

    /// Smallest and largest key of a row group, if the metadata has them.
    pub(crate) fn keys(&self, row_group: usize) -> Option<(Key, Key)> {
        let statistics = self.metadata.row_group(row_group).column(KEY_COLUMN).statistics()?;
        let Statistics::Int64(statistics) = statistics else { return None };
        Some((key_of(*statistics.min_opt()?), key_of(*statistics.max_opt()?)))
    }

    /// The first and the last month of a row group's games, as numbers such as 201506, if any month is known.
    pub(crate) fn months(&self, row_group: usize) -> Option<(i32, i32)> {
        let column = self.layout.iter().position(|&column| column == Column::Month)?;
        let statistics = self.metadata.row_group(row_group).column(column).statistics()?;
        let Statistics::Int32(statistics) = statistics else { return None };
        Some((*statistics.min_opt()?, *statistics.max_opt()?))
    }

    /// The range of rows in a row group in which `key` may occur. It comes from the page index; without one,
    /// it consists of all rows of the row group.
    pub(crate) fn rows_that_may_hold(&self, row_group: usize, key: Key) -> Range<usize> {
        let rows = self.metadata.row_group(row_group).num_rows().cast_unsigned() as usize;
        self.pages_that_may_hold(row_group, key, rows).unwrap_or(0..rows)
    }

    fn pages_that_may_hold(&self, row_group: usize, key: Key, rows: usize) -> Option<Range<usize>> {
        let index = self.metadata.page_index_for_row_group(row_group);
        let ColumnIndexMetaData::INT64(keys) = index.column_index(KEY_COLUMN)? else { return None };
        let pages = index.page_locations(KEY_COLUMN)?;
        let before =
            keys.max_values_iter().take_while(|max| max.is_some_and(|&max| key_of(max) < key)).count();
        let through =
            keys.min_values_iter().take_while(|min| min.is_some_and(|&min| key_of(min) <= key)).count();
        let first_row =
            |page: usize| pages.get(page).map_or(rows, |page| page.first_row_index.cast_unsigned() as usize);
        Some(first_row(before)..first_row(through.max(before)))
    }
}

pub(crate) fn key_of(stored: i64) -> Key {
    Key(stored.cast_unsigned())
}

/// A column reader for every column of a row group, in the order of the layout.
pub(crate) fn column_readers(part: &Part, bytes: &Arc<FileBytes>, index: usize) -> Result<Vec<ColumnReader>> {
    guarded(&part.path, || {
        let page_index = part.metadata.page_index_for_row_group(index);
        let properties = Arc::new(ReaderProperties::builder().build());
        let metadata = part.metadata.row_group(index);
        let row_group = SerializedRowGroupReader::new(Arc::clone(bytes), metadata, page_index, properties)?;
        (0..part.layout.len()).map(|column| row_group.get_column_reader(column)).collect()
    })
}

/// As [`pages::guarded`], with an error that names the file at `path`.
///
/// # Errors
///
/// Fails if `read` fails or panics; after a panic, the error reports the file as damaged.
pub fn guarded<T>(path: &Path, read: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T> {
    pages::guarded(read).map_err(Error::parquet(path))
}
