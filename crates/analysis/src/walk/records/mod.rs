//! Sorts records by key under a memory limit, and keeps one a key.
//!
//! `extsort` adds up what meets under one identity; here the smallest payload wins, and a payload is as large as a position.

mod file;
mod merge;

use std::{
    fs::File,
    io::{BufWriter, Write},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use position::Key;

use self::file::{RECORD_BYTES, WriteAt};
pub(crate) use self::{
    file::{FileRecords, write_record},
    merge::{Lookup, Merge, Source},
};
use crate::{Error, Result, shards::Work};

/// What temporary files are called in errors.
pub(super) const TEMPORARY: &str = "temporary file";
/// However little memory there is.
const CHUNK_RECORDS_MIN: usize = 1024;

/// A key and what is known of it. Of equal keys the smallest payload stays.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Record {
    pub(crate) key: Key,
    pub(crate) payload: [u64; 4],
}

/// Takes records in, from several threads.
///
/// # Memory
///
/// A chunk of `chunk_records` for each thread that ever wrote at the same time as others.
pub(crate) struct RecordSorter {
    chunk_records: usize,
    shards: u32,
    /// Chunks that are neither full nor in use.
    resting: Mutex<Vec<Vec<Record>>>,
    /// Where each run stands in the file: its number of records before each shard, and of all.
    spilled: Mutex<Vec<Vec<u64>>>,
    spilled_records: AtomicU64,
    file: File,
}

/// The records of one thread.
pub(crate) struct RecordWriter<'s> {
    sorter: &'s RecordSorter,
    chunk: Vec<Record>,
}

/// What went in, sorted.
pub(crate) struct SortedRecords {
    memory: Vec<Vec<Record>>,
    /// As in [`RecordSorter`].
    spilled: Vec<Vec<u64>>,
    /// `None` if nothing was spilled.
    file: Option<File>,
    shards: u32,
}

impl RecordSorter {
    /// A sorter of records for so many shards, with memory for `threads` writers.
    pub(crate) fn new(work: &Work<'_>, memory_bytes: u64, shards: u32) -> Result<Self> {
        let records = memory_bytes / (work.threads as u64 * size_of::<Record>() as u64);
        Ok(Self {
            chunk_records: usize::try_from(records).unwrap_or(usize::MAX).max(CHUNK_RECORDS_MIN),
            shards,
            resting: Mutex::default(),
            spilled: Mutex::default(),
            spilled_records: AtomicU64::new(0),
            file: tempfile::tempfile_in(&work.temp_dir).map_err(Error::io(&work.temp_dir))?,
        })
    }

    pub(crate) fn writer(&self) -> RecordWriter<'_> {
        let resting = lock(&self.resting).pop();
        RecordWriter { sorter: self, chunk: resting.unwrap_or_default() }
    }

    /// Ends the input.
    pub(crate) fn finish(self) -> SortedRecords {
        let mut memory = into_inner(self.resting);
        memory.iter_mut().for_each(sort);
        let spilled = into_inner(self.spilled);
        SortedRecords {
            memory,
            file: (!spilled.is_empty()).then_some(self.file),
            spilled,
            shards: self.shards,
        }
    }

    /// Writes a sorted chunk behind what is in the file, and empties it.
    fn spill(&self, chunk: &mut Vec<Record>) -> Result<()> {
        let first = self.spilled_records.fetch_add(chunk.len() as u64, Relaxed);
        let offset = first * RECORD_BYTES as u64;
        let mut file = BufWriter::with_capacity(1 << 18, WriteAt { file: &self.file, offset });
        let mut records = chunk.iter();
        let written = records.try_for_each(|record| write_record(&mut file, record));
        written.and_then(|()| file.flush()).map_err(Error::io(TEMPORARY.as_ref()))?;
        let before = |shard| chunk.partition_point(|record| shard_of(record.key, self.shards) < shard) as u64;
        lock(&self.spilled).push((0..=self.shards).map(|shard| first + before(shard)).collect());
        chunk.clear();
        Ok(())
    }
}

