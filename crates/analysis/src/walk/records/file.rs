//! Records in a temporary file.
//!
//! # Format
//!
//! Runs stand one after another. A run holds records of 40 bytes, ascending: key, then four words of payload, all u64,
//! little-endian.
//!
//! # Stability
//!
//! The files have no names, and nothing but this process reads them.

use std::{
    fs::File,
    io::{self, Write},
    os::unix::fs::FileExt,
};

use position::Key;

use super::{Record, TEMPORARY, merge::Source};
use crate::{Error, Result};

/// Bytes of a record.
pub(super) const RECORD_BYTES: usize = 40;
/// Records read at a time.
const READ_RECORDS: usize = 512;

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

    /// Begins at the first record of `key` or a later one.
    pub(crate) fn skip_to(mut self, key: Key) -> Result<Self> {
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

/// Writes from an offset on, whoever else writes elsewhere.
pub(super) struct WriteAt<'f> {
    pub(super) file: &'f File,
    pub(super) offset: u64,
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

/// Writes a record as a run has it.
pub(crate) fn write_record(file: &mut impl Write, record: &Record) -> io::Result<()> {
    let mut bytes = [0; RECORD_BYTES];
    let words = std::iter::once(record.key.0).chain(record.payload);
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    file.write_all(&bytes)
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_in_a_file_are_found_by_key() {
        let mut file = tempfile::tempfile().unwrap();
        for key in [10, 20, 30] {
            write_record(&mut file, &Record { key: Key(key), payload: [key; 4] }).unwrap();
        }
        for (from, first) in [(0, Some(10)), (10, Some(10)), (11, Some(20)), (30, Some(30)), (31, None)] {
            let mut records = FileRecords::new(&file, 0, 3).skip_to(Key(from)).unwrap();
            assert_eq!(records.next().unwrap().map(|record| record.key.0), first, "from {from}");
        }
    }
}
