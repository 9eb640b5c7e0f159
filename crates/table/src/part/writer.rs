//! Writes one part file.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use parquet::{file::writer::SerializedFileWriter, schema::types::ColumnDescPtr};
use position::{Key, Tally};

use crate::{
    Counting, Error, RatingSums, Result, Row, ShardInfo, order,
    part::{columns::Columns, encode::NumberWriter, sink::Sink, syncer::SyncQueue},
    schema::{Column, ROW_GROUP_ROWS, properties, schema, zstd_level},
    shards::{key_range, part_name},
};

/// Rows checked and put into columns at a time: they stay in the first-level cache.
const STAGE_ROWS: usize = 512;

/// Writes the rows of one shard, in ascending order, to its part file.
///
/// # Memory
///
/// The columns of one row group (131,072 rows of 36 bytes, 40 with groups: 5.2 MB, grown by doubling) and one encoded column:
/// below 10 MB, 14 MB with ratings; and about four kilobytes of metadata for every row group written.
pub struct ShardWriter {
    path: PathBuf,
    file: SerializedFileWriter<Sink>,
    layout: Vec<(Column, ColumnDescPtr)>,
    numbers: NumberWriter,
    /// Bits of a group that the table has columns for.
    mask: u32,
    /// Sums of the rows' ratings, if the table has them.
    ratings: Option<RatingSums>,
    shard: u32,
    sync: SyncQueue,
    range: (Key, Key),
    /// Rows on their way to the columns, where whole batches go faster.
    staged: Vec<Row>,
    columns: Columns,
    /// Identity of the last row.
    last: Option<u128>,
    rows: u64,
    tally: Tally,
}

impl ShardWriter {
    pub(crate) fn create(
        dir: &Path,
        counting: &Counting,
        (shard, shards): (u32, u32),
        sync: SyncQueue,
    ) -> Result<Self> {
        let path = dir.join(part_name(shard));
        let file = File::create_new(&path).map_err(Error::io(&path))?;
        Self::on(file, path, counting, (shard, shards), sync)
    }

    /// A writer to a file that is open; `path` is its name in errors.
    pub(crate) fn on(
        file: File,
        path: PathBuf,
        counting: &Counting,
        (shard, shards): (u32, u32),
        sync: SyncQueue,
    ) -> Result<Self> {
        let open = || {
            let file = SerializedFileWriter::new(Sink::new(file), schema(counting)?, properties(counting)?)?;
            Ok((file, NumberWriter::new(zstd_level()?)?))
        };
        let (file, numbers) = open().map_err(Error::parquet(&path))?;
        let descriptions = file.schema_descr().columns().iter().cloned();
        let layout = Column::layout(counting).into_iter().zip(descriptions).collect();
        Ok(Self {
            file,
            path,
            layout,
            numbers,
            mask: counting.groups.mask(),
            ratings: counting.ratings.then_some(RatingSums::NONE),
            shard,
            sync,
            range: key_range(shard, shards),
            staged: Vec::with_capacity(STAGE_ROWS),
            columns: Columns::new(counting),
            last: None,
            rows: 0,
            tally: Tally::default(),
        })
    }

    /// Adds a row; its ratings count only in a table that has them.
    ///
    /// # Errors
    ///
    /// If the row, or one pushed shortly before it, does not come after its predecessor, has a key outside the shard or a count
    /// above 2^63 - 1; if the file cannot be written.
    ///
    /// # Panics
    ///
    /// If the row's group has a dimension that the table is not grouped by, or its ratings cannot be those of its games.
    #[inline]
    pub fn push(&mut self, row: &Row) -> Result<()> {
        self.staged.push(*row);
        if self.staged.len() == STAGE_ROWS { self.flush() } else { Ok(()) }
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
        self.flush()?;
        rows.chunks(STAGE_ROWS).try_for_each(|rows| self.append(rows))
    }

