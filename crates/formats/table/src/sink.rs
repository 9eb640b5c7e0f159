//! A new file of a table, whose bytes are counted and hashed while they are written.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
};

use xxhash_rust::xxh3::Xxh3Default;

use crate::hex;

/// How many bytes are gathered into one write. The library writes only eight thousand bytes at a time, and
/// writing such small blocks directly would be half as fast.
const BUFFER_BYTES: usize = 256 * 1024;

/// A new file, with its length and checksum so far.
///
/// # Memory
///
/// Holds 256 KiB of bytes that are yet to be written.
pub struct Sink(BufWriter<HashedFile>);

/// A file behind the buffer, which hashes as many bytes at a time as the buffer holds.
struct HashedFile {
    file: File,
    hash: Xxh3Default,
    bytes: u64,
}

impl Sink {
    /// A sink that writes to `file`, which must be empty.
    #[must_use]
    pub fn new(file: File) -> Self {
        let file = HashedFile { file, hash: Xxh3Default::new(), bytes: 0 };
        Self(BufWriter::with_capacity(BUFFER_BYTES, file))
    }

    /// Writes the bytes that are left, and returns the file, its length and its checksum.
    ///
    /// # Errors
    ///
    /// Fails if the last bytes cannot be written.
    pub fn finish(self) -> io::Result<(File, u64, String)> {
        let HashedFile { file, hash, bytes } = self.0.into_inner()?;
        Ok((file, bytes, hex::digits(hash.digest())))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
