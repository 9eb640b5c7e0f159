//! The sorted runs of a count, with or without ratings.

use extsort::Sorted;
use run::Result;
use table::{RootRow, Row, RowBatches, ShardWriter};

use super::observed::{OUTCOMES, OUTCOMES_AND_RATINGS, ObservedItem, PlainItem, RatedItem};
use super::roots::RootParts;

/// Sorted runs that are read shard by shard.
pub enum Runs {
    /// Runs of observations alone.
    Plain(Sorted<OUTCOMES>),
    /// Runs of observations with ratings.
    Rated(Sorted<OUTCOMES_AND_RATINGS>),
}

/// The rows of one shard of [`Runs`], in ascending order.
#[must_use]
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
    pub fn plain(rows: extsort::BucketRows<OUTCOMES>) -> Self {
        Self::Plain(Box::new(Bucket::of(rows)))
    }

    /// The rows of a shard, with ratings.
    pub fn rated(rows: extsort::BucketRows<OUTCOMES_AND_RATINGS>) -> Self {
        Self::Rated(Box::new(Bucket::of(rows)))
    }

    /// Returns the roots among the rows that were read last or, after the last row, all remaining roots.
    pub fn roots(&mut self) -> impl Iterator<Item = RootRow> + '_ {
        match self {
            BucketRows::Plain(bucket) => bucket.roots.drain(bucket.batch.is_empty()),
            BucketRows::Rated(bucket) => bucket.roots.drain(bucket.batch.is_empty()),
        }
    }

    /// Writes all rows and roots to a part, calling `check` from time to time.
    ///
    /// # Errors
    ///
    /// Fails if the runs cannot be read, the part cannot be written, or `check` fails.
    pub fn write_to(&mut self, out: &mut ShardWriter, check: impl Fn() -> Result<()>) -> Result<()> {
        let (mut batch, mut more) = (Vec::new(), true);
        while more {
            check()?;
            more = self.next_batch(&mut batch)?;
            out.push_batch(&batch)?;
            self.roots().try_for_each(|root| out.push_root(root))?;
        }
        Ok(())
    }
}

impl RowBatches for BucketRows {
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
        match self {
            BucketRows::Plain(bucket) => bucket.next_batch::<PlainItem>(rows),
            BucketRows::Rated(bucket) => bucket.next_batch::<RatedItem>(rows),
        }
    }
}

/// One shard of runs, and the last batch of rows from the sorter.
pub struct Bucket<const SUMS: usize> {
    rows: extsort::BucketRows<SUMS>,
    batch: Vec<extsort::Row<SUMS>>,
    /// The roots among the rows of the batch.
    roots: RootParts,
}

impl<const SUMS: usize> Bucket<SUMS> {
    fn of(rows: extsort::BucketRows<SUMS>) -> Self {
        Self { rows, batch: Vec::new(), roots: RootParts::default() }
    }

    fn next_batch<S: ObservedItem<SUMS>>(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
        let Self { rows: sorted, batch, roots } = self;
        rows.clear();
        drop(roots.drain(false));
        // Rows that store roots are removed from a batch. If no other rows remain, the next batch is read.
        while rows.is_empty() && sorted.next_batch(batch)? {
            rows.extend(batch.iter().map(S::row));
            // Roots are rare.
            if rows.iter().any(RootParts::has) {
                rows.retain(|row| !roots.take(row));
            }
        }
        Ok(!rows.is_empty())
    }
}
