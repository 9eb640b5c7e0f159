//! Reads the result, bucket by bucket.

use std::{marker::PhantomData, sync::Arc};

use crate::budget::{Budget, merge_bytes};
use crate::gauge::Lease;
use crate::merge::{BATCH_ROWS, Cursor, Merger};
use crate::run_file::{BodyUnpacker, RunCursor, RunFile, RunShape};
use crate::spill::Shared;
use crate::unspilled::UnspilledRows;
use crate::{Combine, Error, Options, Result, Row, Stats, Sum};

/// All items that were pushed, sorted and divided into buckets.
///
/// Any bucket can be read any number of times, and several threads can read different buckets at once. Run
/// files without names disappear once this value and all readers of its buckets are dropped.
///
/// # Memory
/// Holds the items that never went to disk, and the buffers of every open [`BucketRows`]. Together they stay
/// within [`Options::memory_bytes`], as long as at most [`Options::threads`] buckets are open.
pub struct Sorted<const SUMS: usize, C = Sum> {
    shared: Arc<Shared>,
    files: Vec<Arc<RunFile>>,
    unspilled: Option<Arc<dyn UnspilledRows<SUMS>>>,
    combine: PhantomData<C>,
}

impl<const SUMS: usize, C: Combine<SUMS>> Sorted<SUMS, C> {
    /// Opens runs that other sorts wrote. The runs must have the source and the number of buckets that
    /// `options` gives.
    ///
    /// # Errors
    /// Fails with [`Error::Option`] if an option is out of range, with [`Error::BudgetTooSmall`] if the
    /// memory limit is too small, and with [`Error::Corrupt`] if a run does not match `options` or the other
    /// runs. If there are more runs than can be merged at once, some are merged first, and this may also
    /// fail.
    pub fn open(options: Options, runs: Vec<RunFile>) -> Result<Self> {
        options.check()?;
        let budget = Budget::of_runs::<SUMS, C>(&options)?;
        let payload_bits = runs.first().map_or(64, |run| u32::from(run.shape().payload_bits));
        let shared = Shared::new(options, budget, payload_bits);
        runs.iter().try_for_each(|run| shared.check_shape(run, SUMS))?;
        shared.adopt::<SUMS, C>(runs.into_iter().map(RunFile::recorded))?;
        Self::new(Arc::new(shared), None)
    }

    /// Merges files until so few are left that they can all be merged at once.
    pub(crate) fn new(shared: Arc<Shared>, unspilled: Option<Arc<dyn UnspilledRows<SUMS>>>) -> Result<Self> {
        shared.merge_files::<SUMS, C>(shared.budget.files_max)?;
        let files = shared.take_files().into_iter().map(Arc::new).collect();
        Ok(Self { shared, files, unspilled, combine: PhantomData })
    }

    /// The number of buckets, as set in the options.
    #[must_use]
    pub fn buckets(&self) -> u32 {
        self.shared.options.buckets
    }

    /// The properties that all runs of this sort share.
    pub(crate) fn run_shape(&self) -> RunShape {
        self.shared.run_shape(SUMS)
    }

    /// Statistics of the sort so far.
    pub fn stats(&self) -> Stats {
        self.shared.stats()
    }

    /// Opens a bucket, which consists of the rows whose ids have `bucket` as their top bits.
    ///
    /// # Errors
    /// Fails if a run file cannot be read, and with [`Error::Option`] if there is no such bucket.
    pub fn bucket(&self, bucket: u32) -> Result<BucketRows<SUMS, C>> {
        if bucket >= self.buckets() {
            let got = bucket.to_string();
            return Err(Error::Option { name: "bucket", expected: "below the number of buckets", got });
        }
        let lease = self.shared.gauge.lease(merge_bytes::<SUMS>(self.files.len()));
        Ok(BucketRows::new(self.rows(bucket)?, Arc::clone(&self.shared), lease))
    }

