//! Where the bytes of a part file go: a file, counted and hashed on the way.

use std::{
    fs::File,
    io::{self, Write},
};

use xxhash_rust::xxh3::Xxh3Default;

use crate::hex;

/// A new file that knows its length and checksum.
pub(crate) struct Sink {
    file: File,
    hash: Xxh3Default,
    bytes: u64,
}

impl Sink {
    pub(crate) fn new(file: File) -> Self {
        Self { file, hash: Xxh3Default::new(), bytes: 0 }
    }

    /// The file, its bytes and its checksum.
    pub(crate) fn finish(self) -> (File, u64, String) {
        (self.file, self.bytes, hex::digits(self.hash.digest()))
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
