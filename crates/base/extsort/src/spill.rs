//! Writes sort buffers to run files, and merges many files into one.

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::budget::{Budget, merge_bytes};
use crate::disk::write_error;
use crate::gauge::Gauge;
use crate::item::collapse;
use crate::merge::{BATCH_ROWS, Cursor, Merger};
use crate::radix::PieceSorter;
use crate::run_file::{BodyUnpacker, RunCursor, RunFile, RunShape, RunWriter};
use crate::sort_buffer::SortBuffer;
use crate::stats::{Counters, Stats};
use crate::{Combine, Error, Item, Options, Result, Row, RunFolder};

/// The number of rows that are summed at a time. They fit into the L1 cache.
const COLLAPSE_ROWS: usize = 128;

/// The state that all writers of a sorter share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) budget: Budget,
    pub(crate) payload_bits: u32,
    pub(crate) gauge: Arc<Gauge>,
    pub(crate) counters: Counters,
    files: Mutex<Vec<RunFile>>,
    /// While items are still being pushed, there is memory for only one merge of files, so a thread holds
    /// this lock during the merge.
    merging: Mutex<()>,
    failed: AtomicBool,
}

impl Shared {
    pub(crate) fn new(options: Options, budget: Budget, payload_bits: u32) -> Self {
        Self {
            options,
            budget,
            payload_bits,
            gauge: Arc::default(),
            counters: Counters::default(),
            files: Mutex::default(),
            merging: Mutex::default(),
            failed: AtomicBool::new(false),
        }
    }

    /// The figures so far.
    pub(crate) fn stats(&self) -> Stats {
        self.counters.stats(self.gauge.peak_bytes())
    }