    fn rows(&self, bucket: u32) -> Result<Rows<SUMS, C>> {
        let unspilled = self.unspilled.as_ref().map(|items| Arc::clone(items).bucket(bucket, self.buckets()));
        if self.files.is_empty() {
            return Ok(unspilled.map_or_else(|| Rows::Merged(Merger::new(Vec::new())), Rows::Unspilled));
        }
        let unpacker = BodyUnpacker::shared()?;
        let mut cursors: Vec<Box<dyn Cursor<SUMS>>> = unspilled.into_iter().collect();
        for file in &self.files {
            cursors.push(Box::new(RunCursor::bucket::<SUMS>(Arc::clone(file), bucket, &unpacker)?));
        }
        Ok(Rows::Merged(Merger::new(cursors)))
    }
}

/// Where the rows of a bucket come from.
pub(crate) enum Rows<const SUMS: usize, C> {
    Merged(Merger<SUMS, C>),
    /// Nothing was spilled, so there is only one cursor and nothing to merge.
    Unspilled(Box<dyn Cursor<SUMS>>),
}

impl<const SUMS: usize, C: Combine<SUMS>> Rows<SUMS, C> {
    fn next_batch(&mut self, rows: &mut Vec<Row<SUMS>>) -> Result<bool> {
        match self {
            Self::Merged(merger) => merger.next_batch(rows, BATCH_ROWS),
            Self::Unspilled(cursor) => {
                rows.resize(BATCH_ROWS, Row::EMPTY);
                let mut count = 0;
                while count < BATCH_ROWS
                    && let filled @ 1.. = cursor.refill(&mut rows[count..])?
                {
                    count += filled;
                }
                rows.truncate(count);
                Ok(count > 0)
            }
        }
    }
}

/// The rows of one bucket, in ascending order of their ids.
pub struct BucketRows<const SUMS: usize, C = Sum> {
    rows: Rows<SUMS, C>,
    shared: Arc<Shared>,
    _lease: Lease,
}

impl<const SUMS: usize, C: Combine<SUMS>> BucketRows<SUMS, C> {
    pub(crate) fn new(rows: Rows<SUMS, C>, shared: Arc<Shared>, lease: Lease) -> Self {
        Self { rows, shared, _lease: lease }
    }

    /// Replaces the contents of `rows` with the next rows, at most 1024. Returns `false` (and no rows) at the
    /// end.
    ///
    /// # Errors
    /// Fails if a run file is damaged or cannot be read. Also fails with [`Error::SumOverflow`] if a sum
    /// would reach 2^64, and with [`Error::Stopped`] if the caller asked to stop.
    pub fn next_batch(&mut self, rows: &mut Vec<Row<SUMS>>) -> Result<bool> {
        self.shared.check_stop()?;
        self.rows.next_batch(rows)
    }
}

/// Looks up rows in a bucket by id. The ids must be looked up in ascending order.
///
/// # Memory
/// One batch of rows.
pub struct Lookup<const SUMS: usize, C = Sum> {
    rows: BucketRows<SUMS, C>,
    pub(crate) batch: Vec<Row<SUMS>>,
    at: usize,
}

impl<const SUMS: usize, C: Combine<SUMS>> Lookup<SUMS, C> {
    /// Starts a look-up at the first row.
    ///
    /// # Errors
    /// Fails with the same errors as [`BucketRows::next_batch`].
    pub fn new(mut rows: BucketRows<SUMS, C>) -> Result<Self> {
        let mut batch = Vec::new();
        rows.next_batch(&mut batch)?;
        Ok(Self { rows, batch, at: 0 })
    }

    /// Returns the row with this id, if there is one. Ids must be looked up in ascending order.
    ///
    /// # Errors
    /// Fails with the same errors as [`BucketRows::next_batch`].
    pub fn find(&mut self, id: u128) -> Result<Option<&Row<SUMS>>> {
        while self.batch.get(self.at).is_some_and(|row| row.id < id) {
            self.at += 1;
            if self.at == self.batch.len() {
                self.at = 0;
                self.rows.next_batch(&mut self.batch)?;
            }
        }
        Ok(self.batch.get(self.at).filter(|row| row.id == id))
    }
}
