//! Reading the result, bucket by bucket.

use std::sync::Arc;

use crate::budget::merge_bytes;
use crate::gauge::Lease;
use crate::memory_run::{MemoryRun, MemorySource};
use crate::merge::{Merger, Source};
use crate::run_file::{BodyUnpacker, FileSource, RunFile};
use crate::spill::Shared;
use crate::{Result, Row, Stats};

/// Rows a batch has at most.
const BATCH_ROWS: usize = 1024;

/// All that was pushed, sorted and cut into buckets.
///
/// Any bucket can be read any number of times, different ones by different threads at once. Run files
/// vanish when this and all readers are dropped.
///
/// # Memory
/// The runs that never went to disk, and the buffers of every open [`BucketRows`]; within
/// [`Options::memory_bytes`](crate::Options::memory_bytes) while no more than
/// [`Options::threads`](crate::Options::threads) of them are open.
#[derive(Debug)]
pub struct Sorted<const LANES: usize> {
    shared: Arc<Shared>,
    runs: Vec<Arc<MemoryRun>>,
    files: Vec<Arc<RunFile>>,
}

impl<const LANES: usize> Sorted<LANES> {
    /// Leaves no more runs and files than can be merged at once.
    pub(crate) fn new(shared: Arc<Shared>) -> Result<Self> {
        let mut runs = shared.pool.take_runs();
        while runs.len() > shared.budget.memory_runs_max {
            let oldest = runs.drain(..shared.budget.memory_runs_max).collect();
            shared.spill_runs::<LANES>(oldest)?;
        }
        shared.merge_files::<LANES>(shared.budget.files_max)?;
        let files = shared.take_files();
        let runs = runs.into_iter().map(Arc::new).collect();
        Ok(Self { shared, runs, files: files.into_iter().map(Arc::new).collect() })
    }

    /// The number of buckets, as the options gave it.
    #[must_use]
    pub fn buckets(&self) -> u32 {
        self.shared.options.buckets
    }

    /// What the sort did so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.shared.stats()
    }

    /// Opens a bucket: the rows whose ids have the number `bucket` in their top bits.
    ///
    /// # Errors
    /// Those of reading run files; [`Error::Option`](crate::Error::Option) if there is no such bucket.
    pub fn bucket(&self, bucket: u32) -> Result<BucketRows<LANES>> {
        if bucket >= self.buckets() {
            let got = bucket.to_string();
            return Err(crate::Error::Option {
                name: "bucket",
                expected: "below the number of buckets",
                got,
            });
        }
        let bytes = merge_bytes::<LANES>(self.files.len(), self.runs.len());
        let lease = self.shared.gauge.lease(bytes);
        let unpacker = BodyUnpacker::shared()?;
        let mut sources: Vec<Box<dyn Source<LANES>>> = Vec::with_capacity(self.files.len() + self.runs.len());
        for file in &self.files {
            sources.push(Box::new(FileSource::bucket::<LANES>(Arc::clone(file), bucket, &unpacker)?));
        }
        for run in &self.runs {
            sources.push(Box::new(MemorySource::bucket(Arc::clone(run), bucket, self.shared.payload_bits)));
        }
        Ok(BucketRows { merger: Merger::new(sources), shared: Arc::clone(&self.shared), _lease: lease })
    }
}

/// The rows of one bucket, in ascending order of their ids.
pub struct BucketRows<const LANES: usize> {
    merger: Merger<LANES>,
    shared: Arc<Shared>,
    _lease: Lease,
}

impl<const LANES: usize> BucketRows<LANES> {
    /// Replaces `rows` by the next ones, at most 1024; `false` (and no rows) at the end.
    ///
    /// # Errors
    /// Those of reading run files, [`Error::SumOverflow`](crate::Error::SumOverflow) and
    /// [`Error::Interrupted`](crate::Error::Interrupted).
    pub fn next_batch(&mut self, rows: &mut Vec<Row<LANES>>) -> Result<bool> {
        self.shared.check_cancel()?;
        self.merger.next_batch(rows, BATCH_ROWS)
    }
}
