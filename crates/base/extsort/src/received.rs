//! Runs sent by other processes. They are spooled until all runs of a bucket have arrived, then merged.
//!
//! # Exactly once
//! Segments identify themselves: each contains checksums and says which run it belongs to, where in the run
//! it belongs, and whether it is the last of its bucket. A bucket is therefore read only if every segment
//! from every expected source has arrived exactly once, no matter how the blobs were transported.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::budget::{Budget, merge_bytes};
use crate::disk::write_error;
use crate::merge::{Cursor, Merger};
use crate::run_file::{BodyUnpacker, HEADER_BYTES, RunBytes, RunCursor, RunShape, SegmentHeader};
use crate::sorted::Rows;
use crate::spill::Shared;
use crate::{Blob, BucketRows, Combine, Error, Options, Result, Sum};

/// Collects runs that were [sent](crate::RunSender) from any number of sources, for any number of buckets, in
/// any order.
///
/// # Memory
/// Takes about 64 bytes for each blob. The blobs themselves are kept in an unnamed file in
/// [`Options::temp_dir`].
pub struct ReceivedRuns<const SUMS: usize, C = Sum> {
    shared: Arc<Shared>,
    spool: Arc<Spool>,
    spooled_bytes: u64,
    /// The received blobs, by bucket, source and blob number.
    blobs: BTreeMap<(u32, u64, u32), Spooled>,
    combine: std::marker::PhantomData<C>,
}

/// The file that holds the blobs.
struct Spool {
    file: File,
    path: PathBuf,
}

/// A blob in the spool.
#[derive(Clone, Copy, Debug)]
struct Spooled {
    offset: u64,
    bytes: u64,
    rows: u64,
    /// The numbers of the blob's segments: from `first` up to, but not including, `end`.
    first: u32,
    end: u32,
    /// Whether the blob's last segment is also the last one in the bucket.
    last: bool,
}

impl<const SUMS: usize, C: Combine<SUMS>> ReceivedRuns<SUMS, C> {
    /// Creates a receiver for runs that are divided into buckets as in `options`, and whose items have
    /// `payload_bits` payload bits.
    ///
    /// # Errors
    /// Fails with [`Error::Option`] if an option is out of range, with [`Error::BudgetTooSmall`] if the
    /// memory limit is too small, and with [`Error::Io`] if the spool file cannot be created.
    pub fn new(options: Options, payload_bits: u32) -> Result<Self> {
        options.check()?;
        let budget = Budget::of_runs::<SUMS, C>(&options)?;
        let dir = options.temp_dir.clone();
        let file = tempfile::tempfile_in(&dir).map_err(|source| Error::io(&dir, 0, source))?;
        Ok(Self {
            shared: Arc::new(Shared::new(options, budget, payload_bits)),
            spool: Arc::new(Spool { file, path: dir.join("received") }),
            spooled_bytes: 0,
            blobs: BTreeMap::new(),
            combine: std::marker::PhantomData,
        })
    }

    /// Receives a blob that belongs to the run from `source`.
    ///
    /// # Errors
    /// Fails with [`Error::Run`] if the blob is damaged, belongs to another run, or has already arrived.
    /// Fails with [`Error::DiskFull`] or another error if the blob cannot be written to the spool.
    pub fn receive(&mut self, source: u64, blob: Blob<'_>) -> Result<()> {
        self.shared.check_stop()?;
        let refuse = |what| Error::Run { run: source, bucket: blob.bucket, what };
        let spooled = self.inspect(source, blob).map_err(refuse)?;
        let place = (blob.bucket, source, blob.sequence);
        if self.blobs.contains_key(&place) {
            return Err(refuse("arrived twice"));
        }
        let written = (&self.spool.file).write_all(blob.bytes);
        written.map_err(|error| {
            write_error(&self.spool.path, self.spooled_bytes, blob.bytes.len() as u64, error)
        })?;
        self.spooled_bytes += blob.bytes.len() as u64;
        self.blobs.insert(place, spooled);
        Ok(())
    }

