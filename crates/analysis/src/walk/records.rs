//! Sorts records by key under a memory limit, and keeps one a key.
//!
//! `extsort` adds up what meets under one identity; here the smallest payload wins, and a payload is as large as a position.
//!
//! # Format
//!
//! Runs stand one after another in an unnamed temporary file. A run holds records of 40 bytes, ascending: key, then four words
//! of payload, all u64, little-endian.
//!
//! # Stability
//!
//! Nothing but this process reads them.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, binary_heap::PeekMut},
    fs::File,
    io::{self, BufWriter, Write},
    os::unix::fs::FileExt,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use position::Key;

use crate::{Error, Result, shards::Work};

/// What temporary files are called in errors.
pub(super) const TEMPORARY: &str = "temporary file";
/// However little memory there is.
const CHUNK_RECORDS_MIN: usize = 1024;
/// Bytes of a record in a run.
const RECORD_BYTES: usize = 40;
/// Records read from a run at a time.
const READ_RECORDS: usize = 512;

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

/// Writes from an offset on, whoever else writes elsewhere.
struct WriteAt<'f> {
    file: &'f File,
    offset: u64,
}

impl Write for WriteAt<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write_at(bytes, self.offset)?;
        self.offset += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
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

/// A source of records that ascend.
pub(crate) trait Source {
    /// The next one.
    fn next(&mut self) -> Result<Option<Record>>;
}

impl Source for RunRecords<'_> {
    fn next(&mut self) -> Result<Option<Record>> {
        match self {
            RunRecords::Memory(records) => Ok(records.next().copied()),
            RunRecords::File(records) => records.next(),
        }
    }
}

/// Records in a file, from one index to another.
pub(crate) struct FileRecords<'r> {
    file: &'r File,
    at: u64,
    end: u64,
    buffer: Vec<u8>,
    used: usize,
}

impl<'r> FileRecords<'r> {
    pub(crate) fn new(file: &'r File, at: u64, end: u64) -> Self {
        Self { file, at, end, buffer: Vec::new(), used: 0 }
    }

    /// From the first record of `key` or a later one on.
    pub(crate) fn from_key(mut self, key: Key) -> Result<Self> {
        let mut end = self.end;
        while self.at < end {
            let middle = u64::midpoint(self.at, end);
            let mut bytes = [0; 8];
            let read = self.file.read_exact_at(&mut bytes, middle * RECORD_BYTES as u64);
            read.map_err(Error::io(TEMPORARY.as_ref()))?;
            if word(&bytes) < key.0 { self.at = middle + 1 } else { end = middle }
        }
        Ok(self)
    }

    fn refill(&mut self) -> Result<()> {
        let records = (self.end - self.at).min(READ_RECORDS as u64);
        self.buffer.resize(records as usize * RECORD_BYTES, 0);
        let offset = self.at * RECORD_BYTES as u64;
        let read = self.file.read_exact_at(&mut self.buffer, offset);
        read.map_err(Error::io(TEMPORARY.as_ref()))?;
        (self.at, self.used) = (self.at + records, 0);
        Ok(())
    }
}

impl Source for FileRecords<'_> {
    fn next(&mut self) -> Result<Option<Record>> {
        if self.used == self.buffer.len() {
            if self.at == self.end {
                return Ok(None);
            }
            self.refill()?;
        }
        let mut words = self.buffer[self.used..].chunks_exact(8).map(word);
        self.used += RECORD_BYTES;
        let key = Key(words.next().unwrap_or_default());
        let payload = [(); 4].map(|()| words.next().unwrap_or_default());
        Ok(Some(Record { key, payload }))
    }
}

/// Merges sources into one that has every key once.
///
/// # Memory
///
/// 20 KB a source in a file.
pub(crate) struct Merge<S> {
    sources: Vec<S>,
    /// The next record of each source that has one, the smallest on top.
    heads: BinaryHeap<Reverse<(Record, usize)>>,
}

impl<S: Source> Merge<S> {
    pub(crate) fn new(mut sources: Vec<S>) -> Result<Self> {
        let mut heads = BinaryHeap::with_capacity(sources.len());
        for (index, source) in sources.iter_mut().enumerate() {
            heads.extend(source.next()?.map(|record| Reverse((record, index))));
        }
        Ok(Self { sources, heads })
    }

    /// The next record, and which source has it; other records of its key are passed over.
    pub(crate) fn next(&mut self) -> Result<Option<(Record, usize)>> {
        let Some(first) = self.pop()? else { return Ok(None) };
        while self.heads.peek().is_some_and(|head| head.0.0.key == first.0.key) {
            self.pop()?;
        }
        Ok(Some(first))
    }

    fn pop(&mut self) -> Result<Option<(Record, usize)>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let popped = head.0;
        match self.sources[popped.1].next()? {
            Some(record) => head.0.0 = record,
            None => drop(PeekMut::pop(head)),
        }
        Ok(Some(popped))
    }
}

/// Joins ascending records with ascending keys that are asked for.
pub(crate) struct Lookup<S> {
    records: Merge<S>,
    head: Option<(Record, usize)>,
}

impl<S: Source> Lookup<S> {
    pub(crate) fn new(mut records: Merge<S>) -> Result<Self> {
        let head = records.next()?;
        Ok(Self { records, head })
    }

    /// The record of `key` and its source; asked with ascending keys.
    pub(crate) fn find(&mut self, key: Key) -> Result<Option<(Record, usize)>> {
        while self.head.is_some_and(|(record, _)| record.key < key) {
            self.head = self.records.next()?;
        }
        Ok(self.head.filter(|(record, _)| record.key == key))
    }

    /// Whether there is nothing left.
    pub(crate) fn is_empty(&self) -> bool {
        self.head.is_none()
    }
}

/// Writes a record as a run has it.
pub(crate) fn write_record(file: &mut impl Write, record: &Record) -> io::Result<()> {
    let mut bytes = [0; RECORD_BYTES];
    let words = std::iter::once(record.key.0).chain(record.payload);
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    file.write_all(&bytes)
}

/// Which of `shards` equal ranges of keys holds `key`.
pub(crate) fn shard_of(key: Key, shards: u32) -> u32 {
    key.0.checked_shr(64 - shards.trailing_zeros()).unwrap_or(0) as u32
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
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
