//! The sorted runs of a count, with or without ratings.

use extsort::Sorted;
use run::{Error, Result};
use table::{Row, RowBatches};

use super::observed::{OUTCOMES, OUTCOMES_AND_RATINGS, ObservedItem, PlainItem, RatedItem};

/// Sorted runs, read shard by shard.
pub enum Runs {
    /// Runs of observations alone.
    Plain(Sorted<OUTCOMES>),
    /// Runs of observations with ratings.
    Rated(Sorted<OUTCOMES_AND_RATINGS>),
}

/// The rows of one shard of [`Runs`], ascending.
pub enum BucketRows {
    /// Rows of outcomes.
    Plain(Box<Bucket<OUTCOMES>>),
    /// Rows of outcomes and ratings.
    Rated(Box<Bucket<OUTCOMES_AND_RATINGS>>),
}

impl Runs {
    /// Number of shards, a power of two.
    #[must_use]
    pub fn shards(&self) -> u32 {
        match self {
            Runs::Plain(runs) => runs.buckets(),
            Runs::Rated(runs) => runs.buckets(),
        }
    }

    /// The rows of one shard.
    pub fn bucket(&self, shard: u32) -> Result<BucketRows> {
        Ok(match self {
            Runs::Plain(runs) => BucketRows::plain(runs.bucket(shard)?),
            Runs::Rated(runs) => BucketRows::rated(runs.bucket(shard)?),
        })
    }
}

impl BucketRows {
    /// The rows of a shard, without ratings.
    #[must_use]
    pub fn plain(rows: extsort::BucketRows<OUTCOMES>) -> Self {
        Self::Plain(Box::new(Bucket { rows, batch: Vec::new() }))
    }

    /// The rows of a shard, with ratings.
    #[must_use]
    pub fn rated(rows: extsort::BucketRows<OUTCOMES_AND_RATINGS>) -> Self {
        Self::Rated(Box::new(Bucket { rows, batch: Vec::new() }))
    }
}

impl RowBatches for BucketRows {
    type Error = Error;

    fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
        match self {
            BucketRows::Plain(bucket) => bucket.next_batch::<PlainItem>(rows),
            BucketRows::Rated(bucket) => bucket.next_batch::<RatedItem>(rows),
        }
    }
}

/// One shard of runs, and the batch of rows that the sorter gave last.
pub struct Bucket<const SUMS: usize> {
    rows: extsort::BucketRows<SUMS>,
    batch: Vec<extsort::Row<SUMS>>,
}

impl<const SUMS: usize> Bucket<SUMS> {
    fn next_batch<S: ObservedItem<SUMS>>(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
        let more = self.rows.next_batch(&mut self.batch)?;
        rows.clear();
        rows.extend(self.batch.iter().map(S::row));
        Ok(more)
    }
}