    /// Checks the segments of a blob. A damaged blob must not enter the spool.
    fn inspect(&self, source: u64, blob: Blob<'_>) -> std::result::Result<Spooled, &'static str> {
        let shape = RunShape { source, ..self.shared.run_shape(SUMS) };
        let mut spooled = Spooled {
            offset: self.spooled_bytes,
            bytes: blob.bytes.len() as u64,
            rows: 0,
            first: 0,
            end: 0,
            last: false,
        };
        let (mut rest, mut is_first) = (blob.bytes, true);
        while !rest.is_empty() {
            let (header, after) = rest.split_first_chunk::<HEADER_BYTES>().ok_or("is cut short")?;
            let parsed = SegmentHeader::parse(header, &self.spool.path, 0);
            let header = parsed.map_err(|_| "is damaged, or of another version")?;
            let (body, after) = after.split_at_checked(header.body_bytes as usize).ok_or("is cut short")?;
            if xxh3_64(body) != header.body_checksum {
                return Err("is damaged");
            }
            if header.shape != shape || header.bucket != blob.bucket {
                return Err("is of another count, source or bucket, or of other settings");
            }
            if std::mem::take(&mut is_first) {
                (spooled.first, spooled.end) = (header.sequence, header.sequence);
            }
            if header.sequence != spooled.end || spooled.last {
                return Err("has segments out of order");
            }
            spooled.end += 1;
            spooled.rows += u64::from(header.rows);
            spooled.last = header.last;
            rest = after;
        }
        if is_first { Err("is cut short") } else { Ok(spooled) }
    }

    /// The buckets for which a blob has arrived, in ascending order.
    #[must_use]
    pub fn buckets(&self) -> Vec<u32> {
        let mut buckets: Vec<u32> = self.blobs.keys().map(|&(bucket, ..)| bucket).collect();
        buckets.dedup();
        buckets
    }

    /// The number of bytes spooled.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.spooled_bytes
    }

    /// Returns the rows of a bucket, merged from the runs of all `sources`, which must be distinct.
    ///
    /// # Errors
    /// Fails with [`Error::Run`] if the run from one of these sources is missing or incomplete, or if there
    /// is a run from another source. Merging may also fail.
    pub fn bucket(&self, bucket: u32, sources: impl Iterator<Item = u64>) -> Result<BucketRows<SUMS, C>> {
        let mut runs = self.check(bucket, sources)?;
        runs.retain(|run| run.rows > 0);
        let unpacker = BodyUnpacker::shared()?;
        let cursor = |run: ReceivedRun| -> Result<Input<SUMS>> {
            let (bytes, rows) = (run.bytes, run.rows);
            let cursor = RunCursor::new::<SUMS>(Arc::new(run), 0, rows, bucket..bucket + 1, &unpacker)?;
            Ok(Input { bytes, cursor: Box::new(cursor) })
        };
        let inputs = runs.into_iter().map(cursor).collect::<Result<Vec<_>>>()?;
        let cursors = self.merge_down(bucket, inputs)?;
        let lease = self.shared.gauge.lease(merge_bytes::<SUMS>(cursors.len()));
        Ok(BucketRows::new(Rows::Merged(Merger::new(cursors)), Arc::clone(&self.shared), lease))
    }

