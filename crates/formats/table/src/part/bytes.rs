//! The bytes of an open part file, for any number of readers at a time.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    os::unix::fs::FileExt,
    sync::Arc,
};

use parquet::{
    errors::{ParquetError, Result},
    file::reader::{ChunkReader, Length},
};

/// An open part file, or an experience file. Handles of one file share one place in it, so every
/// read here names its own.
#[derive(Clone, Debug)]
pub struct PartBytes {
    file: Arc<File>,
    bytes: u64,
}

/// Reads a part file from some byte to its end.
#[derive(Debug)]
pub struct ReadFrom {
    file: Arc<File>,
    offset: u64,
}

impl PartBytes {
    /// The bytes of `file`, as many as it has now.
    ///
    /// # Errors
    ///
    /// If the system does not say how many they are.
    pub fn new(file: File) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), bytes })
    }

    /// Bytes of the file.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.bytes
    }

    /// A reader that begins at byte `offset`.
    #[must_use]
    pub fn read_from(&self, offset: u64) -> ReadFrom {
        ReadFrom { file: Arc::clone(&self.file), offset }
    }
}

impl Read for ReadFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

impl Length for PartBytes {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for PartBytes {
    type T = BufReader<ReadFrom>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::new(self.read_from(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes> {
        // The length is compared first, so that a damaged length asks for no memory.
        if start.checked_add(length as u64).is_none_or(|end| end > self.bytes) {
            return Err(ParquetError::EOF(format!("{length} bytes at byte {start} of {}", self.bytes)));
        }
        let mut buffer = vec![0; length];
        self.file.read_exact_at(&mut buffer, start)?;
        Ok(buffer.into())
    }
}
