//! Reads the rows of a shard position by position, checking their order.

use fault::Result;
use position::Key;
use table::{BoxedRows, PositionRows, Row, RowBatches, SortedRows};

use crate::RowOrderError;

/// Reads a shard of `rows` position by position, checking the order of the rows.
///
/// # Errors
///
/// Fails if the shard cannot be read.
pub fn open(rows: &dyn SortedRows, shard: u32) -> Result<PositionRows<'_>> {
    let (shards, rows) = (rows.shards(), rows.shard(shard)?);
    Ok(PositionRows::new(Box::new(CheckedRows { shard, shards, rows, last: None })))
}

/// Checks that rows are in strictly ascending order and belong in their shard. Rows are joined with other
/// sorted streams, and a join would silently lose any that are out of order.
struct CheckedRows<'r> {
    shard: u32,
    shards: u32,
    rows: BoxedRows<'r>,
    /// The key, move and group of the row that was read last, packed into one number.
    last: Option<u128>,
}

impl RowBatches for CheckedRows<'_> {
    fn next_batch(&mut self, batch: &mut Vec<Row>) -> Result<bool> {
        let more = self.rows.next_batch(batch)?;
        for row in batch {
            let inside = shard_of(row.key, self.shards) == self.shard;
            let id = row.id();
            if !inside || self.last.replace(id).is_some_and(|last| last >= id) {
                return Err(RowOrderError { shard: self.shard, key: row.key, mv: row.mv }.into());
            }
        }
        Ok(more)
    }
}

/// The shard that holds `key` if keys are divided into `shards` equal ranges; `shards` is a power of two.
#[must_use]
pub fn shard_of(key: Key, shards: u32) -> u32 {
    key.0.checked_shr(64 - shards.trailing_zeros()).unwrap_or(0) as u32
}