impl RecordWriter<'_> {
    pub(crate) fn push(&mut self, record: Record) -> Result<()> {
        if self.chunk.len() == self.sorter.chunk_records {
            // Most keys come more than once near the start of all games.
            sort(&mut self.chunk);
            if self.chunk.len() > self.sorter.chunk_records / 2 {
                self.sorter.spill(&mut self.chunk)?;
            }
        }
        self.chunk.push(record);
        Ok(())
    }

    /// Hands the rest over.
    pub(crate) fn close(self) {
        lock(&self.sorter.resting).push(self.chunk);
    }
}

impl SortedRecords {
    /// These records, which ascend.
    pub(crate) fn of(records: Vec<Record>, shards: u32) -> Self {
        Self { memory: vec![records], spilled: Vec::new(), file: None, shards }
    }

    /// The records of a shard, ascending, one a key.
    pub(crate) fn shard(&self, shard: u32) -> Result<Merge<RunRecords<'_>>> {
        let in_memory = self.memory.iter().map(|records| {
            let first = records.partition_point(|record| shard_of(record.key, self.shards) < shard);
            let end = records.partition_point(|record| shard_of(record.key, self.shards) <= shard);
            RunRecords::Memory(records[first..end].iter())
        });
        let shard = shard as usize;
        let in_file = self.file.iter().flat_map(|file| {
            let run = move |starts: &Vec<u64>| FileRecords::new(file, starts[shard], starts[shard + 1]);
            self.spilled.iter().map(move |starts| RunRecords::File(run(starts)))
        });
        Merge::new(in_memory.chain(in_file).collect())
    }
}

/// The records of one shard in one run.
pub(crate) enum RunRecords<'r> {
    Memory(std::slice::Iter<'r, Record>),
    File(FileRecords<'r>),
}

impl Source for RunRecords<'_> {
    fn next(&mut self) -> Result<Option<Record>> {
        match self {
            RunRecords::Memory(records) => Ok(records.next().copied()),
            RunRecords::File(records) => records.next(),
        }
    }
}

/// Which of `shards` equal ranges of keys holds `key`.
pub(crate) fn shard_of(key: Key, shards: u32) -> u32 {
    key.0.checked_shr(64 - shards.trailing_zeros()).unwrap_or(0) as u32
}

/// Puts records in order, one a key.
fn sort(records: &mut Vec<Record>) {
    records.sort_unstable();
    records.dedup_by_key(|record| record.key);
}

/// Takes a lock.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is behind these locks is whole at every moment, so a thread that panicked spoils nothing.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes out what is behind a lock.
pub(super) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, ops::ControlFlow};

    use super::*;

    /// 10,000 records of 2,000 keys, in a mixed order.
    fn records() -> impl Iterator<Item = Record> {
        (0..10_000_u64).map(|number| {
            let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            Record { key: Key((mixed % 2000) << 53), payload: [mixed >> 7 & 3, number, 0, mixed] }
        })
    }

    #[test]
    fn the_smallest_payload_of_each_key_stays_whatever_the_memory() {
        let mut wanted = BTreeMap::new();
        for record in records() {
            let smallest = wanted.entry(record.key).or_insert(record.payload);
            *smallest = record.payload.min(*smallest);
        }
        let wanted: Vec<_> = wanted.into_iter().map(|(key, payload)| Record { key, payload }).collect();
        for (memory_bytes, threads) in [(0, 1), (0, 3), (1 << 20, 2)] {
            let go_on = |_| ControlFlow::Continue(());
            let work = Work::new(threads, memory_bytes, std::env::temp_dir(), &go_on).unwrap();
            let sorter = RecordSorter::new(&work, memory_bytes, 8).unwrap();
            let mut writers: Vec<_> = (0..threads).map(|_| sorter.writer()).collect();
            for (index, record) in records().enumerate() {
                writers[index % threads].push(record).unwrap();
            }
            writers.into_iter().for_each(RecordWriter::close);
            let merged = sorter.finish();
            assert_eq!(merged.file.is_some(), memory_bytes == 0);
            let mut got = Vec::new();
            for shard in 0..8 {
                let mut records = merged.shard(shard).unwrap();
                while let Some((record, _)) = records.next().unwrap() {
                    assert_eq!(shard_of(record.key, 8), shard);
                    got.push(record);
                }
            }
            assert_eq!(got, wanted, "{memory_bytes} bytes, {threads} threads");
        }
    }
}
