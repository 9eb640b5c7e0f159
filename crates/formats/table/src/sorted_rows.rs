//! Sources of sorted rows: a table, or the sorted runs of a count that writes no table.

use shakmaty::Color;

use fault::Result;

use crate::{Counting, RootRow, Row, ShardRows, Table};

/// A function that is called with each root.
pub type EachRoot<'e> = dyn FnMut(RootRow) -> Result<()> + 'e;

/// The rows of a shard.
pub type BoxedRows<'r> = Box<dyn RowBatches + 'r>;

/// Rows that are divided into shards by the top bits of their keys; any thread can read any shard, any number
/// of times.
pub trait SortedRows: Sync {
    /// The number of shards, a power of two. Shard `i` of `n` holds the keys whose top log2(n) bits are `i`.
    fn shards(&self) -> u32;

    /// How the rows were counted.
    fn counting(&self) -> &Counting;

    /// The side that has no moves, if the rows are from a book with the moves of only one side; `None` by
    /// default. When the side without moves is to move, a line continues with any move that leads to a
    /// position with rows, even if there are no rows for the position before the move.
    fn replies_of(&self) -> Option<Color> {
        None
    }

    /// Whether all games started from [roots](Self::roots), and none from the start position. `rooted` is the
    /// number of games that started from roots.
    fn all_start_elsewhere(&self, _rooted: u64) -> bool {
        false
    }

    /// Calls `each` with every root of a shard, in ascending order of keys. The default implementation
    /// assumes that there are no roots.
    ///
    /// # Errors
    ///
    /// Fails if the roots cannot be read, or with the error that `each` returns.
    fn roots(&self, _shard: u32, _each: &mut EachRoot<'_>) -> Result<()> {
        Ok(())
    }

    /// Opens a shard at its first row.
    ///
    /// # Errors
    ///
    /// Fails if its rows cannot be read.
    fn shard(&self, shard: u32) -> Result<BoxedRows<'_>>;
}

/// Supplies the rows of one shard in batches, in strictly ascending order of (key, move, group).
pub trait RowBatches {
    /// Replaces the contents of `rows` with the next batch and returns `true`; at the end, empties `rows` and
    /// returns `false`.
    ///
    /// # Errors
    ///
    /// Fails if the rows cannot be read.
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool>;
}

impl SortedRows for Table {
    fn shards(&self) -> u32 {
        self.manifest().shards.len() as u32
    }

    fn counting(&self) -> &Counting {
        &self.manifest().counting
    }

    fn all_start_elsewhere(&self, rooted: u64) -> bool {
        rooted >= self.manifest().games
    }

    fn roots(&self, shard: u32, each: &mut EachRoot<'_>) -> Result<()> {
        let roots = Table::roots(self, shard)?;
        roots.into_iter().flatten().try_for_each(|root| each(root?))
    }

    fn shard(&self, shard: u32) -> Result<BoxedRows<'_>> {
        Ok(Box::new(self.shard_rows(shard)?))
    }
}

impl RowBatches for ShardRows {
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
        Ok(ShardRows::next_batch(self, rows)?)
    }
}
