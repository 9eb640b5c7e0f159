//! Where sorted rows come from: a table, or the sorted runs of a count whose table is not written.

use crate::{Counting, Error, Result, Row, ShardRows, Table};

/// Rows cut into shards by the top bits of the key; each shard can be read any number of
/// times, by any thread.
pub trait SortedRows: Sync {
    /// Why rows cannot be read.
    type Error: std::error::Error + Send + Sync + 'static;
    /// The rows of one shard.
    type Shard: RowBatches<Error = Self::Error>;

    /// Number of shards, a power of two. Shard `i` of `n` holds the keys whose top log2(n) bits are `i`.
    fn shards(&self) -> u32;

    /// How the rows were counted.
    fn counting(&self) -> &Counting;

    /// Whether every move that was played from a position has its row. A book may have dropped some: then two
    /// positions may be connected by a move that has no row.
    fn is_complete(&self) -> bool {
        true
    }

    /// Whether every position that the move of a row leads to has a row, if only a terminal visit. Where it
    /// has not, lines may go on from such a position by a move that leads back to one with rows.
    fn has_leaves(&self) -> bool {
        true
    }

    /// Opens a shard at its first row.
    ///
    /// # Errors
    ///
    /// If its rows cannot be read.
    fn shard(&self, shard: u32) -> Result<Self::Shard, Self::Error>;
}

/// The rows of one shard, strictly ascending by (key, move, group), batch after batch.
pub trait RowBatches {
    /// Why rows cannot be read.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Replaces `rows` by the next ones; `false`, and no rows, at the end; `true` with at least one.
    ///
    /// # Errors
    ///
    /// If the rows cannot be read.
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool, Self::Error>;
}

impl SortedRows for Table {
    type Error = Error;
    type Shard = ShardRows;

    fn shards(&self) -> u32 {
        self.manifest().shards.len() as u32
    }

    fn counting(&self) -> &Counting {
        &self.manifest().counting
    }

    fn shard(&self, shard: u32) -> Result<ShardRows> {
        self.shard_rows(shard)
    }
}

impl RowBatches for ShardRows {
    type Error = Error;

    fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
        self.next_batch(rows)
    }
}