    /// Returns the runs of a bucket. Fails unless there is one complete run from each source, and no other
    /// run.
    fn check(&self, bucket: u32, sources: impl Iterator<Item = u64>) -> Result<Vec<ReceivedRun>> {
        let mut runs = self.runs_of(bucket);
        let mut checked = Vec::new();
        for source in sources {
            let refuse = |what| Error::Run { run: source, bucket, what };
            let blobs = runs.remove(&source).ok_or_else(|| refuse("is missing"))?;
            let in_order = blobs.iter().zip(0..).all(|((number, _), expected)| *number == expected)
                && blobs.windows(2).all(|pair| pair[0].1.end == pair[1].1.first && !pair[0].1.last);
            let begins = blobs.first().is_some_and(|(_, blob)| blob.first == 0);
            if !in_order || !begins || !blobs.last().is_some_and(|(_, blob)| blob.last) {
                return Err(refuse("is not whole"));
            }
            let shape = RunShape { source, ..self.shared.run_shape(SUMS) };
            checked.push(ReceivedRun::new(shape, Arc::clone(&self.spool), &blobs));
        }
        match runs.keys().next() {
            Some(&source) => Err(Error::Run { run: source, bucket, what: "was not expected" }),
            None => Ok(checked),
        }
    }

    /// Returns the blobs of a bucket, grouped by source. The blobs of each source are in ascending order of
    /// their numbers.
    fn runs_of(&self, bucket: u32) -> BTreeMap<u64, Vec<(u32, Spooled)>> {
        let mut runs: BTreeMap<u64, Vec<(u32, Spooled)>> = BTreeMap::new();
        for (&(_, source, number), &blob) in self.blobs.range((bucket, 0, 0)..=(bucket, u64::MAX, u32::MAX)) {
            runs.entry(source).or_default().push((number, blob));
        }
        runs
    }

    /// Merges the smallest inputs into files, until few enough inputs are left to be merged at once.
    fn merge_down(&self, bucket: u32, mut inputs: Vec<Input<SUMS>>) -> Result<Vec<Box<dyn Cursor<SUMS>>>> {
        let files_max = self.shared.budget.files_max;
        while inputs.len() > files_max {
            inputs.sort_by_key(|input| input.bytes);
            let count = (inputs.len() + 1 - files_max).clamp(2, files_max);
            let some: Vec<_> = inputs.drain(..count).collect();
            let bytes = some.iter().map(|input| input.bytes).sum();
            let cursors = some.into_iter().map(|input| input.cursor).collect();
            let file = self.shared.merge_cursors::<SUMS, C>(None, cursors, bytes)?;
            let bytes = file.bytes();
            let cursor = RunCursor::bucket::<SUMS>(Arc::new(file), bucket, &BodyUnpacker::shared()?)?;
            inputs.push(Input { bytes, cursor: Box::new(cursor) });
        }
        Ok(inputs.into_iter().map(|input| input.cursor).collect())
    }
}

/// An input of a merge, and its length.
struct Input<const SUMS: usize> {
    bytes: u64,
    cursor: Box<dyn Cursor<SUMS>>,
}

/// One bucket of a run, whose segments are in blobs in the spool.
struct ReceivedRun {
    shape: RunShape,
    spool: Arc<Spool>,
    /// The two offsets of each blob: in the run, and in the spool.
    starts: Vec<(u64, u64)>,
    bytes: u64,
    rows: u64,
}

impl ReceivedRun {
    fn new(shape: RunShape, spool: Arc<Spool>, blobs: &[(u32, Spooled)]) -> Self {
        let mut run = Self { shape, spool, starts: Vec::with_capacity(blobs.len()), bytes: 0, rows: 0 };
        for (_, blob) in blobs {
            run.starts.push((run.bytes, blob.offset));
            run.bytes += blob.bytes;
            run.rows += blob.rows;
        }
        run
    }
}

impl RunBytes for ReceivedRun {
    fn shape(&self) -> RunShape {
        self.shape
    }

    fn path(&self) -> &Path {
        &self.spool.path
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        // Blobs end where a segment ends, so a read never crosses the end of a blob.
        let after = self.starts.partition_point(|&(start, _)| start <= offset);
        let (start, spooled) = self.starts[after - 1];
        let at = spooled + (offset - start);
        let read = self.spool.file.read_exact_at(bytes, at);
        read.map_err(|source| Error::io(&self.spool.path, at, source))
    }
}
