//! Writes one part file.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use parquet::{file::writer::SerializedFileWriter, schema::types::ColumnDescPtr};
use position::{Key, Tally};

use crate::{
    Counting, Error, Result, Row, ShardInfo,
    manifest::{key_range, part_name},
    order,
    part::{columns::Columns, encode::ChunkWriter, sink::Sink},
    schema::{Column, ROW_GROUP_ROWS, properties, schema, zstd_level},
};

/// Writes the rows of one shard, in ascending order, to its part file.
///
/// # Memory
///
/// The columns of one row group (131,072 rows of 36 bytes, 40 with groups: 5.2 MB, grown by doubling) and one encoded column:
/// below 10 MB; and about four kilobytes of metadata for every row group written.
pub struct ShardWriter {
    path: PathBuf,
    file: SerializedFileWriter<Sink>,
    layout: Vec<(Column, ColumnDescPtr)>,
    chunks: ChunkWriter,
    /// Bits of a group that the table has columns for.
    mask: u32,
    shard: u32,
    range: (Key, Key),
    columns: Columns,
    /// Identity of the last row.
    last: Option<u128>,
    rows: u64,
    tally: Tally,
}

impl ShardWriter {
    pub(crate) fn create(dir: &Path, counting: &Counting, shard: u32, shards: u32) -> Result<Self> {
        let path = dir.join(part_name(shard));
        let file = File::create_new(&path).map_err(Error::io(&path))?;
        Self::on(file, path, counting, shard, shards)
    }

    /// A writer to a file that is open; `path` is its name in errors.
    pub(crate) fn on(
        file: File,
        path: PathBuf,
        counting: &Counting,
        shard: u32,
        shards: u32,
    ) -> Result<Self> {
        let open = || {
            let file =
                SerializedFileWriter::new(Sink::new(file), schema(counting.groups)?, properties(counting)?)?;
            Ok((file, ChunkWriter::new(zstd_level()?)?))
        };
        let (file, chunks) = open().map_err(Error::parquet(&path))?;
        let descriptions = file.schema_descr().columns().iter().cloned();
        let layout = Column::layout(counting.groups).into_iter().zip(descriptions).collect();
        Ok(Self {
            file,
            path,
            layout,
            chunks,
            mask: counting.groups.mask(),
            shard,
            range: key_range(shard, shards),
            columns: Columns::default(),
            last: None,
            rows: 0,
            tally: Tally::default(),
        })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// If the row does not come after the one before it, its key is outside the shard, a count passes 2^63 - 1, or the file
    /// cannot be written.
    ///
    /// # Panics
    ///
    /// If the row's group has a dimension that the table is not grouped by.
    #[inline]
    pub fn push(&mut self, row: &Row) -> Result<()> {
        self.check(row)?;
        self.columns.push(row, self.mask != 0);
        self.rows += 1;
        if self.columns.len() == ROW_GROUP_ROWS { self.write_row_group() } else { Ok(()) }
    }

    /// Adds rows.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    ///
    /// # Panics
    ///
    /// As [`push`](Self::push).
    pub fn push_batch(&mut self, rows: &[Row]) -> Result<()> {
        rows.iter().try_for_each(|row| self.push(row))
    }

    #[inline]
    fn check(&mut self, row: &Row) -> Result<()> {
        let id = row.id();
        if let Some(last) = self.last.replace(id).filter(|&last| last >= id) {
            return Err(order::out_of_order(&self.path, self.rows, last, id));
        }
        if row.key < self.range.0 || row.key > self.range.1 {
            return Err(order::out_of_range(&self.path, self.rows, row.key, self.range));
        }
        assert!(row.group.bits() & !self.mask == 0, "a row grouped by more than its table: {row:?}");
        let fits = (row.tally.white | row.tally.draws | row.tally.black) >> 63 == 0;
        let sum = self.tally.checked_add(row.tally).filter(|_| fits);
        self.tally = sum.ok_or(Error::CountTooLarge { key: row.key, mv: row.mv })?;
        Ok(())
    }

    fn write_row_group(&mut self) -> Result<()> {
        let row_group = self.file.next_row_group().map_err(Error::parquet(&self.path))?;
        self.columns.write(&self.layout, &mut self.chunks, row_group).map_err(Error::parquet(&self.path))
    }

    /// Writes what is left, closes the file and waits until it is on disk.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<ShardInfo> {
        if self.columns.len() > 0 {
            self.write_row_group()?;
        }
        let sink = self.file.into_inner().map_err(Error::parquet(&self.path))?;
        let (bytes, xxh3) = sink.finish().map_err(Error::io(&self.path))?;
        let (first, last) = self.range;
        let part = part_name(self.shard);
        Ok(ShardInfo { part, first, last, rows: self.rows, tally: self.tally, bytes, xxh3 })
    }
}