    /// Stops all threads after an error in one of them.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Relaxed);
    }

    /// Whether a thread has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Relaxed)
    }

    pub(crate) fn check_stop(&self) -> Result<()> {
        if self.options.stop.load(Relaxed) { Err(Error::Stopped) } else { Ok(()) }
    }

    /// Fails if the caller asked to stop or another thread has failed.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_stop()?;
        if self.has_failed() { Err(Error::AnotherThreadFailed) } else { Ok(()) }
    }

    fn files(&self) -> MutexGuard<'_, Vec<RunFile>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take_files(&self) -> Vec<RunFile> {
        std::mem::take(&mut *self.files())
    }

    /// Writes the rows of a buffer to a file without a name, and empties the buffer.
    pub(crate) fn spill<I: Item<SUMS>, const SUMS: usize>(
        &self,
        buffer: &mut SortBuffer<I>,
        sorter: &mut PieceSorter<I>,
    ) -> Result<()> {
        let file = self.spill_to(None, buffer, sorter)?;
        self.adopt::<SUMS, I::Combine>([file])
    }

    /// Writes the rows of a buffer to a file and empties the buffer. If `folder` is given, the file is a
    /// named file in that folder.
    pub(crate) fn spill_to<I: Item<SUMS>, const SUMS: usize>(
        &self,
        folder: Option<&RunFolder>,
        buffer: &mut SortBuffer<I>,
        sorter: &mut PieceSorter<I>,
    ) -> Result<RunFile> {
        let file = self.write_file::<SUMS, I::Combine>(folder, |writer| {
            buffer.drain_sorted(sorter, |items| {
                self.check()?;
                push_items(writer, items)
            })
        })?;
        self.counters.runs_spilled.fetch_add(1, Relaxed);
        self.counters.rows_spilled.fetch_add(file.rows(), Relaxed);
        self.counters.bytes_spilled.fetch_add(file.bytes(), Relaxed);
        Ok(file)
    }

    /// Adds run files, and merges some if there are too many. The lock is released before the merge, so that
    /// other threads can add their runs in the meantime.
    pub(crate) fn adopt<const SUMS: usize, C: Combine<SUMS>>(
        &self,
        runs: impl IntoIterator<Item = RunFile>,
    ) -> Result<()> {
        let mut files = self.files();
        files.extend(runs);
        let too_many = files.len() > self.budget.files_open_max;
        drop(files);
        if too_many { self.merge_a_few::<SUMS, C>() } else { Ok(()) }
    }

    /// Fails if a run was made for another kind of sort.
    pub(crate) fn check_shape(&self, run: &RunFile, sums: usize) -> Result<()> {
        if run.shape() == self.run_shape(sums) {
            return Ok(());
        }
        Err(Error::corrupt(run.path(), 0, "a run of rows of another kind, or cut into other buckets"))
    }

    /// Merges as many files as can be merged at once. The number of files is checked again under the lock,
    /// because another thread may have merged some of them while this thread waited.
    fn merge_a_few<const SUMS: usize, C: Combine<SUMS>>(&self) -> Result<()> {
        let _merging = self.merging.lock().unwrap_or_else(PoisonError::into_inner);
        if self.files().len() <= self.budget.files_open_max {
            return Ok(());
        }
        // Merging `files_max` of the `files_open_max + 1` files leaves this number of files.
        self.merge_files::<SUMS, C>(self.budget.files_open_max + 2 - self.budget.files_max)
    }

    /// Merges the smallest files, one merge after the other, until no more than `files_max` are left.
    ///
    /// Only as many files as needed are merged, the smallest ones first. A file is therefore merged only with
    /// files of about its own size, and its rows are rewritten as rarely as possible.
    pub(crate) fn merge_files<const SUMS: usize, C: Combine<SUMS>>(&self, files_max: usize) -> Result<()> {
        loop {
            // The files are removed from the list under the lock, so that other threads can add to it during
            // the merge.
            let smallest: Vec<RunFile> = {
                let mut files = self.files();
                if files.len() <= files_max {
                    return Ok(());
                }
                files.sort_by_key(RunFile::bytes);
                let count = (files.len() + 1 - files_max).clamp(2, self.budget.files_max);
                files.drain(..count).collect()
            };
            let file = self.merge::<SUMS, C>(smallest)?;
            self.counters.generations.fetch_add(1, Relaxed);
            self.counters.bytes_merged.fetch_add(file.bytes(), Relaxed);
            self.files().push(file);
        }
    }

    /// Merges files into a new file. If there is a folder for named runs, and its ledger has recorded all of
    /// the old files, the new file is created in that folder. The ledger then records the new file in place
    /// of the old files, which are removed. Otherwise, the new file gets no name, because it may contain rows
    /// that no ledger has recorded. The recorded old files are then kept on disk for a process that resumes
    /// the sort.
    fn merge<const SUMS: usize, C: Combine<SUMS>>(&self, files: Vec<RunFile>) -> Result<RunFile> {
        let folder = self.options.runs.as_deref().filter(|_| files.iter().all(RunFile::is_recorded));
        let paths: Vec<PathBuf> = files.iter().map(|file| file.path().to_owned()).collect();
        let bytes = files.iter().map(RunFile::bytes).sum();
        let unpacker = BodyUnpacker::shared()?;
        let cursor = |file: RunFile| -> Result<Box<dyn Cursor<SUMS>>> {
            let (rows, buckets) = (file.rows(), 0..file.buckets());
            Ok(Box::new(RunCursor::new::<SUMS>(Arc::new(file), 0, rows, buckets, &unpacker)?))
        };
        let cursors = files.into_iter().map(cursor).collect::<Result<Vec<_>>>()?;
        let merged = self.merge_cursors::<SUMS, C>(folder, cursors, bytes)?;
        let Some(folder) = folder else { return Ok(merged) };
        folder.replace(&merged, &paths).map_err(|source| Error::io(folder.path(), 0, source))?;
        Ok(merged.recorded())
    }

    /// Merges cursors into a file. The cursors read `bytes` bytes in total.
    pub(crate) fn merge_cursors<const SUMS: usize, C: Combine<SUMS>>(
        &self,
        folder: Option<&RunFolder>,
        cursors: Vec<Box<dyn Cursor<SUMS>>>,
        bytes: u64,
    ) -> Result<RunFile> {
        // Combining rows saves space, so the new file is no larger than its parts together.
        let dir = folder.map_or(self.options.temp_dir.as_path(), RunFolder::path);
        crate::disk::check_free(dir, bytes)?;
        let _lease = self.gauge.lease(merge_bytes::<SUMS>(cursors.len()));
        let mut merger = Merger::<SUMS, C>::new(cursors);
        let mut batch = Vec::with_capacity(BATCH_ROWS);
        self.write_file::<SUMS, C>(folder, |writer| {
            while merger.next_batch(&mut batch, BATCH_ROWS)? {
                self.check_stop()?;
                for row in &batch {
                    writer.push(row)?;
                }
            }
            Ok(())
        })
    }

    /// Creates a run file, and passes its writer to `push_rows`, which adds the rows. If `folder` is given,
    /// the file is a named file in that folder, and it has been synced to disk when this function returns.
    fn write_file<const SUMS: usize, C: Combine<SUMS>>(
        &self,
        folder: Option<&RunFolder>,
        push_rows: impl FnOnce(&mut RunWriter<File, SUMS, C>) -> Result<()>,
    ) -> Result<RunFile> {
        let (file, path) = self.create_file(folder)?;
        let writer_bytes = RunWriter::<File, SUMS, C>::memory_bytes(self.options.buckets);
        let _lease = self.gauge.lease(writer_bytes as u64);
        let mut writer = RunWriter::<File, SUMS, C>::new(file, &path, self.run_shape(SUMS))?;
        push_rows(&mut writer)?;
        let file = writer.finish()?;
        // A ledger may record the run as soon as this function returns, so the run must survive a crash from
        // then on.
        if let Some(folder) = folder {
            folder.sync(&file).map_err(|source| write_error(&path, 0, 0, source))?;
        }
        RunFile::from_file(file, path)
    }

    fn create_file(&self, folder: Option<&RunFolder>) -> Result<(File, PathBuf)> {
        if let Some(folder) = folder {
            return folder.create().map_err(|source| Error::io(folder.path(), 0, source));
        }
        let dir = &self.options.temp_dir;
        let file = tempfile::tempfile_in(dir).map_err(|source| Error::io(dir, 0, source))?;
        Ok((file, self.run_path()))
    }

    /// Returns a path for the next unnamed run file, for use in messages.
    fn run_path(&self) -> PathBuf {
        let number = self.counters.runs_started.fetch_add(1, Relaxed);
        self.options.temp_dir.join(format!("run-{number}"))
    }

    /// The properties that all runs of this sort share.
    pub(crate) fn run_shape(&self, sums: usize) -> RunShape {
        RunShape {
            sums: sums as u16,
            payload_bits: self.payload_bits as u16,
            source: self.options.source,
            buckets: self.options.buckets,
        }
    }
}

/// Combines the sorted items into rows, and adds the rows to the run.
fn push_items<I: Item<SUMS>, const SUMS: usize>(
    writer: &mut RunWriter<File, SUMS, I::Combine>,
    mut items: &[I],
) -> Result<()> {
    let mut rows = [Row::EMPTY; COLLAPSE_ROWS];
    while !items.is_empty() {
        let (used, made) = collapse(items, &mut rows);
        for row in &rows[..made] {
            writer.push(row)?;
        }
        items = &items[used..];
    }
    Ok(())
}
