//! Reading the result, bucket by bucket.

use std::sync::Arc;

use crate::budget::merge_bytes;
use crate::gauge::Lease;
use crate::kept::KeptRows;
use crate::merge::{BATCH_ROWS, Merger, Source};
use crate::run_file::{BodyUnpacker, FileSource, RunFile};
use crate::spill::Shared;
use crate::{Result, Row, Stats};

/// All that was pushed, sorted and cut into buckets.
///
/// Any bucket can be read any number of times, different ones by different threads at once. Run files
/// vanish when this and all readers are dropped.
///
/// # Memory
/// The items that never went to disk, and the buffers of every open [`BucketRows`]; within
/// [`Options::memory_bytes`](crate::Options::memory_bytes) while no more than
/// [`Options::threads`](crate::Options::threads) of them are open.
pub struct Sorted<const LANES: usize> {
    shared: Arc<Shared>,
    files: Vec<Arc<RunFile>>,
    kept: Option<Arc<dyn KeptRows<LANES>>>,
}

impl<const LANES: usize> Sorted<LANES> {
    /// Leaves no more files than can be merged at once.
    pub(crate) fn new(shared: Arc<Shared>, kept: Option<Arc<dyn KeptRows<LANES>>>) -> Result<Self> {
        shared.merge_files::<LANES>(shared.budget.files_max)?;
        let files = shared.take_files().into_iter().map(Arc::new).collect();
        Ok(Self { shared, files, kept })
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
        let lease = self.shared.gauge.lease(merge_bytes::<LANES>(self.files.len()));
        Ok(BucketRows { rows: self.rows(bucket)?, shared: Arc::clone(&self.shared), _lease: lease })
    }

    fn rows(&self, bucket: u32) -> Result<Rows<LANES>> {
        let kept = self.kept.as_ref().map(|kept| Arc::clone(kept).bucket(bucket, self.buckets()));
        if self.files.is_empty() {
            return Ok(kept.map_or_else(|| Rows::Merged(Merger::new(Vec::new())), Rows::Kept));
        }
        let unpacker = BodyUnpacker::shared()?;
        let mut sources: Vec<Box<dyn Source<LANES>>> = kept.into_iter().collect();
        for file in &self.files {
            sources.push(Box::new(FileSource::bucket::<LANES>(Arc::clone(file), bucket, &unpacker)?));
        }
        Ok(Rows::Merged(Merger::new(sources)))
    }
}

/// Where the rows of a bucket come from.
enum Rows<const LANES: usize> {
    Merged(Merger<LANES>),
    /// There is but one source, and its rows are as they come.
    Kept(Box<dyn Source<LANES>>),
}

impl<const LANES: usize> Rows<LANES> {
    fn next_batch(&mut self, rows: &mut Vec<Row<LANES>>) -> Result<bool> {
        match self {
            Self::Merged(merger) => merger.next_batch(rows, BATCH_ROWS),
            Self::Kept(source) => {
                rows.resize(BATCH_ROWS, Row::EMPTY);
                let count = source.refill(rows)?;
                rows.truncate(count);
                Ok(count > 0)
            }
        }
    }
}

/// The rows of one bucket, in ascending order of their ids.
pub struct BucketRows<const LANES: usize> {
    rows: Rows<LANES>,
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
        self.rows.next_batch(rows)
    }
}
