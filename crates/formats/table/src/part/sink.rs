//! Where the bytes of a part file go: a file, counted and hashed on the way.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
};

use xxhash_rust::xxh3::Xxh3Default;

use crate::hex;

/// Bytes gathered for one write. The library hands over eight thousand at a time, which
/// would be twice as slow.
const BUFFER_BYTES: usize = 256 * 1024;

/// A new file that knows its length and checksum.
///
/// # Memory
///
/// 256 KiB of bytes not written yet.
pub struct Sink {
    file: BufWriter<File>,
    hash: Xxh3Default,
    bytes: u64,
}

impl Sink {
    /// A sink into `file`, which is empty.
    #[must_use]
    pub fn new(file: File) -> Self {
        Self { file: BufWriter::with_capacity(BUFFER_BYTES, file), hash: Xxh3Default::new(), bytes: 0 }
    }

    /// The file, its bytes and its checksum.
    ///
    /// # Errors
    ///
    /// If the last bytes cannot be written.
    pub fn finish(self) -> io::Result<(File, u64, String)> {
        Ok((self.file.into_inner()?, self.bytes, hex::digits(self.hash.digest())))
    }
}

impl Write for Sink {
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
