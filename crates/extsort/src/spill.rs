//! Runs from memory to disk, and many files into one.

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::budget::{Budget, merge_bytes};
use crate::gauge::Gauge;
use crate::memory_run::{MemoryRun, MemorySource};
use crate::merge::{Merger, Source};
use crate::pool::{Pool, Spill};
use crate::run_file::{BodyUnpacker, FileSource, RunFile, RunShape, RunWriter};
use crate::stats::{Counters, Stats};
use crate::{Error, Options, Result};

/// Rows merged between two looks at the cancel flag.
const BATCH_ROWS: usize = 1024;

/// What all writers of a sorter share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) budget: Budget,
    pub(crate) payload_bits: u32,
    pub(crate) lanes: usize,
    pub(crate) pool: Arc<Pool>,
    pub(crate) gauge: Arc<Gauge>,
    pub(crate) counters: Counters,
    /// The run files, smallest first.
    files: Mutex<Vec<RunFile>>,
}

impl Shared {
    pub(crate) fn new(options: Options, budget: Budget, payload_bits: u32, lanes: usize) -> Self {
        let gauge = Arc::<Gauge>::default();
        let pool = Arc::new(Pool::new(&budget, Arc::clone(&options.cancel), Arc::clone(&gauge)));
        let (counters, files) = (Counters::default(), Mutex::default());
        Self { options, budget, payload_bits, lanes, pool, gauge, counters, files }
    }

    /// The figures so far.
    pub(crate) fn stats(&self) -> Stats {
        self.counters.stats(self.gauge.peak_bytes())
    }

    pub(crate) fn check_cancel(&self) -> Result<()> {
        if self.options.cancel.load(Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Fails if the sort was cancelled or another thread has failed.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_cancel()?;
        if self.pool.has_failed() { Err(Error::Stopped) } else { Ok(()) }
    }

    fn files(&self) -> MutexGuard<'_, Vec<RunFile>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take_files(&self) -> Vec<RunFile> {
        self.files().drain(..).collect()
    }

    /// Writes the runs that a spill took over to one file, and merges files if there are too many.
    pub(crate) fn spill<const LANES: usize>(&self, mut spill: Spill<'_>) -> Result<()> {
        let runs = std::mem::take(&mut spill.runs);
        self.spill_runs::<LANES>(runs)?;
        if self.files().len() <= self.budget.files_open_max {
            return Ok(());
        }
        self.merge_files::<LANES>(self.budget.files_open_max + 1 - self.budget.files_max)
    }

    /// Writes runs in memory to one file.
    pub(crate) fn spill_runs<const LANES: usize>(&self, runs: Vec<MemoryRun>) -> Result<()> {
        // A file's blocks are never longer than those in memory, but for what summing saves.
        let bytes = runs.iter().map(MemoryRun::bytes).sum();
        let _lease = self.gauge.lease(merge_bytes::<LANES>(0, runs.len()));
        let source = |run| {
            let source = MemorySource::drain(run, Arc::clone(&self.pool), self.payload_bits);
            Box::new(source) as Box<dyn Source<LANES>>
        };
        let file = self.write_file(runs.into_iter().map(source).collect(), bytes)?;
        self.counters.runs_spilled.fetch_add(1, Relaxed);
        self.counters.rows_spilled.fetch_add(file.rows(), Relaxed);
        self.counters.bytes_spilled.fetch_add(file.bytes(), Relaxed);
        self.files().push(file);
        Ok(())
    }

    /// Merges the smallest files, one merge after the other, until no more than `files_max` are left.
    ///
    /// The smallest first and no more than needed: so a file is written again only with its likes, and
    /// as little as can be.
    pub(crate) fn merge_files<const LANES: usize>(&self, files_max: usize) -> Result<()> {
        loop {
            let smallest: Vec<RunFile> = {
                let mut files = self.files();
                if files.len() <= files_max {
                    return Ok(());
                }
                files.sort_by_key(RunFile::bytes);
                let count = (files.len() + 1 - files_max).clamp(2, self.budget.files_max);
                files.drain(..count).collect()
            };
            let bytes = smallest.iter().map(RunFile::bytes).sum();
            let _lease = self.gauge.lease(merge_bytes::<LANES>(smallest.len(), 0));
            let unpacker = BodyUnpacker::shared()?;
            let source = |file| -> Result<Box<dyn Source<LANES>>> {
                Ok(Box::new(FileSource::whole::<LANES>(Arc::new(file), &unpacker)?))
            };
            let sources: Result<Vec<_>> = smallest.into_iter().map(source).collect();
            let file = self.write_file(sources?, bytes)?;
            self.counters.generations.fetch_add(1, Relaxed);
            self.counters.bytes_merged.fetch_add(file.bytes(), Relaxed);
            self.files().push(file);
        }
    }

    /// Merges sources into a new file of at most about `bytes` bytes.
    fn write_file<const LANES: usize>(
        &self,
        sources: Vec<Box<dyn Source<LANES>>>,
        bytes: u64,
    ) -> Result<RunFile> {
        let dir = &self.options.temp_dir;
        crate::disk::check_free(dir, bytes)?;
        let file = tempfile::tempfile_in(dir).map_err(|source| Error::io(dir, 0, source))?;
        let path = self.run_path();
        let writer_bytes = RunWriter::<File, LANES>::memory_bytes(self.options.buckets);
        let _lease = self.gauge.lease(writer_bytes as u64);
        let mut writer = RunWriter::<File, LANES>::new(file, &path, self.run_shape())?;
        let mut merger = Merger::new(sources);
        let mut batch = Vec::with_capacity(BATCH_ROWS);
        while merger.next_batch(&mut batch, BATCH_ROWS)? {
            self.check_cancel()?;
            for row in &batch {
                writer.push(row)?;
            }
        }
        RunFile::from_file(writer.finish()?, path)
    }

    /// What messages call the next run file, which has no name on disk.
    fn run_path(&self) -> PathBuf {
        let number = self.counters.runs_spilled.load(Relaxed) + self.counters.generations.load(Relaxed);
        self.options.temp_dir.join(format!("run-{number}"))
    }

    fn run_shape(&self) -> RunShape {
        RunShape {
            lanes: self.lanes as u16,
            payload_bits: self.payload_bits as u16,
            source: self.options.source,
            buckets: self.options.buckets,
        }
    }
}