    /// Moves the rows pushed one by one into the columns.
    fn flush(&mut self) -> Result<()> {
        let mut staged = std::mem::take(&mut self.staged);
        let appended = self.append(&staged);
        staged.clear();
        self.staged = staged;
        appended
    }

    fn append(&mut self, rows: &[Row]) -> Result<()> {
        self.check_order(rows)?;
        self.check_values(rows)?;
        let (now, later) = rows.split_at(rows.len().min(ROW_GROUP_ROWS - self.columns.len()));
        self.columns.extend(now);
        if self.columns.len() == ROW_GROUP_ROWS {
            self.write_row_group()?;
        }
        self.columns.extend(later);
        self.rows += rows.len() as u64;
        Ok(())
    }

    fn check_order(&mut self, rows: &[Row]) -> Result<()> {
        // A copy, so that it stays in registers.
        let mut previous = self.last;
        for (offset, row) in rows.iter().enumerate() {
            let id = row.id();
            if let Some(last) = previous.filter(|&last| last >= id) {
                return Err(order::out_of_order(&self.path, self.rows + offset as u64, last, id));
            }
            previous = Some(id);
        }
        self.last = previous;
        let outside = |row: &&Row| row.key < self.range.0 || row.key > self.range.1;
        // Ascending rows are in range if the first and the last one are.
        match [rows.first(), rows.last()].into_iter().flatten().find(outside) {
            Some(row) => Err(order::out_of_range(&self.path, self.rows, row.key, self.range)),
            None => Ok(()),
        }
    }

    fn check_values(&mut self, rows: &[Row]) -> Result<()> {
        let groups = rows.iter().fold(0, |groups, row| groups | row.group.bits());
        assert!(groups & !self.mask == 0, "rows grouped by more than their table: {groups:#x}");
        let too_large = |row: &&Row| (row.tally.white | row.tally.draws | row.tally.black) >> 63 == 1;
        if let Some(row) = rows.iter().find(too_large) {
            return Err(Error::CountTooLarge { key: row.key, mv: row.mv });
        }
        for row in rows {
            let sum = self.tally.checked_add(row.tally);
            self.tally = sum.ok_or(Error::CountTooLarge { key: row.key, mv: row.mv })?;
        }
        if self.ratings.is_some() { self.check_ratings(rows) } else { Ok(()) }
    }

    fn check_ratings(&mut self, rows: &[Row]) -> Result<()> {
        for row in rows {
            let Row { key, mv, ratings, .. } = *row;
            assert!(ratings.fit(row.tally), "ratings of other games: {row:?}");
            let sum = self.ratings.unwrap_or_default().checked_add(ratings);
            let fits = |sum: &RatingSums| (sum.mover_elo | sum.opponent_elo | sum.rated_games) >> 63 == 0;
            self.ratings = Some(sum.filter(fits).ok_or(Error::CountTooLarge { key, mv })?);
        }
        Ok(())
    }

    fn write_row_group(&mut self) -> Result<()> {
        let row_group = self.file.next_row_group().map_err(Error::parquet(&self.path))?;
        self.columns.write(&self.layout, &mut self.numbers, row_group).map_err(Error::parquet(&self.path))
    }

    /// Writes what is left and closes the file. [`TableWriter::finish`](crate::TableWriter::finish) waits until it is on disk.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<ShardInfo> {
        self.flush()?;
        if self.columns.len() > 0 {
            self.write_row_group()?;
        }
        let sink = self.file.into_inner().map_err(Error::parquet(&self.path))?;
        let (file, bytes, xxh3) = sink.finish();
        self.sync.push(self.path.clone(), file).map_err(Error::io(&self.path))?;
        let (first, last) = self.range;
        let part = part_name(self.shard);
        Ok(ShardInfo {
            part,
            first,
            last,
            rows: self.rows,
            tally: self.tally,
            ratings: self.ratings,
            bytes,
            xxh3,
        })
    }
}
