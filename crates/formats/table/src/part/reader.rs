//! Reads the rows of one part file, in order.

use std::sync::Arc;

use position::Key;

use crate::{
    Result, Row,
    file_bytes::FileBytes,
    order,
    part::{decode::RowGroupColumns, file::Part},
};

/// The number of rows that are decoded at a time.
const BATCH_ROWS: usize = 1024;

/// Reads rows from a part file, ascending by (key, move, group), and checks their order.
///
/// # Memory
///
/// Holds one compressed and one decoded page of every column (about 2 MB, however large the file) and the
/// file's metadata (a few kilobytes per row group). The caller's batch has 8,192 rows of 64 bytes.
pub struct ShardRows {
    part: Part,
    bytes: Arc<FileBytes>,
    /// The first and the last key of the rows to read.
    wanted: (Key, Key),
    next_row_group: usize,
    /// The number of rows of the part that precede `next_row_group`.
    rows_before: u64,
    columns: Option<RowGroupColumns>,
    /// Identity of the last row read.
    last: Option<u128>,
}

impl ShardRows {
    /// Creates a reader for the rows of `part` whose keys are in the inclusive range `wanted`.
    pub(crate) fn new(part: Part, bytes: Arc<FileBytes>, wanted: (Key, Key)) -> Self {
        Self { part, bytes, wanted, next_row_group: 0, rows_before: 0, columns: None, last: None }
    }

    /// Replaces the contents of `rows` with the next rows; at the end, empties `rows` and returns `false`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or decoded, or if its rows are out of order or outside the shard's
    /// key range.
    pub fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
        loop {
            rows.clear();
            if self.columns.is_none() && !self.open_row_group()? {
                return Ok(false);
            }
            let Some(columns) = &mut self.columns else { unreachable!("just opened") };
            let index = columns.index;
            columns.read(BATCH_ROWS, &self.part, rows)?;
            if rows.is_empty() {
                self.columns = None;
                continue;
            }
            self.check(rows, index)?;
            rows.truncate(rows.partition_point(|row| row.key <= self.wanted.1));
            rows.drain(..rows.partition_point(|row| row.key < self.wanted.0));
            if !rows.is_empty() {
                return Ok(true);
            }
        }
    }

    /// Opens the next row group that may have a wanted key.
    fn open_row_group(&mut self) -> Result<bool> {
        while let Some(metadata) = self.part.row_groups().get(self.next_row_group) {
            let (row_group, index) = (self.next_row_group, self.rows_before);
            self.next_row_group += 1;
            self.rows_before += metadata.num_rows().cast_unsigned();
            let (smallest, largest) = self.part.keys(row_group).unwrap_or(self.part.range);
            if smallest <= self.wanted.1 && largest >= self.wanted.0 {
                self.columns = Some(RowGroupColumns::open(&self.part, &self.bytes, row_group, index)?);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Checks that a batch of rows is in order and within the part's key range; its first row has the index
    /// `index` in the part.
    fn check(&mut self, rows: &[Row], index: u64) -> Result<()> {
        for (offset, row) in rows.iter().enumerate() {
            let id = row.id();
            if let Some(last) = self.last.replace(id).filter(|&last| last >= id) {
                return Err(order::out_of_order(&self.part.path, index + offset as u64, last, id));
            }
        }
        // Since rows ascend, all keys are in the part's range if the first and the last are.
        for (offset, row) in [(0, rows.first()), (rows.len() - 1, rows.last())] {
            let Some(row) = row.filter(|row| row.key < self.part.range.0 || row.key > self.part.range.1)
            else {
                continue;
            };
            return Err(order::out_of_range(
                &self.part.path,
                index + offset as u64,
                row.key,
                self.part.range,
            ));
        }
        Ok(())
    }
}
