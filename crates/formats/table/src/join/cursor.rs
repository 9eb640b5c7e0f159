//! Reads the rows of one table in a range of keys, one at a time.

use position::{Group, Key};

use crate::{Result, Row, ShardRows, Table};

/// Reads the rows of a table from the first key of a range to the last, across shards.
pub(super) struct Cursor<'a> {
    table: &'a Table,
    wanted: (Key, Key),
    /// The next shard to open, and the index after the last shard that can contain wanted keys.
    next_shard: u32,
    end_shard: u32,
    rows: Option<ShardRows>,
    batch: Vec<Row>,
    position: usize,
    drop_groups: bool,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the first row whose key is in the inclusive range `wanted`.
    pub(super) fn new(table: &'a Table, wanted: (Key, Key), drop_groups: bool) -> Self {
        let shards = table.shards();
        let next_shard = shards.partition_point(|shard| shard.last < wanted.0) as u32;
        let end_shard = shards.partition_point(|shard| shard.first <= wanted.1) as u32;
        Self { table, wanted, next_shard, end_shard, rows: None, batch: Vec::new(), position: 0, drop_groups }
    }

    /// The next row; `None` at the end.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Row>> {
        if self.position == self.batch.len() && !self.fill()? {
            return Ok(None);
        }
        let row = self.batch[self.position];
        self.position += 1;
        Ok(Some(row))
    }

    fn fill(&mut self) -> Result<bool> {
        self.position = 0;
        loop {
            if let Some(rows) = &mut self.rows
                && rows.next_batch(&mut self.batch)?
            {
                if self.drop_groups {
                    self.batch.iter_mut().for_each(|row| row.group = Group::NONE);
                }
                return Ok(true);
            }
            self.batch.clear();
            if self.next_shard == self.end_shard {
                self.rows = None;
                return Ok(false);
            }
            self.rows = Some(self.table.rows_between(self.next_shard, self.wanted)?);
            self.next_shard += 1;
        }
    }
}
